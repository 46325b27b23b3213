"""All exceptions; each is also a built-in exception, so that ``except ValueError`` works.

Tracebacks show them under their public names, such as ``coverlap.InputError``.
"""


class CoverlapError(Exception):
    """Base of every error that coverlap raises on purpose."""

    __module__ = "coverlap"


class InputError(CoverlapError, ValueError):
    """An input is of a known kind, but something in it cannot be right."""

    __module__ = "coverlap"


class InputTypeError(CoverlapError, TypeError):
    """An input is of a kind that cannot be read as a clustering."""

    __module__ = "coverlap"


class UniverseError(CoverlapError, ValueError):
    """The objects of two clusterings, or of a clustering and its universe, do not fit."""

    __module__ = "coverlap"


class OptionError(CoverlapError, ValueError):
    """An option has a value that it cannot take."""

    __module__ = "coverlap"


class UndefinedError(CoverlapError, ValueError):
    """A measure is not defined for the clusterings that it was asked for."""

    __module__ = "coverlap"


class FileError(CoverlapError, OSError):
    """A file cannot be opened."""

    __module__ = "coverlap"


class MissingDependencyError(CoverlapError, ImportError):
    """An optional library is needed and not installed."""

    __module__ = "coverlap"


class ResourceError(CoverlapError, MemoryError):
    """The memory, or the disk for temporary files, does not suffice."""

    __module__ = "coverlap"
