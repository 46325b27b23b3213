"""What holds for every picture: where it is drawn, what it leaves as it was, readable texts."""

import subprocess
import sys
from functools import partial

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

import coverlap as cv
from tests.plot.cases import ODD, check_texts, compare_random, said

LEFT, RIGHT = [0, 0, 0, 1, 1, 2, 2, -1], [0, 0, 1, 1, 1, 2, -1, -1]

OF_COMPARISON = {
    "heat_map": cv.plot.heat_map,
    "heat_map by similarity": partial(cv.plot.heat_map, values="similarity"),
    "alluvial": cv.plot.alluvial,
    "sizes": cv.plot.sizes,
    "losses": cv.plot.losses,
    "losses by cluster": partial(cv.plot.losses, by="cluster"),
    "losses by change": partial(cv.plot.losses, by="change"),
}
RESULTS = {
    **dict.fromkeys(("heat_map", "alluvial", "sizes", "losses"), cv.compare(LEFT, RIGHT)),
    "matrix": cv.pairwise([LEFT, RIGHT, [0] * 8]),
    "sensitivity": cv.outlier_sensitivity(LEFT, RIGHT),
    "distribution": cv.baseline(LEFT, RIGHT, n_draws=20, seed=0),
}


def test_all_pictures_are_tested():
    assert sorted(RESULTS) == sorted(cv.plot.__all__)


@pytest.fixture(params=RESULTS)
def picture(request):
    return getattr(cv.plot, request.param), RESULTS[request.param]


def test_a_picture_is_drawn_on_the_axes_that_are_given(picture):
    draw, result = picture
    figure = Figure(figsize=(9, 4))
    left, right = figure.subplots(1, 2)
    assert draw(result, ax=right) is right
    assert not left.has_data()
    assert right.has_data()
    assert figure.get_size_inches().tolist() == [9, 4]


@pytest.mark.slow
def test_a_picture_changes_no_setting_and_leaves_no_figure_open(picture, tmp_path):
    from matplotlib import pyplot as plt

    draw, result = picture
    plt.get_backend()  # which is else chosen by the first use
    before, open_before = mpl.rcParams.copy(), plt.get_fignums()
    ax = draw(result)
    ax.figure.savefig(tmp_path / "picture.svg")
    assert mpl.rcParams == before
    assert plt.get_fignums() == open_before
    assert (tmp_path / "picture.svg").stat().st_size > 1000
    check_texts(ax)


def test_something_else_is_refused_with_the_function_that_makes_the_right_result(picture):
    draw, _ = picture
    with pytest.raises(cv.InputTypeError if draw is not cv.plot.alluvial else cv.CoverlapError):
        draw(3)
    if draw not in {cv.plot.alluvial, cv.plot.distribution}:
        with pytest.raises(cv.InputTypeError, match=r"result of coverlap\.\w+, not from a list"):
            draw([LEFT, RIGHT])


def test_axes_that_are_none_are_refused(picture):
    draw, result = picture
    with pytest.raises(cv.InputTypeError, match="ax must be one Axes of matplotlib, not a ndarray"):
        draw(result, ax=Figure().subplots(1, 2))


def test_without_matplotlib_the_error_says_what_to_install(picture, monkeypatch):
    draw, result = picture
    monkeypatch.setitem(sys.modules, "matplotlib.axes", None)
    with pytest.raises(cv.MissingDependencyError, match=r"pip install 'coverlap\[plot\]'"):
        draw(result)
    with pytest.raises(cv.MissingDependencyError):
        cv.plot.heat_map(cv.compare(["ä"], ["ö"]))


def test_coverlap_plot_is_imported_without_matplotlib():
    code = "import sys, coverlap as cv; cv.plot.sizes; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


QUICK = ("no clusters on the right", "no objects")


@pytest.mark.parametrize(
    "case", [case if case in QUICK else pytest.param(case, marks=pytest.mark.slow) for case in ODD]
)
def test_odd_comparisons_can_be_drawn(case):
    result = ODD[case]()
    for draw in OF_COMPARISON.values():
        ax = draw(result)
        check_texts(ax)
        assert any(text.startswith("F*_w") for text in said(ax))


@pytest.mark.slow
@pytest.mark.parametrize("draw", OF_COMPARISON.values(), ids=OF_COMPARISON)
@pytest.mark.parametrize("n_clusters", [5, 50, 500, 20_000])
def test_texts_do_not_overlap_whatever_the_number_of_clusters(draw, n_clusters):
    check_texts(draw(compare_random(n_clusters)))


def test_names_are_shown_as_they_are_with_boxes_for_characters_that_no_font_has():
    result = cv.compare(["$5$ x_1", "細\n"], [0, 0])
    labels = [text for text in said(cv.plot.heat_map(result)) if text.endswith("(1)")]
    assert labels == ["$5$ x_1 (1)", r"□\n (1)"]


def test_long_names_are_shortened():
    result = cv.compare(["x" * 500, "y"], [0, 0])
    for draw in (cv.plot.alluvial, cv.plot.sizes, cv.plot.losses):
        assert max(map(len, said(draw(result)))) < 120


def test_only_equal_clusterings_have_the_score_1_in_the_title():
    n = 200_000
    labels = np.arange(n) // 100
    other = labels.copy()
    other[0] = 1
    assert (
        cv.plot.losses(cv.compare(labels, other)).get_title(loc="left").startswith("F*_wo = 0.99")
    )
