"""The commands: one module each, listed here in the order of the help."""

from coverlap.cli.commands.compare import compare
from coverlap.cli.commands.convert import convert
from coverlap.cli.commands.demo import demo
from coverlap.cli.commands.describe import describe
from coverlap.cli.commands.matrix import matrix
from coverlap.cli.commands.scores import scores

COMMANDS = (compare, scores, matrix, describe, convert, demo)
