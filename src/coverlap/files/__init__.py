"""Files in and out: one module a format."""

from coverlap.files.read import File, read_clustering, read_files, read_files_and_universe
from coverlap.files.reading import Reading
from coverlap.files.write import write_clustering

__all__ = [
    "File",
    "Reading",
    "read_clustering",
    "read_files",
    "read_files_and_universe",
    "write_clustering",
]
