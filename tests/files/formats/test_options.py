import pytest

from coverlap.core.errors import OptionError
from tests.files.damage import read

OF_OTHERS = {
    "cluster-lines": ("object", "cluster", "keys", "outlier_label"),
    "object-lines": ("object", "cluster", "keys"),
    "pairs": ("keys",),
    "labels": ("object", "cluster", "keys", "delimiter"),
    "json": ("delimiter",),
    "npy": ("object", "cluster", "keys", "delimiter"),
    "parquet": ("delimiter", "keys"),
    "clu": ("cluster",),
}


@pytest.mark.parametrize("form", OF_OTHERS)
def test_options_of_other_formats_are_refused(form: str):
    for option in OF_OTHERS[form]:
        value = "," if option == "delimiter" else "objects"
        with pytest.raises(OptionError, match=f"^{option} means nothing in the format '{form}'"):
            read("", "a", format=form, **{option: value})


@pytest.mark.parametrize("form", ["gml", "graphml", "h5ad"])
@pytest.mark.parametrize("options", [{"object": 0}, {"cluster": 1}, {"object": "cluster"}], ids=str)
def test_columns_without_positions_are_named(form: str, options: dict[str, object]):
    with pytest.raises(OptionError):
        read("", "a", format=form, **options)
