"""A whole report in a browser: pictures, names that look like code, other media."""

import re
from dataclasses import replace

import pytest

import coverlap as cv
from coverlap.generate import random_clustering, shuffled
from tests.report.reading import all_rows, name_text, section_of, shown_rows, sort_by

pytestmark = pytest.mark.slow  # a page is opened for each test

LEFT = {"a": {1, 2, 3, 4}, "b": {5, 6, 7}, "c": {8, 9}}
RIGHT = {"A": {1, 2, 3}, "B": {4, 5, 6}, "C": {8, 9, 10}}


def small(**options):
    sides = [cv.Clustering.from_clusters(clusters) for clusters in (LEFT, RIGHT)]
    return cv.compare(*sides, **{"names": ("old", "new"), **options})


def many(n_clusters=40, **options):
    left = random_clustering(300, n_clusters, outliers=0.02, seed=1)
    return cv.compare(left, shuffled(left, 0.3, seed=1), names=("old", "new"), **options)


def pair_texts(comparison):
    """Return what a heat map must say of each pair of sets, by the contingency table."""
    old, new = comparison.sides
    said = set()
    for row in zip(*comparison.contingency().columns().values(), strict=True):
        kind, one, n, other_kind, other, m, shared, share, other_share, _ = row
        said.add(
            f"{old}: {one if kind == 'cluster' else kind} ({n:,})\n"
            f"{new}: {other if other_kind == 'cluster' else other_kind} ({m:,})\n"
            f"{shared:,} shared: {share:.1%} of {old}, {other_share:.1%} of {new}"
        )
    return said


def tip(page):
    found = page.locator("#tip")
    return found.text_content() if found.is_visible() else None


# Pictures


def test_hovering_a_cell_of_the_heat_map_shows_the_numbers_of_the_contingency_table(open_page):
    comparison = small()
    page = open_page(comparison.to_html())
    cells = page.get_by_label("heat map of old and new").locator("rect.heat")
    said = set()
    for cell in cells.all():
        cell.hover()
        said.add(tip(page))
    assert said == pair_texts(comparison)
    page.mouse.move(5, 5)
    assert tip(page) is None


def test_hovering_a_band_shows_the_numbers_of_the_contingency_table(open_page):
    comparison = small()
    page = open_page(comparison.to_html())
    bands = page.locator("path.band")
    shared = {text.split("\n")[-1] for text in pair_texts(comparison)}
    assert bands.count() == len(pair_texts(comparison))
    page.locator("path.band").first.scroll_into_view_if_needed()
    box = bands.first.bounding_box()
    page.mouse.move(box["x"] + 3, box["y"] + 3)
    assert tip(page) == "a (4) → A (3)\n3 shared: 75.0% of old, 100.0% of new"
    texts = [band.get_attribute("aria-label") for band in bands.all()]
    assert {text.split("\n")[1] for text in texts} == shared


def test_the_keyboard_leads_through_a_picture(open_page):
    page = open_page(small().to_html())
    picture = page.get_by_label("heat map of old and new")
    assert picture.locator("[tabindex='0']").count() == 1
    for _ in range(40):
        page.keyboard.press("Tab")
        if picture.locator(":focus").count():
            break
    assert tip(page) == "old: b (3)\nnew: B (3)\n2 shared: 66.7% of old, 66.7% of new"
    page.keyboard.press("ArrowDown")
    assert tip(page).startswith("old: a (4)\nnew: B (3)\n1 shared")
    page.keyboard.press("ArrowRight")
    assert tip(page).startswith("old: a (4)\nnew: A (3)\n3 shared")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    assert tip(page).startswith("old: b (3)\nnew: B (3)")
    page.keyboard.press("Escape")
    assert tip(page) is None
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    assert not picture.locator(":focus").count()
    page.keyboard.press("Shift+Tab")
    assert tip(page).startswith("old: a (4)\nnew: B (3)\n1 shared")


def similarity_lines(comparison):
    rows = zip(*comparison.contingency().columns().values(), strict=True)
    return {
        f"old: {one}\nnew: {other}\n{shared} shared, similarity {similarity:.4f}"
        for kind, one, _, other_kind, other, _, shared, _, _, similarity in rows
        if kind == other_kind == "cluster"
    }


SHADES = """canvas => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const shades = new Set();
    for (let i = 3; i < data.length; i += 4) shades.add(data[i]);
    return [...shades];
}"""


def test_the_picture_of_all_clusters_shows_the_pair_that_is_pointed_at(open_page):
    comparison = many()
    page = open_page(comparison.to_html())
    page.wait_for_function("document.querySelector('canvas').getContext('2d') !== null")
    canvas = page.locator("canvas")
    canvas.scroll_into_view_if_needed()
    page.wait_for_timeout(50)
    assert len(canvas.evaluate(SHADES)) > 3
    box, n = canvas.bounding_box(), comparison.n_clusters[0]
    cell = box["width"] / n
    said, empty = set(), 0
    for i in range(0, n, 3):
        for j in (i, (7 * i + 1) % n):
            page.mouse.move(box["x"] + (j + 0.5) * cell, box["y"] + (i + 0.5) * cell)
            if tip(page) is None:
                empty += 1
            else:
                said.add(tip(page))
    assert len(said) > 10
    assert said <= similarity_lines(comparison)
    assert empty > 5
    page.mouse.move(box["x"] + 0.5 * cell, box["y"] + 0.5 * cell)
    first = tip(page)
    page.mouse.click(box["x"] + 3.5 * cell, box["y"] + 3.5 * cell)
    assert tip(page) != first
    assert tip(page) in similarity_lines(comparison)


def test_the_keyboard_leads_through_the_picture_of_all_clusters(open_page):
    comparison = many()
    page = open_page(comparison.to_html())
    focus_canvas(page)
    assert page.locator("canvas:focus").count() == 1
    said = {tip(page)}
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
        said.add(tip(page))
    assert said <= similarity_lines(comparison)
    assert len(said) > 2
    page.keyboard.press("Escape")
    assert tip(page) is None


def focus_canvas(page):
    page.locator("figure svg").first.locator("[tabindex='0']").focus()
    page.keyboard.press("Tab")


def test_pictures_of_clusters_that_share_nothing_raise_no_error(open_page):
    left = [*range(30), *[-1] * 30]
    page = open_page(cv.compare(left, left[::-1]).to_html())
    page.locator("canvas").focus()
    for key in ("Tab", "Shift+Tab", "ArrowRight"):
        page.keyboard.press(key)
    assert tip(page) is None


def test_the_picture_of_all_clusters_names_its_similarity(open_page):
    html = many(similarity=lambda shared, own, _: shared / own).to_html()
    page = open_page(html)
    focus_canvas(page)
    assert ", Jaccard similarity 0." in tip(page)
    assert "Jaccard similarity of all 40 clusters of old" in html


LABELS = """() => [...document.querySelectorAll('svg.picture')].flatMap(svg => {
    const box = svg.getBoundingClientRect();
    return [...svg.querySelectorAll('text')].filter(text => {
        const own = text.getBoundingClientRect();
        return own.left < box.left || own.right > box.right || own.top < box.top
            || own.bottom > box.bottom;
    }).map(text => text.textContent);
})"""


@pytest.mark.parametrize("name", ["a long name of a side.csv", "名前が長いクラスタの比較結果です"])
def test_no_label_of_a_picture_is_cut_off(open_page, name):
    sides = [
        cv.Clustering.from_clusters({f"{name} {key}": side[key] for key in side})
        for side in (LEFT, RIGHT)
    ]
    page = open_page(cv.compare(*sides, names=(f"{name} 1", f"{name} 2")).to_html())
    assert page.evaluate(LABELS) == []


# Names that look like code

HOSTILE = [
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</script>", "&amp;", "]]>",
    "${x}", "a\x00b\x1bc\nd\te", "\ud800", "שלום \u202e עולם",
    "</title></style><svg/onload=alert(1)>",
    "' onmouseover='alert(1)", "x" * 10_000, "<!--", "`${alert(1)}`", "__proto__", "constructor",
]  # fmt: skip


def hostile(side_names):
    left = {name: {f"{name}{i}" for i in range(3)} for name in HOSTILE}
    right = {name: {f"{name}{i}" for i in range(2)} | {"other"} for name in HOSTILE}
    sides = [cv.Clustering.from_clusters(clusters) for clusters in (left, right)]
    return cv.compare(*sides, names=side_names)


def test_names_that_look_like_code_are_text_everywhere(open_page, tmp_path):
    code = HOSTILE[0]
    comparison = hostile((code, HOSTILE[1]))
    comparison = replace(comparison, notes=(HOSTILE[1], "\ud800"))
    comparison.to_html(tmp_path / "page.html", title=HOSTILE[9], command="a\n" + HOSTILE[2])
    page = open_page(tmp_path / "page.html")
    page.on("dialog", lambda dialog: open_page.problems.append(f"dialog: {dialog.message}"))
    assert page.title() == HOSTILE[9]
    assert page.locator("h1").text_content() == HOSTILE[9]
    assert page.locator("pre code").text_content() == f"a\n{HOSTILE[2]}"
    assert page.locator(".note").all_text_contents() == [HOSTILE[1], "\\ud800"]
    assert page.locator("img, svg svg, svg script, [onload], [onerror], [onmouseover]").count() == 0
    assert page.locator("script").count() == comparison.to_html().count("<script")
    names = {name_text(name) for name in HOSTILE} | {"(outliers)"}
    assert {row[0] for row in shown_rows(page, "clusters")} == names
    sort_by(page, "clusters", 0, descending=False)
    rows = all_rows(page, "clusters")
    assert {row[0] for row in rows} == names
    assert {row[1] for row in rows} == {code, HOSTILE[1]}
    sort_by(page, "moved", 0, descending=True)
    assert {row[0] for row in all_rows(page, "moved")} <= {
        name_text(f"{name}{i}") for name in HOSTILE for i in range(3)
    } | {"other"}
    section_of(page, "clusters").get_by_role("searchbox").fill("</SCRIPT>")
    section_of(page, "clusters").get_by_text("found among").first.wait_for()
    assert all("</script>" in "".join(row) for row in all_rows(page, "clusters"))
    for mark in page.locator("svg [role=img]").all()[:8]:
        mark.focus()
        assert tip(page) == mark.get_attribute("aria-label")
    assert code in page.get_by_label(f"heat map of {code}").first.get_attribute("aria-label")


def test_long_names_of_sides_do_not_make_a_large_page():
    assert len(hostile(("x" * 10_000, "y" * 10_000)).to_html()) < 500_000


INJECTED = {
    "<script>document.title = 'changed'</script>": "script-src",
    "<svg onload=\"document.title = 'changed'\"></svg>": "script-src",
    "<p style='position: fixed' id='styled'>x</p>": "style-src",
    "<img src='http://example.invalid/pixel.png'>": "img-src",
    "<style>body { display: none }</style>": "style-src",
    "<link rel=stylesheet href='http://example.invalid/x.css'>": "style-src",
    "<iframe src='http://example.invalid/'></iframe>": "default-src",
    "<base href='http://example.invalid/'>": "base-uri",
}


def test_the_policy_blocks_what_is_injected(open_page):
    html = small().to_html(title="Fine")
    page = open_page(html.replace("<main>", f"<main>{''.join(INJECTED)}"))
    assert page.title() == "Fine"
    assert page.evaluate("getComputedStyle(document.body).display") == "block"
    assert page.evaluate("getComputedStyle(styled).position") == "static"
    assert page.evaluate("document.baseURI") == page.url
    violations = [text for text in open_page.problems if "Content Security Policy" in text]
    directives = [re.search(r"directive:? ['\"]([a-z-]+) ", text)[1] for text in violations]
    assert sorted(directives) == sorted(INJECTED.values())
    others = {text for text in open_page.problems if text not in violations}
    assert all(text.startswith("request: http://example.invalid/") for text in others)
    open_page.problems.clear()


# Other media


def check_first_rows(page):
    """Check that there are 100 rows and no controls."""
    clusters = page.locator("[data-table=clusters]")
    assert clusters.locator("tbody tr >> visible=true").count() == 100
    assert clusters.locator("caption").inner_text().endswith("The first 100 of 120 rows.")
    assert page.get_by_role("searchbox").count() == page.get_by_role("status").count() == 0
    assert page.locator("canvas").is_visible() is False


def test_without_scripts_there_are_rows_and_no_controls(open_page):
    check_first_rows(open_page(many(60).to_html(), javascript=False))


STYLE = "getComputedStyle(document.body)"


def test_on_paper_there_are_100_rows_in_light_colours_and_no_controls(open_page):
    page = open_page(many(60).to_html(), dark=True)
    assert page.evaluate(f"{STYLE}.backgroundColor") == "rgb(15, 20, 25)"
    page.emulate_media(media="print")
    check_first_rows(page)
    assert page.evaluate(f"{STYLE}.backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate(f"{STYLE}.color") == "rgb(0, 0, 0)"
    page.set_viewport_size({"width": 680, "height": 1000})  # A4 with margins
    assert page.evaluate("document.documentElement.scrollWidth") <= 680
    for hidden in (".controls", "nav", "#tip"):
        assert page.locator(f"{hidden} >> visible=true").count() == 0
    clusters = page.locator("[data-table=clusters]")
    caption = clusters.locator("caption")
    page.emulate_media(media="screen")
    clusters.get_by_role("button", name="next").click()
    clusters.get_by_text("rows 41 to 80 of 120").wait_for()
    page.emulate_media(media="print")
    assert caption.inner_text().endswith("On paper: rows 41 to 120 of 120.")
    assert clusters.locator("tbody tr >> visible=true").count() == 80
    page.emulate_media(media="screen")
    clusters.get_by_role("searchbox").fill("59")
    clusters.get_by_text("found among").first.wait_for()
    page.emulate_media(media="print")
    assert "found among 120, filtered by '59'." in caption.inner_text()


WIDTHS = "[document.documentElement.scrollWidth, innerWidth]"


@pytest.mark.parametrize("width", [390, 320])
@pytest.mark.parametrize("make", [many, lambda: hostile((HOSTILE[0] * 9, "x" * 300))])
def test_a_narrow_page_does_not_scroll_sideways(open_page, make, width):
    page = open_page(make().to_html(title="t" * 300, command="c" * 300), width=width)
    scrolled, inner = page.evaluate(WIDTHS)
    assert scrolled <= inner
    sort_by(page, "clusters", 0, descending=True)
    page.locator("rect.heat").first.hover()
    assert page.locator("#tip").bounding_box()["width"] <= width - 16
    scrolled, inner = page.evaluate(WIDTHS)
    assert scrolled <= inner
    caption = page.locator("[data-table=clusters] caption > span").bounding_box()
    assert caption["x"] + caption["width"] <= width


CONTRASTS = """() => {
    const parse = (text) => {
        const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number);
        return [r, g, b, a];
    };
    const over = (top, below) => below.map((c, i) => top[3] * top[i] + (1 - top[3]) * c);
    const light = (rgb) => rgb.map(c => c / 255)
        .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const contrast = (a, b) => {
        const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
        return (high + 0.05) / (low + 0.05);
    };
    const page = parse(getComputedStyle(document.body).backgroundColor).slice(0, 3);
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode.textContent.trim();
        const element = walker.currentNode.parentElement;
        if (!text || !element.checkVisibility() || element.closest(':disabled, script')) continue;
        const style = getComputedStyle(element), inSvg = element.closest('svg');
        let back = page;
        const chain = [];
        for (let one = element; one !== document.body; one = one.parentElement) chain.unshift(one);
        for (const one of chain) back = over(parse(getComputedStyle(one).backgroundColor), back);
        if (inSvg && element.getAttribute('pointer-events') === 'none') {
            const cell = element.previousElementSibling, fill = parse(getComputedStyle(cell).fill);
            back = over([...fill.slice(0, 3), Number(getComputedStyle(cell).fillOpacity)], back);
        }
        found.push([contrast(parse(inSvg ? style.fill : style.color).slice(0, 3), back), text]);
    }
    return found.sort((a, b) => a[0] - b[0]);
}"""


@pytest.mark.parametrize("dark", [False, True])
def test_text_has_enough_contrast_to_its_background(open_page, dark):
    shares = range(1, 25)  # every shade of the heat map
    left = [i for i in shares for _ in range(25)]
    right = [i if j < i else 0 for i in shares for j in range(25)]
    page = open_page(cv.compare(left, right).to_html(command="c"), dark=dark)
    page.locator("rect.heat").first.hover()
    found = page.evaluate(CONTRASTS)
    assert len(found) > 200
    assert found[0][0] >= 4.5, found[:5]


# Sections


def test_edges_and_notes_have_their_place(open_page):
    edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]
    comparison = cv.compare([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], graph=edges)
    assert comparison.edges is not None
    page = open_page(comparison.to_html())
    text = page.locator("#edges").inner_text()
    assert f"F*_wo = {comparison.edges.score:.6f} of the edges of the graph" in text
    assert page.locator(".note").all_text_contents() == list(comparison.notes)
    assert page.locator("nav a").count() == page.locator("section").count() == 8
    for link in page.locator("nav a").all():
        link.click()
        assert page.locator(f"section{link.get_attribute('href')}").count() == 1


def test_a_report_says_equal_only_of_equal_clusterings():
    assert "The two clusterings are equal." in cv.compare([0, 0, 1], [5, 5, 3]).to_html()
    within = cv.compare([0, 0, 1], [5, 5, 5], similarity="precision", balance=1.0)
    assert within.score == 1
    assert "are equal" not in within.to_html()
    assert "The two clusterings are equal." in cv.compare([], []).to_html()
