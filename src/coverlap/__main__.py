"""Run the command line by ``python -m coverlap``."""

from coverlap.cli import main

if __name__ == "__main__":
    main()
