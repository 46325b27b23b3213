"""Labels beside points."""

import numpy as np

from coverlap.plot.labels import place_labels
from coverlap.plot.style import Sheet
from tests.plot.cases import check_texts


def sheet():
    made = Sheet(None, 4, 3)
    made.ax.set(xlim=(0, 10), ylim=(0, 10))
    return made


def test_labels_of_close_points_do_not_overlap():
    made = sheet()
    points = np.column_stack((np.linspace(4, 6, 8), np.full(8, 5), np.full(8, 3)))
    assert place_labels(made, points, [f"label {i}" for i in range(8)]) == 8
    check_texts(made.ax)


def test_labels_without_room_are_left_out():
    made = sheet()
    points = np.column_stack((np.full(80, 5), np.full(80, 5), np.full(80, 3)))
    placed = place_labels(made, points, [f"a long label, {i}" for i in range(80)])
    assert 5 < placed < 60
    check_texts(made.ax)


def test_points_at_one_place_share_a_label_of_the_same_text():
    made = sheet()
    assert place_labels(made, np.array([[5, 5, 3], [5, 5, 3.1]]), ["same", "same"]) == 2
    assert [text.get_text() for text in made.ax.texts] == ["same"]
