"""Drawings as SVG, by hand: a facet is an element that adapts to the page, a figure a file that stands alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from runs.report.figures import BINS, Bar, BarFacet, Curve, CurveFacet, Dot, DotFacet, Facet, Figure
from runs.report.text import escaped, short

WIDTH = 360
"""Width of a facet in its own units, which are about CSS pixels."""
_LEFT, _RIGHT, _TOP, _ROW, _AXIS = 12, 12, 30, 38, 24
_COLUMNS = 3
_ROOM = 52
"""Characters that fit a row."""
SERIES = 8
"""Colours; further series start again, and differ in their markers."""

_COLOURS = ("#0b66b0", "#c4510a", "#0a8062", "#a0498a", "#8a6a00", "#3a4db8", "#b0283a", "#4f6b1f")
_DARK_COLOURS = ("#6db3f2", "#f2955c", "#4fc9a4", "#d98cc6", "#d8b64a", "#98a6ff", "#f07f8c", "#a8c66c")
LIGHT = {
    **dict(zip("01234567", _COLOURS, strict=True)),
    "ink": "#1c2430",
    "soft": "#5b6675",
    "line": "#d4dae2",
    "paper": "#ffffff",
    "b0": "#b4413c",
    "b1": "#de8a64",
    "b2": "#f0c9a4",
    "b3": "#c8dce8",
    "b4": "#7fb0d0",
    "b5": "#2f74a8",
    "bx": "#a9b1bb",
}
DARK = LIGHT | {
    **dict(zip("01234567", _DARK_COLOURS, strict=True)),
    "ink": "#e6eaf0",
    "soft": "#9ba7b6",
    "line": "#36404d",
    "paper": "#161b22",
    "b0": "#d4635d",
    "b1": "#c98465",
    "b2": "#8f7a63",
    "b3": "#5b7688",
    "b4": "#5f9cc4",
    "b5": "#7cc0ef",
    "bx": "#5d6672",
}
"""Palettes by name; `0` to `7` are series, `b0` to `b5` bins of values, `bx` no value."""

STYLE = (
    """
.p{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
.p text{fill:var(--ink);paint-order:stroke;stroke:var(--paper);stroke-width:3px;stroke-linejoin:round}
.p .h{font-weight:650;font-size:13px}.p .v{font-variant-numeric:tabular-nums}
.p .t{fill:var(--soft);font-size:11px;font-variant-numeric:tabular-nums}
.p .g{stroke:var(--line);stroke-width:1;fill:none}.p .z{stroke:var(--soft);stroke-width:1;stroke-dasharray:3 3}
.p .i{stroke-width:3;stroke-linecap:round;fill:none;opacity:.55}.p .c{stroke-width:1.6;fill:none}
.p .m{stroke-width:2}.p .o{fill:var(--paper)}.p .k{fill:none;stroke-width:1.6}
"""
    + "".join(f".p .s{i}{{stroke:var(--{i})}}.p .f{i}{{fill:var(--{i})}}\n" for i in range(SERIES))
    + "".join(f".p .{b}{{fill:var(--{b})}}\n" for b in ("b0", "b1", "b2", "b3", "b4", "b5", "bx"))
)
"""Styles of the drawings; colours are variables, which a page sets and a file has replaced."""


def variables(palette: dict[str, str]) -> str:
    """Return a palette as CSS declarations."""
    return "".join(f"--{name}:{colour};" for name, colour in palette.items())


def facet_svg(facet: Facet) -> str:
    """Return one facet as an `svg` element for a page."""
    body, height = _facet(facet)
    return f'<svg class="p" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escaped(facet.title)}">{body}</svg>'


def figure_svg(figure: Figure) -> str:
    """Return a figure as a file: facets in columns, colours for white paper."""
    drawn = [_facet(f) for f in figure.facets]
    columns = min(_COLUMNS, len(drawn))
    rows = [drawn[i : i + columns] for i in range(0, len(drawn), columns)]
    parts, y = [], 34
    for row in rows:
        parts += [f'<g transform="translate({i * WIDTH} {y})">{body}</g>' for i, (body, _) in enumerate(row)]
        y += max(height for _, height in row) + 10
    width, height = columns * WIDTH, y + 20
    style = re.sub(r"var\(--(\w+)\)", lambda m: LIGHT[m[1]], STYLE)
    lines = _wrapped(figure.note, width // 6)
    note = "".join(
        f'<text class="t" x="{_LEFT}" y="{y + 6 + 14 * i}">{escaped(line)}</text>' for i, line in enumerate(lines)
    )
    height += 14 * len(lines)
    if any(isinstance(f, BarFacet) for f in figure.facets):
        note += f'<g transform="translate(0 {y + 14 * len(lines) + 2})">{_bin_legend()}</g>'
        height += 18
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="p" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><style>{style}</style><rect width="{width}" height="{height}" '
        f'fill="{LIGHT["paper"]}"/><text class="h" x="{_LEFT}" y="22">{escaped(figure.title)}</text>'
        f"{''.join(parts)}{note}</svg>\n"
    )


def _wrapped(text: str, columns: int) -> list[str]:
    import textwrap

    return textwrap.wrap(text, max(20, columns)) or [""]


def _facet(facet: Facet) -> tuple[str, int]:
    """Return the elements of a facet and its height."""
    match facet:
        case DotFacet():
            return _dots(facet)
        case BarFacet():
            return _bars(facet)
        case CurveFacet():
            return _curves(facet)


def _title(text: str) -> str:
    return f'<text class="h" x="{_LEFT}" y="18">{escaped(short(text, 46))}</text>'


def _row_text(label: str, text: str, y: float) -> str:
    """Return a row's label at the left and its numbers at the right; the numbers are never cut."""
    room = max(8, _ROOM - len(text))
    cut = short(label, room)
    whole = f"<title>{escaped(label)}</title>" if cut != label else ""
    return (
        f'<text x="{_LEFT}" y="{y:.1f}">{escaped(cut)}{whole}</text>'
        f'<text class="v" text-anchor="end" x="{WIDTH - _RIGHT}" y="{y:.1f}">{escaped(text)}</text>'
    )


def _x(value: float, low: float, high: float) -> float:
    share = (value - low) / (high - low)
    return _LEFT + 4 + min(1.0, max(0.0, share)) * (WIDTH - _LEFT - _RIGHT - 8)


def _ticks(low: float, high: float) -> list[tuple[float, str]]:
    if (low, high) == (0.0, 1.0):
        return [(0.0, "0"), (0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1.0, "1")]
    step = next(s for s in (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0, 2.0) if (high - low) / s <= 6)
    first = -int(-low // step) if low >= 0 else -int(-low / step)
    out, k = [], first
    while k * step <= high + 1e-9:
        value = k * step
        if value >= low - 1e-9:
            out.append((value, f"{value:+.2f}" if low < 0 and k else f"{value:.2f}" if k else "0"))
        k += 1
    return out


def _dots(facet: DotFacet) -> tuple[str, int]:
    # A label that has no room beside its numbers gets a line of its own, and then every row of the facet does.
    stacked = any(len(d.label) + len(d.text) > _ROOM for d in facet.dots)
    row = _ROW + (16 if stacked else 0)
    bottom = _TOP + len(facet.dots) * row
    parts = [_title(facet.title)]
    for value, text in _ticks(facet.low, facet.high):
        x = _x(value, facet.low, facet.high)
        kind = "z" if facet.zero and text == "0" else "g"
        parts.append(f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{bottom}"/>')
        parts.append(f'<text class="t" text-anchor="middle" x="{x:.1f}" y="{bottom + 16}">{text}</text>')
    for i, dot in enumerate(facet.dots):
        top = _TOP + i * row
        if stacked:
            parts.append(_row_text(dot.label, "", top + 15))
            parts.append(_dot(facet, dot, "", top + 16))
        else:
            parts.append(_dot(facet, dot, dot.label, top))
    return "".join(parts), bottom + _AXIS


def _dot(facet: DotFacet, dot: Dot, label: str, top: float) -> str:
    y = top + 27
    parts = [_row_text(label, dot.text, top + 15)]
    s = dot.series % SERIES
    if dot.low is not None and dot.high is not None:
        left, right = _x(dot.low, facet.low, facet.high), _x(dot.high, facet.low, facet.high)
        parts.append(f'<line class="i s{s}" x1="{left:.1f}" x2="{right:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>')
    if dot.mean is not None:
        parts.append(_marker(_x(dot.mean, facet.low, facet.high), y, dot.series, dot.strong))
    return "".join(parts)


def _marker(x: float, y: float, series: int, strong: bool, size: float = 4.5) -> str:
    """Return a marker whose shape tells series apart without colours."""
    s = series % SERIES
    cls = f'class="m s{s} {f"f{s}" if strong else "o"}"'
    match (series + series // SERIES) % 4:
        case 0:
            return f'<circle {cls} cx="{x:.1f}" cy="{y:.1f}" r="{size}"/>'
        case 1:
            half, side = size - 0.5, 2 * size - 1
            return f'<rect {cls} x="{x - half:.1f}" y="{y - half:.1f}" width="{side}" height="{side}"/>'
        case 2:
            points = [(0, -size - 0.8), (size + 0.8, 0), (0, size + 0.8), (-size - 0.8, 0)]
        case _:
            points = [(0, -size - 0.5), (size + 0.3, size - 0.8), (-size - 0.3, size - 0.8)]
    return f'<polygon {cls} points="{" ".join(f"{x + a:.1f},{y + b:.1f}" for a, b in points)}"/>'


def _bars(facet: BarFacet) -> tuple[str, int]:
    parts = [_title(facet.title)]
    for i, bar in enumerate(facet.bars):
        parts.append(_row_text(bar.label, bar.text, _TOP + i * _ROW + 12))
        parts.extend(_segments(bar, _TOP + i * _ROW + 18))
    return "".join(parts), _TOP + len(facet.bars) * _ROW + 6


def _segments(bar: Bar, y: float) -> Iterator[str]:
    total, x = sum(bar.counts), float(_LEFT)
    for i, count in enumerate(bar.counts):
        if not count:
            continue
        width = (WIDTH - _LEFT - _RIGHT) * count / total
        cls = "bx" if i == len(BINS) - 1 else f"b{i}"
        inner = max(0.6, width - 1)
        about = f"{BINS[i]}: {count} of {total}"
        box = f'class="{cls}" x="{x:.1f}" y="{y:.1f}" width="{inner:.1f}" height="13"'
        yield f"<rect {box}><title>{about}</title></rect>"
        if i == len(BINS) - 1:  # stripes, so that no value is told from a value without colours
            stripes = "".join(f"M{x + d:.1f} {y + 13:.1f}l4 -13" for d in range(2, max(2, int(inner) - 4), 7))
            yield f'<path class="g" d="{stripes}"/>' if stripes else ""
        x += width


def _curves(facet: CurveFacet) -> tuple[str, int]:
    left, top, height = 44, _TOP, 150
    longest = max(len(c.scores) for c in facet.curves)

    def at(i: int, score: float) -> tuple[float, float]:
        x = left + 8 + (WIDTH - left - _RIGHT - 16) * i / max(1, longest - 1)
        return x, top + height * (1 - (score - facet.low) / (facet.high - facet.low))

    parts = [_title(facet.title)]
    for value, text in _ticks(facet.low, facet.high):
        _, y = at(0, value)
        parts.append(f'<line class="g" x1="{left}" x2="{WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="t" text-anchor="end" x="{left - 6}" y="{y + 4:.1f}">{text}</text>')
    every = max(1, -(-longest // 8))
    for i in range(0, longest, every):
        x, _ = at(i, facet.low)
        name = "seed" if i == 0 else str(i)
        parts.append(f'<text class="t" text-anchor="middle" x="{x:.1f}" y="{top + height + 16}">{name}</text>')
    for curve in facet.curves:
        parts.append(_curve(curve, [at(i, s) if s is not None else None for i, s in enumerate(curve.scores)]))
    legend_y = top + height + 34
    for k, curve in enumerate(facet.curves):
        y = legend_y + 16 * k
        parts.append(_marker(left + 4, y - 4, curve.series, True, 3.6))
        scores = [s for s in curve.scores if s is not None]
        kept = curve.scores[curve.best] if 0 <= curve.best < len(curve.scores) else None
        text = f"{scores[0]:.3f} → {kept:.3f}" if kept is not None else f"{scores[0]:.3f} → –"
        parts.append(f'<text x="{left + 14}" y="{y}">{escaped(short(curve.label, 28))}</text>')
        parts.append(f'<text class="v" text-anchor="end" x="{WIDTH - _RIGHT}" y="{y}">{text}</text>')
    return "".join(parts), legend_y + 16 * len(facet.curves)


def _curve(curve: Curve, points: Sequence[tuple[float, float] | None]) -> str:
    s = curve.series % SERIES
    steps, best = [], None
    for point in points:
        if point is None:
            continue
        x, y = point
        if best is None:
            steps.append(f"M{x:.1f} {y:.1f}")
        else:
            steps.append(f"H{x:.1f}" + (f"V{y:.1f}" if y < best else ""))
        best = y if best is None else min(best, y)
    parts = [f'<path class="c s{s}" d="{"".join(steps)}"/>']
    parts += [_marker(p[0], p[1], curve.series, True, 3.2) for p in points if p is not None]
    if 0 <= curve.best < len(points) and (kept := points[curve.best]) is not None:
        parts.append(f'<circle class="k s{s}" cx="{kept[0]:.1f}" cy="{kept[1]:.1f}" r="7.5"/>')
    return "".join(parts)


def _bin_legend() -> str:
    parts, x = [], _LEFT
    for cls, text in legend_bins():
        parts.append(f'<rect class="{cls}" x="{x}" y="-1" width="11" height="11"/>')
        parts.append(f'<text class="t" x="{x + 15}" y="9">{escaped(text)}</text>')
        x += 28 + 7 * len(text)
    return "".join(parts)


def legend_bins() -> list[tuple[str, str]]:
    """Return class and label of each bin, for a legend."""
    return [("bx" if i == len(BINS) - 1 else f"b{i}", text) for i, text in enumerate(BINS)]


__all__ = ["DARK", "LIGHT", "STYLE", "facet_svg", "figure_svg", "legend_bins", "variables"]
