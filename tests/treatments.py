"""The treatments of outliers that tests go through: options of a verb, by name."""

TREATMENTS: dict[str | None, dict[str, str]] = {
    None: {},
    "singletons": {"outliers_as": "singletons"},
    "cluster": {"outliers_as": "cluster"},
    "drop": {"drop_outliers": "either"},
}
