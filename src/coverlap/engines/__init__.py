"""Where the counting runs. Every engine turns a pair of clusterings into one `Matching`."""
