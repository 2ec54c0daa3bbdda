"""The figures as PNG, with matplotlib (the extra `plots`)."""

from __future__ import annotations

import io
from typing import Any

from runs.report.figures import BINS, BarFacet, CurveFacet, DotFacet, Figure
from runs.report.svg import LIGHT, SERIES
from runs.report.text import short, visible

MARKERS = ("o", "s", "D", "^")
_COLUMNS = 3


def available() -> bool:
    """Tell whether matplotlib is installed."""
    from importlib.util import find_spec

    return find_spec("matplotlib") is not None


def figure_png(figure: Figure) -> bytes:
    """Return a figure as a PNG file, on white, at 150 dots per inch."""
    # The object-oriented interface keeps no global state: no display, no figures left open.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    columns = min(_COLUMNS, len(figure.facets))
    rows = -(-len(figure.facets) // columns)
    heights = [_height(figure, r, columns) for r in range(rows)]
    canvas = Canvas(figsize=(4.6 * columns, sum(heights) + 0.8), dpi=150, layout="constrained")
    FigureCanvasAgg(canvas)
    axes = canvas.subplots(rows, columns, squeeze=False, gridspec_kw={"height_ratios": heights})
    for i, ax in enumerate(axes.flat):
        if i >= len(figure.facets):
            ax.axis("off")
            continue
        facet = figure.facets[i]
        ax.set_title(_text(facet.title), fontsize=10, loc="left", fontweight="bold")
        match facet:
            case DotFacet():
                _dots(ax, facet)
            case BarFacet():
                _bars(ax, facet)
            case CurveFacet():
                _curves(ax, facet)
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(labelsize=8)
    if any(isinstance(f, BarFacet) for f in figure.facets):
        _legend(canvas)
    out = io.BytesIO()
    canvas.savefig(out, format="png", metadata={"Software": None})
    return out.getvalue()


def _height(figure: Figure, row: int, columns: int) -> float:
    tallest = 0.0
    for facet in figure.facets[row * columns : (row + 1) * columns]:
        match facet:
            case DotFacet():
                tallest = max(tallest, 0.9 + 0.28 * len(facet.dots))
            case BarFacet():
                tallest = max(tallest, 0.9 + 0.28 * len(facet.bars))
            case CurveFacet():
                tallest = max(tallest, 2.8)
    return tallest


def _text(text: str) -> str:
    # A dollar sign would begin mathematics.
    return short(visible(text), 40).replace("$", r"\$")


def _colour(series: int) -> str:
    return LIGHT[str(series % SERIES)]


def _dots(ax: Any, facet: DotFacet) -> None:
    for i, dot in enumerate(facet.dots):
        if dot.mean is None:
            continue
        colour = _colour(dot.series)
        if dot.low is not None and dot.high is not None:
            ax.plot([dot.low, dot.high], [i, i], color=colour, alpha=0.55, linewidth=2.5, solid_capstyle="round")
        marker = MARKERS[(dot.series + dot.series // SERIES) % 4]
        face = colour if dot.strong else "white"
        ax.plot([dot.mean], [i], marker=marker, color=colour, markerfacecolor=face, markersize=6)
    if facet.zero:
        ax.axvline(0, color=LIGHT["soft"], linewidth=1, linestyle="--")
    ax.set_yticks(range(len(facet.dots)), [_text(d.label) for d in facet.dots])
    ax.set_ylim(len(facet.dots) - 0.4, -0.6)
    ax.set_xlim(facet.low - 0.02 * (facet.high - facet.low), facet.high + 0.02 * (facet.high - facet.low))
    ax.grid(axis="x", color=LIGHT["line"], linewidth=0.8)


def _bars(ax: Any, facet: BarFacet) -> None:
    for i, bar in enumerate(facet.bars):
        left, total = 0.0, sum(bar.counts)
        for k, count in enumerate(bar.counts):
            if not count:  # an arm may have no candidate at all
                continue
            name = "bx" if k == len(BINS) - 1 else f"b{k}"
            hatch = "////" if name == "bx" else None
            ax.barh(i, count / total, left=left, height=0.55, color=LIGHT[name], hatch=hatch, edgecolor="white")
            left += count / total
    ax.set_yticks(range(len(facet.bars)), [_text(b.label) for b in facet.bars])
    ax.set_ylim(len(facet.bars) - 0.4, -0.6)
    ax.set_xlim(0, 1)


def _legend(canvas: Any) -> None:
    from matplotlib.patches import Patch

    names = ["bx" if k == len(BINS) - 1 else f"b{k}" for k in range(len(BINS))]
    patches = [Patch(color=LIGHT[n], label=text) for n, text in zip(names, BINS, strict=True)]
    canvas.legend(handles=patches, loc="outside lower left", ncols=len(BINS), fontsize=8, frameon=False)


def _curves(ax: Any, facet: CurveFacet) -> None:
    for curve in facet.curves:
        colour = _colour(curve.series)
        points = [(i, s) for i, s in enumerate(curve.scores) if s is not None]
        best, steps = 0.0, []
        for i, (_, score) in enumerate(points):
            best = score if i == 0 else max(best, score)
            steps.append(best)
        xs = [x for x, _ in points]
        ax.step(xs, steps, where="post", color=colour, linewidth=1.4, label=_text(curve.label))
        ax.plot(xs, [s for _, s in points], MARKERS[curve.series % 4], color=colour, markersize=4)
        kept = curve.scores[curve.best] if 0 <= curve.best < len(curve.scores) else None
        if kept is not None:
            ax.plot([curve.best], [kept], "o", markerfacecolor="none", markeredgecolor=colour, markersize=11)
    ax.set_ylim(facet.low, facet.high)
    ax.grid(axis="y", color=LIGHT["line"], linewidth=0.8)
    ax.set_xlabel("prompts tried (0: seed)", fontsize=8)
    ax.legend(fontsize=8, frameon=False)


__all__ = ["available", "figure_png"]
