"""Several files that are one table: in a folder, by wildcards, or in a list."""

from collections.abc import Iterable, Sequence
from glob import glob, has_magic
from pathlib import Path

from coverlap.core.errors import FileError, InputError
from coverlap.core.wording import shown
from coverlap.files.registry import format_of_name
from coverlap.files.source import Source, opening


def files_of(paths: str | Path | Sequence[str | Path], side: str = "") -> list[str | Path]:
    """Return the files of one path or of several, of which there is at least one.

    A folder stands for the files in it, wildcards for those that match. ``side`` is for messages.
    """
    named = [paths] if isinstance(paths, (str, Path)) else paths
    return [path for name in named for path in _files(name, side)]


def name_of(sources: Sequence[Source]) -> str:
    """Return the name of files that are one table, for error messages."""
    return str(sources[0]) if len(sources) == 1 else f"{sources[0]} and others"


def different_columns(source: Source, first: Source, wanted: object, found: object) -> InputError:
    """Return the error about a file whose columns are not those of the first one."""
    return InputError(
        f"{source}: the columns must be those of {first}, with which it is one table: {wanted}, "
        f"not {found}"
    )


def _files(given: str | Path, side: str) -> Iterable[str | Path]:
    """Return the files of one path: itself, those that match it, or those in this folder.

    A folder is a table if all of its files are, but for those that begin with a dot or underscore.
    """
    if not isinstance(given, (str, Path)) or str(given) in ("", "-"):
        return [given]  # no name of a file, as `Source` says
    source, path = Source(given, side), Path(given)
    if path.is_dir():
        with opening(source):
            found = [item for item in sorted(path.iterdir()) if item.name[0] not in "._"]
        if not found:
            raise FileError(f"{source}: the folder has no files")
        for item in found:
            if not _is_table(item):
                raise FileError(
                    f"{source}: a folder may hold only Parquet, CSV or Arrow files, and "
                    f"{shown(item.name)} is none"
                )
        return found
    if path.exists() or not has_magic(str(path)):
        return [path]
    found = [Path(item) for item in sorted(glob(str(path), recursive=True)) if Path(item).is_file()]  # noqa: PTH207
    if not found:
        raise FileError(f"{source}: no file matches this")
    return found


def _is_table(path: Path) -> bool:
    """Return whether a file in a folder is part of a table, by its name."""
    form = format_of_name(Source(path).name)
    return path.is_file() and form is not None and form.many_files
