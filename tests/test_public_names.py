"""The public names: what ``dir(coverlap)`` shows, and what type checkers see."""

import ast
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import coverlap as cv

STUB = Path(cv.__file__).with_suffix(".pyi")


@pytest.mark.parametrize(
    ("package", "others"),
    [(cv, ["__version__"]), (cv.graph, []), (cv.generate, []), (cv.plot, [])],
)
def test_dir_shows_public_names_only_and_all_of_them_exist(package, others):
    assert sorted(dir(package)) == sorted([*package.__all__, *others])
    for name in package.__all__:
        assert not name.startswith("_")
        assert getattr(package, name) is not None


def test_the_stub_has_the_same_names_from_the_same_modules():
    imports = [
        node for node in ast.parse(STUB.read_text()).body if isinstance(node, ast.ImportFrom)
    ]
    seen = {alias.asname: (node.module, alias.name) for node in imports for alias in node.names}
    assert sorted(seen) == sorted(cv.__all__)
    for public, (module, name) in seen.items():
        assert public == name
        exec(f"from {module} import {name}", found := {})  # noqa: S102
        assert getattr(cv, public) is found[name]


def test_the_package_can_be_imported_from_a_zip_file(tmp_path):
    made = shutil.make_archive(str(tmp_path / "package"), "zip", STUB.parents[1], STUB.parent.name)
    code = f"import sys; sys.path.insert(0, {made!r}); import coverlap as cv; print(cv.__file__, "
    code += "cv.fstar_score([0, 1], [0, 1]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert made in done.stdout
    assert done.stdout.endswith(" 1.0\n")


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = cv.nonsense
    with pytest.raises(ImportError):
        exec("from coverlap import nonsense")  # noqa: S102


def test_importing_coverlap_imports_no_slow_library():
    slow = "numba scipy duckdb pandas polars pyarrow matplotlib rich click narwhals networkx"
    code = (
        f"import sys, coverlap; print([name for name in '{slow}'.split() if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", [name for name in cv.__all__ if name.endswith("Error")])
def test_errors_show_their_public_name_and_survive_pickling(name):
    error = getattr(cv, name)("what is wrong")
    assert repr(type(error)) == f"<class 'coverlap.{name}'>"
    back = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert type(back) is type(error)
    assert back.args == error.args
