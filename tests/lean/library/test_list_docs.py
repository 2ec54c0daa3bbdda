"""Values that Lean's own documentation states, through the whole engine.

Source of every row: the docstring of the function in `Init/Data/List/Basic.lean` of leanprover/lean4 (examples there).
"""

from __future__ import annotations

import pytest

from specgen.lean import LeanEnv, load

ROWS = """
["apple", "banana", "grape"].tailD ["orange"] = ["banana", "grape"]
["apple"].tailD ["orange"] = []
[].tailD ["orange"] = ["orange"]
[1, 2, 5, 2, 7, 7].filter (· > 2) = [5, 7, 7]
[1, 2, 5, 2, 7, 7].filter (fun _ => false) = []
([1, 2, 5, 2, 7, 7].filterMap fun x => if x > 2 then some (2 * x) else none) = [10, 14, 14]
[1, 2, 3].foldr (toString · ++ ·) "" = "123"
[1, 2, 3, 4].reverse = [4, 3, 2, 1]
[1, 2, 3] ++ [4, 5] = [1, 2, 3, 4, 5]
[] ++ [4, 5] = [4, 5]
List.singleton "green" = ["green"]
List.replicate 5 "five" = ["five", "five", "five", "five", "five"]
List.replicate 0 "zero" = []
List.replicate 2 ' ' = [' ', ' ']
[1, 2, 3].leftpad 5 0 = [0, 0, 1, 2, 3]
["red", "green", "blue"].leftpad 3 "blank" = ["red", "green", "blue"]
["red", "green", "blue"].leftpad 1 "blank" = ["red", "green", "blue"]
[1, 2, 3].rightpad 5 0 = [1, 2, 3, 0, 0]
["red", "green", "blue"].rightpad 4 "blank" = ["red", "green", "blue", "blank"]
["grape"].isEmpty = false
List.elem 3 [1, 4, 2, 3, 3, 7] = true
List.elem 5 [1, 4, 2, 3, 3, 7] = false
[1, 4, 2, 3, 3, 7].contains 3 = true
List.contains [1, 4, 2, 3, 3, 7] 5 = false
[0, 1, 2, 3, 4].drop 0 = [0, 1, 2, 3, 4]
[0, 1, 2, 3, 4].drop 3 = [3, 4]
[0, 1, 2, 3, 4].drop 6 = []
[0, 1, 2, 3, 4, 5].extract 1 2 = [1]
[0, 1, 2, 3, 4, 5].extract 2 2 = []
[0, 1, 2, 3, 4, 5].extract 2 = [2, 3, 4, 5]
[0, 1, 2, 3, 4, 5].extract (stop := 2) = [0, 1]
[7, 6, 4, 8].takeWhile (· > 5) = [7, 6]
[7, 6, 6, 8].takeWhile (· > 5) = [7, 6, 6, 8]
[1, 3, 2, 4, 2, 7, 4].dropWhile (· < 4) = [4, 2, 7, 4]
[8, 3, 2, 4, 2, 7, 4].dropWhile (· < 100) = []
[1, 2, 5, 2, 7, 7].partition (· > 2) = ([5, 7, 7], [1, 2, 2])
["tea"].dropLast = []
["tea", "coffee", "juice"].dropLast = ["tea", "coffee"]
[1, 3].isSublist [0, 1, 2, 3, 4] = true
[1, 3].isSublist [0, 1, 2, 4] = false
[1, 2].isPrefixOf [1, 2, 3] = true
[1, 2].isPrefixOf [1] = false
[1, 2].isPrefixOf [1, 1, 2, 3] = false
[1, 2].isPrefixOf? [1, 2, 3] = some [3]
[1, 2].isPrefixOf? [1, 2] = some []
[1, 2].isPrefixOf? [1] = none
[2, 3].isSuffixOf [1, 2, 3] = true
[2, 3].isSuffixOf [1, 2, 3, 4] = false
[2, 3].isSuffixOf? [1, 1, 2, 3] = some [1, 1]
[2, 3].isSuffixOf? [1, 2] = none
["red", "green", "blue"].splitAt 2 = (["red", "green"], ["blue"])
["red", "green", "blue"].splitAt 4 = (["red", "green", "blue"], [])
[1, 2, 3, 4, 5].rotateLeft 3 = [4, 5, 1, 2, 3]
[1, 2, 3, 4, 5].rotateLeft 5 = [1, 2, 3, 4, 5]
[1, 2, 3, 4, 5].rotateLeft = [2, 3, 4, 5, 1]
[1, 2, 3, 4, 5].rotateRight 3 = [3, 4, 5, 1, 2]
[1, 2, 3, 4, 5].rotateRight 5 = [1, 2, 3, 4, 5]
[1, 2, 3, 4, 5].rotateRight = [5, 1, 2, 3, 4]
List.Pairwise (· < ·) [1, 2, 3]
¬ List.Pairwise (· = ·) [1, 2, 3]
List.Pairwise (· ≠ ·) [1, 2, 3]
[1, 4, 2, 3, 3, 7].replace 3 6 = [1, 4, 2, 6, 3, 7]
[1, 4, 2, 3, 3, 7].replace 5 6 = [1, 4, 2, 3, 3, 7]
["circle", "square", "triangle"].modifyTailIdx 1 List.reverse = ["circle", "triangle", "square"]
["circle", "square", "triangle"].modifyTailIdx 2 (fun xs => xs ++ xs) = ["circle", "square", "triangle", "triangle"]
["circle", "square", "triangle"].modifyTailIdx 5 (fun xs => xs ++ xs) = ["circle", "square", "triangle"]
[1, 2, 3].modifyHead (· * 10) = [10, 2, 3]
[1, 2, 3].modify 2 (· * 10) = [1, 2, 30]
[1, 2, 3].modify 3 (· * 10) = [1, 2, 3]
[1, 2, 3].insert 0 = [0, 1, 2, 3]
[1, 2, 3].insert 2 = [1, 2, 3]
["tues", "thur", "sat"].insertIdx 1 "wed" = ["tues", "wed", "thur", "sat"]
["tues", "thur", "sat"].insertIdx 3 "wed" = ["tues", "thur", "sat", "wed"]
["tues", "thur", "sat"].insertIdx 4 "wed" = ["tues", "thur", "sat"]
[1, 5, 3, 2, 5].erase 5 = [1, 3, 2, 5]
[1, 5, 3, 2, 5].erase 6 = [1, 5, 3, 2, 5]
[2, 1, 2, 1, 3, 4].eraseP (· < 2) = [2, 2, 1, 3, 4]
[2, 1, 2, 1, 3, 4].eraseP (· > 8) = [2, 1, 2, 1, 3, 4]
[0, 1, 2, 3, 4].eraseIdx 1 = [0, 2, 3, 4]
[0, 1, 2, 3, 4].eraseIdx 5 = [0, 1, 2, 3, 4]
[7, 6, 5, 8, 1, 2, 6].find? (· < 5) = some 1
[7, 6, 5, 8, 1, 2, 6].find? (· < 1) = none
[7, 6, 5, 8, 1, 2, 6].findSome? (fun x => if x < 5 then some (10 * x) else none) = some 10
[7, 6, 5, 8, 1, 2, 6].findRev? (· < 5) = some 2
[7, 6, 5, 8, 1, 2, 6].findIdx (· < 5) = 4
[7, 6, 5, 8, 1, 2, 6].findIdx (· < 1) = 7
["carrot", "potato", "broccoli"].idxOf "broccoli" = 2
["carrot", "potato", "broccoli"].idxOf "tomato" = 3
["carrot", "potato", "broccoli"].idxOf? "carrot" = some 0
["carrot", "potato", "broccoli"].idxOf? "tomato" = none
([7, 6, 5, 8, 1, 2, 6].findFinIdx? (· < 5)).map (·.val) = some 4
[1, 2, 3, 4, 5].countP (· % 2 == 0) = 2
[1, 1, 2, 3, 5].count 1 = 2
[1, 1, 2, 3, 5].count 4 = 0
[(1, "one"), (3, "three"), (3, "other")].lookup 3 = some "three"
[(1, "one"), (3, "three"), (3, "other")].lookup 2 = none
[2, 4, 6].any (· % 2 = 1) = false
[2, 4, 5, 6].any (· % 2 = 1) = true
[2, 4, 5, 6].all (· % 2 = 0) = false
[true, false, true].or = true
[].or = false
[true, false, false].and = false
[].and = true
[1, 2].zipWith (· + ·) [5, 6] = [6, 8]
[].zipWith (· + ·) [5, 6] = []
["Mon", "Tue", "Wed"].zip [1, 2] = [("Mon", 1), ("Tue", 2)]
[1, 2, 3].zipWithAll Prod.mk [5, 6] = [(some 1, some 5), (some 2, some 6), (some 3, none)]
[("Monday", 1), ("Tuesday", 2)].unzip = (["Monday", "Tuesday"], [1, 2])
[1, 2, 5].sum = 8
List.range 5 = [0, 1, 2, 3, 4]
List.range 0 = []
List.range' 0 3 (step := 2) = [0, 2, 4]
List.range' 3 4 (step := 2) = [3, 5, 7, 9]
['a', 'b', 'c'].zipIdx 5 = [('a', 5), ('b', 6), ('c', 7)]
([] : List Nat).min? = none
[1, 4, 2, 10, 6].min? = some 1
[1, 4, 2, 10, 6].max? = some 10
List.intersperse "then" ["walk"] = ["walk"]
List.intersperse "then" ["walk", "run", "rest"] = ["walk", "then", "run", "then", "rest"]
List.intercalate [0] [[1], [2, 3]] = [1] ++ [0] ++ [2, 3]
[1, 3, 4, 2, 1, 5].eraseDupsBy (· % 3 == · % 3) = [1, 3, 2]
["red", "green", "green", "blue"].eraseDups = ["red", "green", "blue"]
[1, 3, 2, 2, 2, 3, 3, 5].eraseReps = [1, 3, 2, 3, 5]
[6, 8, 9, 5, 2, 9].span (· > 5) = ([6, 8, 9], [5, 2, 9])
[6, 8, 9, 5, 2, 9].span (· > 10) = ([], [6, 8, 9, 5, 2, 9])
[1, 1, 2, 2, 2, 3, 2].splitBy (· == ·) = [[1, 1], [2, 2, 2], [3], [2]]
[1, 2, 5, 4, 5, 1, 4].splitBy (· < ·) = [[1, 2, 5], [4, 5], [1, 4]]
[1, 2, 5, 4, 5, 1, 4].splitBy (fun _ _ => false) = [[1], [2], [5], [4], [5], [1], [4]]
[1, 1, 5, 1, 2, 4, 5].removeAll [1, 2, 2] = [5, 4, 5]
[1, 2, 3, 2].removeAll [] = [1, 2, 3, 2]
"""

PROGRAM = load("", LeanEnv((4, 24, 0)))


@pytest.mark.parametrize("row", ROWS.strip().splitlines())
def test_documented_value(row: str) -> None:
    result = PROGRAM.evaluate(row)
    assert (result.status, result.value) == ("value", "true"), result
