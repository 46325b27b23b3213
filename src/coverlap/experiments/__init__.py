"""The experiments of the paper that proposed F*_wo, run anew."""
