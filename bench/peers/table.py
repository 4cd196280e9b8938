"""Markdown tables of results, with ratios, and wrapped paragraphs."""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass
from typing import Sequence

from benchmark import Result


@dataclass(frozen=True)
class Column:
    """A column: heading, key of the measurement, unit factor."""

    head: str
    key: str
    factor: float = 1.0


def table(results: Sequence[Result], columns: Sequence[Column], ratio_of: str) -> str:
    """One row per result; the last columns give the ratio of `ratio_of` to the first result that has it, hycome."""
    heads = ["", *(column.head for column in columns), "relative to hycome", "runs"]
    lines = [line(heads), "|" + "---|" * len(heads)]
    reference = next((result.measurements[ratio_of] for result in results if ratio_of in result.measurements), math.nan)
    for result in results:
        if result.failure:
            lines.append(line([result.name, result.failure, *[""] * len(columns), ""]))
            continue
        cells = [shown(result.measurements.get(column.key, math.nan) * column.factor) for column in columns]
        ratio = result.measurements.get(ratio_of, math.nan) / reference
        lines.append(line([result.name, *cells, shown(ratio) + ("" if math.isnan(ratio) else " ×"), str(result.runs)]))
    return "\n".join(lines) + "\n"


def line(cells: Sequence[str]) -> str:
    """Row of a table."""
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def shown(number: float) -> str:
    """Three significant digits, or a dash if not measured."""
    if math.isnan(number):
        return "–"
    if number == 0:
        return "0"
    digits = 2 - math.floor(math.log10(abs(number)))
    return f"{number:,.{max(digits, 0)}f}" if digits > 0 else f"{round(number, min(digits, 0)):,.0f}"


def wrapped(page: str) -> str:
    """Wraps paragraphs at 120 columns; tables, headings and code stay as they are."""
    wrap = textwrap.TextWrapper(120, break_long_words=False, break_on_hyphens=False).fill
    lines, is_code = [], False
    for text in page.split("\n"):
        is_code ^= text.startswith("```")
        lines.append(text if is_code or text.startswith(("|", "#", "```")) else wrap(text))
    return "\n".join(lines)
