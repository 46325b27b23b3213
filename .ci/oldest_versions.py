"""Print pip constraints: each dependency at the oldest version that pyproject.toml allows."""

import re
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
extras = project["project"]["optional-dependencies"]
declared = [
    *project["project"]["dependencies"],
    *(requirement for name in ("arrow", "graph", "h5ad") for requirement in extras[name]),
    *project["dependency-groups"]["frames"],
]
for requirement in declared:
    name, version, marker = re.fullmatch(r"([\w.-]+)>=([\w.]+)(;.*)?", requirement).groups()
    print(f"{name}=={version}{marker or ''}")
