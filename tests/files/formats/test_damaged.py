"""Damaged files of the formats that have no sample in tests.files.support."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coverlap.core.errors import CoverlapError
from tests.files.damage import broken_off, mutated, read, refusal, survive
from tests.files.formats.test_gml import EXAMPLE as GML
from tests.files.formats.test_graphml import EXAMPLE as GRAPHML
from tests.files.formats.test_infomap import CLU, CLU_STATES, PAJEK, TREE, TREE_STATES

GML_WITH_CLUSTERS = GML.replace("value", "cluster")
COMPLETE = {"g.gml": GML_WITH_CLUSTERS, "g.graphml": GRAPHML, "a.clu": PAJEK}


@pytest.mark.parametrize("name", COMPLETE)
def test_a_file_that_was_cut_off_is_never_a_clustering(name: str):
    content = COMPLETE[name]
    assert read(content, name).n_clusters > 1
    for size in range(len(content) - 1):
        with pytest.raises(CoverlapError):
            read(content[:size], name)


@pytest.mark.parametrize("share", [0.05, 0.5, 0.99])
@pytest.mark.parametrize("name", [*COMPLETE, "a.tree"])
def test_compressed_data_that_breaks_off_is_refused(name: str, share: float):
    content = {**COMPLETE, "a.clu": CLU, "a.tree": TREE}[name]
    assert "breaks off" in refusal(broken_off(content, share), f"{name}.gz")


INFOMAP = (
    "#", "\n", "*", "*Vertices 3\n", "# node_id module flow\n", "# path flow name node_id\n", '"',
    ":", "1", "-1", " 7", "1.5", " ", "\t", '"a b"', "node_id", "999999999999999999999", "\0", "\r",
)  # fmt: skip

DAMAGED = {
    "g.gml": ([GML_WITH_CLUSTERS], ", line ", (
        "graph [", "node [", "]", "[", "id ", "id 1", "label ", "cluster ", "cluster 3", '"', "#",
        "\n", '"[1, 2]"', "&quot;", "&#99999999999;", "&#0;", "&#xd800;", "nan", "-", "1.5",
        "1e999", "edge [", "\0", "\r",
    )),
    "g.graphml": ([GRAPHML], ": ", (
        "<node", "</node>", "<data key='d0'>", "</data>", "<graph>", "</graph>", "<key", "id=", "'",
        '"', "&amp;", "&x;", "<!DOCTYPE a [", "]>", "<![CDATA[", "<!--", "-->", "<?x?>", "[", "]",
        ",", "1.5", "UTF-16", "latin-1", "d0", "d1", "\0", "\r", "xmlns='x'", "y:",
    )),
    "a.clu": ([CLU, CLU_STATES, PAJEK], ", line ", INFOMAP),
    "a.tree": ([TREE, TREE_STATES], ", line ", INFOMAP),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", DAMAGED)
@given(data=st.data())
@settings(max_examples=300)
def test_whatever_the_text_only_our_errors_escape(name: str, data: st.DataObject):
    contents, place, fragments = DAMAGED[name]
    content = data.draw(st.one_of(mutated(content, fragments) for content in contents))
    survive(content, name, place)
