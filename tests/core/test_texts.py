"""Texts behave like a list of Python strings, whichever of their two forms they are made from."""

import copy
from http import HTTPStatus

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from coverlap.core import coding, texts
from coverlap.core.coding import number_rows
from coverlap.core.incidence import frozen
from coverlap.core.objects import locate
from coverlap.core.spelling import INTEGER, MAX_DIGITS
from coverlap.core.texts import Texts, join_texts, locate_texts
from coverlap.core.values import MANY, gather_chunks, order_of_ids

CHARACTERS = st.one_of(
    st.sampled_from("abA0-\n\0 ~é\x7f\ud800\udfff\uffff😀"), st.characters(codec=None)
)
STRINGS = st.one_of(
    st.text(CHARACTERS, max_size=5),
    st.builds(
        str.__add__,
        st.sampled_from(["", "a" * 7, "a" * 8, "b" * 9, "a" * 600]),
        st.text("ab\0", max_size=9),
    ),
)
LISTS = st.lists(STRINGS, max_size=40)


def forms(strings: list[str]) -> list[Texts]:
    """Return texts made of Python strings, of bytes, and of bytes that are not in order."""
    backwards = Texts(utf8=Texts(strings[::-1]).utf8)
    return [Texts(strings), Texts(utf8=Texts(strings).utf8), backwards[::-1]]


@given(LISTS)
def test_texts_are_the_strings_they_were_made_of(strings):
    for made in forms(strings):
        assert made.tolist() == list(made) == strings
        assert np.asarray(made).tolist() == strings
        assert len(made) == len(strings)
        assert made.dtype == object
        assert copy.deepcopy(made).tolist() == strings
        assert [made[i] for i in range(-len(strings), len(strings))] == strings * 2
        with pytest.raises(IndexError):
            made[len(strings)]


@given(LISTS, st.data())
def test_texts_are_chosen_as_items_of_an_array_are(strings, data):
    flags = st.lists(st.booleans(), min_size=len(strings), max_size=len(strings))
    mask = np.array(data.draw(flags), bool)
    places = np.flatnonzero(mask)[::-1]
    array = np.fromiter(strings, object, len(strings))
    for made in forms(strings):
        for chosen in (mask, places, slice(1, None), slice(None, None, -1)):
            assert made[chosen].tolist() == array[chosen].tolist()


@given(LISTS)
def test_texts_can_do_without_the_bytes_of_others(strings):
    for made in forms(strings):
        few = made[::3].compact()
        assert few.tolist() == strings[::3]
        assert len(few.utf8.data) == sum(len(s.encode("utf-8", "surrogatepass")) for s in few)


@given(LISTS, LISTS)
def test_texts_equal_others_if_their_strings_do(one, other):
    for first, second in zip(forms(one), reversed(forms(other)), strict=True):
        assert first.equals(second) == (one == other)
        assert first.equals(forms(one)[1])
        assert join_texts([first, second]).tolist() == one + other


@given(LISTS)
def test_distinct_texts_are_numbered_in_order(strings):
    for made in forms(strings):
        codes, distinct = made.code()
        assert distinct.tolist() == sorted(set(strings))
        assert [distinct.tolist()[code] for code in codes] == strings
        assert distinct.order() is None
        backwards = distinct[::-1]
        assert backwards[order_of_ids(backwards)].tolist() == sorted(set(strings))


@given(LISTS, st.lists(STRINGS, unique=True, max_size=40))
def test_texts_are_found_where_they_are(wanted, known):
    expected = [known.index(text) if text in known else -1 for text in wanted]
    for first, second in zip(forms(wanted), reversed(forms(known)), strict=True):
        assert locate_texts(first, second).tolist() == expected
        assert locate(first, np.fromiter(known, object, len(known))).tolist() == expected


@given(LISTS)
def test_texts_that_are_empty_or_begin_with_a_character_are_found(strings):
    expected = [text == "" or text[0] in "-Na\0" for text in strings]
    for made in forms(strings):
        assert made.begin_with("-Na").tolist() == expected


@given(st.lists(st.text("-0129.e", max_size=5) | STRINGS))
@example(["1" * MAX_DIGITS, "1" * (MAX_DIGITS + 1), "-" + "1" * MAX_DIGITS, "", "-", "-0", "00"])
def test_texts_that_are_integers_are_found(strings):
    expected = [bool(INTEGER.fullmatch(text)) for text in strings]
    for made in forms(strings):
        assert made.find_integers().tolist() == expected


@given(st.lists(st.integers(-(2**70), 2**70) | st.integers(-(2**63), 2**63)))
def test_integers_are_parsed_if_they_fit(integers):
    found = Texts(list(map(str, integers))).as_integers()
    if all(abs(integer) < 2**63 for integer in integers):
        assert found.tolist() == integers
    else:
        assert found is None


@pytest.mark.parametrize("key", [np.zeros(3, np.uint64), np.full(3, 1, np.uint64)])
def test_texts_and_rows_whose_hashes_are_equal_are_not_confused(monkeypatch, key):
    for module in (coding, texts):
        monkeypatch.setattr(module, "KEY", frozen(key))
    strings = [f"name {i % 7}" for i in range(100)]
    codes, distinct = Texts(strings).code()
    assert [distinct.tolist()[code] for code in codes] == strings
    assert locate_texts(Texts(strings), distinct).tolist() == [i % 7 for i in range(100)]
    rows = np.array(strings).view(np.uint32).reshape(100, -1)
    codes, firsts = number_rows(rows)
    assert codes.tolist() == [i % 7 for i in range(100)]
    assert firsts.tolist() == list(range(7))


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1), st.integers(1, 30))
def test_many_texts_are_sorted_as_python_sorts_them(seed, length):
    rng = np.random.default_rng(seed)
    letters = rng.choice(list("ab\0é"), (300, length))
    strings = list({"".join(row[: rng.integers(0, length + 1)]) for row in letters})
    made = Texts(strings)
    assert made[order_of_ids(made)].tolist() == sorted(strings)


def test_values_are_gathered_only_if_all_have_one_type():
    assert gather_chunks([[1, 2], [3]], MANY).tolist() == [1, 2, 3]
    assert gather_chunks([["a"], ["", "b\n"]], MANY).tolist() == ["a", "", "b\n"]
    for other in (True, 1.0, np.int64(1), HTTPStatus.OK, "a", b"i", "iiiii", None, [1], 2**63):
        assert gather_chunks([[1, 2], [3, other]], MANY) is None
        assert gather_chunks([[1, 2**40], [other]], MANY) is None
    for other in (1, b"a", None, np.str_("a")):
        assert gather_chunks([["a", "b"], ["c", other]], MANY) is None


@given(
    st.lists(
        st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-(2**31), 2**31), min_size=1),
        min_size=1,
    )
)
def test_integers_of_all_sizes_are_gathered(chunks):
    expected = [value for chunk in chunks for value in chunk]
    assert gather_chunks(chunks, MANY).tolist() == expected
    assert sorted(gather_chunks(map(set, chunks), MANY).tolist()) == sorted(
        value for chunk in chunks for value in set(chunk)
    )
