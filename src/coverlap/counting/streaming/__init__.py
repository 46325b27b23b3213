"""The engine for tables larger than memory: DuckDB scans and codes them, kernels count in passes.

One side is held as a list of clusters for each object, at 4 bytes a membership. Of the other side,
a range of clusters at a time is listed, as many as fit in memory, and matched by the kernels of the
engine in memory; the rows are scanned once for each range.
"""

from coverlap.counting.streaming.engine import count_tables

__all__ = ["count_tables"]
