import gzip
import warnings
from collections.abc import Iterator
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest

from coverlap import read_clustering
from tests.files.damage import BOM, read, refusal, refused_line

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


CLIQUES = [
    (a, b)
    for a, b in combinations(range(64), 2)
    for n in (1, 4, 16)
    if a // (4 * n) == b // (4 * n) and a % n == b % n == 0
]
"""The edges of cliques of four vertices, which are linked as cliques of four, and these again."""


@pytest.fixture
def run() -> Iterator[Any]:
    import infomap

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield infomap.Infomap("--silent --seed 1")


def test_files_of_one_run_of_infomap_agree(tmp_path: Path, run: Any):
    run.add_links(CLIQUES)
    run.set_name(7, 'se "v" en')
    run.run()
    assert run.num_levels > 2
    run.write_clu(str(tmp_path / "a.clu"))
    run.write_tree(str(tmp_path / "a.tree"))
    run.write_flow_tree(str(tmp_path / "a.ftree"))
    modules = {node.node_id: node.module_id for node in run.nodes}
    expected = {m: {v for v, own in modules.items() if own == m} for m in set(modules.values())}
    for path in tmp_path.iterdir():
        assert read_clustering(path).to_dict() == expected


def test_states_of_one_run_of_infomap_agree(tmp_path: Path, run: Any):
    for state, node in enumerate((1, 2, 3, 1, 4, 5)):
        run.add_state_node(state, node)
    for source, target in permutations(range(3), 2):
        run.add_link(source, target)
        run.add_link(source + 3, target + 3)
    run.run()
    for states in (True, False):
        run.write_clu(str(tmp_path / f"{states}.clu"), states=states)
        run.write_tree(str(tmp_path / f"{states}.tree"), states=states)
    for path in tmp_path.iterdir():
        clusters = read_clustering(path).to_clusters()
        assert sorted(map(sorted, clusters)) == [[1, 2, 3], [1, 4, 5]]


@pytest.mark.parametrize(("name", "content"), [("a.clu", CLU), ("a.tree", TREE)])
def test_line_ends_blank_lines_and_byte_order_marks_mean_nothing(name: str, content: str):
    data = content.encode()
    for variant in (
        data.replace(b"\n", b"\r\n"), data.replace(b"\n", b"\r"), data.replace(b"\n", b"\n\n"),
        data.removesuffix(b"\n"), data.replace(b" ", b"\t  ").replace(b"#\t  ", b"# "), BOM + data,
    ):  # fmt: skip
        assert read(variant, name).to_dict() == MODULES
    pieces = map(gzip.compress, data.splitlines(keepends=True))
    assert read(b"".join(pieces), name + ".gz").to_dict() == MODULES


@pytest.mark.parametrize(
    ("name", "content", "line", "what"),
    [
        ("a.clu", "", 1, "empty"),
        ("a.clu", "# node_id module flow\n", 1, "no line has a node"),
        ("a.clu", CLU + "5 1\n", 10, "3 fields were expected"),
        ("a.clu", CLU + "five 1 0.1\n", 10, "'five' is no node"),
        ("a.clu", CLU + "5 1.5 0.1\n", 10, "'1.5' is no module"),
        ("a.clu", "# a\n7\n8\n", 2, "1 fields"),
        ("a.clu", TREE, 4, "no comment before them says"),
        ("a.clu", PAJEK + "2\n", 1, "4 vertices are announced, but 5 follow"),
        ("a.clu", "*Vertices 2\n1\n*Vertices 1\n1\n", 1, "2 follow, in 2 parts"),
        ("a.clu", PAJEK + "1 2\n", 6, "'1 2' is no module"),
        ("a.tree", "*Links undirected\n", 1, "no node alone behind the name"),
        ("a.tree", TREE + '1:1 0.1 "x"\n', 8, "not a path, a flow, a name in quotes and 1 number"),
        ("a.tree", TREE + '1:1 0.1 "x" 7 8\n', 8, 'such as 1:2 0.025 "name" 7'),
        ("a.tree", TREE + "1:1 0.1 x 7\n", 8, "in quotes"),
        ("a.tree", TREE + '1:1 0.1 " 7\n', 8, "in quotes"),
        ("a.tree", TREE + '1:1 "x" 7\n', 8, "in quotes"),
        ("a.tree", TREE + '1:1 0.1 "x\n', 8, "in quotes"),
        ("a.tree", TREE + ':1 0.1 "x" 7\n', 8, "'' is no module"),
        ("a.tree", '1:1 0.5 "b c" 7 1\n', 1, "no comment before it names the columns"),
        ("a.tree", CLU, 6, "no comment before it names the columns"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(name: str, content: str | bytes, line: int, what: str):
    message = refusal(content, name)
    assert f"{name}, line {line}: " in message
    assert what in message


def test_a_line_of_ten_megabytes():
    name = "word " * 2_100_000
    assert read(f'{TREE}3:1 0.1 "{name}" 7\n', "a.tree").to_dict() == {**MODULES, 3: {7}}
    assert refused_line(CLU + name, "a.clu") == 10
    assert refused_line(name, "a.clu") == 1
