"""Many measures at once, and all treatments of outliers."""

import sys
from fractions import Fraction

import numpy as np
import pytest

import coverlap as cv
from coverlap.counting.counts import counts_of
from coverlap.counting.matching import SIMILARITIES
from tests.treatments import TREATMENTS

OVERLAPPING = [{0, 1, 2}, {2, 3}], [{0, 1}, {2, 3}]
WITH_OUTLIERS = [0, 0, 0, 1, 1, -1], [0, 0, 1, 1, -1, -1]
PLAIN = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1]


@pytest.mark.parametrize("sides", [OVERLAPPING, WITH_OUTLIERS, PLAIN])
@pytest.mark.parametrize("treatment", TREATMENTS.values())
def test_every_score_of_the_table_is_the_score_by_itself(sides, treatment):
    table = cv.scores(*sides, cv.MEASURES, **treatment)
    assert list(table) == list(cv.MEASURES)
    for name, value in table.items():
        if value is None:
            with pytest.raises(cv.UndefinedError) as error:
                cv.score(*sides, name, **treatment)
            assert str(error.value) == f"{name} is {table.reasons[name]}"
        else:
            assert value == cv.score(*sides, name, **treatment)
            assert name not in table.reasons
    assert dict(cv.scores(*sides, [*cv.MEASURES][::-1], **treatment)) == dict(table)


def test_measures_are_scored_in_the_order_in_which_they_are_named():
    assert list(cv.scores(*PLAIN, measures=["nmi", "ari", "nmi"])) == ["nmi", "ari"]


NAMES = "measure must be one of"


@pytest.mark.parametrize(
    ("measures", "message"),
    [
        ("ari", "measures must be a list of names"),
        (5, "measures must be a list of names"),
        (["aari"], "not 'aari'; did you mean 'ari'"),
        (["adjusted rand"], "not 'adjusted rand'; see coverlap.MEASURES"),
        *((names, NAMES) for names in ([["ari"]], [{}], [None], ["fstar_wo", 5])),
    ],
)
def test_measures_that_are_no_names_are_refused(measures, message):
    for verb in (cv.scores, cv.outlier_sensitivity):
        with pytest.raises(cv.OptionError, match=message):
            verb(*PLAIN, measures=measures)


def test_options_of_other_measures_are_refused():
    with pytest.raises(cv.OptionError, match="ari has no option 'alpha'; it has none"):
        cv.score(*PLAIN, "ari", alpha=0.5)
    with pytest.raises(cv.OptionError, match="ecs has no option 'balance'; its options are 'alp"):
        cv.score(*PLAIN, "ecs", balance=0.5)


def test_the_table_as_frame_json_and_text():
    table = cv.scores(*WITH_OUTLIERS, measures=["fstar_wo", "ari", "split_join"])
    score = cv.fstar_score(*WITH_OUTLIERS)
    assert table.to_frame("polars")["score"].to_list() == [score, None, None]
    assert "not defined for outliers" in table.columns()["why"][1]
    facts = table.to_dict()
    assert facts["scores"] == {"fstar_wo": score, "ari": None, "split_join": None}
    assert facts["n_outliers"] == [1, 2]
    assert facts["universe"]["n_objects"] == 6
    lines = str(table).splitlines()
    assert any(line.startswith("fstar_wo") for line in lines)
    assert any(line.startswith("ari: not defined for outliers") for line in lines)
    assert repr(table) == "Scores(1 of 3 measures, 6 objects)"
    assert str(cv.scores(*PLAIN, ["split_join"])).splitlines()[-1].split()[:2] == [
        "split_join",
        "3",
    ]
    for options, text in (
        ({"outliers_as": "cluster"}, "6 objects (union); outliers: one cluster"),
        ({"drop_outliers": "either"}, "4 objects (union); 2 outliers dropped"),
    ):
        treated = cv.scores(*WITH_OUTLIERS, measures=["ari"], **options)
        assert text in str(treated)
        assert treated.to_dict()["outliers_as"] == options.get("outliers_as")


@pytest.mark.parametrize("swapped", [False, True])
def test_ecs_of_large_covers_is_left_out_of_a_table_of_all_and_done_when_named(
    monkeypatch, swapped
):
    sides = [{0, 1, 2}, {2, 3}, {0, 1, 3}], [{0}]
    sides = sides[::-1] if swapped else sides
    monkeypatch.setattr(sys.modules["coverlap.verbs.scores"], "QUICK", 4 * 8)
    table = cv.scores(*sides)
    assert table["ecs"] is None
    assert "takes long" in table.reasons["ecs"]
    assert cv.scores(*sides, measures=["ecs"])["ecs"] == cv.ecs_score(*sides)
    monkeypatch.setattr(sys.modules["coverlap.verbs.scores"], "QUICK", 4 * 9)
    assert cv.scores(*sides)["ecs"] == cv.ecs_score(*sides)
    monkeypatch.setattr(sys.modules["coverlap.verbs.scores"], "QUICK", 1)
    assert cv.scores(*PLAIN)["ecs"] == cv.ecs_score(*PLAIN)


def test_each_treatment_of_outliers_is_shown_beside_the_others():
    result = cv.outlier_sensitivity(*WITH_OUTLIERS)
    assert list(result.scores) == ["fstar_wo", "ari", "ami", "nmi"]
    for name, by_treatment in result.scores.items():
        assert list(by_treatment) == [None, "singletons", "cluster", "drop"]
        for treatment, value in by_treatment.items():
            if value is not None:
                assert value == cv.score(*WITH_OUTLIERS, name, **TREATMENTS[treatment])
    assert result.scores["ari"][None] is None
    assert result.n_outliers == (1, 2)
    assert repr(result) == "OutlierSensitivity(fstar_wo, ari, ami, nmi; 1 and 2 outliers)"


def test_the_spread_is_the_largest_minus_the_least_score():
    truth = np.repeat(np.arange(3), 20)
    found = np.where(np.arange(60) % 20 < 8, truth, -1)  # 60 % are outliers, the rest is correct
    result = cv.outlier_sensitivity(truth, found)
    assert result.scores["ari"]["drop"] == 1.0
    assert result.spread("ari") == 1.0 - min(
        result.scores["ari"]["singletons"], result.scores["ari"]["cluster"]
    )
    assert result.to_frame("pandas").shape == (16, 3)
    covers = cv.outlier_sensitivity(*OVERLAPPING, measures=["ari"])
    assert set(covers.scores["ari"].values()) == {None}
    assert covers.spread("ari") is None
    assert "overlap" in covers.reasons["ari"]


def test_options_may_be_any_real_number_and_any_function():
    covers = [{0, 1}, {1, 2}], [{0, 1, 2}]
    assert cv.score(*covers, "ecs", alpha=Fraction(1, 2)) == cv.score(*covers, "ecs", alpha=0.5)
    with pytest.raises(cv.OptionError, match="alpha must be a number above 0"):
        cv.score(*covers, "ecs", alpha=Fraction(1, 10**400))

    class Unhashable:
        __hash__ = None

        def __call__(self, shared, own, other):
            return shared / (own + other - shared)

    assert cv.score(*covers, similarity=Unhashable()) == cv.score(*covers)


def test_each_outlier_becomes_a_cluster_that_nobody_else_is_in():
    left, right = [0, 0, 1, 1, -1, -1], [5, 5, 6, 6, 7, 8]
    assert cv.score(left, right, "exact_f1", outliers_as="singletons") == 1.0
    assert cv.score(left, [5, 5, 6, 6, 7, 7], "exact_f1", outliers_as="cluster") == 1.0


def test_objects_that_are_never_mentioned_are_outliers_to_measures_that_know_none():
    with pytest.raises(cv.UndefinedError, match="2 on the left, 2 on the right"):
        cv.score([0, 0, 1], [0, 1, 1], "ari", n_objects=5)
    table = cv.scores([0, 0, 1], [0, 1, 1], n_objects=5)
    assert table.n_outliers == (2, 2)
    assert table["ari"] is None


def test_matches_by_different_similarities_are_told_apart():
    counts = counts_of([0, 0, 0, 1], [0, 0, 1, 1])
    jaccard, precision = (
        counts.matching(SIMILARITIES[name]).left for name in ("jaccard", "precision")
    )
    assert jaccard.similarity.tolist() == [2 / 3, 1 / 2]
    assert precision.similarity.tolist() == [2 / 3, 1.0]


def test_objects_are_dropped_before_treatments_are_compared():
    dropped = cv.outlier_sensitivity(*WITH_OUTLIERS, drop_outliers="right")
    assert (dropped.n_objects, dropped.n_outliers) == (4, (0, 0))
    wanted = cv.score(*WITH_OUTLIERS, "ari", drop_outliers="right")
    assert set(dropped.scores["ari"].values()) == {wanted}


@pytest.mark.parametrize("threads", [1, 3])
def test_pairs_of_more_objects_than_sixteen_bits_count_are_exact(threads):
    rng = np.random.default_rng(1)
    left = np.concatenate((np.zeros(70_000, int), rng.integers(1, 90, 80_000)))
    right = np.where(rng.random(150_000) < 0.2, rng.integers(0, 90, 150_000), left)
    cells, sizes, others = (
        sum(n * (n - 1) // 2 for n in np.unique(codes, return_counts=True)[1].tolist())
        for codes in (left * 100 + right, left, right)
    )
    pairs = 150_000 * 149_999 // 2
    expected = 2 * sizes * others
    wanted = (2 * pairs * cells - expected) / (pairs * (sizes + others) - expected)
    assert cv.score(left, right, "ari", threads=threads) == wanted
    assert cv.score(left, right, "pair_recall", threads=threads) == cells / sizes


def test_more_clusters_than_fifteen_bits_count_are_told_apart():
    links = np.arange(70_000)
    one = cv.Clustering.from_memberships(zip((links + 1) // 2, links // 2, strict=True))
    assert (one.n_clusters, one.has_overlaps) == (35_000, True)
    assert cv.score(one, one, "exact_f1") == 1.0
    table = counts_of(one, one).contingency
    assert np.diff(table.pointers).max() == 3  # itself and its two neighbours
    assert len(table.pointers) == 35_001
    assert table.shared.sum() == 70_000 + 2 * 34_999


@pytest.mark.parametrize("function", [cv.ecs_score, cv.ecs_objects, cv.ecs_estimate])
@pytest.mark.parametrize("sides", [PLAIN, OVERLAPPING])
@pytest.mark.parametrize("alpha", [0, 1, float("nan"), "0.9", None, True])
def test_a_chance_of_another_step_that_is_none_is_refused(function, sides, alpha):
    with pytest.raises(cv.OptionError, match="alpha must be a number above 0 and below 1"):
        function(*sides, alpha=alpha)


GRAPH = list(map(tuple, ["ab", "bc", "ac", "cd", "de", "ef", "df", "fg"]))
LEFT = [{"a", "b", "c"}, {"d", "e", "f"}]
RIGHT = [{"a", "b"}, {"c", "d", "e", "f"}, {"f", "g"}]


@pytest.mark.parametrize("outliers_as", [None, "singletons", "cluster"])
@pytest.mark.parametrize("universe", ["union", "intersection", list("abcdefgh")])
def test_scores_on_a_graph_are_those_of_its_vertices_and_of_its_edges(outliers_as, universe):
    result = cv.scores(LEFT, RIGHT, graph=GRAPH, outliers_as=outliers_as, universe=universe)
    compared = cv.compare(LEFT, RIGHT, graph=GRAPH, universe=universe)
    assert (result.universe, result.edges.universe) == (compared.universe, compared.edges.universe)
    of_vertices = list("abcdefg") if universe == "union" else universe
    expected = cv.scores(LEFT, RIGHT, universe=of_vertices, outliers_as=outliers_as)
    assert dict(result) == dict(expected)
    if outliers_as is None:
        assert (result["fstar_wo"], result.edges["fstar_wo"]) == (
            compared.score, compared.edges.score,
        )  # fmt: skip
    if universe == "union":
        edges = [cv.graph.edge_clustering(GRAPH, side) for side in (LEFT, RIGHT)]
        assert dict(result.edges) == dict(cv.scores(*edges, outliers_as=outliers_as))
        assert result.to_dict()["edges"]["universe"]["n_objects"] == len(GRAPH)
        assert "The edges of the graph" in str(result)


def test_scores_on_a_graph_take_a_number_of_objects_and_names_of_measures_that_come_once():
    names = iter(["omega", "fstar_w"])
    result = cv.scores(LEFT, RIGHT, names, graph=GRAPH, n_objects=100)
    assert list(result) == list(result.edges) == ["omega", "fstar_w"]
    assert result["omega"] == cv.score(LEFT, RIGHT, "omega", n_objects=100)
    assert result.universe.n_objects == 100
    assert cv.scores(LEFT, RIGHT).edges is None
    with pytest.raises(cv.CoverlapError, match="graph"):
        cv.scores(LEFT, RIGHT, graph=5)
