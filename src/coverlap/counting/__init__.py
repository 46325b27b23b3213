"""What is counted in two clusterings, and the engines that count it."""
