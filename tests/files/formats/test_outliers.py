import pytest

from tests.files.damage import read, unmet
from tests.files.formats.test_gml import EXAMPLE as GML
from tests.files.formats.test_graphml import EXAMPLE as GRAPHML
from tests.files.formats.test_infomap import CLU, MODULES, PAJEK, TREE
from tests.files.support import SAMPLES, Sample

GML_CLUSTERS = {2: {"ann", 'b & "b"'}, 7: {"ann", "carl"}, "T cell": {"carl"}}
PAJEK_CLUSTERS = {0: {3}, 1: {1, 4}, 2: {2}}
FILES = [
    *SAMPLES.values(),
    Sample("g.gml", GML.replace("value", "cluster"), GML_CLUSTERS,
           {"ann", 'b & "b"', "carl", "dora", "emil"}),
    Sample("g.graphml", GRAPHML, {2: {1, 2}, 7: {1, 3}}, {1, 2, 3, 4, 5}),
    Sample("a.clu", CLU, MODULES, {1, 3, 4, 10}), Sample("a.tree", TREE, MODULES, {1, 3, 4, 10}),
    Sample("a.clu", PAJEK, PAJEK_CLUSTERS, {1, 2, 3, 4}),
]  # fmt: skip

NEGATIVE = {
    "found.labels": {-1: {1}}, "labels.npy": {-1: {2}}, "g.gml": {-1: {"emil"}},
    "g.graphml": {-1: {5}},
}  # fmt: skip
"""The clusters of negative labels, which mean outliers unless other labels do."""

WITHOUT_LABELS = ("com-tiny.all.cmty.txt", "found.json", "m.npz")
WITHOUT_CHECK = (*WITHOUT_LABELS, "clubs.arrow", "labels.npy")
"""Files in which a label that is not there can mean outliers."""


@pytest.mark.parametrize("sample", FILES, ids=lambda sample: sample.name)
def test_any_cluster_or_label_can_mean_outliers(sample: Sample):
    name, content, clusters, objects = sample
    for chosen in clusters:
        others = {name: members for name, members in clusters.items() if name != chosen}
        c = read(content, name, outlier_cluster=chosen)
        assert (c.to_dict(), set(c.objects)) == (others, objects)
        if name not in WITHOUT_LABELS:
            c = read(content, name, outlier_label=chosen)
            assert (c.to_dict(), set(c.objects)) == (others | NEGATIVE.get(name, {}), objects)
    assert name in WITHOUT_CHECK or unmet(content, name)
