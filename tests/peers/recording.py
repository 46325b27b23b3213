"""Compare the calls of a library's functions, also those in its own tests and examples."""

import contextlib
import doctest
import functools
import importlib
import io
import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.peers.comparison import REFUSES, Function, Peer, Tally, compare, their_value


def run_peer(peer: Peer) -> dict[str, Tally]:
    """Compare every function of a library, on all inputs that there are for it."""
    tallies = {function.name: Tally() for function in peer.functions}
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):  # of the library
        warnings.simplefilter("ignore")
        for source, args in peer.inputs:
            for function in peer.functions:
                with contextlib.suppress(Exception):  # counted as a refusal
                    _compared(function, source, tallies[function.name])(*args)
    # In a folder without settings of pytest, and without a package named tests.
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        with _replaced(peer, "its tests", tallies):
            for suite in peer.suites:
                _run_tests(suite, folder)
        with _replaced(peer, "its examples", tallies):
            for function in peer.functions if peer.examples else ():
                _run_examples(function.theirs, peer)
    return tallies


def _compared(function: Function, source: str, tally: Tally) -> Callable[..., Any]:
    """Return the function of the library, which now also compares each call."""

    @functools.wraps(function.theirs)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            result = function.theirs(*args, **kwargs)
        except Exception:
            compare(function, source, REFUSES, args, kwargs, tally)
            raise
        compare(function, source, their_value(result), args, kwargs, tally)
        return result

    return call


@contextlib.contextmanager
def _replaced(peer: Peer, source: str, tallies: dict[str, Tally]) -> Iterator[None]:
    """Replace the functions of a library where its tests import them from."""
    with pytest.MonkeyPatch.context() as patch:
        for function in peer.functions:
            for home in peer.homes:
                if hasattr(home, function.name):
                    new = _compared(function, source, tallies[function.name])
                    patch.setattr(home, function.name, new)
        yield


def _run_tests(module: str, folder: str) -> None:
    """Run a module of tests that a library installs; that they pass is not our business."""
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-c", os.devnull]
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main([*options, "--rootdir", folder, "--pyargs", module])


def _run_examples(function: Callable[..., Any], peer: Peer) -> None:
    """Run the examples in the docstring of a function, whatever they print."""
    home = vars(importlib.import_module(function.__module__))
    replaced = {one.name: getattr(peer.homes[0], one.name) for one in peer.functions}
    text, name = function.__doc__ or "", function.__name__
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(ValueError):
        test = doctest.DocTestParser().get_doctest(text, {**home, **replaced}, name, None, None)
        doctest.DocTestRunner(verbose=False).run(test, out=lambda _: None)
