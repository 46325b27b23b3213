"""The experiments: what is sampled for each panel of the figures, and how samples are run."""
