"""What open_page sees, and what it lets pass."""

import pytest

from tests.report.conftest import opening

HEADING = "F* \N{GREEK SMALL LETTER ALPHA}"
CLEAN = f"<!doctype html><meta charset=utf-8><title>Clean</title><h1>{HEADING}</h1>"
PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
IN_THE_PAGE = f"""{CLEAN}<a href='#end'>End</a><img src='{PIXEL}' alt=''><p id=end>
<script>
    console.log('fine')
    fetch(URL.createObjectURL(new Blob(['text'])))
</script>"""
REMOTE_IMAGE = f"{CLEAN}<img src='http://example.invalid/pixel.png' alt=''>"
PROBLEMS = f"""{REMOTE_IMAGE}<script src='beside.js'></script>
<script>console.error('lost')</script>
<script>Promise.reject(new Error('rejected'))</script>
<script>new WebSocket('ws://example.invalid/')</script>
<script>throw new Error('broken')</script>"""

BUTTON = f"""{CLEAN}<button onclick="
    new WebSocket('ws://example.invalid/')
    fetch('http://example.invalid/data')
    console.error('lost')
">Send</button>"""


def test_clean_page(open_page):
    page = open_page(IN_THE_PAGE)
    assert page.locator("h1").text_content() == HEADING
    assert page.evaluate("[innerWidth, innerHeight]") == [1400, 900]
    assert not page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    address = page.url
    assert address.startswith("file://")
    page.get_by_text("End").click()
    assert page.url == f"{address}#end"
    assert open_page.messages == ["log: fine"]
    assert open_page.requests[0] == address
    assert [request[:5] for request in open_page.requests[1:]] == ["blob:"]


def test_file_in_a_small_dark_window(open_page, tmp_path):
    path = tmp_path / "a report #1, 100%.html"
    path.write_text(CLEAN, encoding="utf-8")
    page = open_page(path, width=360, height=640, dark=True)
    assert page.title() == "Clean"
    assert page.evaluate("[innerWidth, innerHeight]") == [360, 640]
    assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    page.reload()
    assert len(open_page.requests) == 2


def test_without_javascript(open_page):
    html = f"{CLEAN}<script>document.title = 'changed'</script>"
    assert open_page(html, javascript=False).title() == "Clean"


def test_problems_fail_the_test(browser, tmp_path):
    with (
        pytest.raises(pytest.fail.Exception) as failure,
        opening(browser, tmp_path) as open_page,
    ):
        open_page(PROBLEMS)
    message = str(failure.value)
    assert "console error: lost" in message
    assert "page error: rejected" in message
    assert "page error: broken" in message
    assert "request: http://example.invalid/pixel.png" in message
    assert f"request: {(tmp_path / 'beside.js').as_uri()}" in message
    assert "request: ws://example.invalid/" in message


def test_late_problems_are_not_missed(browser, tmp_path):
    with (
        pytest.raises(pytest.fail.Exception) as failure,
        opening(browser, tmp_path) as open_page,
    ):
        open_page(BUTTON).get_by_role("button").click()
    message = str(failure.value)
    assert "request: ws://example.invalid/" in message
    assert "request: http://example.invalid/data" in message
    assert "console error: lost" in message


def test_expected_problems_can_be_cleared(open_page):
    open_page(REMOTE_IMAGE)
    assert "request: http://example.invalid/pixel.png" in open_page.problems
    open_page.problems.clear()
