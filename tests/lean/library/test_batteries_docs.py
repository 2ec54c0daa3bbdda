"""Values that Batteries states, through the whole engine.

Sources, leanprover-community/batteries at v4.24.0: the docstrings in `Batteries/Data/List/Basic.lean`, and the guards
in `BatteriesTest/kmp_matcher.lean` and `BatteriesTest/list_sublists.lean`.
"""

from __future__ import annotations

import pytest

from specgen.lean import LeanEnv, load

ROWS = """
List.after (· == 1) [0, 1, 2, 3] = [2, 3]
List.dropWhile (· != 1) [0, 1, 2, 3] = [1, 2, 3]
List.scanl (· + ·) 0 [1, 2, 3] = [0, 1, 3, 6]
List.scanr (· + ·) 0 [1, 2, 3] = [6, 5, 3, 0]
List.indexesOf 'a' ['a', 'b', 'a', 'a'] = [0, 2, 3]
List.inits [1, 2, 3] = [[], [1], [1, 2], [1, 2, 3]]
List.tails [1, 2, 3] = [[1, 2, 3], [2, 3], [3], []]
List.sublists' [1, 2, 3] = [[], [3], [2], [2, 3], [1], [1, 3], [1, 2], [1, 2, 3]]
List.sublists [1, 2, 3] = [[], [1], [2], [1, 2], [3], [1, 3], [2, 3], [1, 2, 3]]
[1, 2, 3].sublists.sublists.length = 256
List.transpose [[1, 2], [3, 4], [5, 6]] = [[1, 3, 5], [2, 4, 6]]
List.revzip [1, 2, 3, 4, 5] = [(1, 5), (2, 4), (3, 3), (4, 2), (5, 1)]
List.product [1, 2] [5, 6] = [(1, 5), (1, 6), (2, 5), (2, 6)]
List.pwFilter (· < ·) [0, 1, 5, 2, 6, 3, 4] = [0, 1, 2, 3, 4]
List.eraseDup [1, 0, 2, 2, 1] = [0, 2, 1]
List.allSome [some 1, some 2] = some [1, 2]
List.allSome [some 1, none] = none
Option.isSome ("xyyxx".findSubstr? "xy") = true
Option.isSome ("xyyxx".findSubstr? "xyx") = false
Array.size ("xyyxx".findAllSubstr "xyx") = 0
Array.size ("xyyxxyx".findAllSubstr "xyx") = 1
Array.size ("xyxyyxxyx".findAllSubstr "xyx") = 2
Array.size ("xyxyxyyxxyxyx".findAllSubstr "xyx") = 4
"""

PROGRAM = load("", LeanEnv((4, 24, 0), ("Mathlib",)))


@pytest.mark.parametrize("row", ROWS.strip().splitlines())
def test_documented_value(row: str) -> None:
    result = PROGRAM.evaluate(row)
    assert (result.status, result.value) == ("value", "true"), result
