"""Examples and docstrings."""

from __future__ import annotations

import ast
import doctest
import functools
import importlib
import importlib.metadata
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

import hycome

PYTHON = Path(__file__).parents[1]
GUIDE = PYTHON.parent / "docs" / "guide"
EXAMPLES = PYTHON / "examples"

#: Modules whose docstrings have examples.
DOCUMENTED = ["_embed", "datasets", "generate", "graph", "manifold", "metrics", "mixture", "plot", "run"]
DOCUMENTED += ["estimators.classifiers", "estimators.clusterers", "estimators.embedding"]


def test_tutorial_runs(tmp_path: Path) -> None:
    notebook = nbformat.read(EXAMPLES / "tutorial.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "the notebook is kept without outputs"
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
    discs = [output for output in shown if "<iframe srcdoc=" in output["data"].get("text/html", "")]
    assert len(discs) == 2


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_examples_run(example: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    ran = subprocess.run(
        [sys.executable, example], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout


@pytest.mark.parametrize("page", [GUIDE / "python.md", PYTHON / "README.md"], ids=lambda path: path.name)
def test_code_blocks_of_the_guide_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {}
    programs = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert programs
    for program in programs:
        exec(compile(program, page.name, "exec"), namespace)


@pytest.mark.parametrize("page", ["python.md", "coming-from.md"])
def test_names_in_the_guide_exist(page: str) -> None:
    for name in set(re.findall(r"\bhycome(?:\.[a-zA-Z]\w*)+", (GUIDE / page).read_text(encoding="utf-8"))):
        parts = name.split(".")[1:]
        if parts == ["estimators"]:
            continue  # imported lazily
        functools.reduce(getattr, parts, hycome)


MODULES = [hycome, *(importlib.import_module(f"hycome.{name}") for name in DOCUMENTED)]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_doctests_pass(module: ModuleType) -> None:
    assert doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_docstrings_mention_no_flag_of_the_command_line(module: ModuleType) -> None:
    documented = doctest.DocTestFinder(exclude_empty=False).find(module)
    assert {
        test.name: found for test in documented if (found := re.findall(r"(?<![-\w])--[a-z]+", test.docstring))
    } == {}


def public_functions() -> Iterator[tuple[str, Callable[..., Any], bool]]:
    """Name of each public function and method, the function, and whether it belongs to a module rather than a class."""
    for module in (hycome, hycome.datasets, hycome.generate, hycome.manifold, hycome.metrics):
        for name in set(module.__all__) - {"__version__"}:
            thing = getattr(module, name)
            if inspect.isfunction(thing):
                yield f"{module.__name__}.{name}", thing, True
            elif inspect.isclass(thing):
                for member, value in inspect.getmembers(thing, inspect.isroutine):
                    is_ours = getattr(inspect.unwrap(value), "__module__", None) or ""
                    if not member.startswith("_") and is_ours.startswith("hycome"):
                        yield f"{name}.{member}", value, False


FUNCTIONS = sorted(public_functions(), key=lambda each: each[0])


@pytest.mark.parametrize(("name", "function", "is_of_module"), FUNCTIONS, ids=[name for name, *_ in FUNCTIONS])
def test_docstrings_follow_numpydoc(name: str, function: Callable[..., Any], is_of_module: bool) -> None:
    words = inspect.getdoc(function) or ""
    sections = dict(re.findall(r"^(\w+)\n-{4,}\n(.*?)(?=^\w+\n-{4,}\n|\Z)", words, re.MULTILINE | re.DOTALL))
    entries = re.findall(r"^(\**\w[^:\n]*?)(?: :.*)?$", sections.get("Parameters", ""), re.MULTILINE)
    documented = [name.strip().lstrip("*") for entry in entries for name in entry.split(",")]
    signature = inspect.signature(function)
    assert documented == [parameter for parameter in signature.parameters if parameter != "self"]
    for parameter, default in re.findall(r"^(\w+) : .*default: (.*)$", sections.get("Parameters", ""), re.MULTILINE):
        assert repr(signature.parameters[parameter].default) == repr(ast.literal_eval(default))
    assert ("Returns" in sections) == (signature.return_annotation not in (None, "None"))
    assert "Examples" in sections or not is_of_module


@pytest.mark.parametrize("name", [name for name in hycome.__all__ if inspect.isclass(getattr(hycome, name, None))])
def test_classes_are_documented(name: str) -> None:
    assert getattr(hycome, name).__doc__


@pytest.mark.parametrize("licence", ["LICENSE-MIT", "LICENSE-APACHE"])
def test_installed_package_contains_the_licences(licence: str) -> None:
    installed = [file for file in importlib.metadata.files("hycome") or [] if file.name == licence]
    assert len(installed) == 1
    expected = (PYTHON.parent / licence).read_bytes()
    assert installed[0].locate().read_bytes() == expected == (PYTHON / licence).read_bytes()
