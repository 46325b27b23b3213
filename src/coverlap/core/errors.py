"""All exceptions: each is also the built-in exception that a caller would expect."""


class CoverlapError(Exception):
    """Base of every error that coverlap raises on purpose."""


class InputError(CoverlapError, ValueError):
    """An input is of a known kind, but something in it cannot be right."""


class InputTypeError(CoverlapError, TypeError):
    """An input is of a kind that cannot be read as a clustering."""


class UniverseError(CoverlapError, ValueError):
    """The objects of two clusterings, or of a clustering and its universe, do not fit."""


class OptionError(CoverlapError, ValueError):
    """An option has a value that it cannot take."""


class UndefinedError(CoverlapError, ValueError):
    """A measure is not defined for the clusterings that it was asked for."""


class FileError(CoverlapError, OSError):
    """A file cannot be opened."""


class MissingDependencyError(CoverlapError, ImportError):
    """An optional library is needed and not installed."""
