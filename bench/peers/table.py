"""Markdown tables of results, with ratios."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Sequence

from contest import Result


@dataclass(frozen=True)
class Column:
    """A column: its head, the number it shows, in which unit."""

    head: str
    key: str
    factor: float = 1.0


def table(results: Sequence[Result], columns: Sequence[Column], ratio_of: str) -> str:
    """A row for each result; the last columns compare `ratio_of` with the first result that has it, ours."""
    heads = ["", *(column.head for column in columns), "against ours", "runs"]
    lines = [line(heads), "|" + "---|" * len(heads)]
    ours = next((result.numbers[ratio_of] for result in results if ratio_of in result.numbers), math.nan)
    for result in results:
        if result.failure:
            lines.append(line([result.name, result.failure, *[""] * len(columns), ""]))
            continue
        cells = [shown(result.numbers.get(column.key, math.nan) * column.factor) for column in columns]
        ratio = result.numbers.get(ratio_of, math.nan) / ours
        lines.append(line([result.name, *cells, shown(ratio) + ("" if math.isnan(ratio) else " ×"), str(result.runs)]))
    return "\n".join(lines) + "\n"


def line(cells: Sequence[str]) -> str:
    """A line of a table."""
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def shown(number: float) -> str:
    """Three digits that count, and a dash for what was not measured."""
    if math.isnan(number):
        return "–"
    if number == 0:
        return "0"
    digits = 2 - math.floor(math.log10(abs(number)))
    return f"{number:,.{max(digits, 0)}f}" if digits > 0 else f"{round(number, min(digits, 0)):,.0f}"
