"""Compare coverlap with every other library that is installed, and print what was found.

The inputs are those of the tests and examples that the libraries install, of published cases,
and random clusterings. The exit code is 1 if a difference has no explanation.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable

from tests.peers import covers, labels
from tests.peers.comparison import Peer, Tally
from tests.peers.recording import run_peer

PEERS: dict[str, Callable[[int], Peer]] = {
    "scikit-learn": labels.scikit_learn,
    "torchmetrics": labels.torchmetrics,
    "genieclust": labels.genieclust,
    "igraph": labels.igraph,
    "er-evaluation": labels.er_evaluation,
    "clusim": covers.clusim,
    "cdlib": covers.cdlib,
    "NetworKit": covers.networkit,
    "python-bcubed": covers.bcubed,
    "SpikeInterface": covers.spikeinterface,
}
"""Libraries by name. Clustering.jl is not among them, because it needs Julia."""

COLUMNS = "{:46} {:>6} {:>6} {:>7} {:>7}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.peers", description=__doc__)
    parser.add_argument("peers", nargs="*", metavar="PEER", help=f"any of {', '.join(PEERS)}")
    parser.add_argument("--number", type=int, default=200, help="random pairs per library")
    parser.add_argument("--without-tests", action="store_true", help="leave out their own tests")
    given = parser.parse_args()
    unknown = sorted(set(given.peers) - set(PEERS))
    if unknown:
        parser.error(f"PEER must be any of {', '.join(PEERS)}, not {', '.join(unknown)}")
    totals = Tally()
    for name in given.peers or PEERS:
        _run(name, given.number, totals, with_tests=not given.without_tests)
    write(f"\n{_counts(totals)}")
    return 1 if totals.unexplained or not totals.n_calls else 0


def _run(name: str, number: int, totals: Tally, *, with_tests: bool) -> None:
    """Compare one library, print a row for each of its functions, and add to the totals."""
    try:
        peer = PEERS[name](number)
    except ImportError as error:
        write(f"\n{name}: not installed ({error})")
        return
    if not with_tests:
        peer.suites, peer.examples = (), False
    tallies = run_peer(peer)
    sources: Counter[str] = sum((tally.sources for tally in tallies.values()), Counter())
    write(f"\n{name}: calls from {', '.join(f'{source} ({n})' for source, n in sources.items())}")
    write(COLUMNS.format("  function", "calls", "equal", "refuse", "differ"))
    for function, tally in tallies.items():
        row = tally.n_calls, tally.equal, tally.both_refuse, tally.differ.total()
        write(COLUMNS.format(f"  {function}", *row))
        for text in tally.unexplained:
            write(f"    UNEXPLAINED: {text}")
        totals.add(tally)
    reasons: Counter[str] = sum((tally.differ for tally in tallies.values()), Counter())
    for reason, n in reasons.most_common():
        write(f"    {n:>5}  {reason}")


def _counts(tally: Tally) -> str:
    return (
        f"{tally.n_calls} calls: {tally.equal} equal, {tally.both_refuse} refused by both, "
        f"{tally.differ.total()} differ for a known reason, {len(tally.unexplained)} unexplained"
    )


def write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":  # pytest imports this module, too
    sys.exit(main())
