"""Run the command line: ``python -m paper``."""

from paper.command_line import program

if __name__ == "__main__":  # worker processes import this module, too
    program(prog_name="python -m paper")
