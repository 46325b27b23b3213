"""Find a browser for the tests of the report; ``make browser`` installs one.

It imports nothing but Python's own modules, because ``make browser`` may run before all else.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HOW_TO_INSTALL = "install Chromium or Google Chrome, e.g. by 'apt-get install chromium'"
PATHS = (  # where macOS and Windows have a browser that is not on the path
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
)


def find_browser() -> str | None:
    """Return the path of Chromium or Google Chrome, or None.

    Chromium in a snap is not found, because it cannot read files in the folders of tests.
    """
    names = ["google-chrome", "google-chrome-stable"]
    if not Path("/snap/bin/chromium").exists():
        names = ["chromium", "chromium-browser", *names]
    found = [shutil.which(name) for name in names]
    found += [path for path in PATHS if Path(path).is_file()]
    return next((path for path in found if path), None)


def install() -> str:
    """Install Debian's Chromium where this is allowed; return what to tell the user.

    No browser is no error: the tests that need one are skipped.
    """
    found = find_browser()
    if found:
        return f"The tests of the report will use {found}."
    if not shutil.which("apt-get"):
        return f"There is no apt-get to install a browser with: {HOW_TO_INSTALL}."
    sudo = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
    if sudo and not (shutil.which("sudo") and _run(*sudo, "true", quiet=True)):
        return f"Installing a browser needs root or sudo without a password: {HOW_TO_INSTALL}."
    apt = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    _run(*apt, "update")  # if this fails, the lists of before may do
    _run(*apt, "install", "--yes", "--no-install-recommends", "chromium")
    found = find_browser()
    if found:
        return f"Installed {found}."
    return f"apt-get could not install a browser that tests can use: {HOW_TO_INSTALL}."


def _run(*command: str, quiet: bool = False) -> bool:
    errors = subprocess.DEVNULL if quiet else None
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=errors, check=False)
    return done.returncode == 0


if __name__ == "__main__":
    sys.stdout.write(f"{install()}\n")
