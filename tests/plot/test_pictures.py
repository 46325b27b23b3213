"""What each picture shows, for small tables that are known."""

from functools import cache

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import PathPatch, Rectangle

import coverlap as cv
from coverlap.plot.style import LEFT, PALETTE, RIGHT
from tests.plot.cases import said

OLD = ["A"] * 6 + ["B"] * 4 + ["C"] * 3 + ["D"] * 2 + [None] * 5
NEW = [1] * 3 + [2] * 3 + [3] * 7 + [-1] * 6 + [1]
RESULT = cv.compare(OLD, NEW, names=("old", "new"))
"""A is split into 1 and 2, B and C are merged to 3, D is dissolved, one outlier joined 1."""


@cache
def heat_map():
    return cv.plot.heat_map(RESULT)


@cache
def losses(by):
    return cv.plot.losses(RESULT, by=by)


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


class TestHeatMap:
    def test_rows_and_columns_are_in_blocks_the_costliest_first_with_outliers_apart(self):
        ax = heat_map()
        assert labels(ax.yaxis) == ["A (6)", "B (4)", "C (3)", "D (2)", "outliers (5)"]
        assert labels(ax.xaxis) == ["1 (4)", "2 (3)", "3 (7)", "outliers (6)"]
        gaps = np.diff(ax.get_yticks())
        assert gaps[-1] > gaps[0] == 1

    def test_cells_have_the_share_of_the_row(self):
        ax = heat_map()
        cells = {text.xy: text.get_text() for text in ax.texts if text.xycoords == "data"}
        rows = [[cells.get((x, y), "") for x in ax.get_xticks()] for y in ax.get_yticks()]
        assert rows == [
            ["50", "50", "", ""], ["", "", "100", ""], ["", "", "100", ""], ["", "", "", "100"],
            ["20", "", "", "80"],
        ]  # fmt: skip
        assert len(cells) == 7
        grey, blue = ax.collections
        assert blue.get_clim() == (0, 1)
        assert blue.get_array()[:3, :3].tolist() == [[0.5, 0.5, 0], [0, 0, 1], [0, 0, 1]]
        assert blue.get_array().mask[-1].all()
        assert grey.get_array()[-1, -1] == 0.8

    def test_similarities_are_those_of_the_clusters(self):
        shown = cv.plot.heat_map(RESULT, values="similarity").collections[1].get_array()
        assert [shown[0, 0], shown[1, 2]] == pytest.approx([3 / 7, 4 / 7])

    def test_each_block_has_a_frame(self):
        frames = [patch.get_bbox().bounds for patch in heat_map().patches]
        assert frames == [(-0.5, -0.5, 2, 1), (1.5, 0.5, 1, 2)]

    def test_what_is_left_out_is_one_more_row_and_is_said(self):
        ax = cv.plot.heat_map(RESULT, top=2)
        assert labels(ax.yaxis)[-2:] == ["3 more (9)", "outliers (5)"]
        assert labels(ax.xaxis)[-2:] == ["1 more (7)", "outliers (6)"]
        note = "the costliest blocks, 1 of 4 clusters of old and 2 of 3 clusters of new"
        assert note in [text.replace("\n", " ") for text in said(ax)]

    def test_the_title_counts_the_changes(self):
        title = heat_map().get_title(loc="left")
        score = f"{RESULT.score:.3f}"
        assert title == f"F*_wo = {score}: 1 split, 1 merged, 1 dissolved"

    def test_a_similarity_of_the_user_has_no_values_for_all_pairs(self):
        own = cv.compare(OLD, NEW, similarity=lambda shared, own, _: shared / own)
        assert cv.plot.heat_map(own).get_title(loc="left").startswith("F*_wo")
        with pytest.raises(cv.UndefinedError, match='say values="share"'):
            cv.plot.heat_map(own, values="similarity")


@pytest.mark.parametrize(
    ("draw", "error", "message"),
    [
        (lambda: cv.plot.heat_map(RESULT, values="count"), cv.OptionError, "values"),
        (lambda: cv.plot.heat_map(RESULT, top=0), cv.OptionError, "top"),
        (lambda: cv.plot.alluvial([[0, 1]]), cv.InputError, "at least two"),
        (lambda: cv.plot.distribution({}), cv.InputError, "no result"),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw, error, message):
    with pytest.raises(error, match=message):
        draw()


def colour_of(patch):
    return to_hex(patch.get_facecolor())


def rectangles(ax):
    return [patch for patch in ax.patches if isinstance(patch, Rectangle)]


class TestAlluvial:
    def test_bars_are_as_high_as_clusters_are_large_and_bands_as_the_objects_they_share(self):
        ax = cv.plot.alluvial(RESULT)
        left = [bar.get_height() for bar in rectangles(ax) if bar.get_x() < 0.5]
        unit = max(left) / 6
        assert sorted(height / unit for height in left) == pytest.approx([2, 3, 4, 5, 6])
        bands = [patch.get_path().vertices for patch in ax.patches if isinstance(patch, PathPatch)]
        widths = sorted((band[7][1] - band[0][1]) / unit for band in bands)
        assert widths == pytest.approx([1, 2, 3, 3, 3, 4, 4])

    def test_best_matches_have_one_colour_and_outliers_are_hatched(self):
        ax = cv.plot.alluvial({"old": OLD, "new": NEW})
        by_name = {
            text.get_text(): bar
            for text in ax.texts
            for bar in rectangles(ax)
            if round(bar.get_x()) == round(text.xy[0])
            and bar.get_y() <= text.xy[1] <= bar.get_y() + bar.get_height()
        }
        colour = {name: colour_of(bar) for name, bar in by_name.items()}
        assert colour["B (4)"] == colour["3 (7)"] != colour["C (3)"]
        assert {colour["A (6)"], colour["B (4)"]} == set(PALETTE[:2])
        assert by_name["outliers (5)"].get_hatch()
        assert not by_name["A (6)"].get_hatch()

    def test_several_clusterings_are_layers_with_their_numbers_of_clusters(self):
        ax = cv.plot.alluvial({"one": [0] * 9, "two": [0] * 5 + [1] * 4, "three": [0, 1, 2] * 3})
        assert labels(ax.xaxis) == ["one\n1 cluster", "two\n2 clusters", "three\n3 clusters"]
        assert ax.get_xticks().tolist() == [0, 1, 2]
        assert ax.get_title(loc="left") == "3 clusterings of 9 objects"

    def test_what_is_pooled_is_said(self):
        ax = cv.plot.alluvial(cv.pairwise([list(range(40)), [0] * 40]), top=3)
        assert "37 more clusters (37)" in said(ax)
        assert any("at most 3 clusters of each, the largest" in text for text in said(ax))


class TestSizes:
    def test_points_are_at_size_and_similarity_with_a_shape_for_each_side(self):
        left, right, outliers = cv.plot.sizes(RESULT).collections
        columns = RESULT.columns()
        rows = zip(*(columns[name] for name in ("side", "kind", "size", "similarity")), strict=True)
        expected = {"old": set(), "new": set(), "outliers": set()}
        for side, kind, size, similarity in rows:
            expected[side if kind == "cluster" else kind].add((size, similarity))
        found = [{tuple(place) for place in drawn.get_offsets().tolist()}
                 for drawn in (left, right, outliers)]  # fmt: skip
        assert found == [*expected.values()]
        assert [to_hex(side.get_facecolor()[0]) for side in (left, right)] == [LEFT, RIGHT]
        assert left.get_paths()[0].vertices.shape != right.get_paths()[0].vertices.shape
        assert outliers.get_hatch()

    def test_the_costliest_are_labelled_and_have_the_largest_points(self):
        ax = cv.plot.sizes(RESULT, label=3)
        columns = RESULT.columns()
        rows = sorted(
            zip(columns["loss"], columns["cluster"], strict=True), key=lambda row: -row[0]
        )
        names = {"outliers of" if name is None else str(name) for _, name in rows[:3]}
        texts = [text.get_text() for text in ax.texts if text.xycoords == "data"]
        assert {text if text in names else text[:11] for text in texts if text} == names
        assert "the 3 costliest are labelled" in " ".join(said(ax))
        assert max(drawn.get_sizes().max() for drawn in ax.collections) == 150

    def test_many_clusters_are_counted_in_hexagons(self):
        labels = np.arange(12_000) // 4
        result = cv.compare(labels, cv.generate.shuffled(labels, 0.3, seed=0))
        ax = cv.plot.sizes(result, label=0)
        assert ax.collections[0].get_array().sum() == 6_000
        assert "number of clusters of both sides" in said(ax)

    def test_the_line_halves_the_loss_of_clusters(self):
        # Cluster 1 on the left loses 0.5 x 10/100 x 5/10, and 2 on the right 0.5 x 5/100 x 5/10.
        ax = cv.plot.sizes(cv.compare([0] * 90 + [1] * 10, [0] * 90 + [1] * 5 + [2] * 5))
        (line,) = (line for line in ax.lines if line.get_linestyle() == ":")
        assert line.get_xdata()[0] == 5


class TestLosses:
    def test_bars_lead_from_1_down_to_the_score(self):
        for by in ("reason", "cluster", "change"):
            bars = losses(by).patches
            ends = [(bar.get_x() + bar.get_width(), bar.get_x()) for bar in bars]
            assert ends[0][0] == pytest.approx(1)
            assert ends[-1][1] == pytest.approx(RESULT.score)
            assert [end for _, end in ends[:-1]] == pytest.approx([begin for begin, _ in ends[1:]])
            lengths = [bar.get_width() for bar in bars]
            assert lengths == sorted(lengths, reverse=True)

    def test_bars_are_the_reasons_that_cost_something(self):
        ax = losses("reason")
        reasons, lost, _ = RESULT.losses().columns().values()
        known = {reason: loss for reason, loss in zip(reasons, lost, strict=True) if loss}
        bars = (bar.get_width() for bar in ax.patches)
        assert dict(zip(labels(ax.yaxis), bars, strict=True)) == pytest.approx(known)

    def test_the_rest_is_pooled_in_one_bar(self):
        ax = cv.plot.losses(RESULT, by="cluster", top=4)
        costly = sorted((loss for loss in RESULT.columns()["loss"] if loss), reverse=True)
        assert labels(ax.yaxis)[-1] == f"{len(costly) - 4} more clusters"
        assert ax.patches[-1].get_width() == pytest.approx(sum(costly[4:]))
        assert f"4 of {len(costly)} clusters are" in ax.get_title(loc="left")

    def test_clusters_have_the_colour_of_their_side(self):
        ax = losses("cluster")
        colours = dict(zip(labels(ax.yaxis), map(colour_of, ax.patches), strict=True))
        assert (colours["A (6)"], colours["3 (7)"]) == (LEFT, RIGHT)
        assert "clusters of old" in said(ax)

    def test_changes_are_named_with_their_clusters(self):
        found = labels(losses("change").yaxis)
        assert {"split: A → 1, 2", "merged: B, C → 3", "dissolved: D"} <= set(found)

    def test_nothing_lost_is_said(self):
        assert said(cv.plot.losses(cv.compare(OLD, OLD))) == ["F*_wo = 1.000: nothing is lost"]


class TestMatrix:
    RUNS = cv.pairwise({"a": [0, 0, 1, 1, 2, 2], "b": [0, 1, 2, 3, 4, 5], "c": [0, 0, 1, 1, 2, 3]})

    def test_cells_are_the_scores_in_the_order_of_the_labels(self):
        ax = cv.plot.matrix(self.RUNS)
        names = labels(ax.yaxis)
        assert names == labels(ax.xaxis)
        order = [self.RUNS.names.index(name) for name in names]
        shown = ax.images[0].get_array()
        assert np.array_equal(shown, self.RUNS.matrix[np.ix_(order, order)])
        assert ax.images[0].get_clim() == (0, 1)
        assert names.index("c") == 1

    def test_the_order_can_be_that_of_the_result_and_the_medoid_is_framed(self):
        ax = cv.plot.matrix(self.RUNS, order="given")
        assert labels(ax.yaxis) == ["a", "b", "c"]
        assert self.RUNS.medoid() == "c"
        assert [patch.get_bbox().bounds for patch in ax.patches] == [
            (-0.5, 1.5, 3, 1), (1.5, -0.5, 1, 3),
        ]  # fmt: skip

    def test_numbers_are_in_the_cells_if_there_is_room_and_else_fewer_labels(self):
        assert said(cv.plot.matrix(self.RUNS)).count("1.00") == 3
        ax = cv.plot.matrix(cv.pairwise([[0, 0, 1, i] for i in range(60)]))
        assert "1.00" not in said(ax)
        assert len(labels(ax.yaxis)) <= 30
        assert any("one label in" in text for text in said(ax))

    def test_distances_are_dark_if_they_are_small(self):
        ax = cv.plot.matrix(cv.pairwise([[0, 0, 1], [0, 1, 1]], "vi"))
        assert ax.images[0].get_cmap()(0.0) == pytest.approx((0.031, 0.188, 0.42, 1), abs=0.01)

    def test_with_a_reference_the_most_similar_come_first(self):
        runs = {"a": [0, 0, 1, 1], "b": [0, 1, 2, 3], "c": [0, 0, 1, 2]}
        ax = cv.plot.matrix(cv.pairwise(runs, reference="a"))
        assert (labels(ax.yaxis), labels(ax.xaxis)) == (["a"], ["a", "c", "b"])


class TestSensitivity:
    def test_markers_are_the_scores_and_the_line_is_their_range(self):
        result = cv.outlier_sensitivity(OLD, NEW)
        ax = cv.plot.sensitivity(result)
        for place, scores in enumerate(result.scores.values()):
            known = {score for score in scores.values() if score is not None}
            lines = [line for line in ax.lines if round(line.get_ydata()[0]) == place]
            assert {line.get_xdata()[0] for line in lines if line.get_marker() != "None"} == known
            (extent,) = (line for line in lines if len(line.get_xdata()) == 2)
            assert list(extent.get_xdata()) == [min(known), max(known)]
        # The title names the measure that depends most on the treatment.
        most = max(result.scores, key=result.spread)
        assert ax.get_title(loc="left").startswith(f"{cv.MEASURES[most].title}: ")

    def test_why_a_measure_is_undefined_is_said(self):
        ax = cv.plot.sensitivity(cv.outlier_sensitivity([{0, 1}, {1, 2}], [{0, 1, 2}]))
        assert any("not defined for" in text for text in said(ax))


class TestDistribution:
    CHANCE = cv.baseline(OLD, NEW, n_draws=50, seed=0)
    SURE = cv.bootstrap(OLD, NEW, n_draws=50, seed=0)

    def marked(self, ax):
        return {tuple(np.atleast_1d(line.get_xdata())) for line in ax.lines}

    def test_draws_are_a_histogram_with_the_score_and_the_mean_by_chance(self):
        ax = cv.plot.distribution(self.CHANCE)
        edges = ax.patches[0].get_data().edges
        assert edges[[0, -1]].tolist() == [self.CHANCE.draws.min(), self.CHANCE.draws.max()]
        assert {(self.CHANCE.mean,) * 2, (self.CHANCE.score,)} <= self.marked(ax)
        assert "50 permutations" in said(ax)

    def test_an_interval_is_a_bar_between_its_limits(self):
        ax = cv.plot.distribution(self.SURE)
        assert {(self.SURE.low, self.SURE.high), (self.SURE.value,)} <= self.marked(ax)
        assert "95 % interval" in said(ax)

    def test_several_results_are_rows_of_one_picture(self):
        ax = cv.plot.distribution({"chance": self.CHANCE, "sure": self.SURE})
        assert labels(ax.yaxis) == ["chance", "sure"]
        assert [float(patch.get_data().baseline) for patch in ax.patches] == [0, 1]
        other = cv.bootstrap(OLD, OLD, n_draws=5, seed=0)
        title = cv.plot.distribution({"own": other, "new": self.SURE}).get_title(loc="left")
        assert title.startswith("Highest: own (1.000), lowest: new (")

    def test_a_difference_is_compared_with_0(self):
        ax = cv.plot.distribution(cv.bootstrap_difference(OLD, OLD, NEW, n_draws=20, seed=0))
        assert [0, 0] in [list(line.get_xdata()) for line in ax.lines]
        assert ax.get_xlabel() == "difference of F*_wo"
