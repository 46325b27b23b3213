"""Compare two clusterings of the same objects.

Clusters may overlap, and objects may belong to no cluster. `fstar_score` returns the score,
`compare` explains it, and `score` and `scores` compute any other measure. `coverlap.graph` has
clusterings of graphs, `coverlap.generate` makes random clusterings, and `coverlap.plot` draws
results.
"""

from coverlap._kernels import load as _load

__version__ = "0.1.0"

# The stub, which type checkers read, lists the modules of the public names, also for this file.
# Each is imported when one of its names is first used, so that ``import coverlap`` is fast.
_stub = __loader__.get_data(f"{__path__[0]}/__init__.pyi").decode().splitlines()  # from a zip, too
_HOMES = {line.split()[-1]: line.split()[1] for line in _stub if line.startswith("from ")}

__all__ = sorted(_HOMES)  # noqa: PLE0605


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'coverlap' has no attribute {name!r}")
    home = _HOMES[name].partition(".")[2]
    value = getattr(_load(home), name) if home else _load(name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
