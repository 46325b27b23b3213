"""Run the command line by ``coverlap`` or ``python -m coverlap``."""

import signal


def main() -> None:
    """Run the command line, and exit with its exit code.

    While modules are imported there is nothing to clean up, so Ctrl-C ends the process at once.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from coverlap.cli import main as run

    run()


if __name__ == "__main__":
    main()
