"""A whole page: its policy, style, sections, data and script, in one file."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import NamedTuple


class Section(NamedTuple):
    """A part of the page with a title, to which the list of contents leads."""

    id: str
    title: str
    html: str


def page_html(title: str, head: str, sections: Sequence[Section], data: Mapping[str, str]) -> str:
    """Return a page; ``data`` are compressed values by the id with which the script finds them.

    The policy allows this style and this script only, and no requests: a browser enforces that
    the page works without a network and that no name in the data can run as a script.
    """
    style, script = (
        files("coverlap.report").joinpath(name).read_text("utf-8")
        for name in ("page.css", "page.js")
    )
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    contents = "".join(f'<a href="#{part.id}">{escape(part.title)}</a> ' for part in sections)
    body = "".join(
        f'<section id="{part.id}"><h2>{escape(part.title)}</h2>{part.html}</section>\n'
        for part in sections
    )
    blocks = "".join(
        f'<script type="application/gzip" id="data-{name}">{value}</script>\n'
        for name, value in data.items()
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<header>{head}<nav aria-label="contents">{contents}</nav></header>\n'
        f"<main>\n{body}</main>\n"
        f'<div id="tip" role="tooltip" hidden></div>\n{blocks}<script>{script}</script>\n'
        "</body>\n</html>\n"
    )


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
