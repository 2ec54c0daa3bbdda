"""Inductive types, structures, classes, `deriving`."""

from __future__ import annotations

import pytest

from tests.lean.elab.running import elaborate, kinds, value

TREE = """
inductive Tree (α : Type) where
  | leaf
  | node (l : Tree α) (v : α) (r : Tree α)
  deriving Repr, BEq, DecidableEq, Inhabited
namespace Tree
def size {α : Type} : Tree α → Nat
  | leaf => 0
  | .node l _ r => l.size + 1 + size r
def toList : Tree α → List α
  | .leaf => []
  | .node l v r => l.toList ++ [v] ++ r.toList
end Tree
def t : Tree Nat := .node (.node .leaf 1 .leaf) 2 .leaf
"""


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("t.size", "2"),
        ("t.toList", "[1, 2]"),
        ("decide (t = t)", "true"),
        ("t == Tree.leaf", "false"),
        ("(default : Tree Nat)", "Tree.leaf"),
    ],
)
def test_recursive_type(term: str, expected: str) -> None:
    assert value(TREE, term) == expected


def test_info_of_inductive_types() -> None:
    info = elaborate(TREE).environment.inductives["Tree"]
    assert (info.params, info.indices, info.recursive) == (1, 0, True)
    assert info.constructors == ("Tree.leaf", "Tree.node")
    assert info.field_counts == (0, 3)


def test_families_and_predicates() -> None:
    text = (
        "inductive Vec (α : Type) : Nat → Type where\n  | nil : Vec α 0\n"
        "  | cons {n : Nat} (a : α) (v : Vec α n) : Vec α (n + 1)\n"
        "inductive Even : Nat → Prop where\n  | zero : Even 0\n  | step : ∀ n, Even n → Even (n + 2)\n"
        "def v : Vec Nat 1 := .cons 3 .nil\n"
    )
    result = elaborate(text)
    assert not [d for d in result.diagnostics if d.severity == "error"]
    assert result.environment.inductives["Vec"].indices == 1
    assert result.environment.inductives["Even"].is_prop


def test_mutual_inductive_types() -> None:
    text = (
        "mutual\ninductive A where\n  | nil\n  | one (b : B)\ninductive B where\n  | two (a : A)\nend\n"
        "def x : A := .one (.two .nil)\n"
    )
    assert kinds(text) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("inductive T where\n  | a : Nat\n", "type"),
        ("inductive T : Nat → Type where\n  | a (n : Nat)\n", "type"),
        ("inductive T : 3 where\n  | a\n", "instance"),
        ("inductive T where\n  | a (f : Nat → Nat)\n  deriving DecidableEq\n", "instance"),
        ("structure S where\n  f : Nat → Nat\n  deriving BEq\n", "instance"),
        ("structure S where\n  x : Nat\n  deriving NoSuchClass\n", "name"),
        ("structure S where\n  x : Nat\n  x : Nat\n", "redeclared"),
        ("structure S extends Nat where\n  y : Nat\n", "type"),
    ],
)
def test_refused(text: str, kind: str) -> None:
    found = kinds(text)
    assert found and found[0] in (kind, "unsupported"), found


SHAPES = """
structure Point where
  x : Nat := 3
  y : Int
  deriving DecidableEq, Repr
structure Named (α : Type) where
  name : String
  value : α
structure Point3 extends Point where
  z : Nat
structure Both extends Point, Named Nat where
  extra : Bool := true
def p : Point3 := { y := 2, z := 5 }
def q : Point3 := { p with x := 9 }
def b : Both := { y := 1, name := "n", value := 4 }
def Point.sum (p : Point) : Int := p.x + p.y
"""


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("(p.x, p.y, p.z)", "(3, 2, 5)"),
        ("(q.x, q.toPoint.x)", "(9, 9)"),
        ("p.sum", "5"),
        ("(b.x, b.name, b.value, b.extra)", '(3, "n", 4, true)'),
        ("({ x := 1, y := 2 } : Point)", "{ x := 1, y := 2 }"),
        ("decide ((⟨1, 2⟩ : Point) = ⟨1, 2⟩)", "true"),
    ],
)
def test_structures(term: str, expected: str) -> None:
    assert value(SHAPES, term) == expected


def test_overlapping_parents() -> None:
    text = (
        "structure A where\n  x : Nat\n  y : Nat\nstructure B where\n  y : Nat\n  z : Nat\n"
        "structure C extends A, B where\n  w : Nat\n"
        "def c : C := { x := 1, y := 2, z := 3, w := 4 }\ndef useB (b : B) : Nat := 10 * b.y + b.z\n"
    )
    assert value(text, "(c.x, c.y, c.z, c.w, useB c.toB)") == "(1, 2, 3, 4, 23)"


def test_defaults_that_use_other_fields() -> None:
    text = "structure S where\n  a : Nat\n  b : Nat := a + 1\n  f (n : Nat) : Nat := n + b\n"
    assert value(text, "({ a := 1 } : S).f 10") == "12"


def test_classes_and_their_parents() -> None:
    text = (
        'class Shape (α : Type) where\n  area : α → Nat\n  name : String := "shape"\n'
        "class Solid (α : Type) extends Shape α where\n  volume : α → Nat\n"
        "structure Cube where\n  side : Nat\n"
        "instance : Solid Cube where\n  area c := 6 * c.side ^ 2\n  volume c := c.side ^ 3\n"
        "def f {α : Type} [Shape α] (x : α) : Nat := Shape.area x\n"
    )
    assert value(text, "(f (Cube.mk 2), Solid.volume (Cube.mk 2), Shape.name Cube)") == '(24, 8, "shape")'


def test_out_params() -> None:
    text = (
        "class Container (c : Type) (e : outParam Type) where\n  first : c → Option e\n"
        "instance : Container (List α) α where\n  first xs := xs.head?\n"
        "def f : Option Nat := Container.first [1, 2]\n"
    )
    assert value(text, "f") == "some 1"


def test_deriving_orders_and_enumerations() -> None:
    text = (
        "inductive Color where\n  | red\n  | green\n  | blue\n"
        "  deriving DecidableEq, Repr, Ord, Inhabited, BEq, Hashable\n"
        "def less (a b : Color) : Bool := compare a b == Ordering.lt\n"
    )
    assert value(text, "(less .red .blue, less .blue .red, (default : Color))") == "(true, false, Color.red)"
    assert kinds("inductive C where\n  | a\nderiving instance DecidableEq, Repr for C\nexample : C := .a\n") == []


def test_deriving_for_a_definition() -> None:
    text = "def Id2 := Nat\n  deriving DecidableEq, Repr\ndef f (a b : Id2) : Bool := decide (a = b)\n"
    assert kinds(text) == []


def test_class_inductive() -> None:
    assert kinds("class inductive C (α : Type) where\n  | mk (n : Nat)\ninstance : C Nat := .mk 3\n") == []
