"""Values that Lean's own documentation states of `String`, through the whole engine.

Source of every row: the docstring of the function in `Init/Data/String/Basic.lean` of leanprover/lean4 as of Lean 4.2x.
"""

from __future__ import annotations

import pytest

from specgen.lean import LeanEnv, load

ROWS = r"""
"abcba".posOf 'a' = ⟨0⟩
"abcba".posOf 'z' = ⟨5⟩
"L∃∀N".posOf '∀' = ⟨4⟩
"abcabc".revPosOf 'a' = some ⟨3⟩
"abcabc".revPosOf 'z' = none
"L∃∀N".revPosOf '∀' = some ⟨4⟩
"coffee tea water".find (·.isWhitespace) = ⟨6⟩
"tea".find (· == 'X') = ⟨3⟩
"".find (· == 'X') = ⟨0⟩
"coffee tea water".revFind (·.isWhitespace) = some ⟨10⟩
"tea".revFind (· == 'X') = none
"tea".firstDiffPos "ten" = ⟨2⟩
"tea".firstDiffPos "tea" = ⟨3⟩
"teas".firstDiffPos "tea" = ⟨3⟩
"red green blue".extract ⟨0⟩ ⟨3⟩ = "red"
"red green blue".extract ⟨3⟩ ⟨0⟩ = ""
"red green blue".extract ⟨0⟩ ⟨100⟩ = "red green blue"
"red green blue".extract ⟨4⟩ ⟨100⟩ = "green blue"
"coffee tea water".split (·.isWhitespace) = ["coffee", "tea", "water"]
"coffee  tea  water".split (·.isWhitespace) = ["coffee", "", "tea", "", "water"]
"fun x =>\n  x + 1\n".split (· == '\n') = ["fun x =>", "  x + 1", ""]
"here is some text ".splitOn = ["here", "is", "some", "text", ""]
"here is some text ".splitOn "some" = ["here is ", " text "]
"here is some text ".splitOn "" = ["here is some text "]
"ababacabac".splitOn "aba" = ["", "bac", "c"]
"indeed".pushn '!' 2 = "indeed!!"
"indeed".pushn '!' 0 = "indeed"
"".pushn ' ' 4 = "    "
"".isEmpty = true
" ".isEmpty = false
String.join ["gr", "ee", "n"] = "green"
String.join [] = ""
", ".intercalate ["red", "green", "blue"] = "red, green, blue"
" | ".intercalate ["M", "", "N"] = "M |  | N"
"L∃∀N".offsetOfPos ⟨0⟩ = 0
"L∃∀N".offsetOfPos ⟨2⟩ = 2
"L∃∀N".offsetOfPos ⟨4⟩ = 2
"L∃∀N".offsetOfPos ⟨5⟩ = 3
"L∃∀N".offsetOfPos ⟨50⟩ = 4
"coffee tea water".foldl (fun n c => if c.isWhitespace then n + 1 else n) 0 = 2
"coffee tea water".foldl (·.push ·) "" = "coffee tea water"
"coffee tea water".foldr (fun c s => s.push c) "" = "retaw aet eeffoc"
"brown".any (·.isWhitespace) = false
"".any (fun _ => false) = false
"".all (fun _ => false) = true
"green".contains 'e' = true
"green".contains 'x' = false
"abc123".map Char.toUpper = "ABC123"
"".isNat = false
"05".isNat = true
"-587".isNat = false
" 5".isNat = false
"2+3".isNat = false
"".toNat? = none
"587".toNat? = some 587
"-587".toNat? = none
"0xff".toNat? = none
"red".isPrefixOf "red green blue" = true
"green".isPrefixOf "red green blue" = false
"".isPrefixOf "red green blue" = true
"red green blue".replace "e" "" = "rd grn blu"
"red green blue".replace "ee" "E" = "red grEn blue"
"red green blue".replace "e" "E" = "rEd grEEn bluE"
"red green blue".drop 4 = "green blue"
"red green blue".drop 10 = "blue"
"red green blue".drop 50 = ""
"red green blue".dropRight 5 = "red green"
"red green blue".dropRight 50 = ""
"red green blue".take 3 = "red"
"red green blue".take 100 = "red green blue"
"red green blue".takeRight 4 = "blue"
"red green blue".takeRight 0 = ""
"red green blue".takeRight 100 = "red green blue"
"red green blue".takeWhile (· == 'r') = "r"
"red green blue".takeWhile (· != 'n') = "red gree"
"red green blue".dropWhile (· == 'r') = "ed green blue"
"red green blue".dropWhile (· != 'n') = "n blue"
"red green blue".takeRightWhile (· == 'e') = "e"
"red green blue".takeRightWhile (· != 'n') = " blue"
"red green blue".dropRightWhile (· == 'e') = "red green blu"
"red green blue".dropRightWhile (· != 'n') = "red green"
"red green blue".startsWith "red" = true
"red green blue".startsWith "green" = false
"red green blue".endsWith "blue" = true
"red green blue".endsWith "" = true
"abc \t  ".trimRight = "abc"
"  abc   ".trimRight = "  abc"
"abc\ndef\n".trimRight = "abc\ndef"
"   abc".trimLeft = "abc"
"abc\ndef\n".trimLeft = "abc\ndef\n"
"  abc   ".trim = "abc"
"abc\ndef\n".trim = "abc\ndef"
let s := "   a  "; s.get (s.nextWhile Char.isWhitespace 0) = 'a'
let s := "ba  "; s.get (s.nextWhile Char.isWhitespace 0) = 'b'
let s := "a  "; s.get (s.nextUntil Char.isWhitespace 0) = ' '
"abc123".toUpper = "ABC123"
"ABc123".toLower = "abc123"
"orange".capitalize = "Orange"
"".capitalize = ""
"ORANGE".decapitalize = "oRANGE"
("red green blue".dropPrefix? "red ").map (·.toString) = some "green blue"
("red green blue".dropPrefix? "reed ").map (·.toString) = none
("red green blue".dropSuffix? " blue").map (·.toString) = some "red green"
"red green blue".stripPrefix "red " = "green blue"
"red green blue".stripPrefix "reed " = "red green blue"
"red green blue".stripSuffix " blue" = "red green"
"""

PROGRAM = load("", LeanEnv((4, 24, 0)))


@pytest.mark.parametrize("row", ROWS.strip().splitlines())
def test_documented_value(row: str) -> None:
    result = PROGRAM.evaluate(row)
    assert (result.status, result.value) == ("value", "true"), result


@pytest.mark.parametrize("row", ['"1_000".toNat?', '"-".toInt?', '"é".prev ⟨1⟩'])
def test_what_depends_on_the_version_is_unknown(row: str) -> None:
    # Underscores: leanprover/lean4 pull request 11541; "-" as an integer: issue 8005; an invalid position: unspecified.
    assert PROGRAM.evaluate(row).status == "unknown"
