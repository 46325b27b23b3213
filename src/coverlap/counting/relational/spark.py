"""Count two tables in Spark, on one machine or on many."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from coverlap.core.align import Rules
from coverlap.core.errors import InputError
from coverlap.core.texts import Ids
from coverlap.counting.matching import SimilarityFormula
from coverlap.counting.relational.engine import count_relations
from coverlap.counting.relational.relations import Relations
from coverlap.counting.relational.spark_columns import Column
from coverlap.counting.relational.spark_ids import inspect_ids, share_ids
from coverlap.counting.relational.spark_session import SparkRunner, reported
from coverlap.counting.relational.spark_tables import open_table, open_universe
from coverlap.counting.table_counts import TableCounts
from coverlap.files.source import Source
from coverlap.files.universe import read_universe as read_file
from coverlap.inputs.sets import read_universe
from coverlap.tables.labels import ClusterNames
from coverlap.tables.table import Table, is_spark_frame


def count_in_spark(left: Table, right: Table, rules: Rules, form: SimilarityFormula) -> TableCounts:
    """Count two tables where Spark has them; only one row for each cluster comes here.

    Parameters
    ----------
    left, right : Table
        Frames of Spark, classic or by Spark Connect.
    rules : Rules
        The universe is what `coverlap.compare` takes, but for graphs: the name of a rule, a number,
        ids or a file of ids; or a frame of Spark, or a Table of one. Outliers stay outliers:
        ``outliers_as`` is not considered.
    form : SimilarityFormula
        The similarity of clusters.
    """
    with _opened(left, right, rules) as (runner, relations, names, known):
        return count_relations(runner, relations, names, known, form)


@contextmanager
def open_in_spark(
    left: Table, right: Table, rules: Rules
) -> Iterator[tuple[SparkRunner, Relations]]:
    """Make views of two tables, and drop them at the end."""
    with _opened(left, right, rules) as (runner, relations, *_):
        yield runner, relations


@contextmanager
def _opened(
    left: Table, right: Table, rules: Rules
) -> Iterator[tuple[SparkRunner, Relations, tuple[ClusterNames, ClusterNames], Rules]]:
    universe = rules.universe
    with closing(SparkRunner(_session_of(left, right, universe))) as runner:
        sides = open_table(runner, left, "left"), open_table(runner, right, "right")
        columns = [side.objects for side in sides]
        if isinstance(universe, np.integer):
            rules = rules._replace(universe=int(universe))
        elif isinstance(universe, bool) or not isinstance(universe, (str, int)):
            columns.append(_open_universe(runner, universe))
            rules = rules._replace(universe="union")
        ids, are_integers = share_ids(runner, [inspect_ids(runner, column) for column in columns])
        relations, names = zip(
            *(side.relation(runner, own) for side, own in zip(sides, ids, strict=False)),
            strict=True,
        )
        given = f"(SELECT {ids[2]} AS object FROM {columns[2].view})" if len(ids) > 2 else None
        both = Relations(relations[0], relations[1], given, have_integers=are_integers)
        yield runner, both, (names[0], names[1]), rules


def _session_of(*sources: Any) -> Any:
    """Return the session of the frames, which must be the same."""
    frames = [source.source if isinstance(source, Table) else source for source in sources]
    with reported():
        sessions = [frame.sparkSession for frame in frames if is_spark_frame(frame)]
    if any(session is not sessions[0] for session in sessions[1:]):
        raise InputError(
            "the frames must be of one session of Spark; write one of them to a file or a table, "
            "and read it in the session of the other one"
        )
    return sessions[0]


def _open_universe(runner: SparkRunner, universe: Any) -> Column:
    """Make a view of the ids of a universe: of a frame, of a file, or any others."""
    if isinstance(universe, Table):
        return open_universe(runner, universe.source, universe.object)
    if is_spark_frame(universe):
        return open_universe(runner, universe)
    if isinstance(universe, Path):
        with Source(universe, "universe") as source:
            return _view_of_ids(runner, read_file(source))
    if isinstance(universe, range) and universe == range(universe.stop):
        with reported():
            return open_universe(runner, runner.session.range(universe.stop))
    return _view_of_ids(runner, read_universe(universe).id_array())


def _view_of_ids(runner: SparkRunner, ids: Ids) -> Column:
    """Make a view of ids in memory, which are integers or text."""
    kinds = set(map(type, ids.tolist()))
    if not kinds <= {int} and not kinds <= {str}:
        raise InputError(
            "universe must have ids that are all integers or all text; pass a frame of Spark for "
            "others"
        )
    if kinds == {int} and ids.dtype == object:  # beyond 64 bits
        raise InputError(
            f"universe has the integer {max(ids.tolist(), key=abs)}, which is too large for "
            "Spark's integers; write all ids as text, or use engine='memory'"
        )
    kind = "string" if kinds == {str} else "bigint"
    view = runner.view(runner.frame({"object": ids}, {"object": kind}))
    return Column("universe", view, "object", kind)
