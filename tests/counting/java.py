"""Find Java for the tests of Spark; ``make java`` installs it.

It imports nothing but Python's own modules, because ``make java`` may run before all else.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGE = "openjdk-17-jre-headless"
HOW_TO_INSTALL = f"install Java 17, e.g. by 'apt-get install {PACKAGE}'"


def find_java() -> str | None:
    """Return the path of Java, or None."""
    home = os.environ.get("JAVA_HOME")
    in_home = home and shutil.which("java", path=str(Path(home) / "bin"))
    return in_home or shutil.which("java")


def install() -> str:
    """Install Debian's Java where this is allowed; return what to tell the user.

    No Java is no error: the tests that need it are skipped.
    """
    found = find_java()
    if found:
        return f"The tests of Spark will use {found}."
    if not shutil.which("apt-get"):
        return f"There is no apt-get to install Java with: {HOW_TO_INSTALL}."
    sudo = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
    if sudo and not (shutil.which("sudo") and _run(*sudo, "true", quiet=True)):
        return f"Installing Java needs root or sudo without a password: {HOW_TO_INSTALL}."
    apt = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    _run(*apt, "update")  # if this fails, the lists of before may do
    _run(*apt, "install", "--yes", "--no-install-recommends", PACKAGE)
    found = find_java()
    if found:
        return f"Installed {found}."
    return f"apt-get could not install Java: {HOW_TO_INSTALL}."


def _run(*command: str, quiet: bool = False) -> bool:
    errors = subprocess.DEVNULL if quiet else None
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=errors, check=False)
    return done.returncode == 0


if __name__ == "__main__":
    sys.stdout.write(f"{install()}\n")
