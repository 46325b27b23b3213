"""Run the campaign: ``python -m tests.fuzz --minutes 60``."""

import argparse
import secrets
import sys
import tempfile
from pathlib import Path

from tests.fuzz.campaign import KINDS, run_campaign, run_case, work


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seed", default="", help="seed of the campaign; by default a new one")
    parser.add_argument("--minutes", type=float, default=1.0, help="how long to run")
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS))
    parser.add_argument("--case", type=int, help="run this case only, and show its traceback")
    parser.add_argument("--worker", nargs=3, type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    seed = given.seed or secrets.token_hex(4)
    if given.case is not None:
        with tempfile.TemporaryDirectory() as folder:
            sys.stdout.write(f"{run_case(seed, given.case, given.kinds, Path(folder))}\n")
        return 0
    if given.worker:
        work(seed, given.kinds, *given.worker)
        return 0
    return run_campaign(seed, given.minutes * 60, given.kinds)


sys.exit(main())
