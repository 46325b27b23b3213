"""Results that several test modules use, computed once per session."""

import pytest

from paper.theory import Check, check_theory


@pytest.fixture(scope="session")
def checks() -> dict[str, Check]:
    """All checks of the theory, by name; the exact scores stay cached for other tests."""
    return {check.name: check for check in check_theory()}
