"""Results of the experiments: curves, their agreement with the stored ones, and tables."""
