-- The basic types and classes that everything else hangs on. Format: docs/engine.md, "The library table".

-- ------------------------------------------------------------------------------------------------- propositions

inductive True : Prop where
  | intro : True

inductive False : Prop where

structure And (a b : Prop) : Prop where
  intro ::
  left : a
  right : b

inductive Or (a b : Prop) : Prop where
  | inl (h : a) : Or a b
  | inr (h : b) : Or a b

def Not (a : Prop) : Prop := a → False

structure Iff (a b : Prop) : Prop where
  intro ::
  mp : a → b
  mpr : b → a

inductive Eq {α : Sort u} : α → α → Prop where
  | refl (a : α) : Eq a a

inductive HEq {α : Sort u} : α → {β : Sort v} → β → Prop where
  | refl (a : α) : HEq a a

@[reducible]
def Ne {α : Sort u} (a b : α) : Prop := ¬(a = b)

inductive Exists {α : Sort u} (p : α → Prop) : Prop where
  | intro (w : α) (h : p w) : Exists p

@[mathlib]
def ExistsUnique {α : Sort u} (p : α → Prop) : Prop := ∃ x, p x ∧ ∀ y, p y → y = x

def Xor' (a b : Prop) : Prop := (a ∧ ¬b) ∨ (b ∧ ¬a)

@[prim]
opaque rfl {α : Sort u} {a : α} : a = a

opaque trivial : True

opaque absurd {a : Prop} {b : Sort v} (h₁ : a) (h₂ : ¬a) : b

opaque False.elim {C : Sort u} (h : False) : C

opaque Eq.symm {α : Sort u} {a b : α} (h : a = b) : b = a

opaque Eq.trans {α : Sort u} {a b c : α} (h₁ : a = b) (h₂ : b = c) : a = c

opaque Eq.mp {α β : Sort u} (h : α = β) (a : α) : β

opaque Eq.mpr {α β : Sort u} (h : α = β) (b : β) : α

opaque cast {α β : Sort u} (h : α = β) (a : α) : β

abbrev outParam (α : Sort u) : Sort u := α

abbrev semiOutParam (α : Sort u) : Sort u := α

@[reducible]
def inferInstance {α : Sort u} [i : α] : α := i

@[reducible]
def inferInstanceAs (α : Sort u) [i : α] : α := i

-- -------------------------------------------------------------------------------------------------- basic types

inductive PUnit : Sort u where
  | unit : PUnit

abbrev Unit : Type := PUnit

abbrev Unit.unit : Unit := PUnit.unit

inductive Empty : Type where

inductive PEmpty : Sort u where

inductive Bool : Type where
  | false : Bool
  | true : Bool

inductive Nat : Type where
  | zero : Nat
  | succ (n : Nat) : Nat

inductive Int : Type where
  | ofNat : Nat → Int
  | negSucc : Nat → Int

opaque Char : Type

inductive List (α : Type u) : Type u where
  | nil : List α
  | cons (head : α) (tail : List α) : List α

structure Array (α : Type u) where
  mk ::
  toList : List α

structure String : Type where
  mk ::
  data : List Char

inductive Option (α : Type u) : Type u where
  | none : Option α
  | some (val : α) : Option α

structure Prod (α : Type u) (β : Type v) where
  mk ::
  fst : α
  snd : β

structure PProd (α : Sort u) (β : Sort v) where
  fst : α
  snd : β

inductive Sum (α : Type u) (β : Type v) where
  | inl (val : α) : Sum α β
  | inr (val : β) : Sum α β

inductive PSum (α : Sort u) (β : Sort v) where
  | inl (val : α) : PSum α β
  | inr (val : β) : PSum α β

structure Sigma {α : Type u} (β : α → Type v) where
  fst : α
  snd : β fst

structure PSigma {α : Sort u} (β : α → Sort v) where
  fst : α
  snd : β fst

structure Subtype {α : Sort u} (p : α → Prop) where
  val : α
  property : p val

structure Fin (n : Nat) where
  mk ::
  val : Nat
  isLt : val < n

inductive Except (ε : Type u) (α : Type v) where
  | error : ε → Except ε α
  | ok : α → Except ε α

inductive Ordering where
  | lt
  | eq
  | gt

inductive ForInStep (α : Type u) where
  | done : α → ForInStep α
  | yield : α → ForInStep α

inductive DoResultPR (α β σ : Type u) where
  | pure : α → σ → DoResultPR α β σ
  | return : β → σ → DoResultPR α β σ

inductive DoResultBC (σ : Type u) where
  | break : σ → DoResultBC σ
  | continue : σ → DoResultBC σ

inductive DoResultPRBC (α β σ : Type u) where
  | pure : α → σ → DoResultPRBC α β σ
  | return : β → σ → DoResultPRBC α β σ
  | break : σ → DoResultPRBC α β σ
  | continue : σ → DoResultPRBC α β σ

inductive DoResultSBC (α σ : Type u) where
  | pureReturn : α → σ → DoResultSBC α σ
  | break : σ → DoResultSBC α σ
  | continue : σ → DoResultSBC α σ

def Id (type : Type u) : Type u := type

def Id.run {α : Type u} (x : Id α) : α := x

abbrev MProd (α β : Type u) := Prod α β

class inductive Decidable (p : Prop) where
  | isFalse (h : ¬p) : Decidable p
  | isTrue (h : p) : Decidable p

abbrev DecidablePred {α : Sort u} (r : α → Prop) := (a : α) → Decidable (r a)

abbrev DecidableRel {α : Sort u} {β : Sort v} (r : α → β → Prop) := (a : α) → (b : β) → Decidable (r a b)

abbrev DecidableEq (α : Sort u) := (a b : α) → Decidable (a = b)

abbrev DecidableLT (α : Type u) [LT α] := DecidableRel (LT.lt : α → α → Prop)

abbrev DecidableLE (α : Type u) [LE α] := DecidableRel (LE.le : α → α → Prop)

@[prim]
opaque Decidable.decide (p : Prop) [h : Decidable p] : Bool

@[prim]
opaque ite {α : Sort u} (c : Prop) [h : Decidable c] (t e : α) : α

@[prim]
opaque dite {α : Sort u} (c : Prop) [h : Decidable c] (t : c → α) (e : ¬c → α) : α

@[prim]
opaque cond {α : Sort u} (c : Bool) (x y : α) : α

@[prim]
opaque or (x y : Bool) : Bool

@[prim]
opaque and (x y : Bool) : Bool

@[prim]
opaque not (x : Bool) : Bool

@[prim]
opaque xor (x y : Bool) : Bool

-- ------------------------------------------------------------------------------------------- arithmetic classes

class Zero (α : Type u) where
  zero : α

class One (α : Type u) where
  one : α

class OfNat (α : Type u) (n : Nat) where
  ofNat : α

instance Zero.toOfNat0 {α : Type u} [Zero α] : OfNat α 0 := ⟨Zero.zero⟩

instance One.toOfNat1 {α : Type u} [One α] : OfNat α 1 := ⟨One.one⟩

class NeZero {R : Type u} [Zero R] (n : R) : Prop where
  out : n ≠ 0

@[instance]
opaque NeZero.succ {n : Nat} : NeZero (n + 1)

@[instance]
opaque Nat.instNeZeroSucc {n : Nat} : NeZero (Nat.succ n)

class OfScientific (α : Type u) where
  ofScientific (mantissa : Nat) (exponentSign : Bool) (decimalExponent : Nat) : α

class HAdd (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hAdd : α → β → γ

class HSub (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hSub : α → β → γ

class HMul (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hMul : α → β → γ

class HDiv (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hDiv : α → β → γ

class HMod (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hMod : α → β → γ

class HPow (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hPow : α → β → γ

class HSMul (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hSMul : α → β → γ

class HAppend (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hAppend : α → β → γ

class HOrElse (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hOrElse : α → (Unit → β) → γ

class HAndThen (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hAndThen : α → (Unit → β) → γ

class HAnd (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hAnd : α → β → γ

class HXor (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hXor : α → β → γ

class HOr (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hOr : α → β → γ

class HShiftLeft (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hShiftLeft : α → β → γ

class HShiftRight (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hShiftRight : α → β → γ

class Add (α : Type u) where
  add : α → α → α

class Sub (α : Type u) where
  sub : α → α → α

class Mul (α : Type u) where
  mul : α → α → α

class Neg (α : Type u) where
  neg : α → α

class Div (α : Type u) where
  div : α → α → α

class Inv (α : Type u) where
  inv : α → α

class Mod (α : Type u) where
  mod : α → α → α

class Dvd (α : Type u) where
  dvd : α → α → Prop

class Pow (α : Type u) (β : Type v) where
  pow : α → β → α

class NatPow (α : Type u) where
  pow : α → Nat → α

class HomogeneousPow (α : Type u) where
  pow : α → α → α

class SMul (M : Type u) (α : Type v) where
  smul : M → α → α

class Append (α : Type u) where
  append : α → α → α

class OrElse (α : Type u) where
  orElse : α → (Unit → α) → α

class AndThen (α : Type u) where
  andThen : α → (Unit → α) → α

class AndOp (α : Type u) where
  and : α → α → α

class XorOp (α : Type u) where
  xor : α → α → α

class OrOp (α : Type u) where
  or : α → α → α

class Complement (α : Type u) where
  complement : α → α

class ShiftLeft (α : Type u) where
  shiftLeft : α → α → α

class ShiftRight (α : Type u) where
  shiftRight : α → α → α

@[default_instance]
instance instHAdd {α : Type u} [Add α] : HAdd α α α := ⟨fun a b => Add.add a b⟩

@[default_instance]
instance instHSub {α : Type u} [Sub α] : HSub α α α := ⟨fun a b => Sub.sub a b⟩

@[default_instance]
instance instHMul {α : Type u} [Mul α] : HMul α α α := ⟨fun a b => Mul.mul a b⟩

@[default_instance]
instance instHDiv {α : Type u} [Div α] : HDiv α α α := ⟨fun a b => Div.div a b⟩

@[default_instance]
instance instHMod {α : Type u} [Mod α] : HMod α α α := ⟨fun a b => Mod.mod a b⟩

@[default_instance]
instance instHPow {α : Type u} {β : Type v} [Pow α β] : HPow α β α := ⟨fun a b => Pow.pow a b⟩

@[default_instance]
instance instPowNat {α : Type u} [NatPow α] : Pow α Nat := ⟨fun a n => NatPow.pow a n⟩

@[default_instance]
instance instPowOfHomogeneousPow {α : Type u} [HomogeneousPow α] : Pow α α := ⟨fun a b => HomogeneousPow.pow a b⟩

@[default_instance]
instance instHSMul {α : Type u} {β : Type v} [SMul α β] : HSMul α β β := ⟨fun a b => SMul.smul a b⟩

@[default_instance]
instance instHAppendOfAppend {α : Type u} [Append α] : HAppend α α α := ⟨fun a b => Append.append a b⟩

@[default_instance]
instance instHOrElseOfOrElse {α : Type u} [OrElse α] : HOrElse α α α := ⟨fun a b => OrElse.orElse a b⟩

@[default_instance]
instance instHAndThenOfAndThen {α : Type u} [AndThen α] : HAndThen α α α := ⟨fun a b => AndThen.andThen a b⟩

@[default_instance]
instance instHAndOfAndOp {α : Type u} [AndOp α] : HAnd α α α := ⟨fun a b => AndOp.and a b⟩

@[default_instance]
instance instHXorOfXorOp {α : Type u} [XorOp α] : HXor α α α := ⟨fun a b => XorOp.xor a b⟩

@[default_instance]
instance instHOrOfOrOp {α : Type u} [OrOp α] : HOr α α α := ⟨fun a b => OrOp.or a b⟩

@[default_instance]
instance instHShiftLeftOfShiftLeft {α : Type u} [ShiftLeft α] : HShiftLeft α α α := ⟨fun a b => ShiftLeft.shiftLeft a b⟩

@[default_instance]
instance instHShiftRightOfShiftRight {α : Type u} [ShiftRight α] : HShiftRight α α α := ⟨fun a b => ShiftRight.shiftRight a b⟩

-- -------------------------------------------------------------------------------------- equality, order, casts

class BEq (α : Type u) where
  beq : α → α → Bool

def bne {α : Type u} [BEq α] (a b : α) : Bool := not (BEq.beq a b)

instance instBEqOfDecidableEq {α : Type u} [DecidableEq α] : BEq α := ⟨fun a b => Decidable.decide (a = b)⟩

class ReflBEq (α : Type u) [BEq α] : Prop where
  rfl : ∀ {a : α}, BEq.beq a a = true

class LawfulBEq (α : Type u) [BEq α] : Prop extends ReflBEq α where
  eq_of_beq : ∀ {a b : α}, BEq.beq a b = true → a = b

@[instance]
opaque instLawfulBEqOfDecidableEq {α : Type u} [DecidableEq α] : LawfulBEq α

@[instance]
opaque List.instLawfulBEq {α : Type u} [BEq α] [LawfulBEq α] : LawfulBEq (List α)

@[instance]
opaque Array.instLawfulBEq {α : Type u} [BEq α] [LawfulBEq α] : LawfulBEq (Array α)

@[instance]
opaque instLawfulBEqOption {α : Type u} [BEq α] [LawfulBEq α] : LawfulBEq (Option α)

@[instance]
opaque instLawfulBEqProd {α : Type u} {β : Type v} [BEq α] [BEq β] [LawfulBEq α] [LawfulBEq β] : LawfulBEq (α × β)

class LT (α : Type u) where
  lt : α → α → Prop

class LE (α : Type u) where
  le : α → α → Prop

@[reducible]
def GT.gt {α : Type u} [LT α] (a b : α) : Prop := LT.lt b a

@[reducible]
def GE.ge {α : Type u} [LE α] (a b : α) : Prop := LE.le b a

class Max (α : Type u) where
  max : α → α → α

class Min (α : Type u) where
  min : α → α → α

def maxOfLe {α : Type u} [LE α] [DecidableRel (LE.le : α → α → Prop)] : Max α := ⟨fun x y => if x ≤ y then y else x⟩

def minOfLe {α : Type u} [LE α] [DecidableRel (LE.le : α → α → Prop)] : Min α := ⟨fun x y => if x ≤ y then x else y⟩

class Ord (α : Type u) where
  compare : α → α → Ordering

class NatCast (R : Type u) where
  natCast : Nat → R

class IntCast (R : Type u) where
  intCast : Int → R

@[mathlib]
class RatCast (R : Type u) where
  ratCast : Rat → R

@[reducible]
protected def Nat.cast {R : Type u} [NatCast R] (n : Nat) : R := NatCast.natCast n

@[reducible]
protected def Int.cast {R : Type u} [IntCast R] (n : Int) : R := IntCast.intCast n

@[reducible, mathlib]
protected def Rat.cast {R : Type u} [RatCast R] (q : Rat) : R := RatCast.ratCast q

class Coe (α : semiOutParam (Sort u)) (β : Sort v) where
  coe : α → β

class CoeTC (α : Sort u) (β : Sort v) where
  coe : α → β

class CoeOut (α : Sort u) (β : semiOutParam (Sort v)) where
  coe : α → β

class CoeHead (α : Sort u) (β : semiOutParam (Sort v)) where
  coe : α → β

class CoeTail (α : semiOutParam (Sort u)) (β : Sort v) where
  coe : α → β

class CoeHTCT (α : Sort u) (β : Sort v) where
  coe : α → β

class CoeDep (α : Sort u) (a : α) (β : Sort v) where
  coe : β

class CoeT (α : Sort u) (a : α) (β : Sort v) where
  coe : β

class CoeFun (α : Sort u) (γ : outParam (α → Sort v)) where
  coe : (f : α) → γ f

class CoeSort (α : Sort u) (β : outParam (Sort v)) where
  coe : α → β

class HasSubset (α : Type u) where
  Subset : α → α → Prop

class HasSSubset (α : Type u) where
  SSubset : α → α → Prop

class Union (α : Type u) where
  union : α → α → α

class Inter (α : Type u) where
  inter : α → α → α

class SDiff (α : Type u) where
  sdiff : α → α → α

class EmptyCollection (α : Type u) where
  emptyCollection : α

class Insert (α : outParam (Type u)) (γ : Type v) where
  insert : α → γ → γ

class Singleton (α : outParam (Type u)) (β : Type v) where
  singleton : α → β

class Sep (α : outParam (Type u)) (γ : Type v) where
  sep : (α → Prop) → γ → γ

class HasEquiv (α : Sort u) where
  Equiv : α → α → Prop

class Membership (α : outParam (Type u)) (γ : Type v) where
  mem : γ → α → Prop

class GetElem (coll : Type u) (idx : Type v) (elem : outParam (Type w)) (valid : outParam (coll → idx → Prop)) where
  getElem (xs : coll) (i : idx) (h : valid xs i) : elem

@[prim]
opaque decidableGetElem? {coll : Type u} {idx : Type v} {elem : Type w} {valid : coll → idx → Prop} [GetElem coll idx elem valid] (xs : coll) (i : idx) [Decidable (valid xs i)] : Option elem

class GetElem? (coll : Type u) (idx : Type v) (elem : outParam (Type w)) (valid : outParam (coll → idx → Prop)) extends GetElem coll idx elem valid where
  getElem? : coll → idx → Option elem
  getElem! [Inhabited elem] (xs : coll) (i : idx) : elem := match getElem? xs i with | some e => e | none => default

class Inhabited (α : Sort u) where
  default : α

class inductive Nonempty (α : Sort u) : Prop where
  | intro (val : α) : Nonempty α

class Subsingleton (α : Sort u) : Prop where
  allEq : ∀ (a b : α), a = b

class ToString (α : Type u) where
  toString : α → String

class Repr (α : Type u) where
  reprPrec : α → Nat → Std.Format

class ReprAtom (α : Type u) where

class Hashable (α : Sort u) where
  hash : α → UInt64

class LawfulHashable (α : Type u) [BEq α] [Hashable α] : Prop where
  hash_eq : ∀ (a b : α), BEq.beq a b = true → Hashable.hash a = Hashable.hash b

class SizeOf (α : Sort u) where
  sizeOf : α → Nat

class WellFoundedRelation (α : Sort u) where
  rel : α → α → Prop

opaque Std.Format : Type

@[instance]
opaque Std.instToStringFormat : ToString Std.Format

@[prim]
opaque reprStr {α : Type u} [Repr α] (a : α) : String

@[prim]
opaque repr {α : Type u} [Repr α] (a : α) : Std.Format

@[prim]
opaque panic {α : Sort u} [Inhabited α] (msg : String) : α

opaque sorryAx (α : Sort u) (synthetic : Bool := false) : α

-- ---------------------------------------------------------------------------------------------- monad classes

class Pure (f : Type u → Type v) where
  pure {α : Type u} : α → f α

class Functor (f : Type u → Type v) where
  map {α β : Type u} : (α → β) → f α → f β
  mapConst {α β : Type u} : α → f β → f α := fun a x => map (fun _ => a) x

class Bind (m : Type u → Type v) where
  bind {α β : Type u} : m α → (α → m β) → m β

class Seq (f : Type u → Type v) where
  seq {α β : Type u} : f (α → β) → (Unit → f α) → f β

class SeqLeft (f : Type u → Type v) where
  seqLeft {α β : Type u} : f α → (Unit → f β) → f α

class SeqRight (f : Type u → Type v) where
  seqRight {α β : Type u} : f α → (Unit → f β) → f β

class Applicative (f : Type u → Type v) extends Functor f, Pure f, Seq f, SeqLeft f, SeqRight f where
  map := fun x y => seq (pure x) fun _ => y
  seqLeft := fun a b => seq (map (fun x _ => x) a) b
  seqRight := fun a b => seq (map (fun _ x => x) a) b

class Monad (m : Type u → Type v) extends Applicative m, Bind m where
  map := fun f x => bind x (fun y => pure (f y))
  seq := fun f x => bind f fun y => map y (x ())
  seqLeft := fun x y => bind x fun a => bind (y ()) (fun _ => pure a)
  seqRight := fun x y => bind x fun _ => y ()

class Alternative (f : Type u → Type v) extends Applicative f where
  failure {α : Type u} : f α
  orElse {α : Type u} : f α → (Unit → f α) → f α

instance instOrElseOfAlternative {f : Type u → Type v} {α : Type u} [Alternative f] : OrElse (f α) := ⟨fun a b => Alternative.orElse a b⟩

class MonadLift (m : semiOutParam (Type u → Type v)) (n : Type u → Type w) where
  monadLift {α : Type u} : m α → n α

class MonadLiftT (m : Type u → Type v) (n : Type u → Type w) where
  monadLift {α : Type u} : m α → n α

instance instMonadLiftT {m : Type u → Type v} : MonadLiftT m m := ⟨fun x => x⟩

instance instMonadLiftTOfMonadLift {m : Type u → Type v} {n : Type u → Type w} {o : Type u → Type x} [MonadLift n o] [MonadLiftT m n] : MonadLiftT m o := ⟨fun x => MonadLift.monadLift (m := n) (MonadLiftT.monadLift x)⟩

class MonadExceptOf (ε : semiOutParam (Type u)) (m : Type v → Type w) where
  throw {α : Type v} : ε → m α
  tryCatch {α : Type v} : m α → (ε → m α) → m α

class MonadExcept (ε : outParam (Type u)) (m : Type v → Type w) where
  throw {α : Type v} : ε → m α
  tryCatch {α : Type v} : m α → (ε → m α) → m α

instance instMonadExceptOfMonadExceptOf {ε : Type u} {m : Type v → Type w} [MonadExceptOf ε m] : MonadExcept ε m := ⟨fun e => MonadExceptOf.throw e, fun x h => MonadExceptOf.tryCatch x h⟩

class MonadStateOf (σ : semiOutParam (Type u)) (m : Type u → Type v) where
  get : m σ
  set : σ → m PUnit
  modifyGet {α : Type u} : (σ → Prod α σ) → m α

class MonadState (σ : outParam (Type u)) (m : Type u → Type v) where
  get : m σ
  set : σ → m PUnit
  modifyGet {α : Type u} : (σ → Prod α σ) → m α

instance instMonadStateOfMonadStateOf {σ : Type u} {m : Type u → Type v} [MonadStateOf σ m] : MonadState σ m := ⟨MonadStateOf.get, fun s => MonadStateOf.set s, fun f => MonadStateOf.modifyGet f⟩

def modify {σ : Type u} {m : Type u → Type v} [MonadState σ m] (f : σ → σ) : m PUnit := MonadState.modifyGet fun s => (PUnit.unit, f s)

def getModify {σ : Type u} {m : Type u → Type v} [MonadState σ m] (f : σ → σ) : m σ := MonadState.modifyGet fun s => (s, f s)

class MonadReaderOf (ρ : semiOutParam (Type u)) (m : Type u → Type v) where
  read : m ρ

class MonadReader (ρ : outParam (Type u)) (m : Type u → Type v) where
  read : m ρ

instance instMonadReaderOfMonadReaderOf {ρ : Type u} {m : Type u → Type v} [MonadReaderOf ρ m] : MonadReader ρ m := ⟨MonadReaderOf.read⟩

class MonadFinally (m : Type u → Type v) where
  tryFinally' {α β : Type u} : m α → (Option α → m β) → m (α × β)

def tryFinally {m : Type u → Type v} {α β : Type u} [MonadFinally m] [Functor m] (x : m α) (finalizer : m β) : m α := Functor.map (fun p => p.1) (MonadFinally.tryFinally' x fun _ => finalizer)

class ToStream (collection : Type u) (stream : outParam (Type v)) where
  toStream : collection → stream

class Stream (stream : Type u) (value : outParam (Type v)) where
  next? : stream → Option (value × stream)

instance instToStreamList {α : Type u} : ToStream (List α) (List α) := ⟨fun xs => xs⟩

instance instToStreamArray {α : Type u} : ToStream (Array α) (List α) := ⟨fun xs => xs.toList⟩

instance instToStreamRange : ToStream Std.Range Std.Range := ⟨fun r => r⟩

instance instStreamList {α : Type u} : Stream (List α) α := ⟨fun xs => match xs with
    | List.nil => none
    | List.cons x rest => some (x, rest)⟩

instance instStreamRange : Stream Std.Range Nat := ⟨fun r => if r.start < r.stop then some (r.start, Std.Range.mk (r.start + r.step) r.stop r.step (sorryAx _)) else none⟩

class ForIn (m : Type u → Type v) (ρ : Type w) (α : outParam (Type x)) where
  forIn {β : Type u} [Monad m] (xs : ρ) (b : β) (f : α → β → m (ForInStep β)) : m β

class ForIn' (m : Type u → Type v) (ρ : Type w) (α : outParam (Type x)) (d : outParam (Membership α ρ)) where
  forIn' {β : Type u} [Monad m] (xs : ρ) (b : β) (f : (a : α) → a ∈ xs → β → m (ForInStep β)) : m β

class ForM (m : Type u → Type v) (γ : Type w) (α : outParam (Type x)) where
  forM [Monad m] (xs : γ) (f : α → m PUnit) : m PUnit

instance Id.instMonad : Monad Id where
  pure := fun x => x
  bind := fun x f => f x
  map := fun f x => f x
  mapConst := fun a _ => a
  seq := fun f x => f (x ())
  seqLeft := fun x _ => x
  seqRight := fun _ y => y ()

instance Id.instOfNat {α : Type u} {n : Nat} [i : OfNat α n] : OfNat (Id α) n := ⟨i.ofNat⟩

def Option.bindInternal {α : Type u} {β : Type v} (o : Option α) (f : α → Option β) : Option β :=
  match o with
  | none => none
  | some a => f a

instance instMonadOption : Monad Option where
  pure := fun x => some x
  bind := fun x f => Option.bindInternal x f

instance instAlternativeOption : Alternative Option where
  toApplicative := Monad.toApplicative
  failure := none
  orElse := fun a b => match a with
    | none => b ()
    | some x => some x

instance instOrElseOption {α : Type u} : OrElse (Option α) := ⟨fun a b => match a with
    | none => b ()
    | some x => some x⟩

instance instMonadExceptOfUnitOption : MonadExceptOf Unit Option where
  throw := fun _ => none
  tryCatch := fun x h => match x with
    | none => h ()
    | some a => some a

def Except.bindInternal {ε : Type u} {α : Type v} {β : Type w} (x : Except ε α) (f : α → Except ε β) : Except ε β :=
  match x with
  | Except.error e => Except.error e
  | Except.ok a => f a

instance Except.instMonad {ε : Type u} : Monad (Except ε) where
  pure := fun x => Except.ok x
  bind := fun x f => Except.bindInternal x f

instance instMonadExceptOfExcept {ε : Type u} : MonadExceptOf ε (Except ε) where
  throw := fun e => Except.error e
  tryCatch := fun x h => match x with
    | Except.error e => h e
    | Except.ok a => Except.ok a

structure Std.Range where
  start : Nat := 0
  stop : Nat
  step : Nat := 1
  step_pos : 0 < step

inductive Lean.Loop where
  | mk

@[prim]
protected opaque List.forIn {m : Type u → Type v} {α : Type w} {β : Type u} [Monad m] (xs : List α) (b : β) (f : α → β → m (ForInStep β)) : m β

@[prim]
protected opaque Array.forIn {m : Type u → Type v} {α : Type w} {β : Type u} [Monad m] (xs : Array α) (b : β) (f : α → β → m (ForInStep β)) : m β

@[prim]
opaque Std.Range.forIn {m : Type u → Type v} {β : Type u} [Monad m] (range : Std.Range) (b : β) (f : Nat → β → m (ForInStep β)) : m β

@[prim]
opaque Lean.Loop.forIn {m : Type u → Type v} {β : Type u} [Monad m] (loop : Lean.Loop) (b : β) (f : Unit → β → m (ForInStep β)) : m β

instance List.instForInOfMonad {m : Type u → Type v} {α : Type w} : ForIn m (List α) α := ⟨fun xs b f => List.forIn xs b f⟩

instance Array.instForIn {m : Type u → Type v} {α : Type w} : ForIn m (Array α) α := ⟨fun xs b f => Array.forIn xs b f⟩

instance Std.Range.instForIn {m : Type u → Type v} : ForIn m Std.Range Nat := ⟨fun xs b f => Std.Range.forIn xs b f⟩

instance Lean.Loop.instForIn {m : Type u → Type v} : ForIn m Lean.Loop Unit := ⟨fun xs b f => Lean.Loop.forIn xs b f⟩

instance List.instForIn' {m : Type u → Type v} {α : Type w} : ForIn' m (List α) α inferInstance := ⟨fun xs b f => List.forIn xs b (fun a b => f a (sorryAx _) b)⟩

instance Array.instForIn' {m : Type u → Type v} {α : Type w} : ForIn' m (Array α) α inferInstance := ⟨fun xs b f => Array.forIn xs b (fun a b => f a (sorryAx _) b)⟩

instance Std.Range.instForIn' {m : Type u → Type v} : ForIn' m Std.Range Nat inferInstance := ⟨fun xs b f => Std.Range.forIn xs b (fun a b => f a (sorryAx _) b)⟩

instance Std.Range.instMembershipNat : Membership Nat Std.Range := ⟨fun r i => r.start ≤ i ∧ i < r.stop ∧ (i - r.start) % r.step = 0⟩

-- -------------------------------------------------------------------------------------------- decidable, generic

@[instance]
opaque instDecidableTrue : Decidable True

@[instance]
opaque instDecidableFalse : Decidable False

@[instance]
opaque instDecidableAnd {p q : Prop} [dp : Decidable p] [dq : Decidable q] : Decidable (p ∧ q)

@[instance]
opaque instDecidableOr {p q : Prop} [dp : Decidable p] [dq : Decidable q] : Decidable (p ∨ q)

@[instance]
opaque instDecidableNot {p : Prop} [dp : Decidable p] : Decidable (¬p)

@[instance]
opaque instDecidableForall {p q : Prop} [Decidable p] [Decidable q] : Decidable (p → q)

@[instance]
opaque instDecidableIff {p q : Prop} [Decidable p] [Decidable q] : Decidable (p ↔ q)

@[instance]
opaque instDecidableEqProp {p q : Prop} [Decidable p] [Decidable q] : Decidable (p = q)

@[instance]
opaque instDecidableIteProp {p q r : Prop} [Decidable p] [Decidable q] [Decidable r] : Decidable (if p then q else r)

@[instance]
opaque instDecidableDitePropOfDecidable {p : Prop} {q : p → Prop} {r : ¬p → Prop} [dp : Decidable p] [dq : (h : p) → Decidable (q h)] [dr : (h : ¬p) → Decidable (r h)] : Decidable (if h : p then q h else r h)

@[instance]
opaque instDecidableEqOfIff {α : Sort u} (a b : α) [DecidableEq α] : Decidable (a ≠ b)

@[instance, mathlib]
opaque Xor'.instDecidable {a b : Prop} [Decidable a] [Decidable b] : Decidable (Xor' a b)

@[instance]
opaque Nat.decidableBallLT (n : Nat) (P : (k : Nat) → k < n → Prop) [(i : Nat) → (h : i < n) → Decidable (P i h)] : Decidable (∀ (i : Nat) (h : i < n), P i h)

@[instance]
opaque Nat.decidableForallFin {n : Nat} (P : Fin n → Prop) [DecidablePred P] : Decidable (∀ i, P i)

@[instance]
opaque Nat.decidableBallLE (n : Nat) (P : (k : Nat) → k ≤ n → Prop) [(i : Nat) → (h : i ≤ n) → Decidable (P i h)] : Decidable (∀ (i : Nat) (h : i ≤ n), P i h)

@[instance]
opaque Nat.decidableExistsLT {P : Nat → Prop} [h : DecidablePred P] (n : Nat) : Decidable (∃ m, m < n ∧ P m)

@[instance]
opaque Nat.decidableExistsLE {P : Nat → Prop} [DecidablePred P] (n : Nat) : Decidable (∃ m, m ≤ n ∧ P m)

@[instance]
opaque Nat.decidableExistsFin {n : Nat} (P : Fin n → Prop) [DecidablePred P] : Decidable (∃ i, P i)

@[instance]
opaque List.decidableBEx {α : Type u} (p : α → Prop) [DecidablePred p] (l : List α) : Decidable (∃ x, x ∈ l ∧ p x)

@[instance]
opaque List.decidableBAll {α : Type u} (p : α → Prop) [DecidablePred p] (l : List α) : Decidable (∀ x, x ∈ l → p x)

@[instance]
opaque Bool.instDecidableForallOfDecidablePred {p : Bool → Prop} [DecidablePred p] : Decidable (∀ x, p x)

@[instance]
opaque Bool.instDecidableExistsOfDecidablePred {p : Bool → Prop} [DecidablePred p] : Decidable (∃ x, p x)

instance boolToProp : Coe Bool Prop := ⟨fun b => b = true⟩

instance boolToSort : CoeSort Bool Prop := ⟨fun b => b = true⟩

instance decPropToBool (p : Prop) [Decidable p] : CoeDep Prop p Bool := ⟨Decidable.decide p⟩

instance Decidable.predToBool {α : Type u} (p : α → Prop) [DecidablePred p] : CoeDep (α → Prop) p (α → Bool) := ⟨fun b => Decidable.decide (p b)⟩

instance optionCoe {α : Type u} : Coe α (Option α) := ⟨fun a => some a⟩

instance subtypeCoe {α : Sort u} {p : α → Prop} : CoeOut (Subtype p) α := ⟨fun v => v.val⟩

instance Nat.instCoeTail {R : Type u} [NatCast R] : CoeTail Nat R := ⟨fun n => Nat.cast n⟩

instance Nat.instCoeHTCT {R : Type u} [NatCast R] : CoeHTCT Nat R := ⟨fun n => Nat.cast n⟩

instance Int.instCoeTail {R : Type u} [IntCast R] : CoeTail Int R := ⟨fun n => Int.cast n⟩

instance Int.instCoeHTCT {R : Type u} [IntCast R] : CoeHTCT Int R := ⟨fun n => Int.cast n⟩

instance instNonemptyOfInhabited {α : Sort u} [Inhabited α] : Nonempty α := Nonempty.intro default

instance instInhabitedProp : Inhabited Prop := ⟨True⟩

instance instInhabitedSort : Inhabited (Type u) := ⟨PUnit⟩

instance instInhabitedForall {α : Sort u} {β : α → Sort v} [(a : α) → Inhabited (β a)] : Inhabited ((a : α) → β a) := ⟨fun _ => default⟩

instance instInhabitedOfMonad {α : Type u} {m : Type u → Type v} [Monad m] [Inhabited α] : Inhabited (m α) := ⟨pure default⟩

-- ---------------------------------------------------------------------------------------------------------- Unit

instance instInhabitedPUnit : Inhabited PUnit := ⟨PUnit.unit⟩

@[instance]
opaque instDecidableEqPUnit : DecidableEq PUnit

@[instance]
opaque instReprPUnit : Repr PUnit

instance instToStringPUnit : ToString PUnit := ⟨fun _ => "()"⟩

@[instance]
opaque instHashablePUnit : Hashable PUnit

@[instance]
opaque instDecidableEqEmpty : DecidableEq Empty

instance instOrdPUnit : Ord PUnit := ⟨fun _ _ => Ordering.eq⟩

-- ---------------------------------------------------------------------------------------------------------- Bool

instance instInhabitedBool : Inhabited Bool := ⟨false⟩

@[instance]
opaque instDecidableEqBool : DecidableEq Bool

@[instance]
opaque instReprBool : Repr Bool

instance instToStringBool : ToString Bool := ⟨fun b => cond b "true" "false"⟩

instance instToStringDecidable {p : Prop} : ToString (Decidable p) := ⟨fun h => @ite String p h "true" "false"⟩

@[instance]
opaque instHashableBool : Hashable Bool

@[prim]
opaque Bool.compareInternal (a b : Bool) : Ordering

instance instOrdBool : Ord Bool := ⟨Bool.compareInternal⟩

instance Bool.instLE : LE Bool := ⟨fun a b => a = true → b = true⟩

instance Bool.instLT : LT Bool := ⟨fun a b => a = false ∧ b = true⟩

instance Bool.instMax : Max Bool := ⟨or⟩

instance Bool.instMin : Min Bool := ⟨and⟩

@[instance]
opaque Bool.instDecidableLe (x y : Bool) : Decidable (x ≤ y)

@[instance]
opaque Bool.instDecidableLt (x y : Bool) : Decidable (x < y)

instance instXorOpBool : XorOp Bool := ⟨xor⟩

instance instAndOpBool : AndOp Bool := ⟨and⟩

instance instOrOpBool : OrOp Bool := ⟨or⟩

-- ----------------------------------------------------------------------------------------------------------- Nat

@[default_instance 100]
instance instOfNatNat (n : Nat) : OfNat Nat n := ⟨n⟩

@[prim]
protected opaque Nat.add (n m : Nat) : Nat

@[prim]
protected opaque Nat.sub (n m : Nat) : Nat

@[prim]
protected opaque Nat.mul (n m : Nat) : Nat

@[prim]
protected opaque Nat.div (x y : Nat) : Nat

@[prim]
protected opaque Nat.mod (x y : Nat) : Nat

@[prim]
protected opaque Nat.pow (m n : Nat) : Nat

@[prim]
opaque Nat.beq (n m : Nat) : Bool

@[prim]
opaque Nat.ble (n m : Nat) : Bool

@[prim]
opaque Nat.blt (n m : Nat) : Bool

@[prim]
opaque Nat.le (n m : Nat) : Prop

@[prim]
protected opaque Nat.lt (n m : Nat) : Prop

@[prim]
protected opaque Nat.max (n m : Nat) : Nat

@[prim]
protected opaque Nat.min (n m : Nat) : Nat

@[prim]
opaque Nat.land (n m : Nat) : Nat

@[prim]
opaque Nat.lor (n m : Nat) : Nat

@[prim]
opaque Nat.xor (n m : Nat) : Nat

@[prim]
opaque Nat.shiftLeft (n m : Nat) : Nat

@[prim]
opaque Nat.shiftRight (n m : Nat) : Nat

@[prim]
opaque Nat.dvdInternal (a b : Nat) : Prop

@[prim]
opaque Nat.compareInternal (a b : Nat) : Ordering

@[prim]
protected opaque Nat.repr (n : Nat) : String

instance instAddNat : Add Nat := ⟨Nat.add⟩

instance instSubNat : Sub Nat := ⟨Nat.sub⟩

instance instMulNat : Mul Nat := ⟨Nat.mul⟩

instance Nat.instDiv : Div Nat := ⟨Nat.div⟩

instance Nat.instMod : Mod Nat := ⟨Nat.mod⟩

instance instNatPowNat : NatPow Nat := ⟨Nat.pow⟩

instance instLTNat : LT Nat := ⟨Nat.lt⟩

instance instLENat : LE Nat := ⟨Nat.le⟩

instance Nat.instMax : Max Nat := ⟨Nat.max⟩

instance instMinNat : Min Nat := ⟨Nat.min⟩

instance Nat.instDvd : Dvd Nat := ⟨Nat.dvdInternal⟩

instance Nat.instAndOp : AndOp Nat := ⟨Nat.land⟩

instance Nat.instOrOp : OrOp Nat := ⟨Nat.lor⟩

instance Nat.instXorOp : XorOp Nat := ⟨Nat.xor⟩

instance Nat.instShiftLeft : ShiftLeft Nat := ⟨Nat.shiftLeft⟩

instance Nat.instShiftRight : ShiftRight Nat := ⟨Nat.shiftRight⟩

instance instInhabitedNat : Inhabited Nat := ⟨Nat.zero⟩

instance instOrdNat : Ord Nat := ⟨Nat.compareInternal⟩

instance instNatCastNat : NatCast Nat := ⟨fun n => n⟩

instance instZeroNat : Zero Nat := ⟨0⟩

instance instOneNat : One Nat := ⟨1⟩

@[instance]
opaque instDecidableEqNat : DecidableEq Nat

@[instance]
opaque Nat.decLt (n m : Nat) : Decidable (n < m)

@[instance]
opaque Nat.decLe (n m : Nat) : Decidable (n ≤ m)

@[instance]
opaque Nat.decidable_dvd_inst (a b : Nat) : Decidable (a ∣ b)

@[instance]
opaque instReprNat : Repr Nat

instance instToStringNat : ToString Nat := ⟨Nat.repr⟩

@[instance]
opaque instHashableNat : Hashable Nat

instance instSizeOfNat : SizeOf Nat := ⟨fun n => n⟩

-- ----------------------------------------------------------------------------------------------------------- Int

@[prim]
protected opaque Int.add (m n : Int) : Int

@[prim]
protected opaque Int.sub (m n : Int) : Int

@[prim]
protected opaque Int.mul (m n : Int) : Int

@[prim]
protected opaque Int.neg (n : Int) : Int

@[prim]
opaque Int.ediv (m n : Int) : Int

@[prim]
opaque Int.emod (m n : Int) : Int

@[prim]
protected opaque Int.pow (m : Int) (n : Nat) : Int

@[prim]
protected opaque Int.le (a b : Int) : Prop

@[prim]
protected opaque Int.lt (a b : Int) : Prop

@[prim]
opaque Int.maxInternal (a b : Int) : Int

@[prim]
opaque Int.minInternal (a b : Int) : Int

@[prim]
opaque Int.dvdInternal (a b : Int) : Prop

@[prim]
opaque Int.compareInternal (a b : Int) : Ordering

@[prim]
protected opaque Int.repr (n : Int) : String

@[prim]
protected opaque Int.shiftRight (m : Int) (n : Nat) : Int

@[prim]
protected opaque Int.not (m : Int) : Int

instance instOfNat {n : Nat} : OfNat Int n := ⟨Int.ofNat n⟩

@[default_instance mid]
instance Int.instNegInt : Neg Int := ⟨Int.neg⟩

instance Int.instAddInt : Add Int := ⟨Int.add⟩

instance Int.instSubInt : Sub Int := ⟨Int.sub⟩

instance Int.instMulInt : Mul Int := ⟨Int.mul⟩

instance Int.instDivInt : Div Int := ⟨Int.ediv⟩

instance Int.instModInt : Mod Int := ⟨Int.emod⟩

instance Int.instNatPow : NatPow Int := ⟨Int.pow⟩

instance Int.instLTInt : LT Int := ⟨Int.lt⟩

instance Int.instLEInt : LE Int := ⟨Int.le⟩

instance Int.instMaxInt : Max Int := ⟨Int.maxInternal⟩

instance Int.instMinInt : Min Int := ⟨Int.minInternal⟩

instance Int.instDvdInt : Dvd Int := ⟨Int.dvdInternal⟩

instance Int.instComplement : Complement Int := ⟨Int.not⟩

instance Int.instHShiftRightNat : HShiftRight Int Nat Int := ⟨Int.shiftRight⟩

instance instInhabitedInt : Inhabited Int := ⟨0⟩

instance instOrdInt : Ord Int := ⟨Int.compareInternal⟩

instance instNatCastInt : NatCast Int := ⟨Int.ofNat⟩

instance instIntCastInt : IntCast Int := ⟨fun n => n⟩

instance Int.instZero : Zero Int := ⟨0⟩

instance Int.instOne : One Int := ⟨1⟩

@[instance]
opaque Int.instDecidableEq : DecidableEq Int

@[instance]
opaque Int.instDecidableLt (a b : Int) : Decidable (a < b)

@[instance]
opaque Int.instDecidableLe (a b : Int) : Decidable (a ≤ b)

@[instance]
opaque Int.instDecidableDvd (a b : Int) : Decidable (a ∣ b)

@[instance]
opaque instReprInt : Repr Int

instance instToStringInt : ToString Int := ⟨Int.repr⟩

@[instance]
opaque instHashableInt : Hashable Int

-- ---------------------------------------------------------------------------------------------------------- Char

@[prim]
opaque Char.ofNat (n : Nat) : Char

@[prim]
opaque Char.toNat (c : Char) : Nat

@[prim]
protected opaque Char.lt (a b : Char) : Prop

@[prim]
protected opaque Char.le (a b : Char) : Prop

@[prim]
opaque Char.compareInternal (a b : Char) : Ordering

@[prim]
protected opaque Char.toString (c : Char) : String

instance Char.instLT : LT Char := ⟨Char.lt⟩

instance Char.instLE : LE Char := ⟨Char.le⟩

instance instInhabitedChar : Inhabited Char := ⟨'A'⟩

instance instOrdChar : Ord Char := ⟨Char.compareInternal⟩

@[mathlib]
instance Char.instMax : Max Char := ⟨fun a b => if a ≤ b then b else a⟩

@[mathlib]
instance Char.instMin : Min Char := ⟨fun a b => if a ≤ b then a else b⟩

@[instance]
opaque instDecidableEqChar : DecidableEq Char

@[instance]
opaque Char.instDecidableLt (a b : Char) : Decidable (a < b)

@[instance]
opaque Char.instDecidableLe (a b : Char) : Decidable (a ≤ b)

@[instance]
opaque instReprChar : Repr Char

instance instToStringChar : ToString Char := ⟨Char.toString⟩

@[instance]
opaque instHashableChar : Hashable Char

-- -------------------------------------------------------------------------------------------------------- String

@[prim]
protected opaque String.append (s t : String) : String

@[prim]
protected opaque String.lt (s t : String) : Prop

@[prim]
protected opaque String.le (s t : String) : Prop

@[prim]
opaque String.compareInternal (a b : String) : Ordering

instance String.instAppend : Append String := ⟨String.append⟩

instance String.instLT : LT String := ⟨String.lt⟩

instance String.instLE : LE String := ⟨String.le⟩

instance instInhabitedString : Inhabited String := ⟨""⟩

instance instOrdString : Ord String := ⟨String.compareInternal⟩

@[instance]
opaque instDecidableEqString : DecidableEq String

@[instance]
opaque String.decidableLT (s t : String) : Decidable (s < t)

@[instance]
opaque String.decLE (s t : String) : Decidable (s ≤ t)

@[instance]
opaque instReprString : Repr String

instance instToStringString : ToString String := ⟨fun s => s⟩

@[instance]
opaque instHashableString : Hashable String

-- ---------------------------------------------------------------------------------------------------------- List

@[prim]
opaque List.Mem {α : Type u} (a : α) (as : List α) : Prop

@[prim]
protected opaque List.append {α : Type u} (xs ys : List α) : List α

@[prim]
protected opaque List.beq {α : Type u} [BEq α] (xs ys : List α) : Bool

@[prim]
opaque List.length {α : Type u} (as : List α) : Nat

@[prim]
opaque List.get {α : Type u} (as : List α) (i : Fin as.length) : α

@[prim]
opaque List.getInternal {α : Type u} (as : List α) (i : Nat) (h : i < as.length) : α

@[prim]
opaque List.get?Internal {α : Type u} (as : List α) (i : Nat) : Option α

@[prim]
opaque List.get!Internal {α : Type u} [Inhabited α] (as : List α) (i : Nat) : α

@[prim]
protected opaque List.lt {α : Type u} [LT α] (xs ys : List α) : Prop

@[prim]
protected opaque List.le {α : Type u} [LT α] (xs ys : List α) : Prop

@[prim]
opaque List.compareLex {α : Type u} (cmp : α → α → Ordering) (xs ys : List α) : Ordering

protected def List.Subset {α : Type u} (xs ys : List α) : Prop := ∀ a, a ∈ xs → a ∈ ys

@[prim]
protected opaque List.insert {α : Type u} [BEq α] (a : α) (l : List α) : List α

@[prim]
protected opaque List.union {α : Type u} [BEq α] (xs ys : List α) : List α

@[prim]
protected opaque List.inter {α : Type u} [BEq α] (xs ys : List α) : List α

@[prim]
opaque List.toStringInternal {α : Type u} [ToString α] (xs : List α) : String

instance List.instMembership {α : Type u} : Membership α (List α) := ⟨fun l a => List.Mem a l⟩

instance List.instAppend {α : Type u} : Append (List α) := ⟨List.append⟩

instance List.instBEq {α : Type u} [BEq α] : BEq (List α) := ⟨List.beq⟩

instance List.instGetElemNatLtLength {α : Type u} : GetElem (List α) Nat α (fun as i => i < as.length) := ⟨fun as i h => List.getInternal as i h⟩

instance List.instGetElem?NatLtLength {α : Type u} : GetElem? (List α) Nat α (fun as i => i < as.length) where
  getElem := fun as i h => List.getInternal as i h
  getElem? := fun as i => List.get?Internal as i
  getElem! := fun as i => List.get!Internal as i

instance List.instLT {α : Type u} [LT α] : LT (List α) := ⟨List.lt⟩

instance List.instLE {α : Type u} [LT α] : LE (List α) := ⟨List.le⟩

instance List.instOrd {α : Type u} [Ord α] : Ord (List α) := ⟨fun a b => List.compareLex compare a b⟩

instance List.instHasSubset {α : Type u} : HasSubset (List α) := ⟨List.Subset⟩

instance instInhabitedList {α : Type u} : Inhabited (List α) := ⟨[]⟩

instance List.instEmptyCollection {α : Type u} : EmptyCollection (List α) := ⟨[]⟩

@[mathlib]
instance List.instSingletonList {α : Type u} : Singleton α (List α) := ⟨fun a => [a]⟩

@[mathlib]
instance List.instInsertOfDecidableEq_mathlib {α : Type u} [DecidableEq α] : Insert α (List α) := ⟨List.insert⟩

@[mathlib]
instance List.instUnionOfBEq {α : Type u} [BEq α] : Union (List α) := ⟨List.union⟩

@[mathlib]
instance List.instInterOfBEq {α : Type u} [BEq α] : Inter (List α) := ⟨List.inter⟩

@[instance]
opaque instDecidableEqList {α : Type u} [DecidableEq α] : DecidableEq (List α)

@[instance]
opaque List.instDecidableMemOfLawfulBEq {α : Type u} [BEq α] [LawfulBEq α] (a : α) (as : List α) : Decidable (a ∈ as)

@[instance]
opaque List.decidableLT {α : Type u} [DecidableEq α] [LT α] [DecidableLT α] (l₁ l₂ : List α) : Decidable (l₁ < l₂)

@[instance]
opaque List.decidableLE {α : Type u} [DecidableEq α] [LT α] [DecidableLT α] (l₁ l₂ : List α) : Decidable (l₁ ≤ l₂)

@[instance]
opaque List.instDecidableSubset {α : Type u} [DecidableEq α] (l₁ l₂ : List α) : Decidable (l₁ ⊆ l₂)

@[instance]
opaque List.instRepr {α : Type u} [Repr α] : Repr (List α)

instance List.instToString {α : Type u} [ToString α] : ToString (List α) := ⟨List.toStringInternal⟩

@[instance]
opaque List.instHashable {α : Type u} [Hashable α] : Hashable (List α)

-- --------------------------------------------------------------------------------------------------------- Array

@[prim]
opaque Array.size {α : Type u} (xs : Array α) : Nat

@[prim]
opaque Array.getInternal {α : Type u} (xs : Array α) (i : Nat) (h : i < xs.size) : α

@[prim]
opaque Array.get?Internal {α : Type u} (xs : Array α) (i : Nat) : Option α

@[prim]
opaque Array.get!Internal {α : Type u} [Inhabited α] (xs : Array α) (i : Nat) : α

@[prim]
opaque Array.Mem {α : Type u} (as : Array α) (a : α) : Prop

@[prim]
protected opaque Array.append {α : Type u} (as bs : Array α) : Array α

@[prim]
opaque Array.appendList {α : Type u} (as : Array α) (bs : List α) : Array α

@[prim]
opaque Array.isEqvInternal {α : Type u} [BEq α] (xs ys : Array α) : Bool

@[prim]
opaque Array.toStringInternal {α : Type u} [ToString α] (xs : Array α) : String

instance Array.instMembership {α : Type u} : Membership α (Array α) := ⟨fun as a => Array.Mem as a⟩

instance Array.instAppend {α : Type u} : Append (Array α) := ⟨Array.append⟩

instance Array.instHAppendList {α : Type u} : HAppend (Array α) (List α) (Array α) := ⟨Array.appendList⟩

instance Array.instBEq {α : Type u} [BEq α] : BEq (Array α) := ⟨Array.isEqvInternal⟩

instance Array.instGetElemNatLtSize {α : Type u} : GetElem (Array α) Nat α (fun xs i => i < xs.size) := ⟨fun xs i h => Array.getInternal xs i h⟩

instance Array.instGetElem?NatLtSize {α : Type u} : GetElem? (Array α) Nat α (fun xs i => i < xs.size) where
  getElem := fun xs i h => Array.getInternal xs i h
  getElem? := fun xs i => Array.get?Internal xs i
  getElem! := fun xs i => Array.get!Internal xs i

instance Array.instLT {α : Type u} [LT α] : LT (Array α) := ⟨fun as bs => as.toList < bs.toList⟩

instance Array.instLE {α : Type u} [LT α] : LE (Array α) := ⟨fun as bs => as.toList ≤ bs.toList⟩

instance Array.instOrd {α : Type u} [Ord α] : Ord (Array α) := ⟨fun a b => List.compareLex compare a.toList b.toList⟩

instance Array.instInhabited {α : Type u} : Inhabited (Array α) := ⟨#[]⟩

instance Array.instEmptyCollection {α : Type u} : EmptyCollection (Array α) := ⟨#[]⟩

@[instance]
opaque instDecidableEqArray {α : Type u} [DecidableEq α] : DecidableEq (Array α)

@[instance]
opaque Array.instDecidableMemOfLawfulBEq {α : Type u} [BEq α] [LawfulBEq α] (a : α) (as : Array α) : Decidable (a ∈ as)

@[instance]
opaque Array.instDecidableForallMem {α : Type u} (p : α → Prop) [DecidablePred p] (xs : Array α) : Decidable (∀ x, x ∈ xs → p x)

@[instance]
opaque Array.instDecidableExistsMem {α : Type u} (p : α → Prop) [DecidablePred p] (xs : Array α) : Decidable (∃ x, x ∈ xs ∧ p x)

@[instance]
opaque Array.instDecidableLt {α : Type u} [DecidableEq α] [LT α] [DecidableLT α] (as bs : Array α) : Decidable (as < bs)

@[instance]
opaque Array.instDecidableLe {α : Type u} [DecidableEq α] [LT α] [DecidableLT α] (as bs : Array α) : Decidable (as ≤ bs)

@[instance]
opaque Array.instRepr {α : Type u} [Repr α] : Repr (Array α)

instance Array.instToString {α : Type u} [ToString α] : ToString (Array α) := ⟨Array.toStringInternal⟩

@[instance]
opaque Array.instHashable {α : Type u} [Hashable α] : Hashable (Array α)

-- -------------------------------------------------------------------------------------------------------- Option

def Option.beqInternal {α : Type u} [BEq α] (x y : Option α) : Bool :=
  match x, y with
  | none, none => true
  | some a, some b => a == b
  | _, _ => false

protected def Option.lt {α : Type u} {β : Type v} (r : α → β → Prop) (x : Option α) (y : Option β) : Prop :=
  match x, y with
  | none, some _ => True
  | some a, some b => r a b
  | _, _ => False

protected def Option.le {α : Type u} {β : Type v} (r : α → β → Prop) (x : Option α) (y : Option β) : Prop :=
  match x, y with
  | none, _ => True
  | some a, some b => r a b
  | some _, none => False

def Option.toStringInternal {α : Type u} [ToString α] (x : Option α) : String :=
  match x with
  | none => "none"
  | some a => "(some " ++ toString a ++ ")"

def Option.compareInternal {α : Type u} [Ord α] (x y : Option α) : Ordering :=
  match x, y with
  | none, none => Ordering.eq
  | none, some _ => Ordering.lt
  | some _, none => Ordering.gt
  | some a, some b => compare a b

instance instBEqOption {α : Type u} [BEq α] : BEq (Option α) := ⟨Option.beqInternal⟩

instance Option.instMembership {α : Type u} : Membership α (Option α) := ⟨fun o a => o = some a⟩

instance instLTOption {α : Type u} [LT α] : LT (Option α) := ⟨Option.lt (fun a b => a < b)⟩

instance instLEOption {α : Type u} [LE α] : LE (Option α) := ⟨Option.le (fun a b => a ≤ b)⟩

instance instInhabitedOption {α : Type u} : Inhabited (Option α) := ⟨none⟩

instance instOrdOption {α : Type u} [Ord α] : Ord (Option α) := ⟨Option.compareInternal⟩

@[instance]
opaque instDecidableEqOption {α : Type u} [DecidableEq α] : DecidableEq (Option α)

@[instance]
opaque Option.instDecidableMem {α : Type u} [DecidableEq α] (a : α) (o : Option α) : Decidable (a ∈ o)

@[instance]
opaque Option.decidableForallMem {α : Type u} {p : α → Prop} [DecidablePred p] (o : Option α) : Decidable (∀ a, a ∈ o → p a)

@[instance]
opaque Option.decidableExistsMem {α : Type u} {p : α → Prop} [DecidablePred p] (o : Option α) : Decidable (∃ a, a ∈ o ∧ p a)

@[instance]
opaque Option.decidableLT {α : Type u} [LT α] [DecidableLT α] (x y : Option α) : Decidable (x < y)

@[instance]
opaque instReprOption {α : Type u} [Repr α] : Repr (Option α)

instance instToStringOption {α : Type u} [ToString α] : ToString (Option α) := ⟨Option.toStringInternal⟩

@[instance]
opaque instHashableOption {α : Type u} [Hashable α] : Hashable (Option α)

-- ---------------------------------------------------------------------------------------------------- Prod, Sum …

def Prod.lexLt {α : Type u} {β : Type v} [LT α] [LT β] (s t : α × β) : Prop := s.1 < t.1 ∨ (s.1 = t.1 ∧ s.2 < t.2)

instance instBEqProd {α : Type u} {β : Type v} [BEq α] [BEq β] : BEq (α × β) := ⟨fun x y => x.1 == y.1 && x.2 == y.2⟩

instance Prod.instLT {α : Type u} {β : Type v} [LT α] [LT β] : LT (α × β) := ⟨Prod.lexLt⟩

instance instInhabitedProd {α : Type u} {β : Type v} [Inhabited α] [Inhabited β] : Inhabited (α × β) := ⟨(default, default)⟩

def lexOrd {α : Type u} {β : Type v} [Ord α] [Ord β] : Ord (α × β) := ⟨fun x y => match compare x.1 y.1 with
    | Ordering.eq => compare x.2 y.2
    | o => o⟩

@[instance]
opaque instDecidableEqProd {α : Type u} {β : Type v} [DecidableEq α] [DecidableEq β] : DecidableEq (α × β)

@[instance]
opaque prodHasDecidableLt {α : Type u} {β : Type v} [LT α] [LT β] [DecidableEq α] [DecidableLT α] [DecidableLT β] (s t : α × β) : Decidable (s < t)

@[instance]
opaque instReprProd {α : Type u} {β : Type v} [Repr α] [Repr β] : Repr (α × β)

instance instToStringProd {α : Type u} {β : Type v} [ToString α] [ToString β] : ToString (α × β) := ⟨fun p => "(" ++ toString p.1 ++ ", " ++ toString p.2 ++ ")"⟩

@[instance]
opaque instHashableProd {α : Type u} {β : Type v} [Hashable α] [Hashable β] : Hashable (α × β)

instance Sum.inhabitedLeft {α : Type u} {β : Type v} [Inhabited α] : Inhabited (Sum α β) := ⟨Sum.inl default⟩

@[instance]
opaque instDecidableEqSum {α : Type u} {β : Type v} [DecidableEq α] [DecidableEq β] : DecidableEq (Sum α β)

@[instance]
opaque instReprSum {α : Type u} {β : Type v} [Repr α] [Repr β] : Repr (Sum α β)

@[instance]
opaque instDecidableEqSigma {α : Type u} {β : α → Type v} [DecidableEq α] [(a : α) → DecidableEq (β a)] : DecidableEq (Sigma β)

@[instance]
opaque instDecidableEqSubtype {α : Type u} {p : α → Prop} [DecidableEq α] : DecidableEq (Subtype p)

instance Subtype.instBEq {α : Type u} {p : α → Prop} [BEq α] : BEq (Subtype p) := ⟨fun x y => x.val == y.val⟩

@[instance]
opaque instReprSubtype {α : Type u} {p : α → Prop} [Repr α] : Repr (Subtype p)

instance instToStringSubtype {α : Type u} {p : α → Prop} [ToString α] : ToString (Subtype p) := ⟨fun s => toString s.val⟩

instance Subtype.instLT {α : Type u} {p : α → Prop} [LT α] : LT (Subtype p) := ⟨fun x y => x.val < y.val⟩

instance Subtype.instLE {α : Type u} {p : α → Prop} [LE α] : LE (Subtype p) := ⟨fun x y => x.val ≤ y.val⟩

instance instInhabitedExcept {ε : Type u} {α : Type v} [Inhabited ε] : Inhabited (Except ε α) := ⟨Except.error default⟩

@[instance]
opaque instDecidableEqExcept {ε : Type u} {α : Type v} [DecidableEq ε] [DecidableEq α] : DecidableEq (Except ε α)

@[instance]
opaque instReprExcept {ε : Type u} {α : Type v} [Repr ε] [Repr α] : Repr (Except ε α)

instance instToStringExcept {ε : Type u} {α : Type v} [ToString ε] [ToString α] : ToString (Except ε α) := ⟨fun x => match x with
    | Except.error e => "error: " ++ toString e
    | Except.ok a => "ok: " ++ toString a⟩

instance instInhabitedOrdering : Inhabited Ordering := ⟨Ordering.lt⟩

@[instance]
opaque instDecidableEqOrdering : DecidableEq Ordering

@[instance]
opaque instReprOrdering : Repr Ordering

-- ----------------------------------------------------------------------------------------------------------- Fin

@[prim]
opaque Fin.ofNatInternal (n i : Nat) : Fin n

@[prim]
protected opaque Fin.add {n : Nat} (a b : Fin n) : Fin n

@[prim]
protected opaque Fin.sub {n : Nat} (a b : Fin n) : Fin n

@[prim]
protected opaque Fin.mul {n : Nat} (a b : Fin n) : Fin n

@[prim]
protected opaque Fin.div {n : Nat} (a b : Fin n) : Fin n

@[prim]
protected opaque Fin.mod {n : Nat} (a b : Fin n) : Fin n

instance Fin.instOfNat {n : Nat} [NeZero n] {i : Nat} : OfNat (Fin n) i := ⟨Fin.ofNatInternal n i⟩

instance Fin.instAdd {n : Nat} : Add (Fin n) := ⟨Fin.add⟩

instance Fin.instSub {n : Nat} : Sub (Fin n) := ⟨Fin.sub⟩

instance Fin.instMul {n : Nat} : Mul (Fin n) := ⟨Fin.mul⟩

instance Fin.instDiv {n : Nat} : Div (Fin n) := ⟨Fin.div⟩

instance Fin.instMod {n : Nat} : Mod (Fin n) := ⟨Fin.mod⟩

instance instLTFin {n : Nat} : LT (Fin n) := ⟨fun a b => a.val < b.val⟩

instance instLEFin {n : Nat} : LE (Fin n) := ⟨fun a b => a.val ≤ b.val⟩

instance Fin.instMax {n : Nat} : Max (Fin n) := ⟨fun a b => if a.val ≤ b.val then b else a⟩

instance Fin.instMin {n : Nat} : Min (Fin n) := ⟨fun a b => if a.val ≤ b.val then a else b⟩

instance Fin.instInhabited {n : Nat} [NeZero n] : Inhabited (Fin n) := ⟨Fin.ofNatInternal n 0⟩

instance instOrdFin {n : Nat} : Ord (Fin n) := ⟨fun a b => compare a.val b.val⟩

instance Fin.coeToNat {n : Nat} : CoeOut (Fin n) Nat := ⟨fun i => i.val⟩

instance Fin.instGetElemFinVal {cont : Type u} {elem : Type v} {dom : cont → Nat → Prop} {n : Nat} [GetElem cont Nat elem dom] : GetElem cont (Fin n) elem (fun xs i => dom xs i.val) := ⟨fun xs i h => GetElem.getElem xs i.val h⟩

instance Fin.instGetElem?FinVal {cont : Type u} {elem : Type v} {dom : cont → Nat → Prop} {n : Nat} [GetElem? cont Nat elem dom] : GetElem? cont (Fin n) elem (fun xs i => dom xs i.val) where
  getElem := fun xs i h => GetElem.getElem xs i.val h
  getElem? := fun xs i => GetElem?.getElem? xs i.val
  getElem! := fun xs i => GetElem?.getElem! xs i.val

@[instance]
opaque instDecidableEqFin (n : Nat) : DecidableEq (Fin n)

@[instance]
opaque Fin.decLt {n : Nat} (a b : Fin n) : Decidable (a < b)

@[instance]
opaque Fin.decLe {n : Nat} (a b : Fin n) : Decidable (a ≤ b)

@[instance]
opaque instReprFin (n : Nat) : Repr (Fin n)

instance instToStringFin (n : Nat) : ToString (Fin n) := ⟨fun i => toString i.val⟩

@[instance]
opaque instHashableFin {n : Nat} : Hashable (Fin n)
