"""The registry: its measures, aliases that set options, and the checks of options."""

import pickle
from pathlib import Path

import pytest
from click.testing import CliRunner

import coverlap as cv
from coverlap.cli import program
from coverlap.counting.counts import counts_of

ALIASES = {
    name: (
        measure,
        {"normalization" if measure == "onmi" else "mean": value},
    )
    for measure, values in {
        "onmi": ("max", "mgh", "lfk", "lfk_total", "mean", "sqrt", "min", "joint"),
        "ami": ("max", "sqrt", "min"),
        "nmi": ("max", "sqrt", "min", "joint"),
    }.items()
    for value in values
    for name in [f"{measure}_{value}"]
}
SIDES = [0, 0, 0, 1, 1, 2, 2, 3], [0, 0, 1, 1, 1, 2, 3, 3]
COVERS = [{0, 1, 2}, {2, 3}], [{0, 1}, {2, 3}, {1, 3}]


def test_iteration_yields_each_measure_once_and_lookup_also_accepts_aliases():
    assert len(cv.MEASURES) == len(list(cv.MEASURES)) == 30
    assert set(cv.MEASURES.aliases) == set(ALIASES)
    assert not set(cv.MEASURES) & set(ALIASES)
    for name in ALIASES:
        assert name in cv.MEASURES
        assert cv.MEASURES[name] is cv.MEASURES.get(name) is cv.MEASURES.aliases[name]
        assert cv.MEASURES[name].name == name
    assert "nmi_mode" not in cv.MEASURES
    with pytest.raises(KeyError, match="nmi_mode"):
        cv.MEASURES["nmi_mode"]
    assert repr(cv.MEASURES).startswith("MeasureRegistry(fstar_wo, fstar_w, fstar_adjusted, ")


def test_the_registry_is_read_only():
    with pytest.raises(TypeError):
        cv.MEASURES["mine"] = cv.MEASURES["ari"]
    with pytest.raises(TypeError):
        cv.MEASURES.aliases["mine"] = cv.MEASURES["ari"]


@pytest.mark.parametrize("name", ALIASES)
def test_an_alias_gives_the_float_of_the_measure_with_its_option(name):
    measure, options = ALIASES[name]
    for sides in (SIDES, SIDES[::-1], *([COVERS] if measure == "onmi" else [])):
        expected = cv.score(*sides, measure, **options)
        assert cv.score(*sides, name) == expected
        assert cv.scores(*sides, [name])[name] == expected
        matrix = cv.pairwise(list(sides), measure, **options).matrix
        assert cv.pairwise(list(sides), name).matrix.tolist() == matrix.tolist()


def test_the_default_options_are_max_and_the_arithmetic_mean():
    assert cv.score(*SIDES, "nmi") == cv.score(*SIDES, "nmi", mean="mean")
    assert cv.score(*SIDES, "ami") == cv.score(*SIDES, "ami", mean="mean")
    assert cv.score(*COVERS, "onmi") == cv.score(*COVERS, "onmi_mgh")


def test_an_alias_has_only_the_options_that_it_does_not_set():
    with pytest.raises(cv.OptionError, match="nmi_max has no option 'mean'; it has none"):
        cv.score(*SIDES, "nmi_max", mean="min")
    with pytest.raises(cv.OptionError, match="its options are 'variant'"):
        cv.score(*SIDES, "onmi_lfk", normalization="max")
    by_alias = cv.score(*COVERS, "onmi_lfk", variant="mcdaid")
    assert by_alias == cv.score(*COVERS, "onmi", normalization="lfk", variant="mcdaid")


@pytest.mark.parametrize(
    ("measure", "options", "message"),
    [
        (
            "nmi",
            {"mean": "median"},
            "mean must be one of 'mean', 'sqrt', 'min', 'max', 'joint', no",
        ),
        ("ami", {"mean": "joint"}, "mean must be one of 'mean', 'sqrt', 'min', 'max', not 'joint'"),
        ("onmi", {"normalization": "LFK"}, "normalization must be one of 'max', 'mgh', 'lfk', "),
        ("onmi_lfk", {"variant": 5}, "variant must be one of 'definition', 'mcdaid', not 5"),
        ("fstar_w", {"average": "mean"}, "average must be one of 'size', 'equal', not 'mean'"),
    ],
)
def test_values_that_an_option_cannot_take_are_rejected_before_the_input_is_read(
    measure, options, message
):
    with pytest.raises(cv.OptionError, match=message):
        cv.score("no such file", "no such file", measure, **options)
    with pytest.raises(cv.OptionError, match=message):
        cv.pairwise(["no such file"], measure, **options)


@pytest.mark.parametrize("name", [*cv.MEASURES, *cv.MEASURES.aliases])
def test_a_measure_can_be_pickled(name):
    measure = cv.MEASURES[name]
    again = pickle.loads(pickle.dumps(measure))  # noqa: S301
    assert again == measure
    assert hash(again) == hash(measure)
    assert again.options == measure.options
    counts = counts_of(*SIDES)
    assert again.score(counts) == measure.score(counts)


def test_the_command_line_accepts_aliases_and_names_them_in_its_help(tmp_path):
    for name, labels in zip(("left.txt", "right.txt"), SIDES, strict=True):
        (tmp_path / name).write_text("".join(f"{label}\n" for label in labels))
    files = [str(tmp_path / name) for name in ("left.txt", "right.txt")]
    result = CliRunner().invoke(program, ["scores", *files, "-m", "onmi_max", "--json", "-q"])
    assert f'"onmi_max": {cv.score(*SIDES, "onmi")!r}' in result.stdout
    text = " ".join(CliRunner().invoke(program, ["scores", "--help"]).stdout.split())
    assert all(name in text for name in ALIASES)


def test_the_documentation_lists_every_alias_with_the_call_that_it_stands_for():
    page = (Path(__file__).parents[2] / "docs" / "measures.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    for name, (measure, options) in ALIASES.items():
        (row,) = (line for line in rows if f"`{name}`" in line)
        ((option, value),) = options.items()
        assert f'`"{measure}", {option}="{value}"`' in row
        low, high = (f"{end:g}".replace("inf", "∞") for end in cv.MEASURES[name].range)
        assert f"| {low} to {high} |" in row
        assert cv.MEASURES[name].title in row
        assert cv.MEASURES[name].reference in row
