"""Print pip constraints that pin each dependency to the oldest version that pyproject.toml allows.

    python .ci/oldest_versions.py > constraints.txt
"""

import re
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
extras = project["project"]["optional-dependencies"]
declared = [
    *project["project"]["dependencies"],
    *extras["arrow"],
    *extras["h5ad"],
    *project["dependency-groups"]["frames"],
]
for requirement in declared:
    name, version, *marker = re.match(r"([\w.-]+)>=([\w.]+)(;.*)?", requirement.replace(" ;", ";")).groups()
    print(f"{name}=={version}{marker[0] or ''}")
