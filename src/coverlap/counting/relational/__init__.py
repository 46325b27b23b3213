"""The relational engine: one SQL text that counts on DuckDB and on Spark alike."""
