"""Where two clusterings differ: the clusters that changed, the objects that moved, the losses."""
