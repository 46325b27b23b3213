"""Ways to damage a file, and functions that read it."""

import gzip
import tempfile
from pathlib import Path

import pytest
from hypothesis import strategies as st

from coverlap import Clustering
from coverlap.clustering.read import File, read_files
from coverlap.core.errors import CoverlapError, OptionError
from coverlap.files.options import ReadOptions
from tests.files.support import BOM, as_bytes, assert_sound, line_of, read, refusal

__all__ = ["BOM", "broken_off", "mutated", "read", "refusal", "refused_line", "survive", "unmet"]


def unmet(content: str | bytes, name: str, **options: object) -> bool:
    """Return whether an outlier label that is not in the file is rejected."""
    chosen = ReadOptions(outlier_label=frozenset({"not there"}), **options)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(as_bytes(content))
        with pytest.raises(OptionError) as caught:
            read_files([File(path, options=chosen)], strict=True)
    return "'not there' is not a label" in str(caught.value)


def refused_line(content: str | bytes, name: str, **options: object) -> int:
    """Return the line number in the error message of a rejected file."""
    return line_of(refusal(content, name, **options))


def survive(
    content: bytes, name: str, place: str = ", line ", **options: object
) -> Clustering | None:
    """Read a file that may be broken; return None if the error of coverlap names the place."""
    try:
        c = read(content, name, **options)
    except CoverlapError as error:
        message = str(error)
    else:
        assert_sound(c)
        return c
    assert name in message
    assert place in message
    return None


def broken_off(content: str | bytes, share: float = 0.5) -> bytes:
    """Return the first part of the compressed content."""
    data = gzip.compress(as_bytes(content), mtime=0)
    return data[: int(share * len(data))]


@st.composite
def mutated(draw: st.DrawFn, original: str, fragments: tuple[str, ...]) -> bytes:
    """Draw a text with some pieces replaced, which sometimes is cut off."""
    data = original.encode()
    pieces = st.sampled_from(fragments).map(str.encode) | st.binary(max_size=4)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        data = data[:at] + draw(pieces) + data[at + draw(st.integers(0, 9)) :]
    return data[: draw(st.integers(0, len(data)))] if draw(st.booleans()) else data
