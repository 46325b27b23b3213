"""Time fstar_score on the same labels in the forms that people hold them in.

Each form is timed beside what a user would write by hand: scikit-learn's ARI after a join of the
ids or a factorisation of the labels, or a join and a group-by. Each time is divided by that of two
int64 arrays, measured just before it, and this ratio has a limit. The growth of the process is
measured in a process for each form, after a first call on fewer labels.
"""

from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from data import partitions, size
from rich.table import Table
from timing import best, console, optional, run

import coverlap as cv

N_OBJECTS, N_CLUSTERS = size(1_000_000, 5_000), size(10_000, 100)
Two = tuple[Any, Any]


class Data(NamedTuple):
    """Labels of the same objects, the names of clusters and objects, and another order."""

    left: Any
    right: Any
    names: Any
    ids: list[str]
    order: Any


class Form(NamedTuple):
    """A form of labels, how often it may take as long as arrays, and the way by hand."""

    name: str
    limit: float
    make: Callable[[Data], Two]
    by_hand: Callable[[Any, Any], object]


def draw(n_objects: int, n_clusters: int) -> Data:
    """Draw labels, of which a share differs between the sides."""
    left, right = partitions(n_objects, n_clusters, outliers=0.0)
    names = np.array([f"cluster {i}" for i in range(n_clusters)])
    ids = [f"object {i:07d}" for i in range(n_objects)]
    return Data(left, right, names, ids, np.random.default_rng(1).permutation(n_objects))


def _labels(convert: Callable[[Any], Any]) -> Callable[[Data], Two]:
    return lambda data: (convert(data.left), convert(data.right))


def _names(convert: Callable[[Any], Any]) -> Callable[[Data], Two]:
    return lambda data: (convert(data.names[data.left]), convert(data.names[data.right]))


def _by_id(
    convert: Callable[[list[str], Any], Any], *, shuffled: bool, named: bool = False
) -> Callable[[Data], Two]:
    def make(data: Data) -> Two:
        left, right = data.left, data.right
        if named:
            left, right = data.names[left], data.names[right]
        if not shuffled:
            return convert(data.ids, left), convert(list(data.ids), right)
        return (
            convert(data.ids, left),
            convert([data.ids[i] for i in data.order.tolist()], right[data.order]),
        )

    return make


def _groups(kind: type, *, texts: bool = False) -> Callable[[Data], Two]:
    def group(data: Data, labels: Any) -> list[Any]:
        items: list[Any] = data.ids if texts else list(range(len(labels)))
        order = np.argsort(labels, kind="stable")
        cuts = np.cumsum(np.bincount(labels))[:-1]
        return [kind(items[i] for i in part.tolist()) for part in np.split(order, cuts)]

    return lambda data: (group(data, data.left), group(data, data.right))


def ari(left: Any, right: Any) -> object:
    """Compute scikit-learn's ARI."""
    from sklearn.metrics import adjusted_rand_score

    return adjusted_rand_score(left, right)


def factorized_ari(left: Any, right: Any) -> object:
    """Number the labels by pandas, and compute scikit-learn's ARI."""
    import pandas as pd

    return ari(*(pd.factorize(np.asarray(side, object))[0] for side in (left, right)))


def ari_of_dicts(left: dict[Any, Any], right: dict[Any, Any]) -> object:
    """Look each key up in the other dict."""
    return ari(list(left.values()), [right[key] for key in left])


def ari_of_clusters(left: Any, right: Any) -> object:
    """Make dicts of the members of clusters."""
    dicts = (
        {item: i for i, members in enumerate(side) for item in members} for side in (left, right)
    )
    return ari_of_dicts(*dicts)


def ari_of_series(left: Any, right: Any) -> object:
    """Take the labels of one Series in the order of the other one."""
    return ari(left.to_numpy(), right.to_numpy()[right.index.get_indexer(left.index)])


def merge(left: Any, right: Any) -> object:
    """Merge two frames of pandas, and count the objects of each pair of clusters."""
    return left.merge(right, on="object").groupby(["cluster_x", "cluster_y"]).size()


def join(left: Any, right: Any) -> object:
    """Join two frames of polars, and count the objects of each pair of clusters."""
    return left.join(right, on="object").group_by("cluster", "cluster_right").len()


def forms() -> list[Form]:
    """Return all forms of which the library is installed."""
    made = [
        Form("int64 arrays", 1, _labels(lambda labels: labels), ari),
        Form("lists of int", 80 / 6, _labels(lambda labels: labels.tolist()), ari),
        Form("lists of str", 180 / 6, _names(lambda names: names.tolist()), factorized_ari),
        Form("NumPy U arrays", 40 / 6, _names(lambda names: names), ari),
        Form("dicts str to int, one order", 150 / 6, _by_id(_dict, shuffled=False), ari_of_dicts),
        Form("dicts str to int, two orders", 600 / 6, _by_id(_dict, shuffled=True), ari_of_dicts),
        Form("lists of sets of int", 280 / 6, _groups(set), ari_of_clusters),
        Form("lists of lists of int", 200 / 6, _groups(list), ari_of_clusters),
        Form("lists of sets of str", 1400 / 6, _groups(set, texts=True), ari_of_clusters),
    ]
    pandas, polars = optional("pandas"), optional("polars")
    return (
        made + (_pandas_forms(pandas) if pandas else []) + (_polars_forms(polars) if polars else [])
    )


def _dict(ids: list[str], labels: Any) -> dict[str, int]:
    return dict(zip(ids, labels.tolist(), strict=True))


def _pandas_forms(pd: Any) -> list[Form]:
    def series(ids: list[str], labels: Any) -> Any:
        return pd.Series(labels, index=ids)

    def frame(ids: list[str], names: Any) -> Any:
        return pd.DataFrame({"object": ids, "cluster": names.astype(object)})

    categorical = _names(lambda names: pd.Series(pd.Categorical(names)))
    objects = _names(lambda names: pd.Series(names.astype(object)))
    of_arrow = _names(lambda names: pd.Series(names, dtype="string[pyarrow]"))
    equal, shuffled = (_by_id(series, shuffled=shuffled) for shuffled in (False, True))
    frames = _by_id(frame, shuffled=True, named=True)
    return [
        Form("pandas categorical", 15 / 6, categorical, factorized_ari),
        Form("pandas Series of str", 150 / 6, objects, factorized_ari),
        Form("pandas Series, Arrow str", 150 / 6, of_arrow, factorized_ari),
        Form("pandas Series, equal index of str", 150 / 6, equal, ari_of_series),
        Form("pandas Series, shuffled index of str", 600 / 6, shuffled, ari_of_series),
        Form("pandas frames str, str", 650 / 6, frames, merge),
    ]


def _polars_forms(pl: Any) -> list[Form]:
    def frame(ids: Any, labels: Any) -> Any:
        return pl.DataFrame({"object": ids, "cluster": labels})

    def integers(data: Data) -> Two:
        order = data.order
        return frame(np.arange(len(order)), data.left), frame(order, data.right[order])

    of_arrow = _names(lambda names: pl.Series(names).to_arrow())
    frames = _by_id(frame, shuffled=True, named=True)
    return [
        Form("polars str", 60 / 6, _names(pl.Series), factorized_ari),
        Form("Arrow str", 60 / 6, of_arrow, factorized_ari),
        Form("polars frames str, str", 200 / 6, frames, join),
        Form("polars frames int, int", 25 / 6, integers, join),
    ]


def table() -> None:
    """Print the times, their ratios to those of arrays, the ways by hand, and the memory."""
    console.print(
        f"{N_OBJECTS:,} objects, {N_CLUSTERS:,} clusters, 30 % moved. 'Ratio' is to the time of "
        "int64 arrays; 'by hand' is what a user would write."
    )
    data = draw(N_OBJECTS, N_CLUSTERS)
    shown = Table("labels", "ms", "ratio", "at most", "by hand, ms", "times ours", "MB", "at most")
    for column in shown.columns[1:]:
        column.justify = "right"
    for form in forms():
        arrays = best(lambda: cv.fstar_score(data.left, data.right))
        ours, by_hand = _times(form, data)
        with get_context("spawn").Pool(1) as pool:
            grown, inputs = pool.apply(growth, (form.name,))
        shown.add_row(
            form.name, f"{1e3 * ours:,.1f}", f"{ours / arrays:.1f}", f"{form.limit:.1f}",
            f"{1e3 * by_hand:,.0f}", f"{by_hand / ours:.1f}", f"{grown:,.0f}",
            f"{max(2.5 * inputs, 64):,.0f}",
        )  # fmt: skip
    console.print(shown)


def _times(form: Form, data: Data) -> tuple[float, float]:
    left, right = form.make(data)
    if cv.fstar_score(left, right) != cv.fstar_score(data.left, data.right):
        raise ValueError(f"{form.name} give another score than arrays")
    return best(lambda: cv.fstar_score(left, right)), best(lambda: form.by_hand(left, right), 2)


def growth(name: str) -> tuple[float, float]:
    """Return by how many MB this process grows in a call on one form, and the MB of the inputs."""
    form = next(form for form in forms() if form.name == name)
    cv.fstar_score(*form.make(draw(min(N_OBJECTS, 300_000), 100)))  # all kernels are loaded
    before = _resident("VmRSS")
    left, right = form.make(draw(N_OBJECTS, N_CLUSTERS))
    made = _resident("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the peak so far is forgotten
    cv.fstar_score(left, right)
    return _resident("VmHWM") - made, made - before


def _resident(field: str) -> float:
    """Return the memory of this process, or its peak, in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1e3 for line in lines if line.startswith(field))


if __name__ == "__main__":
    run(table)
