"""Pages in a real headless browser: ``open_page(html)`` opens one and watches what it does.

A test fails if its page logs an error, raises one or requests anything but itself.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.report.browser import HOW_TO_INSTALL, find_browser

if TYPE_CHECKING:  # it takes a while to import, and only tests that use it should wait
    from playwright.sync_api import Browser, BrowserContext, CDPSession, ConsoleMessage, Page

FLAGS = (
    "--no-sandbox",  # the sandbox does not work for root in a container
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
PATIENCE = 10_000  # milliseconds until an action or an expectation fails
OWN_ADDRESSES = ("data:", "blob:")


class OpenPage:
    """Open pages, and note what they log and request.

    Attributes
    ----------
    problems
        What the test will fail for. A test that expects a problem checks and clears this list.
    """

    def __init__(self, browser: "Browser", folder: Path) -> None:
        self.problems: list[str] = []
        self._browser = browser
        self._folder = folder
        self._files: set[str] = set()
        self._contexts: list[BrowserContext] = []
        self._sessions: list[CDPSession] = []

    def __call__(
        self,
        html_or_path: str | Path,
        *,
        width: int = 1400,
        height: int = 900,
        dark: bool = False,
        javascript: bool = True,
    ) -> "Page":
        """Open HTML (a string) or a file (a Path), and return the page once it is loaded."""
        path = html_or_path
        if isinstance(path, str):
            path = self._folder / f"page{len(self._contexts)}.html"
            path.write_text(str(html_or_path), encoding="utf-8")
        address = path.absolute().as_uri()
        self._files.add(address)
        context = self._browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            java_script_enabled=javascript,
            offline=True,  # what a page should not request is not sent either
            locale="en-US",
            timezone_id="UTC",
        )
        self._contexts.append(context)
        context.set_default_timeout(PATIENCE)
        # These also see the windows that a page opens.
        context.on("console", self._note_message)
        context.on("weberror", lambda error: self.problems.append(f"page error: {error.error}"))
        context.on("request", lambda request: self._note_address(request.url))
        page = context.new_page()
        # Playwright's own event for sockets comes only after an attempt to connect.
        session = context.new_cdp_session(page)
        session.on("Network.webSocketCreated", lambda event: self._note_address(event["url"]))
        session.send("Network.enable")
        self._sessions.append(session)
        page.goto(address)
        return page

    def close(self) -> None:
        """Close all pages, once all that they did until now has been noted."""
        # Events come in order, so that those from before these answers have arrived with them.
        for session in self._sessions:
            session.send("Runtime.evaluate", {"expression": "0"})
        for context in self._contexts:
            for page in context.pages:
                page.evaluate("0")
            context.close()

    def _note_message(self, message: "ConsoleMessage") -> None:
        if message.type == "error":
            self.problems.append(f"console error: {message.text}")

    def _note_address(self, address: str) -> None:
        is_file = address.partition("#")[0].partition("?")[0] in self._files
        if not is_file and not address.startswith(OWN_ADDRESSES):
            self.problems.append(f"request: {address}")


@contextmanager
def opening(browser: "Browser", folder: Path) -> Iterator[OpenPage]:
    """Give an OpenPage, and in the end fail if its pages had problems."""
    open_page = OpenPage(browser, folder)
    try:
        yield open_page
    finally:
        open_page.close()
    if open_page.problems:
        pytest.fail("\n".join(["The page had problems:", *open_page.problems]), pytrace=False)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip tests that need a browser, all from this line: pytest then reports them as one."""
    if "browser" in item.fixturenames and find_browser() is None:
        pytest.skip(f"no browser: run 'make browser', or {HOW_TO_INSTALL}")


# Not for the whole session: Playwright leaves an event loop running in this thread until it stops,
# and tests elsewhere could not use asyncio.
@pytest.fixture(scope="package")
def browser() -> Iterator["Browser"]:
    """Give the browser, started once per process and stopped after the last test of this folder."""
    from playwright.sync_api import sync_playwright

    # The profile, crash reports and caches go where they are removed, not to the user's home.
    with tempfile.TemporaryDirectory(
        prefix="coverlap-browser-",
        ignore_cleanup_errors=True,  # Windows keeps files that are still open
    ) as folder:
        temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), folder)
        homes = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), folder)
        with pytest.MonkeyPatch.context() as patch:
            for name, value in temporary.items():
                patch.setenv(name, value)  # for Playwright, which makes the profile
            playwright = sync_playwright().start()
        try:
            browser = playwright.chromium.launch(
                executable_path=find_browser(), args=FLAGS, env={**os.environ, **temporary, **homes}
            )
            try:
                yield browser
            finally:
                browser.close()
        finally:
            playwright.stop()


@pytest.fixture
def open_page(browser: "Browser", tmp_path: Path) -> Iterator[OpenPage]:
    """Give ``open_page(html_or_path, *, width=1400, height=900, dark=False, javascript=True)``.

    It returns Playwright's Page. The test fails if the page logs an error, raises one, or requests
    anything but its own file and data: and blob: addresses.
    """
    with opening(browser, tmp_path) as pages:
        yield pages
