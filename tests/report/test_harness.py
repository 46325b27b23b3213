"""What open_page sees, and what it lets pass."""

import pytest

from tests.report.conftest import opening

PROBLEMS = """<!doctype html><button>Do nothing</button>
<img src='http://example.invalid/pixel.png' alt=''>
<script src='beside.js'></script>
<script>console.error('lost')</script>
<script>Promise.reject(new Error('rejected'))</script>
<script>new WebSocket('ws://example.invalid/')</script>
<script>throw new Error('broken')</script>"""

BUTTON = """<!doctype html><button onclick="
    new WebSocket('ws://example.invalid/')
    fetch('http://example.invalid/data')
    console.error('lost')
">Send</button>"""

CLEAN = """<!doctype html><img alt='' src='data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAA'>
<script>
    console.log('fine')
    fetch(URL.createObjectURL(new Blob(['text'])))
</script>"""


def test_a_page_may_log_and_use_its_own_data(open_page):
    page = open_page(CLEAN)
    page.reload()
    assert open_page.problems == []


@pytest.mark.parametrize(
    ("html", "problems"),
    [
        (PROBLEMS, [
            "console error: lost", "page error: rejected", "page error: broken",
            "request: http://example.invalid/pixel.png", "request: file://", "/beside.js",
            "request: ws://example.invalid/",
        ]),
        (BUTTON, [
            "request: ws://example.invalid/", "request: http://example.invalid/data",
            "console error: lost",
        ]),
    ],
    ids=["of loading", "of a late action"],
)  # fmt: skip
def test_problems_fail_the_test(browser, tmp_path, html, problems):
    with (
        pytest.raises(pytest.fail.Exception) as failure,
        opening(browser, tmp_path) as open_page,
    ):
        open_page(html).get_by_role("button").click()
    message = str(failure.value)
    assert [problem for problem in problems if problem not in message] == []
