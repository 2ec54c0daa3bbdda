"""The soak of `make soak`, small: every kind of fault, two kills, the ledger against the server's own count."""

from __future__ import annotations

from pathlib import Path

from tests.lm.soak import FATAL, check, growth_bytes, run_soak


def test_no_call_is_lost_or_paid_twice_and_the_ledger_equals_the_servers_count(tmp_path: Path) -> None:
    result = run_soak(400, tmp_path, at_once=16)
    check(result, at_once=16)
    assert result.kills == 2
    assert 1 <= result.restarts <= len(FATAL)  # one may come in a process that is killed anyway


def test_growth_is_a_slope_in_bytes_a_call(tmp_path: Path) -> None:
    file = tmp_path / "memory.txt"
    file.write_text("".join(f"{calls} {1000 + calls * 2}\n" for calls in range(0, 2000, 50)))
    assert growth_bytes(file) == 2 * 1024
    file.write_text("100 1000\n600 1000\n")
    assert growth_bytes(file) is None
