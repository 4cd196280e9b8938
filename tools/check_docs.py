#!/usr/bin/env python3
"""Checks the documentation: links, table of contents, figures of the README. Standard library only.

    tools/check_docs.py

- Every relative link of a Markdown page resolves to a file and, with a fragment, to a heading in it.
- docs/SUMMARY.md, the table of contents of the book, lists every page of docs/ exactly once.
- All numbers of a row of a README table below a link to docs/benchmarks/ occur in one line of the linked page.

Prints one line per error and exits with 1 if there is any.
"""

import re
import sys
import unicodedata
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")


def prose(page: Path) -> list[str]:
    """The lines of a page, with code blocks and inline code blanked."""
    fenced, lines = False, []
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
            line = ""
        lines.append("" if fenced else re.sub(r"`[^`]*`", "", line))
    return lines


def anchors(page: Path) -> set[str]:
    """The fragments that GitHub and mdBook give to the headings of a page."""
    found: set[str] = set()
    fenced = False
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            fenced = not fenced
        if fenced or not (heading := re.match(r"#+\s+(.*)", line)):
            continue
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
        kept = (c for c in title if c in " -_" or unicodedata.category(c)[0] in "LNM")
        found.add("".join(kept).strip().replace(" ", "-"))
    return found


def pages() -> list[Path]:
    """Every Markdown page of the project."""
    skipped = {"target", "node_modules", "corpora", "corpus", "malformed"}
    found = (p for p in ROOT.rglob("*.md") if not skipped & set(p.relative_to(ROOT).parts))
    return sorted(p for p in found if not any(part.startswith(".") for part in p.relative_to(ROOT).parts))


def broken_links() -> list[str]:
    """Errors for broken relative links."""
    errors = []
    for page in pages():
        text = "\n".join(prose(page))
        for target in LINK.findall(text):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, fragment = unquote(target).partition("#")
            file = (page.parent / path).resolve() if path else page
            name = page.relative_to(ROOT)
            if not file.exists():
                errors.append(f"{name}: link to {target}, which does not exist")
            elif fragment and file.suffix == ".md" and fragment not in anchors(file):
                errors.append(f"{name}: link to {target}, but {file.name} has no such heading")
    return errors


def unlisted_pages() -> list[str]:
    """Errors for pages that the table of contents does not list exactly once."""
    summary = (DOCS / "SUMMARY.md").read_text(encoding="utf-8")
    listed = [(DOCS / target).resolve() for target in LINK.findall(summary)]
    book = [page for page in DOCS.rglob("*.md") if page.name != "SUMMARY.md"]
    return [
        f"docs/SUMMARY.md: lists {page.relative_to(DOCS)} {listed.count(page)} times, expected once"
        for page in sorted(book)
        if listed.count(page) != 1
    ]


def unprinted_figures() -> list[str]:
    """Errors for rows of README tables whose numbers are not in one line of the page linked above."""
    errors, source, tables = [], None, 0
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            source = None
        for target in LINK.findall(line):
            if target.startswith("docs/benchmarks/") and not line.startswith("|"):
                source, tables = ROOT / target, tables + 1
        if source and source.exists() and line.startswith("| "):
            rows = (set(NUMBER.findall(row)) for row in source.read_text(encoding="utf-8").splitlines())
            if not any(set(NUMBER.findall(line)) <= row for row in rows):
                errors.append(f"README.md:{number}: no line of {source.relative_to(ROOT)} has all numbers of this row")
    if tables < 2:
        errors.append("README.md: expected a table of quality and one of speed, each below a link to docs/benchmarks/")
    return errors


def main() -> int:
    """Prints all errors; returns the exit code."""
    errors = broken_links() + unlisted_pages() + unprinted_figures()
    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
