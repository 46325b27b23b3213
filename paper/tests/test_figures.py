"""Figures show the curves that they are given, and are legible."""

import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest

import coverlap as cv
from paper.experiments.experiment import Experiment
from paper.experiments.scenarios import FIVE_MEASURES, SCENARIOS
from paper.figures.figures import draw_figure1, draw_figure2, draw_figure3, save
from paper.figures.style import MEASURES, RESOLUTIONS
from paper.results.curves import BIN_EDGES, Curves
from paper.results.stored import stored_curves

KINDS = ("vertices", "edges", "clusters")
X = {
    "shuffle": np.linspace(0, 1, 14),
    "skew": BIN_EDGES[3:40],
    "number": np.array([8.0, 20, 100, 511, 1024]),
    "overlap": np.linspace(1, 9, 17),
    "outliers": np.linspace(0, 0.95, 30),
}


def made_up(experiment, x, n=7) -> Curves:
    """Return random means and deviations."""
    rng = np.random.default_rng(len(x))
    shape = len(x), len(experiment.measures)
    means, sds = rng.random(shape), rng.random(shape) / 4
    return Curves(experiment, x, means, sds, sds / 3, np.full(len(x), n * 1.0), n)


def graphs(name, *resolutions) -> Curves:
    measures = [f"{kind} {resolution}" for kind in KINDS for resolution in resolutions]
    experiment = Experiment(
        name=name, title=f"Title of {name}", figure=3, x_name="background", n_stated=10,
        n_stored=10, measures=(*measures, "clusters truth"), authors_seconds=None, sample=None,
    )  # fmt: skip
    drawn = made_up(experiment, np.linspace(0.2, 0.8, 15), 10)
    return drawn._replace(means=drawn.means + 1, sds=drawn.sds * 10)


CURVES = {one.name: made_up(one, X[one.name]) for one in SCENARIOS}
TEXT = graphs("graphs", "3.75", "0.5", "1.0")
STORED = graphs("graphs_stored", "0.67", "1.25", "4.5")


@pytest.fixture(scope="module")
def drawn():
    """Draw each figure once; no test changes it."""
    figures = {
        "1": draw_figure1(CURVES),
        "2": draw_figure2(CURVES),
        "2 every": draw_figure2(CURVES, every=True, published=False),
        "3": draw_figure3(TEXT, STORED),
        "3 text": draw_figure3(TEXT),
    }
    for figure in figures.values():
        figure.canvas.draw()
    return figures


def panel(figure, row, column):
    found = [
        axes
        for axes in figure.axes
        if (axes.get_subplotspec().rowspan.start, axes.get_subplotspec().colspan.start)
        == (row, column)
    ]
    assert len(found) == 1
    return found[0]


def experiments(figures) -> list:
    """Return the panels of all scenarios with their curves and the measures in them."""
    one, two, every = figures["1"], figures["2"], figures["2 every"]
    return [
        (panel(one, 2, 0), CURVES["shuffle"], FIVE_MEASURES),
        (panel(one, 2, 1), CURVES["skew"], FIVE_MEASURES),
        (panel(one, 2, 2), CURVES["number"], FIVE_MEASURES),
        (panel(two, 0, 2), CURVES["overlap"], FIVE_MEASURES),
        (panel(two, 1, 2), CURVES["outliers"], ("ecs", "fstar_wo")),
        (panel(every, 1, 2), CURVES["outliers"], FIVE_MEASURES),
    ]


def graph_panels(figures) -> list:
    """Return the panels of graphs, with their curves and the kind of measure in them."""
    both = [(TEXT, axes) for axes in figures["3"].axes[:3]]
    both += [(STORED, axes) for axes in figures["3"].axes[3:]]
    both += [(TEXT, axes) for axes in figures["3 text"].axes]
    return [
        (axes, curves, kind)
        for (curves, axes), kind in zip(both, KINDS * 3, strict=True)
    ]  # fmt: skip


def lines(axes) -> dict:
    return {
        line.get_gid(): line for line in axes.lines if line.get_gid() not in {None, "reference"}
    }


def bands(axes) -> dict:
    return {one.get_gid(): one for one in axes.collections if one.get_gid() is not None}


def assert_shows(axes, curves, measure, lowest=-np.inf) -> None:
    """Compare a line, and the two edges of its band, with a column of the curves."""
    column = curves.experiment.measures.index(measure)
    means, sds = curves.means[:, column], curves.sds[:, column]
    assert lines(axes)[measure].get_xdata().tolist() == curves.x.tolist()
    assert lines(axes)[measure].get_ydata().tolist() == means.tolist()
    corners = bands(axes)[f"{measure} band"].get_paths()[0].vertices
    for x, mean, sd in zip(curves.x, means, sds, strict=True):
        edges = corners[corners[:, 0] == x, 1]
        assert (edges.min(), edges.max()) == (max(mean - sd, lowest), mean + sd)


def legends(figure) -> list:
    return [*figure.legends, *(legend for part in figure.subfigs for legend in part.legends)]


def legend_texts(figure) -> list:
    return [[text.get_text() for text in legend.get_texts()] for legend in legends(figure)]


def texts(figure) -> list:
    found = figure.findobj(mpl.text.Text)
    return [text for text in found if text.get_visible() and text.get_text().strip()]


# Arrangement


def test_figure_1_has_scenarios_as_columns_and_figure_2_as_rows(drawn):
    assert len(drawn["1"].axes) == 9
    titles = [panel(drawn["1"], 0, column).get_title() for column in range(3)]
    assert titles == ["1. Share shuffled", "2. Uneven sizes", "3. Number of clusters"]
    assert len(drawn["2"].axes) == 6
    titles = [panel(drawn["2"], row, 0).get_title() for row in range(2)]
    assert titles == ["4. Overlap", "5. Outliers"]


def test_figure_3_has_a_row_for_each_variant(drawn):
    assert len(drawn["3"].axes) == 6
    assert len(drawn["3 text"].axes) == 3
    titles = [part.get_suptitle() for part in drawn["3"].subfigs]
    assert titles == ["Title of graphs", "Title of graphs_stored"]
    assert [axes.get_ylabel() for axes in drawn["3 text"].axes] == [
        "$F^*_{wo}$ of vertices", "$F^*_{wo}$ of edges", "number of clusters",
    ]  # fmt: skip


def test_x_axes_are_named_by_their_experiments(drawn):
    for axes, curves, _ in [*experiments(drawn), *graph_panels(drawn)]:
        assert axes.get_xlabel() == curves.experiment.x_name
    assert panel(drawn["2"], 0, 1).get_xlabel() == "expansion factor"


def test_entropy_falls_from_left_to_right(drawn):
    for row in (1, 2):
        left, right = panel(drawn["1"], row, 1).get_xlim()
        assert 5.1 > left > 5
        assert 1.92 > right > 1.8


def test_numbers_of_clusters_double_along_the_axis(drawn):
    for row in (1, 2):
        axis = panel(drawn["1"], row, 2).xaxis
        assert axis.get_scale() == "log"
        assert axis.get_transform().base == 2
    assert [label.get_text() for label in axis.get_ticklabels()] == ["8", "32", "128", "512"]


def test_intuition_has_the_axis_of_the_experiment(drawn):
    for column in range(3):
        above, below = panel(drawn["1"], 1, column), panel(drawn["1"], 2, column)
        assert above.get_xlim() == below.get_xlim()
        assert (above.bbox.x0, above.bbox.x1) == pytest.approx((below.bbox.x0, below.bbox.x1))
    for row in range(2):
        assert panel(drawn["2"], row, 1).get_xlim() == panel(drawn["2"], row, 2).get_xlim()


# What is drawn


def test_lines_are_means_and_bands_one_standard_deviation_to_either_side(drawn):
    for axes, curves, measures in experiments(drawn):
        assert set(lines(axes)) - {"onmi_lfk_clusim"} == set(measures)
        assert len(bands(axes)) == len(measures)
        for measure in measures:
            assert_shows(axes, curves, measure)


def test_graphs_are_shown_at_every_resolution(drawn):
    for axes, curves, kind in graph_panels(drawn):
        measures = [name for name in curves.experiment.measures if name.startswith(kind)]
        assert len(measures) == 4 if kind == "clusters" else 3
        assert len(bands(axes)) == len(measures)
        for measure in measures:
            assert_shows(axes, curves, measure, 0.8 if kind == "clusters" else -np.inf)


def test_bands_on_a_logarithmic_axis_end_where_it_ends(drawn):
    assert (TEXT.means - TEXT.sds)[:, 6:].min() < 0
    for axes in (drawn["3"].axes[2], drawn["3"].axes[5]):
        corners = np.vstack([band.get_paths()[0].vertices for band in bands(axes).values()])
        assert corners[:, 1].min() == axes.get_ylim()[0] > 0


def test_bins_with_almost_no_points_are_not_drawn():
    counts = np.full(37, 5000.0)
    counts[:2] = 1, 4
    rare = CURVES["skew"]._replace(counts=counts)
    shown = lines(panel(draw_figure1(CURVES | {"skew": rare}), 2, 1))["fstar_wo"]
    assert shown.get_xdata().tolist() == rare.x[2:].tolist()


def test_resolutions_look_the_same_from_coarse_to_fine_in_any_order(drawn):
    for axes, curves, kind in graph_panels(drawn):
        names = sorted((name.split()[1] for name in curves.experiment.measures[:3]), key=float)
        colours = [lines(axes)[f"{kind} {name}"].get_color() for name in names]
        assert colours == [style.colour for style in RESOLUTIONS]


def test_the_authors_means_are_dots_beside_the_variant_that_they_come_from(drawn):
    for axes, curves, _ in graph_panels(drawn):
        dots = {name: line for name, line in lines(axes).items() if name.endswith(" stored")}
        assert len(dots) == (len(lines(axes)) // 2 if curves is STORED else 0)
        for name, line in dots.items():
            theirs = stored_curves()["graphs_stored", name.removesuffix(" stored")]
            assert line.get_xydata().tolist() == np.column_stack((theirs.x, theirs.means)).tolist()
            assert (line.get_linestyle(), line.get_marker()) == ("None", "o")


def test_the_published_curve_is_drawn_thin_and_only_if_wanted(drawn):
    line = lines(panel(drawn["2"], 0, 2))["onmi_lfk_clusim"]
    theirs = stored_curves()["overlap", "onmi_lfk_clusim"]
    assert line.get_ydata().tolist() == theirs.means.tolist()
    assert line.get_linewidth() < 1
    assert line.is_dashed()
    assert "onmi_lfk_clusim" not in lines(panel(drawn["2 every"], 0, 2))


def test_fstar_is_the_thickest_line_and_above_all_others(drawn):
    for axes, _, measures in experiments(drawn):
        shown = [line for line in axes.lines if line.get_gid() in measures]
        assert shown[-1].get_gid() == "fstar_wo"
        assert max(shown, key=lambda line: line.get_linewidth()) is shown[-1]


@pytest.mark.parametrize("styles", [tuple(MEASURES.values()), RESOLUTIONS])
def test_lines_differ_without_colours(styles):
    assert len({(one.dashes, one.marker, one.width) for one in styles}) == len(styles)
    assert len({one.colour for one in styles}) == len(styles)


def test_intuition_falls_to_what_the_paper_expects(drawn):
    ends = {}
    for column, name in enumerate(("shuffle", "skew", "number")):
        height = lines(panel(drawn["1"], 1, column))["intuition"].get_ydata()
        assert (np.diff(height) < 0).all()
        ends[name] = height[0], height[-1]
    assert ends["shuffle"][0] == 1
    assert ends["shuffle"][1] > 0.1
    assert ends["skew"][1] > 0.1
    assert 0 < ends["number"][1] < 0.05


@pytest.mark.parametrize(("row", "reference"), [(0, 3), (1, 0.5)])
def test_intuition_peaks_at_the_reference(drawn, row, reference):
    x, height = lines(panel(drawn["2"], row, 1))["intuition"].get_data()
    before = x < reference
    assert (np.diff(height[before]) > 0).all()
    assert (np.diff(height[~before]) < 0).all()
    assert height.max() == pytest.approx(1, abs=1e-3)
    for column in (1, 2):
        every = panel(drawn["2"], row, column).lines
        marks = [line for line in every if line.get_gid() == "reference"]
        assert [mark.get_xdata()[0] for mark in marks] == [reference]


def test_scores_from_0_to_1_have_the_whole_axis(drawn):
    axes = [panel(drawn["1"], 2, 0), panel(drawn["2"], 0, 2), panel(drawn["2"], 1, 2)]
    for one in [*axes, *drawn["3"].axes[:2]]:
        low, high = one.get_ylim()
        assert low <= 0
        assert high >= 1


def test_numbers_of_clusters_of_graphs_are_on_a_scale_that_shows_1(drawn):
    axes = drawn["3"].axes[2]
    assert axes.get_yscale() == "log"
    assert axes.get_ylim()[0] < 1
    assert axes.get_ylim()[1] > (TEXT.means + TEXT.sds)[:, 6:].max()


# What is said


def test_the_legend_names_all_that_is_drawn(drawn):
    five = ["$F^*_{wo}$", "ECS", "oNMI MGH", "oNMI LFK", "Omega"]
    assert legend_texts(drawn["1"]) == legend_texts(drawn["2 every"]) == [five]
    assert legend_texts(drawn["2"]) == [[*five, "oNMI LFK as published (clusim's formula)"]]
    first = ["resolution 0.5", "resolution 1.0", "resolution 3.75", "truth"]
    second = ["resolution 0.67", "resolution 1.25", "resolution 4.5", "truth"]
    assert legend_texts(drawn["3"]) == [first, [*second, "authors' stored means"]]
    assert legend_texts(drawn["3 text"]) == [first]


def test_the_legend_says_what_bands_are_and_of_how_many_samples(drawn):
    said = [
        legend.get_title().get_text() for key in ("1", "2", "3") for legend in legends(drawn[key])
    ]
    assert all("bands: ± 1 standard deviation" in one for one in said)
    assert [one.split(";")[0].removeprefix("Lines: ") for one in said] == [
        "mean of 7 samples", "mean of 7 samples", "mean of 10 samples", "mean of 10 samples",
    ]  # fmt: skip
    assert said[0].endswith("(scenario 2: of all points in a bin of entropy)")


def test_samples_are_counted_in_words():
    few = CURVES | {"outliers": made_up(SCENARIOS[4], X["outliers"], 3)}
    title = draw_figure2(few).legends[0].get_title().get_text()
    assert title.startswith("Lines: mean of 3 to 7 samples;")
    one = {name: made_up(curves.experiment, curves.x, 1) for name, curves in CURVES.items()}
    title = draw_figure2(one).legends[0].get_title().get_text()
    assert title.startswith("Lines: mean of 1 sample;")


def test_titles_come_from_the_experiments():
    named = replace(SCENARIOS[0], title="Anything", x_name="something")
    figure = draw_figure1(CURVES | {"shuffle": made_up(named, X["shuffle"])})
    assert panel(figure, 0, 0).get_title() == "1. Anything"
    assert panel(figure, 2, 0).get_xlabel() == "something"


# Legible


def test_figures_are_two_columns_wide_with_text_of_7_points_or_more(drawn):
    for figure in drawn.values():
        assert figure.get_figwidth() == 7
        assert min(text.get_fontsize() for text in texts(figure)) >= 7


def test_nothing_is_cut_off(drawn):
    for figure in drawn.values():
        box = figure.get_tightbbox()
        assert 0 <= box.x0 < box.x1 <= figure.get_figwidth()
        assert 0 <= box.y0 < box.y1 <= figure.get_figheight()


def test_legends_and_names_of_axes_cover_no_panel_and_not_each_other(drawn):
    for figure in drawn.values():
        boxes = [axes.bbox for axes in figure.axes]
        boxes += [legend.get_window_extent() for legend in legends(figure)]
        for axes in figure.axes:
            names = (axes.xaxis.label, axes.yaxis.label, axes.title)
            boxes += [name.get_window_extent() for name in names if name.get_text()]
        assert_apart(boxes)


def test_texts_in_sketches_do_not_cover_each_other(drawn):
    first = [panel(drawn["1"], 0, column) for column in range(3)]
    for axes in (*first, *(panel(drawn["2"], row, 0) for row in range(2))):
        boxes = [text.get_window_extent() for text in axes.texts if text.get_text()]
        assert len(boxes) == 3
        assert_apart(boxes)


def assert_apart(boxes) -> None:
    for one, other in combinations(boxes, 2):
        right, top = min(one.x1, other.x1), min(one.y1, other.y1)
        assert max(one.x0, other.x0) > right - 1e-6 or max(one.y0, other.y0) > top - 1e-6


# Files


def test_a_figure_is_saved_as_pdf_and_png_in_a_new_folder(tmp_path):
    paths = save(draw_figure3(TEXT), tmp_path / "deep" / "down", "figure3")
    assert paths == [tmp_path / "deep" / "down" / f"figure3.{kind}" for kind in ("pdf", "png")]
    pdf, png = (path.read_bytes() for path in paths)
    assert pdf.startswith(b"%PDF")
    assert b"CreationDate" not in pdf
    assert b"/Type3" not in pdf
    assert png.startswith(b"\x89PNG")
    width, height = (int.from_bytes(png[at : at + 4], "big") for at in (16, 20))
    assert (width, height) == (2100, 750)


def test_the_same_curves_give_the_same_bytes_and_other_curves_do_not(tmp_path):
    first = save(draw_figure2(CURVES), tmp_path, "first")
    again = save(draw_figure2(CURVES), tmp_path, "again")
    other = save(draw_figure2(CURVES, published=False), tmp_path, "other")
    for one, same, different in zip(first, again, other, strict=True):
        assert one.read_bytes() == same.read_bytes() != different.read_bytes()


def test_settings_of_the_user_have_no_effect_and_stay(tmp_path):
    plain = save(draw_figure3(TEXT), tmp_path, "plain")
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red", "savefig.dpi": 10}):
        before = dict(mpl.rcParams)
        under = save(draw_figure3(TEXT), tmp_path, "under")
        assert dict(mpl.rcParams) == before
    assert [path.read_bytes() for path in plain] == [path.read_bytes() for path in under]


# Libraries and errors


def test_nothing_global_is_imported_and_matplotlib_only_to_draw(tmp_path):
    program = (
        "import sys\n"
        "import paper.figures.figures as figures\n"
        "assert 'matplotlib' not in sys.modules\n"
        "from paper.tests.test_figures import TEXT\n"
        "figures.save(figures.draw_figure3(TEXT), sys.argv[1], 'figure')\n"
        "assert 'matplotlib' in sys.modules\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", program, tmp_path], check=True, cwd=root)


@pytest.mark.parametrize(
    "call",
    [
        lambda: draw_figure1(CURVES),
        lambda: draw_figure2(CURVES),
        lambda: draw_figure3(TEXT),
        lambda: save(None, "never", "made"),
    ],
)
def test_without_matplotlib_the_error_says_how_to_install_it(call, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(cv.MissingDependencyError, match="matplotlib: pip install --group paper"):
        call()
    assert not list(tmp_path.iterdir())


def test_curves_that_are_missing_are_named():
    given = {name: CURVES[name] for name in ("shuffle", "number", "overlap")}
    with pytest.raises(cv.InputError, match="there is no 'skew', only 'shuffle', 'number', 'over"):
        draw_figure1(given)
    with pytest.raises(cv.InputError, match="there is no 'overlap', 'outliers', only nothing"):
        draw_figure2({})
