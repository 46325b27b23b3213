"""What pictures show: which clusters, in which order, and at which positions."""
