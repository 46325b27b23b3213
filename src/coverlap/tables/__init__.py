"""Tables of memberships that stay where they are: files, relations of DuckDB, frames of Spark."""
