"""Names, defaults and descriptions of settings are those of the library."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path

import pytest

import hycome
from hycome import _hycome, generate
from hycome.estimators import CommunityEmbedding

#: Arguments of `embed` that are not hyperparameters.
NOT_SETTINGS = {
    "graph",
    "labels",
    "kind",
    "repeated",
    "header",
    "largest_component",
    "unweighted",
    "threads",
}
NOT_SETTINGS |= {"progress", "checkpoint", "checkpoint_minutes", "on_interrupt", "max_memory"}


def parameters(function: object) -> dict[str, object]:
    signature = inspect.signature(function)  # type: ignore[arg-type]
    return {name: parameter.default for name, parameter in signature.parameters.items()}


def settings(kind: str) -> dict[str, object]:
    return {name: json.loads(default) for name, default, _ in _hycome.settings(kind)}


def test_embed_has_the_names_and_defaults_of_the_library() -> None:
    found = {name: default for name, default in parameters(hycome.embed).items() if name not in NOT_SETTINGS}
    assert found == settings("train")
    assert list(found) == list(settings("train"))


def test_estimator_has_the_names_and_defaults_of_the_library() -> None:
    more = {"graph", "affinity", "n_neighbors", "cache", "threads"}
    found = {name: default for name, default in parameters(CommunityEmbedding).items() if name not in more}
    assert found == settings("train")


@pytest.mark.parametrize("kind", ["lfr", "power_law", "hyperbolic"])
def test_generators_have_the_names_and_defaults_of_the_library(kind: str) -> None:
    assert parameters(getattr(generate, kind)) == settings(kind)


@pytest.mark.parametrize(
    ("kind", "documented"),
    [
        ("train", hycome.embed),
        ("train", CommunityEmbedding),
        ("lfr", generate.lfr),
        ("power_law", generate.power_law),
        ("hyperbolic", generate.hyperbolic),
    ],
)
def test_docstrings_contain_the_descriptions_of_the_library(kind: str, documented: object) -> None:
    text = " ".join((documented.__doc__ or "").split())
    for name, _, words in _hycome.settings(kind):
        assert words, f"{name} has no description"
        assert f"{name} " in text
        assert " ".join(words.split()) in text


def test_guide_lists_the_settings_of_the_library() -> None:
    page = (Path(__file__).parents[2] / "docs" / "guide" / "python.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| `([^`]*)` \| (.*) \|$", page, re.MULTILINE)
    expected = [
        (name, str(json.loads(default)), words.split("\n\n")[0].removesuffix("."))
        for name, default, words in _hycome.settings("train")
    ]
    assert rows == expected


def test_setting_out_of_range_raises_value_error() -> None:
    with pytest.raises(ValueError, match="`dim` must be a whole number from 2 to 1024, but is 1"):
        hycome.embed("karate", dim=1)
    with pytest.raises(ValueError, match="`learning_rate` must be above 0 and at most 1, but is 2"):
        hycome.embed("karate", learning_rate=2.0)
    with pytest.raises(ValueError, match="`negative_sharing` must be one of 'none', 'center', but is 'walk'"):
        hycome.embed("karate", negative_sharing="walk")  # type: ignore[arg-type]


def test_setting_of_another_type_raises_type_error() -> None:
    with pytest.raises(TypeError, match="`dim` must be a whole number, but is 'two', a str"):
        hycome.embed("karate", dim="two")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="learning_rat"):
        hycome.embed("karate", learning_rat=0.1)  # type: ignore[call-arg]


def test_version_matches_the_workspace() -> None:
    manifest = (Path(__file__).parents[2] / "Cargo.toml").read_text()
    assert f'\nversion = "{hycome.__version__}"\n' in manifest
