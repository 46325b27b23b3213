"""The treatments of outliers that tests use, as options of a function."""

TREATMENTS: dict[str | None, dict[str, str]] = {
    None: {},
    "singletons": {"outliers_as": "singletons"},
    "cluster": {"outliers_as": "cluster"},
    "drop": {"drop_outliers": "either"},
}
