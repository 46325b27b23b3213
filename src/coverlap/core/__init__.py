"""The values that everything else passes on, and the rules of the universe and of outliers."""
