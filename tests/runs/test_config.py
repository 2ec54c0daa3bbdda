"""A wrong configuration is said before any call is made: file, line, key, remedy."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from runs.config import ExperimentConfig, load_config
from specgen.errors import UserError


def load(tmp_path: Path, text: str) -> ExperimentConfig:
    path = tmp_path / "config.toml"
    path.write_text(text)
    return load_config(path)


def test_an_empty_file_is_the_default(tmp_path: Path) -> None:
    assert load(tmp_path, "") == ExperimentConfig()


def test_every_shipped_configuration_loads() -> None:
    files = [f for f in resources.files("runs").iterdir() if f.name.endswith(".toml")]
    assert files
    for file in files:
        with resources.as_file(file) as path:
            load_config(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[model]\ntask = \n", r"line 2.* near 'task'"),
        ("[model]\ntusk = 'x'\n", r"line 2\): unknown key 'model.tusk'. Did you mean 'task'\?"),
        ("[modle]\n", r"line 1\): unknown key 'modle'. Did you mean 'model'\?"),
        ("[model]\nconcurrency = 0\n", r"line 2\): model.concurrency: input should be greater"),
        ("[model]\nconcurrency = 'many'\n", r"model.concurrency: input should be a valid integer"),
        ("[optimizer]\nname = 'mipro'\n", r"optimizer.name: unknown optimiser 'mipro'.*Did you mean 'miprov2'"),
        ("[data]\ntrain = 0.9\n", r"data.train \+ data.validation \+ data.test is 1.55"),
        ("[generator]\nseeds = ['zero-shot', 'zero-shot']\n", "twice"),
        ("[generator]\nseeds = []\n", "empty"),
        ("[reward]\ncompare = ['verifier', 'verifier']\n", "reward.compare names one twice"),
        ("data = 3\n", r"line 1\): data: a table is expected"),
        ("[generator]\nseeds = 'zero-shot'\n", r"line 2\): generator.seeds: a list is expected"),
        ("[data]\nlimit = true\n", r"line 2\): data.limit: input should be a valid integer"),
        ("[data]\nlimit = '3'\n", r"line 2\): data.limit: input should be a valid integer"),
        ("[evaluation]\nisolate = 1\n", r"line 2\): evaluation.isolate: input should be a valid boolean"),
        ("[optimizer]\ntunes = 'both'\n", "optimizer.tunes: gepa does not tune both"),
        ("[evaluation]\ncheck_timeout_s = inf\n", r"line 2\): evaluation.check_timeout_s: .*finite"),
        ("[budget]\nmax_usd = inf\n", r"line 2\): budget.max_usd: .*finite"),
        ("[data]\ntrain = nan\n", r"line 2\): data.train: .*finite"),
        ("[reward.weights]\nR = inf\n", r"line 2\): reward.weights.R: .*finite"),
        ("[reward]\nweights = { R = inf }\n", r"line 2\): reward.weights.R: .*finite"),
        ("[experiment]\nseed = -1\n", r"line 2\): experiment.seed"),
        ("[experiment]\nname = '../up'\n", r"line 2\): experiment.name: a name is expected"),
        ("[experiment]\nname = ''\n", r"line 2\): experiment.name: a name is expected"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        load(tmp_path, text)
    import re

    assert re.search(message, caught.value.one_line()), caught.value.one_line()
    assert "config.toml" in caught.value.one_line()
    assert caught.value.remedy


def test_a_byte_order_mark_and_other_line_ends_are_no_mistake(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_bytes(b"\xef\xbb\xbf[data]\r\nlimit = 4\r\n")
    assert load_config(tmp_path / "c.toml").data.limit == 4


def test_a_missing_or_unreadable_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no configuration file"):
        load_config(tmp_path / "nothing.toml")
    with pytest.raises(UserError, match="cannot read"):
        load_config(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b"a = '\xff'")
    with pytest.raises(UserError, match="cannot read"):
        load_config(tmp_path / "latin.toml")
