-- Functions of `String`, its positions, iterators and substrings (the interface up to Lean 4.24; positions are byte offsets).

structure String.Pos where
  byteIdx : Nat := 0

instance String.instOfNatPos : OfNat String.Pos 0 := ⟨⟨0⟩⟩

instance String.instInhabitedPos : Inhabited String.Pos := ⟨⟨0⟩⟩

@[instance]
opaque String.instDecidableEqPos : DecidableEq String.Pos

@[instance]
opaque String.instReprPos : Repr String.Pos

instance String.instLEPos : LE String.Pos := ⟨fun p₁ p₂ => p₁.byteIdx ≤ p₂.byteIdx⟩

instance String.instLTPos : LT String.Pos := ⟨fun p₁ p₂ => p₁.byteIdx < p₂.byteIdx⟩

@[instance]
opaque String.instDecidableLePos (p₁ p₂ : String.Pos) : Decidable (p₁ ≤ p₂)

@[instance]
opaque String.instDecidableLtPos (p₁ p₂ : String.Pos) : Decidable (p₁ < p₂)

instance String.instMinPos : Min String.Pos := ⟨fun p₁ p₂ => if p₁ ≤ p₂ then p₁ else p₂⟩

instance String.instMaxPos : Max String.Pos := ⟨fun p₁ p₂ => if p₁ ≤ p₂ then p₂ else p₁⟩

instance String.instAddPos : Add String.Pos := ⟨fun p₁ p₂ => ⟨p₁.byteIdx + p₂.byteIdx⟩⟩

instance String.instSubPos : Sub String.Pos := ⟨fun p₁ p₂ => ⟨p₁.byteIdx - p₂.byteIdx⟩⟩

instance String.instHAddPosChar : HAdd String.Pos Char String.Pos := ⟨fun p c => ⟨p.byteIdx + c.utf8Size⟩⟩

instance String.instHAddPosString : HAdd String.Pos String String.Pos := ⟨fun p s => ⟨p.byteIdx + s.utf8ByteSize⟩⟩

def String.Pos.min (p₁ p₂ : String.Pos) : String.Pos := if p₁ ≤ p₂ then p₁ else p₂

@[prim]
opaque String.Pos.isValid (s : String) (p : String.Pos) : Bool

@[prim]
opaque String.length (s : String) : Nat

@[prim]
opaque String.utf8ByteSize (s : String) : Nat

@[prim]
opaque String.push (s : String) (c : Char) : String

@[prim]
opaque String.pushn (s : String) (c : Char) (n : Nat) : String

@[prim]
opaque String.singleton (c : Char) : String

@[prim]
opaque String.isEmpty (s : String) : Bool

@[prim]
opaque String.toList (s : String) : List Char

@[prim, since "4.26.0"]
opaque String.ofList (s : List Char) : String

@[prim]
opaque String.get (s : String) (p : String.Pos) : Char

@[prim]
opaque String.get? (s : String) (p : String.Pos) : Option Char

@[prim]
opaque String.get! (s : String) (p : String.Pos) : Char

@[prim]
opaque String.get' (s : String) (p : String.Pos) (h : ¬ (String.atEnd s p = true)) : Char

@[prim]
opaque String.set (s : String) (p : String.Pos) (c : Char) : String

@[prim]
opaque String.modify (s : String) (i : String.Pos) (f : Char → Char) : String

@[prim]
opaque String.next (s : String) (p : String.Pos) : String.Pos

@[prim]
opaque String.next' (s : String) (p : String.Pos) (h : ¬ (String.atEnd s p = true)) : String.Pos

@[prim]
opaque String.prev (s : String) (p : String.Pos) : String.Pos

@[prim]
opaque String.atEnd (s : String) (p : String.Pos) : Bool

@[prim]
opaque String.endPos (s : String) : String.Pos

@[prim]
opaque String.front (s : String) : Char

@[prim]
opaque String.back (s : String) : Char

@[prim]
opaque String.extract (s : String) (b e : String.Pos) : String

@[prim]
opaque String.posOf (s : String) (c : Char) : String.Pos

@[prim]
opaque String.revPosOf (s : String) (c : Char) : Option String.Pos

@[prim]
opaque String.find (s : String) (p : Char → Bool) : String.Pos

@[prim]
opaque String.revFind (s : String) (p : Char → Bool) : Option String.Pos

@[prim]
opaque String.offsetOfPos (s : String) (pos : String.Pos) : Nat

@[prim]
opaque String.firstDiffPos (a b : String) : String.Pos

@[prim]
opaque String.findLineStart (s : String) (pos : String.Pos) : String.Pos

@[prim]
opaque String.nextWhile (s : String) (p : Char → Bool) (i : String.Pos) : String.Pos

@[prim]
opaque String.nextUntil (s : String) (p : Char → Bool) (i : String.Pos) : String.Pos

@[prim]
opaque String.substrEq (s1 : String) (pos1 : String.Pos) (s2 : String) (pos2 : String.Pos) (sz : Nat) : Bool

@[prim]
opaque String.take (s : String) (n : Nat) : String

@[prim]
opaque String.drop (s : String) (n : Nat) : String

@[prim]
opaque String.takeRight (s : String) (n : Nat) : String

@[prim]
opaque String.dropRight (s : String) (n : Nat) : String

@[prim]
opaque String.takeWhile (s : String) (p : Char → Bool) : String

@[prim]
opaque String.dropWhile (s : String) (p : Char → Bool) : String

@[prim]
opaque String.takeRightWhile (s : String) (p : Char → Bool) : String

@[prim]
opaque String.dropRightWhile (s : String) (p : Char → Bool) : String

@[prim]
opaque String.stripPrefix (s : String) (pre : String) : String

@[prim]
opaque String.stripSuffix (s : String) (suff : String) : String

@[prim]
opaque String.dropPrefix? (s : String) (pre : String) : Option Substring

@[prim]
opaque String.dropSuffix? (s : String) (suff : String) : Option Substring

@[prim]
opaque String.trim (s : String) : String

@[prim]
opaque String.trimLeft (s : String) : String

@[prim]
opaque String.trimRight (s : String) : String

@[prim]
opaque String.startsWith (s : String) (pre : String) : Bool

@[prim]
opaque String.endsWith (s : String) (post : String) : Bool

@[prim]
opaque String.isPrefixOf (p : String) (s : String) : Bool

@[prim]
opaque String.contains (s : String) (c : Char) : Bool

@[prim]
opaque String.any (s : String) (p : Char → Bool) : Bool

@[prim]
opaque String.all (s : String) (p : Char → Bool) : Bool

@[prim]
opaque String.map (f : Char → Char) (s : String) : String

@[prim]
opaque String.foldl {α : Type u} (f : α → Char → α) (init : α) (s : String) : α

@[prim]
opaque String.foldr {α : Type u} (f : Char → α → α) (init : α) (s : String) : α

@[prim]
opaque String.join (l : List String) : String

@[prim]
opaque String.intercalate (s : String) (l : List String) : String

@[prim, until "4.26.0"]
opaque String.split (s : String) (p : Char → Bool) : List String

@[prim, since "4.25.0"]
opaque String.splitToList (s : String) (p : Char → Bool) : List String

@[prim]
opaque String.splitOn (s : String) (sep : String := " ") : List String

@[prim]
opaque String.replace (s pattern replacement : String) : String

@[prim]
opaque String.toUpper (s : String) : String

@[prim]
opaque String.toLower (s : String) : String

@[prim]
opaque String.capitalize (s : String) : String

@[prim]
opaque String.decapitalize (s : String) : String

@[prim]
opaque String.isNat (s : String) : Bool

@[prim]
opaque String.toNat? (s : String) : Option Nat

@[prim]
opaque String.toNat! (s : String) : Nat

@[prim]
opaque String.isInt (s : String) : Bool

@[prim]
opaque String.toInt? (s : String) : Option Int

@[prim]
opaque String.toInt! (s : String) : Int

@[prim]
opaque String.quote (s : String) : String

@[prim]
opaque String.crlfToLf (text : String) : String

@[prim]
opaque String.removeLeadingSpaces (s : String) : String

@[prim]
protected opaque String.hash (s : String) : UInt64

@[prim]
opaque String.toUTF8 (a : String) : ByteArray

@[prim]
opaque String.fromUTF8! (a : ByteArray) : String

@[prim]
opaque String.getUtf8Byte (s : String) (n : Nat) (h : n < s.utf8ByteSize) : UInt8

-- ---------------------------------------------------------------------------------------------------- iterators

structure String.Iterator where
  s : String
  i : String.Pos

@[instance]
opaque String.instDecidableEqIterator : DecidableEq String.Iterator

instance String.instInhabitedIterator : Inhabited String.Iterator := ⟨⟨"", ⟨0⟩⟩⟩

def String.mkIterator (s : String) : String.Iterator := ⟨s, ⟨0⟩⟩

def String.iter (s : String) : String.Iterator := ⟨s, ⟨0⟩⟩

def String.Iterator.toString (it : String.Iterator) : String := it.s

def String.Iterator.pos (it : String.Iterator) : String.Pos := it.i

def String.Iterator.curr (it : String.Iterator) : Char := String.get it.s it.i

def String.Iterator.curr' (it : String.Iterator) (h : (String.Iterator.hasNext it) = true) : Char := String.get it.s it.i

def String.Iterator.next' (it : String.Iterator) (h : (String.Iterator.hasNext it) = true) : String.Iterator := ⟨it.s, String.next it.s it.i⟩

def String.Iterator.next (it : String.Iterator) : String.Iterator := ⟨it.s, String.next it.s it.i⟩

def String.Iterator.prev (it : String.Iterator) : String.Iterator := ⟨it.s, String.prev it.s it.i⟩

def String.Iterator.hasNext (it : String.Iterator) : Bool := Decidable.decide (it.i.byteIdx < (String.endPos it.s).byteIdx)

def String.Iterator.hasPrev (it : String.Iterator) : Bool := Decidable.decide (it.i.byteIdx > 0)

def String.Iterator.atEnd (it : String.Iterator) : Bool := Decidable.decide (it.i.byteIdx ≥ (String.endPos it.s).byteIdx)

def String.Iterator.setCurr (it : String.Iterator) (c : Char) : String.Iterator := ⟨String.set it.s it.i c, it.i⟩

def String.Iterator.toEnd (it : String.Iterator) : String.Iterator := ⟨it.s, String.endPos it.s⟩

def String.Iterator.remainingBytes (it : String.Iterator) : Nat := (String.endPos it.s).byteIdx - it.i.byteIdx

def String.Iterator.remainingToString (it : String.Iterator) : String := String.extract it.s it.i (String.endPos it.s)

def String.Iterator.extract (it₁ it₂ : String.Iterator) : String :=
  if it₁.s ≠ it₂.s ∨ it₁.i.byteIdx > it₂.i.byteIdx then "" else String.extract it₁.s it₁.i it₂.i

def String.Iterator.forward (it : String.Iterator) (n : Nat) : String.Iterator := Nat.repeat String.Iterator.next n it

def String.Iterator.nextn (it : String.Iterator) (n : Nat) : String.Iterator := Nat.repeat String.Iterator.next n it

def String.Iterator.prevn (it : String.Iterator) (n : Nat) : String.Iterator := Nat.repeat String.Iterator.prev n it

-- --------------------------------------------------------------------------------------------------- substrings

structure Substring where
  str : String
  startPos : String.Pos
  stopPos : String.Pos

instance instInhabitedSubstring : Inhabited Substring := ⟨⟨"", ⟨0⟩, ⟨0⟩⟩⟩

def String.toSubstring (s : String) : Substring := ⟨s, ⟨0⟩, String.endPos s⟩

def String.toSubstring' (s : String) : Substring := ⟨s, ⟨0⟩, String.endPos s⟩

protected def Substring.toString (s : Substring) : String := String.extract s.str s.startPos s.stopPos

-- The text between valid positions in order: loops over characters go past the end of the string where they are not.
@[prim]
opaque Substring.textInternal (s : Substring) : String

instance instToStringSubstring : ToString Substring := ⟨Substring.toString⟩

@[mathlib]
instance instCoeStringSubstring : Coe String Substring := ⟨String.toSubstring⟩

@[instance]
opaque Substring.instRepr : Repr Substring

instance Substring.instBEq : BEq Substring := ⟨fun a b => Substring.toString a == Substring.toString b⟩

def Substring.bsize (s : Substring) : Nat := s.stopPos.byteIdx - s.startPos.byteIdx

def Substring.isEmpty (s : Substring) : Bool := Substring.bsize s == 0

def Substring.get (s : Substring) (p : String.Pos) : Char := String.get s.str (s.startPos + p)

def Substring.front (s : Substring) : Char := String.get s.str s.startPos

@[prim]
opaque Substring.take (s : Substring) (n : Nat) : Substring

@[prim]
opaque Substring.drop (s : Substring) (n : Nat) : Substring

@[prim]
opaque Substring.takeRight (s : Substring) (n : Nat) : Substring

@[prim]
opaque Substring.dropRight (s : Substring) (n : Nat) : Substring

@[prim]
opaque Substring.takeWhile (s : Substring) (p : Char → Bool) : Substring

@[prim]
opaque Substring.dropWhile (s : Substring) (p : Char → Bool) : Substring

@[prim]
opaque Substring.takeRightWhile (s : Substring) (p : Char → Bool) : Substring

@[prim]
opaque Substring.dropRightWhile (s : Substring) (p : Char → Bool) : Substring

@[prim]
opaque Substring.trim (s : Substring) : Substring

@[prim]
opaque Substring.trimLeft (s : Substring) : Substring

@[prim]
opaque Substring.trimRight (s : Substring) : Substring

def Substring.all (s : Substring) (p : Char → Bool) : Bool := String.all (Substring.textInternal s) p

def Substring.any (s : Substring) (p : Char → Bool) : Bool := String.any (Substring.textInternal s) p

def Substring.contains (s : Substring) (c : Char) : Bool := String.contains (Substring.textInternal s) c

def Substring.foldl {α : Type u} (f : α → Char → α) (init : α) (s : Substring) : α := String.foldl f init (Substring.textInternal s)

def Substring.foldr {α : Type u} (f : Char → α → α) (init : α) (s : Substring) : α := String.foldr f init (Substring.textInternal s)

protected def Substring.beq (ss1 ss2 : Substring) : Bool := Substring.toString ss1 == Substring.toString ss2

def Substring.sameAs (ss1 ss2 : Substring) : Bool := ss1.startPos == ss2.startPos && Substring.toString ss1 == Substring.toString ss2

@[prim]
opaque Substring.splitOn (s : Substring) (sep : String := " ") : List Substring

def Substring.toNat? (s : Substring) : Option Nat := String.toNat? (Substring.textInternal s)

def Substring.isNat (s : Substring) : Bool := String.isNat (Substring.textInternal s)

-- -------------------------------------------------------------------------------------------------- loops, Mathlib

@[mathlib, prim]
opaque String.containsSubstr (s : String) (pattern : Substring) : Bool

@[mathlib, prim]
opaque String.isSuffixOf (x y : String) : Bool

@[mathlib, prim]
opaque String.popn (s : String) (n : Nat) : String

@[mathlib, prim]
opaque String.getRest (s t : String) : Option String

@[mathlib, prim]
opaque String.head (s : String) : Char

@[mathlib, prim]
opaque String.replicate (n : Nat) (c : Char) : String

@[mathlib, prim]
opaque String.leftpad (n : Nat) (c : Char := ' ') (s : String) : String

@[mathlib, prim]
opaque String.rightpad (n : Nat) (c : Char := ' ') (s : String) : String

@[mathlib]
def String.count (s : String) (c : Char) : Nat := String.foldl (fun n d => if d = c then n + 1 else n) 0 s

@[mathlib, prim]
opaque String.findAllSubstr (s : String) (pattern : Substring) : Array Substring

@[mathlib, prim]
opaque String.findSubstr? (s : String) (pattern : Substring) : Option Substring
