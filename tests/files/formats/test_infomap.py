import gzip
import warnings
from pathlib import Path

import infomap
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coverlap import read_clustering
from coverlap.core.errors import CoverlapError, OptionError
from tests.files.damage import BOM, broken_off, mutated, read, refusal, refused_line, survive, unmet

CLU = """\
# v2.16.0
# ./Infomap net.txt . --clu
# partitioned into 2 levels with 2 top modules
# module level 1
# node_id module flow
3 1 0.15
1 1 0.1
10 2 0.15
4 2 0.1
"""

CLU_STATES = """\
# higher order
# state_id module flow node_id layer_id
1 1 0.17 4 1
2 1 0.17 5 1
0 1 0.16 1 1
4 2 0.17 2 2
3 2 0.16 1 2
"""

TREE = """\
# v2.16.0
# codelength 2.1 bits
# path flow name node_id
1:1:1 0.15 "three" 3
1:2:1 0.1 "a "quoted" one" 1
2:1:1 0.15 "" 10
2:1:2 0.1 " x " 4
"""

TREE_STATES = """\
# path flow name state_id node_id layer_id
1:1 0.17 "l" 1 4 1
1:2 0.17 "m" 2 5 1
1:3 0.16 "i i" 0 1 1
2:1 0.17 "j" 4 2 2
2:3 0.16 "i i" 3 1 2
"""

MODULES = {1: {1, 3}, 2: {4, 10}}
OF_STATES = {1: {1, 4, 5}, 2: {1, 2}}

PAJEK = "*Vertices 4\n1\n2\n0\n1\n"


@pytest.mark.parametrize(
    ("name", "content", "clusters"),
    [
        ("a.clu", CLU, MODULES), ("a.tree", TREE, MODULES),
        ("a.clu", CLU_STATES, OF_STATES), ("a.tree", TREE_STATES, OF_STATES),
        ("a.clu", "# node cluster flow:\n7 1 0.5\n8 2 0.5\n", {1: {7}, 2: {8}}),
        ("a.clu", "# state_node node cluster:\n1 7 1\n2 7 2\n3 8 2", {1: {7}, 2: {7, 8}}),
        ("a.clu", "# node_id layer_id module\n7 1 3\n7 2 4\n8 2 4\n", {3: {7}, 4: {7, 8}}),
        ("a.clu", "7 1 0.5\n8 2 0.5\n", {1: {7}, 2: {8}}),
        ("a.clu", "# comment\n\n7 1\n8 2\n", {1: {7}, 2: {8}}),
        ("a.clu", "# node cluster flow:\nn7 1 0.5\nf8 2 0.5\n", {1: {"n7"}, 2: {"f8"}}),
        ("a.tree", '1:1 0.5 "b c" 7\n2:1 0.5 "d" 8\n', {1: {7}, 2: {8}}),
        ("a.tree", '# path flow name layer node:\n1:1 1 "b" 1 7\n2:1 1 "b" 2 8', {1: {7}, 2: {8}}),
        ("a.tree", '# path flow name node_id\n1 0 "5" 5\n', {1: {5}}),
        ("a.ftree", TREE + "*Links undirected\n#*Links\n*Links root 0 0 1 3\n1 2 0.1\n", MODULES),
    ],
)  # fmt: skip
def test_nodes_are_objects_and_top_modules_are_clusters(
    name: str, content: str, clusters: dict[int, set[int | str]]
):
    c = read(content, name)
    assert c.to_dict() == clusters
    assert c.n_objects == len(set().union(*clusters.values()))


def test_what_was_understood_is_said():
    assert "modules, one node per line" in read(CLU, "a.clu").describe()
    assert "modules, one state of a node per line" in read(CLU_STATES, "a.clu").describe()
    assert "top modules of Infomap's tree, one node" in read(TREE, "a.tree").describe()
    assert "top modules of Infomap's tree, one state" in read(TREE_STATES, "a.tree").describe()
    assert "partition of Pajek, one vertex per line" in read(PAJEK, "a.clu").describe()


def test_a_partition_of_pajek_numbers_its_vertices_from_one():
    c = read(PAJEK, "a.clu")
    assert c.to_dict() == {0: {3}, 1: {1, 4}, 2: {2}}
    assert read(PAJEK.replace("\n", " \r\n "), "a.clu").to_dict() == c.to_dict()


def test_outlier_labels_and_outlier_clusters():
    c = read(PAJEK, "a.clu", outlier_label=0)
    assert (c.to_dict(), c.n_objects) == ({1: {1, 4}, 2: {2}}, 4)
    for content, name in ((CLU, "a.clu"), (TREE, "a.tree")):
        c = read(content, name, outlier_cluster=1)
        assert (c.to_dict(), c.n_objects) == ({2: {4, 10}}, 4)
        c = read(content, name, outlier_label={1, 2})
        assert (c.to_dict(), c.n_objects) == ({}, 4)
        assert unmet(content, name)
    assert unmet(PAJEK, "a.clu")


def test_columns_cannot_be_chosen():
    with pytest.raises(OptionError, match="cluster means nothing in the format 'clu'"):
        read(CLU, "a.clu", cluster=1)


RING = [(5 * k + i, 5 * k + j) for k in range(16) for i in range(5) for j in range(i)] + [
    (5 * k, 5 * (4 * (k // 4) + (k + 1) % 4)) for k in range(16)
] + [(20 * g + 3, 20 * ((g + 1) % 4) + 4) for g in range(4)]  # fmt: skip
"""The edges of four rings in a ring; each ring has four cliques of five vertices."""


def test_files_of_one_run_of_infomap_agree(tmp_path: Path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = infomap.Infomap("--silent --seed 1")
        for source, target in RING:
            run.add_link(source, target)
        run.set_name(7, 'se "v" en')
        run.run()
        run.write_clu(str(tmp_path / "a.clu"))
        run.write_tree(str(tmp_path / "a.tree"))
        run.write_flow_tree(str(tmp_path / "a.ftree"))
        modules = {node.node_id: node.module_id for node in run.nodes}
    expected = {m: {v for v, own in modules.items() if own == m} for m in set(modules.values())}
    for name in ("a.clu", "a.tree", "a.ftree"):
        assert read_clustering(tmp_path / name).to_dict() == expected


def test_states_of_one_run_of_infomap_agree(tmp_path: Path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = infomap.Infomap("--silent --seed 1")
        for state, node in enumerate((1, 2, 3, 1, 4, 5)):
            run.add_state_node(state, node)
        for source, target in ((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)):
            run.add_link(source, target)
            run.add_link(target, source)
        run.run()
        for states in (True, False):
            run.write_clu(str(tmp_path / f"{states}.clu"), states=states)
            run.write_tree(str(tmp_path / f"{states}.tree"), states=states)
    for path in tmp_path.iterdir():
        assert {frozenset(c) for c in read_clustering(path).to_clusters()} == {
            frozenset({1, 2, 3}), frozenset({1, 4, 5})
        }  # fmt: skip


@pytest.mark.parametrize(("name", "content"), [("a.clu", CLU), ("a.tree", TREE)])
def test_line_ends_blank_lines_and_byte_order_marks_mean_nothing(name: str, content: str):
    variants = [
        content.replace("\n", "\r\n"), content.replace("\n", "\r"), content.replace("\n", "\n\n"),
        content.removesuffix("\n"), content.replace(" ", "\t  ").replace("#\t  ", "# "),
    ]  # fmt: skip
    for variant in variants:
        assert read(variant, name).to_dict() == MODULES
    assert read(BOM + content.encode(), name).to_dict() == MODULES
    pieces = b"".join(gzip.compress(line.encode()) for line in content.splitlines(keepends=True))
    assert read(pieces, name + ".gz").to_dict() == MODULES


@pytest.mark.parametrize(
    ("name", "content", "line", "what"),
    [
        ("a.clu", "", 1, "empty"),
        ("a.clu", "\n\n", 1, "empty"),
        ("a.clu", "# node_id module flow\n", 1, "no line has a node"),
        ("a.clu", CLU + "5 1\n", 10, "3 fields were expected"),
        ("a.clu", CLU + "5 1 0.1 7\n", 10, "has 4"),
        ("a.clu", CLU + "five 1 0.1\n", 10, "'five' is no node"),
        ("a.clu", CLU + "5 one 0.1\n", 10, "'one' is no module"),
        ("a.clu", CLU + "5 1.5 0.1\n", 10, "'1.5' is no module"),
        ("a.clu", CLU.encode() + b"5 1 \xe9\n", 10, "not UTF-8"),
        ("a.clu", CLU + "5 1 \0\n", 10, "null character"),
        ("a.clu", "1 2 3 4\n", 1, "no comment before them says"),
        ("a.clu", "# a\n7\n8\n", 2, "1 fields"),
        ("a.clu", TREE, 4, "no comment before them says"),
        ("a.clu", PAJEK + "2\n", 1, "4 vertices are announced, but 5 follow"),
        ("a.clu", PAJEK[:-4], 1, "4 vertices are announced, but 2 follow"),
        ("a.clu", "*Vertices 2\n1\n*Vertices 1\n1\n", 1, "2 follow, in 2 parts"),
        ("a.clu", PAJEK + "1 2\n", 6, "'1 2' is no module"),
        ("a.tree", "", 1, "empty"),
        ("a.tree", "# path flow name node_id\n", 1, "no line has a node"),
        ("a.tree", "*Links undirected\n", 1, "no node alone behind the name"),
        ("a.tree", TREE + '1:1 0.1 "x"\n', 8, "not a path, a flow, a name in quotes and 1 number"),
        ("a.tree", TREE + '1:1 0.1 "x" 7 8\n', 8, 'such as 1:2 0.025 "name" 7'),
        ("a.tree", TREE + "1:1 0.1 x 7\n", 8, "in quotes"),
        ("a.tree", TREE + '1:1 0.1 " 7\n', 8, "in quotes"),
        ("a.tree", TREE + '1:1 "x" 7\n', 8, "in quotes"),
        ("a.tree", TREE + '1:1 0.1 "x\n', 8, "in quotes"),
        ("a.tree", TREE + '1:1 0.1 "x" seven\n', 8, "'seven' is no node"),
        ("a.tree", TREE + 'x:1 0.1 "x" 7\n', 8, "'x' is no module"),
        ("a.tree", TREE + ':1 0.1 "x" 7\n', 8, "'' is no module"),
        ("a.tree", TREE.encode().replace(b"three", b"thr\xe9e"), 4, "not UTF-8"),
        ("a.tree", '1:1 0.5 "b c" 7 1\n', 1, "no comment before it names the columns"),
        ("a.tree", CLU, 6, "no comment before it names the columns"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(name: str, content: str | bytes, line: int, what: str):
    assert refused_line(content, name) == line
    assert what in refusal(content, name)


def test_a_line_of_ten_megabytes():
    name = "word " * 2_100_000
    assert read(f'{TREE}3:1 0.1 "{name}" 7\n', "a.tree").to_dict() == {**MODULES, 3: {7}}
    assert refused_line(CLU + name, "a.clu") == 10
    assert refused_line(name, "a.clu") == 1


@pytest.mark.parametrize("share", [0.2, 0.5, 0.99])
@pytest.mark.parametrize(("name", "content"), [("a.clu", CLU), ("a.tree", TREE)])
def test_compressed_data_that_breaks_off_is_refused(name: str, content: str, share: float):
    assert "breaks off" in refusal(broken_off(content, share), name + ".gz")
    assert refused_line(broken_off(content, share), name + ".gz") >= 1


FRAGMENTS = (
    "#", "\n", "*", "*Vertices 3\n", "# node_id module flow\n", "# path flow name node_id\n", '"',
    ":", "1", "-1", " 7", "1.5", " ", "\t", '"a b"', "node_id", "999999999999999999999", "\0", "\r",
)  # fmt: skip


@pytest.mark.slow
@given(st.one_of(mutated(text, FRAGMENTS) for text in (CLU, CLU_STATES, PAJEK)))
@settings(max_examples=300, deadline=None)
def test_whatever_the_modules_only_our_errors_escape(data: bytes):
    survive(data, "a.clu")


@pytest.mark.slow
@given(st.one_of(mutated(text, FRAGMENTS) for text in (TREE, TREE_STATES)))
@settings(max_examples=300, deadline=None)
def test_whatever_the_tree_only_our_errors_escape(data: bytes):
    survive(data, "a.tree")


@pytest.mark.parametrize("size", range(len(PAJEK) - 1))
def test_a_partition_that_was_cut_off_is_never_a_clustering(size: int):
    with pytest.raises(CoverlapError):
        read(PAJEK[:size], "a.clu")
