"""What the documentation shows works."""

from __future__ import annotations

import doctest
import functools
import importlib.metadata
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import hycome

PYTHON = Path(__file__).parents[1]
DOCS = PYTHON.parent / "docs"
EXAMPLES = PYTHON / "examples"


def test_the_tutorial_runs_from_top_to_bottom(tmp_path: Path) -> None:
    notebook = nbformat.read(EXAMPLES / "tutorial.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "the notebook is kept without outputs"
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
    discs = [output for output in shown if "<iframe srcdoc=" in output["data"].get("text/html", "")]
    assert len(discs) == 2


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_every_example_runs(example: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    ran = subprocess.run(
        [sys.executable, example], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout


@pytest.mark.parametrize("page", [DOCS / "python.md", PYTHON / "README.md"], ids=lambda path: path.name)
def test_programs_on_the_pages_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {}
    programs = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert programs
    for program in programs:
        exec(compile(program, page.name, "exec"), namespace)


@pytest.mark.parametrize("page", ["python.md", "coming-from.md"])
def test_every_name_on_the_pages_exists(page: str) -> None:
    for name in set(re.findall(r"\bhycome(?:\.[a-zA-Z]\w*)+", (DOCS / page).read_text(encoding="utf-8"))):
        parts = name.split(".")[1:]
        if parts == ["estimators"]:
            continue  # a module that is imported when it is needed
        functools.reduce(getattr, parts, hycome)


def test_examples_in_docstrings_hold() -> None:
    from hycome import _embed

    for module in (hycome, _embed):
        assert doctest.testmod(module).failed == 0


def test_every_public_thing_is_documented() -> None:
    for name in hycome.__all__:
        if name != "__version__":
            thing = getattr(hycome, name)
            assert thing.__doc__, name
            for member, value in vars(thing).items() if isinstance(thing, type) else ():
                if not member.startswith("_") and callable(value):
                    assert value.__doc__, f"{name}.{member}"


@pytest.mark.parametrize("licence", ["LICENSE-MIT", "LICENSE-APACHE"])
def test_the_installed_package_has_the_licences_of_the_repository(licence: str) -> None:
    installed = [file for file in importlib.metadata.files("hycome") or [] if file.name == licence]
    assert len(installed) == 1
    expected = (PYTHON.parent / licence).read_bytes()
    assert installed[0].locate().read_bytes() == expected == (PYTHON / licence).read_bytes()
