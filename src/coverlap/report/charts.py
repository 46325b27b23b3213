"""Pictures of a report as SVG: heat map, alluvial picture, bars; the script shows the numbers."""

from collections.abc import Callable, Sequence
from html import escape
from unicodedata import east_asian_width

from coverlap.core.wording import cut, quantity
from coverlap.pictures.alluvial import Alluvial, Node
from coverlap.pictures.heat_map import HeatMap

CELL = 24
LABEL = 190
"""Width of the labels beside a picture."""

LONGEST = 24
"""Number of characters of a label."""

LONGEST_NAME = 60
"""Number of characters of a name in what is said of a mark; tables have longer names."""

APART = 6
"""Gap before the other clusters and the outliers."""

HATCH = (
    '<svg width="0" height="0" aria-hidden="true"><defs><pattern id="hatch" width="6" height="6" '
    'patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="stripe" y2="6"/>'
    "</pattern></defs></svg>"
)
"""The pattern of outliers, which the pictures of a page share."""

Sides = tuple[str, str]
Names = Sequence[str]


def _label(text: str) -> str:
    n_wide = sum(east_asian_width(char) in "WF" for char in text)
    return escape(cut(text, LONGEST - min(n_wide, LONGEST // 2)))


def _svg(width: float, height: float, what: str, parts: Sequence[str]) -> str:
    return (
        f'<div class="scroll"><svg class="picture" role="group" aria-label="{escape(what)}" '
        f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}">'
        f"{''.join(parts)}</svg></div>"
    )


def _mark(tag: str, kind: str, geometry: str, tip: str) -> str:
    text = escape(tip)
    return f'<{tag} class="{kind}" {geometry} tabindex="-1" role="img" aria-label="{text}"/>'


def other_sets(n_others: int) -> list[str]:
    """Return the labels of the last two sets of a side: the other clusters, the outliers."""
    return [quantity(n_others, "more cluster"), "outliers"]


def heat_map_svg(heat_map: HeatMap, sides: Sides, left: Names, right: Names) -> str:
    """Return the shares of the left sets (rows) that are in the right sets (columns)."""
    sides = (cut(sides[0], LONGEST_NAME), cut(sides[1], LONGEST_NAME))
    rows = [cut(left[i], LONGEST_NAME) for i in heat_map.order.left.tolist()]
    rows += other_sets(heat_map.n_other_left)
    columns = [cut(right[i], LONGEST_NAME) for i in heat_map.order.right.tolist()]
    columns += other_sets(heat_map.n_other_right)
    shares, shared = heat_map.shares().tolist(), heat_map.shared.tolist()
    row_sizes, column_sizes = heat_map.left_sizes.tolist(), heat_map.right_sizes.tolist()
    shown_rows, shown_columns = _not_empty(row_sizes), _not_empty(column_sizes)
    # The labels of columns lean by 60 degrees.
    top = 34 + 6 * max((min(len(columns[j]), LONGEST) for j in shown_columns), default=0)
    ys = _positions(shown_rows, len(rows), top)
    xs = _positions(shown_columns, len(columns), LABEL)
    width, height = max(xs.values(), default=LABEL) + CELL, max(ys.values(), default=top) + CELL
    parts = [
        f'<text class="soft" x="{LABEL - 8}" y="{top - 24}" text-anchor="end">{_label(sides[1])} →'
        f'</text><text class="soft" x="{LABEL - 8}" y="{top - 8}" text-anchor="end">'
        f"{_label(sides[0])} ↓</text>"
    ]
    for i, y in ys.items():
        parts.append(
            f'<text x="{LABEL - 8}" y="{y + 16}" text-anchor="end">{_label(rows[i])}</text>'
            f'<rect class="frame" x="{LABEL}" y="{y}" width="{width - LABEL}" height="{CELL}"/>'
        )
    for j, x in xs.items():
        at = f"{x + 16} {top - 6}"
        parts.append(
            f'<text x="{x + 16}" y="{top - 6}" transform="rotate(-60 {at})">{_label(columns[j])}'
            f'</text><rect class="frame" x="{x}" y="{top}" width="{CELL}" height="{height - top}"/>'
        )
    for i, y in ys.items():
        for j, x in xs.items():
            if not shared[i][j]:
                continue
            share, n = shares[i][j], shared[i][j]
            tip = (
                f"{sides[0]}: {rows[i]} ({row_sizes[i]:,})\n"
                f"{sides[1]}: {columns[j]} ({column_sizes[j]:,})\n"
                f"{n:,} shared: {share:.1%} of {sides[0]}, {n / column_sizes[j]:.1%} of {sides[1]}"
            )
            opacity = f'fill-opacity="{max(share, 0.02):.3f}"'
            place = f'x="{x}" y="{y}" width="{CELL}" height="{CELL}" {opacity}'
            parts.append(_mark("rect", "heat", place, tip))
            if share >= 0.005:
                tone = "strong" if share > 0.78 else "middle" if share > 0.61 else "weak"
                parts.append(
                    f'<text class="{tone}" x="{x + CELL / 2:g}" y="{y + 16}" font-size="10" '
                    f'text-anchor="middle" pointer-events="none">{100 * share:.0f}</text>'
                )
    return _svg(width + 90, height + 4, f"heat map of {sides[0]} and {sides[1]}", parts)


def _not_empty(sizes: Sequence[int]) -> list[int]:
    return [i for i, size in enumerate(sizes) if size]


def _positions(shown: Sequence[int], n_sets: int, begin: int) -> dict[int, int]:
    """Return where each row or column begins; the last two are set apart."""
    return {i: begin + CELL * at + (APART if i >= n_sets - 2 else 0) for at, i in enumerate(shown)}


WIDTH, HEIGHT, BAR = 900, 560, 14


def alluvial_svg(alluvial: Alluvial, sides: Sides, left: Names, right: Names) -> str:
    """Return the bands from the sets of the left side to those of the right side."""
    sides = (cut(sides[0], LONGEST_NAME), cut(sides[1], LONGEST_NAME))
    names = [_node_name(node, (left, right)[node.layer]) for node in alluvial.nodes]
    xs = (LABEL + 20, WIDTH - LABEL - 20 - BAR)
    parts = [
        f'<text class="soft" x="{xs[0] + BAR}" y="14" text-anchor="end">{_label(sides[0])}</text>'
        f'<text class="soft" x="{xs[1]}" y="14">{_label(sides[1])}</text>'
    ]
    most = max((sum(node.layer == layer for node in alluvial.nodes) for layer in (0, 1)), default=0)
    height = min(HEIGHT, 160 + 60 * most)
    y = _scaled(24, height - 30)
    x0, x1 = xs[0] + BAR, xs[1]
    middle = (x0 + x1) / 2
    for band in alluvial.bands:
        one, other = alluvial.nodes[band.left], alluvial.nodes[band.right]
        path = (
            f"M{x0} {y(band.left_begin)}C{middle:g} {y(band.left_begin)} {middle:g} "
            f"{y(band.right_begin)} {x1} {y(band.right_begin)}V{y(band.right_end)}"
            f"C{middle:g} {y(band.right_end)} {middle:g} {y(band.left_end)} {x0} "
            f"{y(band.left_end)}Z"
        )
        tip = (
            f"{names[band.left]} ({one.n_objects:,}) → {names[band.right]} ({other.n_objects:,})\n"
            f"{band.n_shared:,} shared: {band.n_shared / one.n_objects:.1%} of {sides[0]}, "
            f"{band.n_shared / other.n_objects:.1%} of {sides[1]}"
        )
        parts.append(_mark("path", f"band {_colour(one)}", f'd="{path}"', tip))
    for node, name in zip(alluvial.nodes, names, strict=True):
        x = xs[node.layer]
        begin, end = float(y(node.begin)), float(y(node.end))
        scale = "" if node.scale == 1 else ", not to scale"
        tip = f"{sides[node.layer]}: {name}, {node.n_objects:,} objects{scale}"
        place = f'x="{x}" y="{begin:g}" width="{BAR}" height="{max(end - begin, 1):g}"'
        at = f'x="{x - 8}" text-anchor="end"' if node.layer == 0 else f'x="{x + BAR + 8}"'
        parts.append(
            _mark("rect", _colour(node), place, tip)
            + f'<text {at} y="{(begin + end) / 2 + 4:g}">{_label(name)} ({node.n_objects:,})</text>'
        )
    return _svg(WIDTH, height, f"where the objects of {sides[0]} are in {sides[1]}", parts)


def _scaled(begin: float, length: float) -> Callable[[float], str]:
    return lambda share: f"{begin + length * share:.1f}"


def _node_name(node: Node, names: Names) -> str:
    if node.kind == "cluster":
        return cut(names[node.cluster], LONGEST_NAME)
    return other_sets(node.n_clusters)[0 if node.kind == "others" else 1]


def _colour(node: Node) -> str:
    if node.kind != "cluster":
        return node.kind
    return "others" if node.colour < 0 else f"c{node.colour}"


def bars_svg(
    what: str, labels: Sequence[str], values: Sequence[float], texts: Sequence[str]
) -> str:
    """Return horizontal bars, each with its label and its value as text."""
    most = max(values, default=0) or 1
    length, step = 330, 40  # for narrow screens, the text is above the bar
    parts = []
    for i, (label, value, text) in enumerate(zip(labels, values, texts, strict=True)):
        y = step * i
        bar = f'x="0" y="{y + 18}" width="{length * value / most:.1f}" height="14"'
        parts.append(
            f'<text x="0" y="{y + 13}">{escape(f"{label}: {text}")}</text>'
            + _mark("rect", "loss", bar, f"{label}: {text}")
        )
    return _svg(length + 10, step * len(labels), what, parts)
