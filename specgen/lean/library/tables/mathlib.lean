-- Batteries and Mathlib: classes of numbers and orders, sets, finite sets, multisets, more functions of `List`.

-- ------------------------------------------------------------------------------------------- order and algebra

@[mathlib]
class Bot (α : Type u) where
  bot : α

@[mathlib]
class Top (α : Type u) where
  top : α

@[mathlib]
class HasCompl (α : Type u) where
  compl : α → α

@[mathlib]
class Preorder (α : Type u) extends LE α, LT α

@[mathlib]
class PartialOrder (α : Type u) extends Preorder α

@[mathlib]
class LinearOrder (α : Type u) extends PartialOrder α, Min α, Max α

@[mathlib, instance]
opaque LinearOrder.decidableLEInternal {α : Type u} [LinearOrder α] (a b : α) : Decidable (a ≤ b)

@[mathlib, instance]
opaque LinearOrder.decidableLTInternal {α : Type u} [LinearOrder α] (a b : α) : Decidable (a < b)

@[mathlib, instance]
opaque LinearOrder.decidableEqInternal {α : Type u} [LinearOrder α] : DecidableEq α

@[mathlib]
class AddMonoid (M : Type u) extends Add M, Zero M

@[mathlib]
class AddCommMonoid (M : Type u) extends AddMonoid M

@[mathlib]
class AddGroup (G : Type u) extends AddMonoid G, Neg G, Sub G

@[mathlib]
class Monoid (M : Type u) extends Mul M, One M

@[mathlib]
class CommMonoid (M : Type u) extends Monoid M

@[mathlib]
class Semiring (R : Type u) extends AddCommMonoid R, Monoid R, NatCast R

@[mathlib]
class CommSemiring (R : Type u) extends Semiring R

@[mathlib]
class Ring (R : Type u) extends Semiring R, Neg R, Sub R, IntCast R

@[mathlib]
class CommRing (R : Type u) extends Ring R

@[mathlib]
class Field (K : Type u) extends CommRing K, Inv K, Div K

@[mathlib]
instance Nat.instLinearOrder : LinearOrder Nat where
  le := Nat.le
  lt := Nat.lt
  min := Nat.min
  max := Nat.max

@[mathlib]
instance Int.instLinearOrder : LinearOrder Int where
  le := Int.le
  lt := Int.lt
  min := Int.minInternal
  max := Int.maxInternal

@[mathlib]
instance Rat.linearOrder : LinearOrder Rat where
  le := Rat.le
  lt := Rat.ltInternal
  min := fun a b => if a ≤ b then a else b
  max := fun a b => if a ≤ b then b else a

@[mathlib]
instance Nat.instCommSemiring : CommSemiring Nat where
  add := Nat.add
  zero := 0
  mul := Nat.mul
  one := 1
  natCast := fun n => n

@[mathlib]
instance Nat.instCommMonoid : CommMonoid Nat where
  mul := Nat.mul
  one := 1

@[mathlib]
instance Int.instCommRing : CommRing Int where
  add := Int.add
  zero := 0
  mul := Int.mul
  one := 1
  natCast := Int.ofNat
  neg := Int.neg
  sub := Int.sub
  intCast := fun n => n

@[mathlib]
instance Int.instCommMonoid : CommMonoid Int where
  mul := Int.mul
  one := 1

@[mathlib]
instance Int.instAddGroup : AddGroup Int where
  add := Int.add
  zero := 0
  neg := Int.neg
  sub := Int.sub

@[mathlib]
instance Rat.instField : Field Rat where
  add := Rat.add
  zero := Rat.ofInt 0
  mul := Rat.mul
  one := Rat.ofInt 1
  natCast := fun n => Rat.ofInt (Int.ofNat n)
  neg := Rat.neg
  sub := Rat.sub
  intCast := Rat.ofInt
  inv := Rat.inv
  div := Rat.div

@[mathlib]
instance Rat.instCommMonoid : CommMonoid Rat where
  mul := Rat.mul
  one := Rat.ofInt 1

@[mathlib]
instance Rat.instAddGroup : AddGroup Rat where
  add := Rat.add
  zero := Rat.ofInt 0
  neg := Rat.neg
  sub := Rat.sub

@[mathlib]
def abs {α : Type u} [Max α] [AddGroup α] (a : α) : α := max a (-a)

@[mathlib]
def Monotone {α : Type u} {β : Type v} [LE α] [LE β] (f : α → β) : Prop := ∀ a b, a ≤ b → f a ≤ f b

@[mathlib]
def Antitone {α : Type u} {β : Type v} [LE α] [LE β] (f : α → β) : Prop := ∀ a b, a ≤ b → f b ≤ f a

@[mathlib]
def StrictMono {α : Type u} {β : Type v} [LT α] [LT β] (f : α → β) : Prop := ∀ a b, a < b → f a < f b

@[mathlib]
def StrictAnti {α : Type u} {β : Type v} [LT α] [LT β] (f : α → β) : Prop := ∀ a b, a < b → f b < f a

@[mathlib]
def IsUnit {M : Type u} [Mul M] [One M] (a : M) : Prop := ∃ b, a * b = One.one ∧ b * a = One.one

@[mathlib, prim]
opaque Squarefree {R : Type u} [Mul R] [One R] (r : R) : Prop

@[mathlib]
def IsCoprime {R : Type u} [Add R] [Mul R] [One R] (x y : R) : Prop := ∃ a b, a * x + b * y = One.one

@[mathlib, prim]
opaque Int.floor {α : Type u} [FloorRingInternal α] (a : α) : Int

@[mathlib, prim]
opaque Int.ceil {α : Type u} [FloorRingInternal α] (a : α) : Int

@[mathlib, prim]
opaque Int.fract {α : Type u} [FloorRingInternal α] (a : α) : α

@[mathlib, prim]
opaque round {α : Type u} [FloorRingInternal α] (a : α) : Int

@[mathlib, prim]
opaque Nat.floor {α : Type u} [FloorRingInternal α] (a : α) : Nat

@[mathlib, prim]
opaque Nat.ceil {α : Type u} [FloorRingInternal α] (a : α) : Nat

@[mathlib]
class FloorRingInternal (α : Type u) where
  floor : α → Int

@[mathlib]
instance Rat.instFloorRing : FloorRingInternal Rat := ⟨Rat.floor⟩

@[mathlib]
instance Int.instFloorRing : FloorRingInternal Int := ⟨fun n => n⟩

-- ------------------------------------------------------------------------------------------- WithBot, WithTop

@[mathlib]
def WithBot (α : Type u) : Type u := Option α

@[mathlib]
def WithTop (α : Type u) : Type u := Option α

@[mathlib]
def WithBot.some {α : Type u} (a : α) : WithBot α := Option.some a

@[mathlib]
def WithTop.some {α : Type u} (a : α) : WithTop α := Option.some a

@[mathlib]
instance WithBot.instBot {α : Type u} : Bot (WithBot α) := ⟨(Option.none : Option α)⟩

@[mathlib]
instance WithTop.instTop {α : Type u} : Top (WithTop α) := ⟨(Option.none : Option α)⟩

@[mathlib]
instance WithBot.coe {α : Type u} : Coe α (WithBot α) := ⟨fun a => WithBot.some a⟩

@[mathlib]
instance WithTop.coe {α : Type u} : Coe α (WithTop α) := ⟨fun a => WithTop.some a⟩

@[mathlib]
instance WithBot.instOfNat {α : Type u} {n : Nat} [i : OfNat α n] : OfNat (WithBot α) n := ⟨WithBot.some i.ofNat⟩

@[mathlib]
instance WithTop.instOfNat {α : Type u} {n : Nat} [i : OfNat α n] : OfNat (WithTop α) n := ⟨WithTop.some i.ofNat⟩

@[mathlib, instance]
opaque WithBot.instDecidableEq {α : Type u} [DecidableEq α] : DecidableEq (WithBot α)

@[mathlib, instance]
opaque WithTop.instDecidableEq {α : Type u} [DecidableEq α] : DecidableEq (WithTop α)

@[mathlib]
def WithBot.unbotD {α : Type u} (d : α) (x : WithBot α) : α := match (x : Option α) with
  | Option.none => d
  | Option.some a => a

@[mathlib]
def WithBot.unbot {α : Type u} (x : WithBot α) (h : x ≠ Bot.bot) : α := match (x : Option α) with
  | Option.none => sorryAx _
  | Option.some a => a

@[mathlib]
def WithTop.untopD {α : Type u} (d : α) (x : WithTop α) : α := match (x : Option α) with
  | Option.none => d
  | Option.some a => a

@[mathlib]
def WithTop.untop {α : Type u} (x : WithTop α) (h : x ≠ Top.top) : α := match (x : Option α) with
  | Option.none => sorryAx _
  | Option.some a => a

@[mathlib]
def WithBot.leInternal {α : Type u} [LE α] (x y : Option α) : Prop := match x, y with
  | Option.none, _ => True
  | Option.some _, Option.none => False
  | Option.some a, Option.some b => a ≤ b

@[mathlib]
def WithBot.ltInternal {α : Type u} [LT α] (x y : Option α) : Prop := match x, y with
  | Option.none, Option.some _ => True
  | Option.some a, Option.some b => a < b
  | _, Option.none => False

@[mathlib]
def WithTop.leInternal {α : Type u} [LE α] (x y : Option α) : Prop := match x, y with
  | _, Option.none => True
  | Option.none, Option.some _ => False
  | Option.some a, Option.some b => a ≤ b

@[mathlib]
def WithTop.ltInternal {α : Type u} [LT α] (x y : Option α) : Prop := match x, y with
  | Option.some _, Option.none => True
  | Option.some a, Option.some b => a < b
  | Option.none, _ => False

@[mathlib]
instance WithBot.instLE {α : Type u} [LE α] : LE (WithBot α) := ⟨fun x y => WithBot.leInternal x y⟩

@[mathlib]
instance WithBot.instLT {α : Type u} [LT α] : LT (WithBot α) := ⟨fun x y => WithBot.ltInternal x y⟩

@[mathlib]
instance WithTop.instLE {α : Type u} [LE α] : LE (WithTop α) := ⟨fun x y => WithTop.leInternal x y⟩

@[mathlib]
instance WithTop.instLT {α : Type u} [LT α] : LT (WithTop α) := ⟨fun x y => WithTop.ltInternal x y⟩

@[mathlib, instance]
opaque WithBot.instDecidableLE {α : Type u} [LE α] [DecidableLE α] (x y : WithBot α) : Decidable (x ≤ y)

@[mathlib, instance]
opaque WithBot.instDecidableLT {α : Type u} [LT α] [DecidableLT α] (x y : WithBot α) : Decidable (x < y)

-- --------------------------------------------------------------------------------------------------------- Set

@[mathlib]
def Set (α : Type u) : Type u := α → Prop

@[mathlib]
def setOf {α : Type u} (p : α → Prop) : Set α := p

@[mathlib]
def Set.Mem {α : Type u} (s : Set α) (a : α) : Prop := s a

@[mathlib]
instance Set.instMembership {α : Type u} : Membership α (Set α) := ⟨fun s a => s a⟩

@[mathlib]
def Set.Subset {α : Type u} (s t : Set α) : Prop := ∀ a, a ∈ s → a ∈ t

@[mathlib]
instance Set.instHasSubset {α : Type u} : HasSubset (Set α) := ⟨Set.Subset⟩

@[mathlib]
instance Set.instLE {α : Type u} : LE (Set α) := ⟨Set.Subset⟩

@[mathlib]
instance Set.instHasSSubset {α : Type u} : HasSSubset (Set α) := ⟨fun s t => Set.Subset s t ∧ ¬ Set.Subset t s⟩

@[mathlib]
def Set.univ {α : Type u} : Set α := setOf fun _ => True

@[mathlib]
instance Set.instEmptyCollection {α : Type u} : EmptyCollection (Set α) := ⟨setOf fun _ => False⟩

@[mathlib]
instance Set.instInsert {α : Type u} : Insert α (Set α) := ⟨fun a s => setOf fun b => b = a ∨ b ∈ s⟩

@[mathlib]
instance Set.instSingletonSet {α : Type u} : Singleton α (Set α) := ⟨fun a => setOf fun b => b = a⟩

@[mathlib]
instance Set.instUnion {α : Type u} : Union (Set α) := ⟨fun s t => setOf fun a => a ∈ s ∨ a ∈ t⟩

@[mathlib]
instance Set.instInter {α : Type u} : Inter (Set α) := ⟨fun s t => setOf fun a => a ∈ s ∧ a ∈ t⟩

@[mathlib]
instance Set.instSDiff {α : Type u} : SDiff (Set α) := ⟨fun s t => setOf fun a => a ∈ s ∧ ¬ (a ∈ t)⟩

@[mathlib]
instance Set.instHasCompl {α : Type u} : HasCompl (Set α) := ⟨fun s => setOf fun a => ¬ (a ∈ s)⟩

@[mathlib]
def Set.image {α : Type u} {β : Type v} (f : α → β) (s : Set α) : Set β := setOf fun b => ∃ a, a ∈ s ∧ f a = b

@[mathlib]
def Set.preimage {α : Type u} {β : Type v} (f : α → β) (s : Set β) : Set α := setOf fun a => f a ∈ s

@[mathlib]
def Set.range {α : Type u} {ι : Sort v} (f : ι → α) : Set α := setOf fun x => ∃ y, f y = x

@[mathlib]
protected def Set.Nonempty {α : Type u} (s : Set α) : Prop := ∃ x, x ∈ s

@[mathlib]
def Set.Icc {α : Type u} [LE α] (a b : α) : Set α := setOf fun x => a ≤ x ∧ x ≤ b

@[mathlib]
def Set.Ico {α : Type u} [LE α] [LT α] (a b : α) : Set α := setOf fun x => a ≤ x ∧ x < b

@[mathlib]
def Set.Ioc {α : Type u} [LE α] [LT α] (a b : α) : Set α := setOf fun x => a < x ∧ x ≤ b

@[mathlib]
def Set.Ioo {α : Type u} [LT α] (a b : α) : Set α := setOf fun x => a < x ∧ x < b

@[mathlib]
def Set.Iic {α : Type u} [LE α] (b : α) : Set α := setOf fun x => x ≤ b

@[mathlib]
def Set.Ici {α : Type u} [LE α] (a : α) : Set α := setOf fun x => a ≤ x

@[mathlib]
def Set.Iio {α : Type u} [LT α] (b : α) : Set α := setOf fun x => x < b

@[mathlib]
def Set.Ioi {α : Type u} [LT α] (a : α) : Set α := setOf fun x => a < x

@[mathlib]
def Set.InjOn {α : Type u} {β : Type v} (f : α → β) (s : Set α) : Prop := ∀ a₁, a₁ ∈ s → ∀ a₂, a₂ ∈ s → f a₁ = f a₂ → a₁ = a₂

@[mathlib]
def MonotoneOn {α : Type u} {β : Type v} [LE α] [LE β] (f : α → β) (s : Set α) : Prop :=
  ∀ a, a ∈ s → ∀ b, b ∈ s → a ≤ b → f a ≤ f b

@[mathlib]
def AntitoneOn {α : Type u} {β : Type v} [LE α] [LE β] (f : α → β) (s : Set α) : Prop :=
  ∀ a, a ∈ s → ∀ b, b ∈ s → a ≤ b → f b ≤ f a

@[mathlib]
def StrictMonoOn {α : Type u} {β : Type v} [LT α] [LT β] (f : α → β) (s : Set α) : Prop :=
  ∀ a, a ∈ s → ∀ b, b ∈ s → a < b → f a < f b

@[mathlib]
def StrictAntiOn {α : Type u} {β : Type v} [LT α] [LT β] (f : α → β) (s : Set α) : Prop :=
  ∀ a, a ∈ s → ∀ b, b ∈ s → a < b → f b < f a

@[mathlib]
def Set.MapsTo {α : Type u} {β : Type v} (f : α → β) (s : Set α) (t : Set β) : Prop := ∀ x, x ∈ s → f x ∈ t

@[mathlib]
def Set.SurjOn {α : Type u} {β : Type v} (f : α → β) (s : Set α) (t : Set β) : Prop := ∀ y, y ∈ t → ∃ x, x ∈ s ∧ f x = y

@[mathlib]
def Set.BijOn {α : Type u} {β : Type v} (f : α → β) (s : Set α) (t : Set β) : Prop :=
  Set.MapsTo f s t ∧ Set.InjOn f s ∧ Set.SurjOn f s t

@[mathlib]
opaque Set.Finite {α : Type u} (s : Set α) : Prop

@[mathlib]
opaque Set.ncard {α : Type u} (s : Set α) : Nat

@[mathlib]
def Set.Elem {α : Type u} (s : Set α) : Type u := {x // x ∈ s}

@[mathlib]
instance Set.instCoeSort {α : Type u} : CoeSort (Set α) (Type u) := ⟨fun s => {x // x ∈ s}⟩

@[mathlib]
def upperBounds {α : Type u} [LE α] (s : Set α) : Set α := setOf fun x => ∀ a, a ∈ s → a ≤ x

@[mathlib]
def lowerBounds {α : Type u} [LE α] (s : Set α) : Set α := setOf fun x => ∀ a, a ∈ s → x ≤ a

@[mathlib]
def IsLeast {α : Type u} [LE α] (s : Set α) (a : α) : Prop := a ∈ s ∧ a ∈ lowerBounds s

@[mathlib]
def IsGreatest {α : Type u} [LE α] (s : Set α) (a : α) : Prop := a ∈ s ∧ a ∈ upperBounds s

@[mathlib]
def IsLUB {α : Type u} [LE α] (s : Set α) (a : α) : Prop := IsLeast (upperBounds s) a

@[mathlib]
def IsGLB {α : Type u} [LE α] (s : Set α) (a : α) : Prop := IsGreatest (lowerBounds s) a

@[mathlib]
def Set.Infinite {α : Type u} (s : Set α) : Prop := ¬Set.Finite s

@[mathlib]
def BddAbove {α : Type u} [LE α] (s : Set α) : Prop := ∃ x, x ∈ upperBounds s

@[mathlib]
def BddBelow {α : Type u} [LE α] (s : Set α) : Prop := ∃ x, x ∈ lowerBounds s

@[mathlib]
class InfSet (α : Type u) where
  sInf : Set α → α

@[mathlib]
class SupSet (α : Type u) where
  sSup : Set α → α

@[mathlib]
def sInf {α : Type u} [InfSet α] (s : Set α) : α := InfSet.sInf s

@[mathlib]
def sSup {α : Type u} [SupSet α] (s : Set α) : α := SupSet.sSup s

@[mathlib, prim]
opaque Nat.sInfInternal (s : Nat → Prop) : Nat

@[mathlib]
opaque Nat.sSupInternal (s : Nat → Prop) : Nat

@[mathlib]
opaque Int.sInfInternal (s : Int → Prop) : Int

@[mathlib]
opaque Int.sSupInternal (s : Int → Prop) : Int

@[mathlib]
instance Nat.instInfSet : InfSet Nat := ⟨fun s => Nat.sInfInternal s⟩

@[mathlib]
instance Nat.instSupSet : SupSet Nat := ⟨fun s => Nat.sSupInternal s⟩

@[mathlib]
instance Int.instInfSet : InfSet Int := ⟨fun s => Int.sInfInternal s⟩

@[mathlib]
instance Int.instSupSet : SupSet Int := ⟨fun s => Int.sSupInternal s⟩

-- ---------------------------------------------------------------------------------------------------- Multiset

@[mathlib]
opaque Multiset (α : Type u) : Type u

@[mathlib, prim]
opaque Multiset.ofList {α : Type u} (l : List α) : Multiset α

@[mathlib]
instance Multiset.coe {α : Type u} : Coe (List α) (Multiset α) := ⟨Multiset.ofList⟩

@[mathlib, prim]
opaque Multiset.Mem {α : Type u} (s : Multiset α) (a : α) : Prop

@[mathlib]
instance Multiset.instMembership {α : Type u} : Membership α (Multiset α) := ⟨Multiset.Mem⟩

@[mathlib, prim]
opaque Multiset.count {α : Type u} [DecidableEq α] (a : α) (s : Multiset α) : Nat

@[mathlib, prim]
opaque Multiset.card {α : Type u} (s : Multiset α) : Nat

@[mathlib, prim]
opaque Multiset.countP {α : Type u} (p : α → Prop) [DecidablePred p] (s : Multiset α) : Nat

@[mathlib, prim]
protected opaque Multiset.add {α : Type u} (s t : Multiset α) : Multiset α

@[mathlib, prim]
protected opaque Multiset.sub {α : Type u} [DecidableEq α] (s t : Multiset α) : Multiset α

@[mathlib, prim]
opaque Multiset.union {α : Type u} [DecidableEq α] (s t : Multiset α) : Multiset α

@[mathlib, prim]
opaque Multiset.inter {α : Type u} [DecidableEq α] (s t : Multiset α) : Multiset α

@[mathlib, prim]
protected opaque Multiset.Le {α : Type u} (s t : Multiset α) : Prop

@[mathlib]
protected def Multiset.Subset {α : Type u} (s t : Multiset α) : Prop := ∀ a, a ∈ s → a ∈ t

@[mathlib, prim]
opaque Multiset.cons {α : Type u} (a : α) (s : Multiset α) : Multiset α

@[mathlib, prim]
opaque Multiset.map {α : Type u} {β : Type v} (f : α → β) (s : Multiset α) : Multiset β

@[mathlib, prim]
opaque Multiset.filter {α : Type u} (p : α → Prop) [DecidablePred p] (s : Multiset α) : Multiset α

@[mathlib, prim]
opaque Multiset.erase {α : Type u} [DecidableEq α] (s : Multiset α) (a : α) : Multiset α

@[mathlib, prim]
opaque Multiset.replicate {α : Type u} (n : Nat) (a : α) : Multiset α

@[mathlib, prim]
opaque Multiset.range (n : Nat) : Multiset Nat

@[mathlib, prim]
opaque Multiset.sum {α : Type u} [AddCommMonoid α] (s : Multiset α) : α

@[mathlib, prim]
opaque Multiset.prod {α : Type u} [CommMonoid α] (s : Multiset α) : α

@[mathlib, prim]
opaque Multiset.dedup {α : Type u} [DecidableEq α] (s : Multiset α) : Multiset α

@[mathlib, prim]
opaque Multiset.Nodup {α : Type u} (s : Multiset α) : Prop

@[mathlib, prim]
opaque Multiset.toFinset {α : Type u} [DecidableEq α] (s : Multiset α) : Finset α

@[mathlib, prim]
opaque Multiset.sort {α : Type u} (r : α → α → Prop) [DecidableRel r] (s : Multiset α) : List α

@[mathlib]
instance Multiset.instAdd {α : Type u} : Add (Multiset α) := ⟨Multiset.add⟩

@[mathlib]
instance Multiset.instSub {α : Type u} [DecidableEq α] : Sub (Multiset α) := ⟨Multiset.sub⟩

@[mathlib]
instance Multiset.instUnion {α : Type u} [DecidableEq α] : Union (Multiset α) := ⟨Multiset.union⟩

@[mathlib]
instance Multiset.instInter {α : Type u} [DecidableEq α] : Inter (Multiset α) := ⟨Multiset.inter⟩

@[mathlib]
instance Multiset.instLE {α : Type u} : LE (Multiset α) := ⟨Multiset.Le⟩

@[mathlib]
instance Multiset.instHasSubset {α : Type u} : HasSubset (Multiset α) := ⟨Multiset.Subset⟩

@[mathlib]
instance Multiset.instEmptyCollection {α : Type u} : EmptyCollection (Multiset α) := ⟨Multiset.ofList []⟩

@[mathlib]
instance Multiset.instZero {α : Type u} : Zero (Multiset α) := ⟨Multiset.ofList []⟩

@[mathlib]
instance Multiset.instInsert {α : Type u} : Insert α (Multiset α) := ⟨Multiset.cons⟩

@[mathlib]
instance Multiset.instSingleton {α : Type u} : Singleton α (Multiset α) := ⟨fun a => Multiset.ofList [a]⟩

@[mathlib]
instance Multiset.inhabited {α : Type u} : Inhabited (Multiset α) := ⟨Multiset.ofList []⟩

@[mathlib, instance]
opaque Multiset.decidableEq {α : Type u} [DecidableEq α] : DecidableEq (Multiset α)

@[mathlib, instance]
opaque Multiset.decidableMem {α : Type u} [DecidableEq α] (a : α) (s : Multiset α) : Decidable (a ∈ s)

@[mathlib, instance]
opaque Multiset.decidableLE {α : Type u} [DecidableEq α] (s t : Multiset α) : Decidable (s ≤ t)

@[mathlib, instance]
opaque Multiset.nodupDecidable {α : Type u} [DecidableEq α] (s : Multiset α) : Decidable (Multiset.Nodup s)

@[mathlib, instance]
opaque Multiset.decidableForallMultiset {α : Type u} {s : Multiset α} {p : α → Prop} [DecidablePred p] : Decidable (∀ a, a ∈ s → p a)

@[mathlib, instance]
opaque Multiset.decidableExistsMultiset {α : Type u} {s : Multiset α} {p : α → Prop} [DecidablePred p] : Decidable (∃ a, a ∈ s ∧ p a)

-- ------------------------------------------------------------------------------------------------------ Finset

@[mathlib]
opaque Finset (α : Type u) : Type u

@[mathlib, prim]
opaque Finset.Mem {α : Type u} (s : Finset α) (a : α) : Prop

@[mathlib]
instance Finset.instMembership {α : Type u} : Membership α (Finset α) := ⟨Finset.Mem⟩

@[mathlib, prim]
opaque List.toFinset {α : Type u} [DecidableEq α] (l : List α) : Finset α

@[mathlib, prim]
opaque Finset.card {α : Type u} (s : Finset α) : Nat

@[mathlib, prim]
opaque Finset.val {α : Type u} (s : Finset α) : Multiset α

@[mathlib, prim]
opaque Finset.range (n : Nat) : Finset Nat

@[mathlib, prim]
opaque Finset.empty {α : Type u} : Finset α

@[mathlib, prim]
opaque Finset.insertInternal {α : Type u} (a : α) (s : Finset α) : Finset α

@[mathlib, prim]
opaque Finset.unionInternal {α : Type u} (s t : Finset α) : Finset α

@[mathlib, prim]
opaque Finset.interInternal {α : Type u} (s t : Finset α) : Finset α

@[mathlib, prim]
opaque Finset.sdiffInternal {α : Type u} (s t : Finset α) : Finset α

@[mathlib]
protected def Finset.Subset {α : Type u} (s t : Finset α) : Prop := ∀ a, a ∈ s → a ∈ t

@[mathlib, prim]
opaque Finset.erase {α : Type u} [DecidableEq α] (s : Finset α) (a : α) : Finset α

@[mathlib, prim]
opaque Finset.filter {α : Type u} (p : α → Prop) [DecidablePred p] (s : Finset α) : Finset α

@[mathlib, prim]
opaque Finset.image {α : Type u} {β : Type v} [DecidableEq β] (f : α → β) (s : Finset α) : Finset β

@[mathlib, prim]
opaque Finset.biUnion {α : Type u} {β : Type v} [DecidableEq β] (s : Finset α) (t : α → Finset β) : Finset β

@[mathlib, prim]
opaque Finset.product {α : Type u} {β : Type v} (s : Finset α) (t : Finset β) : Finset (α × β)

@[mathlib]
def padicValNat (p n : Nat) : Nat :=
  if 1 < p ∧ 0 < n then List.countP (fun k => decide (p ^ (k + 1) ∣ n)) (List.range (Nat.log2 n + 1)) else 0

@[mathlib]
structure Finsupp (α : Type u) (M : Type v) [Zero M] where
  support : Finset α
  toFun : α → M
  mem_support_toFun : ∀ a, a ∈ support ↔ toFun a ≠ Zero.zero

@[mathlib]
instance Finsupp.instCoeFun {α : Type u} {M : Type v} [Zero M] : CoeFun (Finsupp α M) (fun _ => α → M) := ⟨Finsupp.toFun⟩

@[mathlib]
def Finsupp.prod {α : Type u} {M : Type v} {N : Type w} [Zero M] [CommMonoid N] (f : Finsupp α M) (g : α → M → N) : N :=
  Finset.prod f.support (fun a => g a (f.toFun a))

@[mathlib]
def Finsupp.sum {α : Type u} {M : Type v} {N : Type w} [Zero M] [AddCommMonoid N] (f : Finsupp α M) (g : α → M → N) : N :=
  Finset.sum f.support (fun a => g a (f.toFun a))

@[mathlib]
def Nat.factorization (n : Nat) : Finsupp Nat Nat :=
  ⟨Nat.primeFactors n, fun p => if Nat.Prime p then padicValNat p n else 0, sorryAx _⟩

@[mathlib]
def List.IsRotated {α : Type u} (l l' : List α) : Prop := ∃ n, List.rotate l n = l'

@[mathlib]
def List.rdrop {α : Type u} (l : List α) (n : Nat) : List α := List.reverse (List.drop n (List.reverse l))

@[mathlib]
def List.rtake {α : Type u} (l : List α) (n : Nat) : List α := List.reverse (List.take n (List.reverse l))

@[mathlib]
def Nat.centralBinom (n : Nat) : Nat := Nat.choose (2 * n) n

@[mathlib]
class SProd (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  sprod : α → β → γ

@[mathlib]
instance Finset.instSProd {α : Type u} {β : Type v} : SProd (Finset α) (Finset β) (Finset (α × β)) := ⟨Finset.product⟩

@[mathlib]
instance List.instSProd {α : Type u} {β : Type v} : SProd (List α) (List β) (List (α × β)) := ⟨List.product⟩

@[mathlib, prim]
opaque Finset.powerset {α : Type u} (s : Finset α) : Finset (Finset α)

@[mathlib, prim]
opaque Finset.powersetCard {α : Type u} (n : Nat) (s : Finset α) : Finset (Finset α)

@[mathlib, prim]
opaque Finset.sum {ι : Type u} {M : Type v} [AddCommMonoid M] (s : Finset ι) (f : ι → M) : M

@[mathlib, prim]
opaque Finset.prod {ι : Type u} {M : Type v} [CommMonoid M] (s : Finset ι) (f : ι → M) : M

@[mathlib, prim]
opaque Finset.sup {α : Type u} {β : Type v} [Max α] [Bot α] (s : Finset β) (f : β → α) : α

@[mathlib, prim]
opaque Finset.inf {α : Type u} {β : Type v} [Min α] [Top α] (s : Finset β) (f : β → α) : α

@[mathlib, prim]
opaque Finset.max' {α : Type u} [Max α] (s : Finset α) (h : Finset.Nonempty s) : α

@[mathlib, prim]
opaque Finset.min' {α : Type u} [Min α] (s : Finset α) (h : Finset.Nonempty s) : α

@[mathlib, prim]
opaque Finset.maxInternal {α : Type u} [Max α] (s : Finset α) : Option α

@[mathlib, prim]
opaque Finset.minInternal {α : Type u} [Min α] (s : Finset α) : Option α

@[mathlib]
protected def Finset.max {α : Type u} [Max α] (s : Finset α) : WithBot α := match Finset.maxInternal s with
  | none => Bot.bot
  | some a => WithBot.some a

@[mathlib]
protected def Finset.min {α : Type u} [Min α] (s : Finset α) : WithTop α := match Finset.minInternal s with
  | none => Top.top
  | some a => WithTop.some a

@[mathlib, prim]
opaque Finset.sort {α : Type u} (r : α → α → Prop) [DecidableRel r] (s : Finset α) : List α

@[mathlib, prim]
opaque Finset.toList {α : Type u} (s : Finset α) : List α

@[mathlib]
protected def Finset.Nonempty {α : Type u} (s : Finset α) : Prop := ∃ x, x ∈ s

@[mathlib]
def Disjoint {α : Type u} (s t : Finset α) : Prop := ∀ a, a ∈ s → ¬ (a ∈ t)

@[mathlib]
instance Finset.instEmptyCollection {α : Type u} : EmptyCollection (Finset α) := ⟨Finset.empty⟩

@[mathlib]
instance Finset.instInsert {α : Type u} [DecidableEq α] : Insert α (Finset α) := ⟨Finset.insertInternal⟩

@[mathlib]
instance Finset.instSingleton {α : Type u} : Singleton α (Finset α) := ⟨fun a => Finset.insertInternal a Finset.empty⟩

@[mathlib]
instance Finset.instUnion {α : Type u} [DecidableEq α] : Union (Finset α) := ⟨Finset.unionInternal⟩

@[mathlib]
instance Finset.instInter {α : Type u} [DecidableEq α] : Inter (Finset α) := ⟨Finset.interInternal⟩

@[mathlib]
instance Finset.instSDiff {α : Type u} [DecidableEq α] : SDiff (Finset α) := ⟨Finset.sdiffInternal⟩

@[mathlib]
instance Finset.instHasSubset {α : Type u} : HasSubset (Finset α) := ⟨Finset.Subset⟩

@[mathlib]
instance Finset.instLE {α : Type u} : LE (Finset α) := ⟨Finset.Subset⟩

@[mathlib]
instance Finset.instHasSSubset {α : Type u} : HasSSubset (Finset α) := ⟨fun s t => Finset.Subset s t ∧ ¬ Finset.Subset t s⟩

@[mathlib]
instance Finset.instInhabited {α : Type u} : Inhabited (Finset α) := ⟨Finset.empty⟩

@[mathlib]
instance Finset.instCoeSet {α : Type u} : CoeTC (Finset α) (Set α) := ⟨fun s => setOf fun a => a ∈ s⟩

@[mathlib]
instance Finset.instCoeSort {α : Type u} : CoeSort (Finset α) (Type u) := ⟨fun s => {x // x ∈ s}⟩

@[mathlib, instance]
opaque Finset.decidableEq {α : Type u} [DecidableEq α] : DecidableEq (Finset α)

@[mathlib, instance]
opaque Finset.decidableMem {α : Type u} [DecidableEq α] (a : α) (s : Finset α) : Decidable (a ∈ s)

@[mathlib, instance]
opaque Finset.decidableSubset {α : Type u} [DecidableEq α] (s t : Finset α) : Decidable (s ⊆ t)

@[mathlib, instance]
opaque Finset.decidableNonempty {α : Type u} (s : Finset α) : Decidable (Finset.Nonempty s)

@[mathlib, instance]
opaque Finset.decidableDforallFinset {α : Type u} {s : Finset α} {p : α → Prop} [DecidablePred p] : Decidable (∀ a, a ∈ s → p a)

@[mathlib, instance]
opaque Finset.decidableDexistsFinset {α : Type u} {s : Finset α} {p : α → Prop} [DecidablePred p] : Decidable (∃ a, a ∈ s ∧ p a)

@[mathlib]
class LocallyFiniteOrder (α : Type u) where
  finsetIcc : α → α → Finset α
  finsetIco : α → α → Finset α
  finsetIoc : α → α → Finset α
  finsetIoo : α → α → Finset α

@[mathlib, prim]
opaque Nat.intervalInternal (a b : Nat) : Finset Nat

@[mathlib, prim]
opaque Int.intervalInternal (a b : Int) : Finset Int

@[mathlib]
instance Rat.instModInternal : Mod Rat := ⟨fun a b => a - a * b / b⟩

@[mathlib]
instance Nat.instLocallyFiniteOrder : LocallyFiniteOrder Nat where
  finsetIcc := fun a b => Nat.intervalInternal a (b + 1)
  finsetIco := fun a b => Nat.intervalInternal a b
  finsetIoc := fun a b => Nat.intervalInternal (a + 1) (b + 1)
  finsetIoo := fun a b => Nat.intervalInternal (a + 1) b

@[mathlib]
instance Int.instLocallyFiniteOrder : LocallyFiniteOrder Int where
  finsetIcc := fun a b => Int.intervalInternal a (b + 1)
  finsetIco := fun a b => Int.intervalInternal a b
  finsetIoc := fun a b => Int.intervalInternal (a + 1) (b + 1)
  finsetIoo := fun a b => Int.intervalInternal (a + 1) b

@[mathlib]
def Finset.Icc {α : Type u} [LocallyFiniteOrder α] (a b : α) : Finset α := LocallyFiniteOrder.finsetIcc a b

@[mathlib]
def Finset.Ico {α : Type u} [LocallyFiniteOrder α] (a b : α) : Finset α := LocallyFiniteOrder.finsetIco a b

@[mathlib]
def Finset.Ioc {α : Type u} [LocallyFiniteOrder α] (a b : α) : Finset α := LocallyFiniteOrder.finsetIoc a b

@[mathlib]
def Finset.Ioo {α : Type u} [LocallyFiniteOrder α] (a b : α) : Finset α := LocallyFiniteOrder.finsetIoo a b

@[mathlib]
def Finset.Iic (a : Nat) : Finset Nat := Finset.range (a + 1)

@[mathlib]
def Finset.Iio (a : Nat) : Finset Nat := Finset.range a

@[mathlib]
instance Nat.instBot : Bot Nat := ⟨0⟩

@[mathlib]
class Fintype (α : Type u) where
  elems : Finset α

@[mathlib]
def Finset.univ {α : Type u} [Fintype α] : Finset α := Fintype.elems

@[mathlib]
def Fintype.card (α : Type u) [Fintype α] : Nat := Finset.card (Fintype.elems : Finset α)

@[mathlib, prim]
opaque Fin.universeInternal (n : Nat) : Finset (Fin n)

@[mathlib, prim]
opaque Bool.universeInternal : Finset Bool

@[mathlib]
instance Fin.fintype (n : Nat) : Fintype (Fin n) := ⟨Fin.universeInternal n⟩

@[mathlib]
instance Bool.fintype : Fintype Bool := ⟨Bool.universeInternal⟩

@[mathlib]
instance instFintypeProd {α : Type u} {β : Type v} [Fintype α] [Fintype β] : Fintype (α × β) := ⟨Finset.product Fintype.elems Fintype.elems⟩

@[mathlib, instance]
opaque Fintype.decidableForallFintype {α : Type u} {p : α → Prop} [DecidablePred p] [Fintype α] : Decidable (∀ a, p a)

@[mathlib, instance]
opaque Fintype.decidableExistsFintype {α : Type u} {p : α → Prop} [DecidablePred p] [Fintype α] : Decidable (∃ a, p a)

@[mathlib, instance]
opaque Set.decidableSetOf {α : Type u} (a : α) (p : α → Prop) [Decidable (p a)] : Decidable (a ∈ setOf p)

@[mathlib, instance]
opaque Set.decidableInter {α : Type u} (s t : Set α) (a : α) [Decidable (a ∈ s)] [Decidable (a ∈ t)] : Decidable (a ∈ s ∩ t)

@[mathlib, instance]
opaque Set.decidableUnion {α : Type u} (s t : Set α) (a : α) [Decidable (a ∈ s)] [Decidable (a ∈ t)] : Decidable (a ∈ s ∪ t)

@[mathlib]
class Set.FintypeInternal {α : Type u} (s : Set α) where
  elems : Finset α

@[mathlib]
def Set.toFinset {α : Type u} (s : Set α) [i : Set.FintypeInternal s] : Finset α := i.elems

@[mathlib]
instance Set.fintypeLTNat (n : Nat) : Set.FintypeInternal (setOf fun i => i < n) := ⟨Finset.range n⟩

@[mathlib]
instance Set.fintypeLENat (n : Nat) : Set.FintypeInternal (setOf fun i => i ≤ n) := ⟨Finset.range (n + 1)⟩

@[mathlib]
instance Set.fintypeSep {α : Type u} (s : Set α) (p : α → Prop) [i : Set.FintypeInternal s] [DecidablePred p] : Set.FintypeInternal (setOf fun a => a ∈ s ∧ p a) := ⟨Finset.filter p i.elems⟩

@[mathlib]
instance Set.fintypeInterOfLeft {α : Type u} (s t : Set α) [i : Set.FintypeInternal s] [DecidablePred fun a => a ∈ t] : Set.FintypeInternal (s ∩ t) := ⟨Finset.filter (fun a => a ∈ t) i.elems⟩

@[mathlib]
instance Finset.instAddCommMonoidNat : AddCommMonoid Nat where
  add := Nat.add
  zero := 0

@[mathlib]
instance Finset.instAddCommMonoidInt : AddCommMonoid Int where
  add := Int.add
  zero := 0

@[mathlib]
instance Finset.instAddCommMonoidRat : AddCommMonoid Rat where
  add := Rat.add
  zero := Rat.ofInt 0

-- -------------------------------------------------------------------------------------------------------- List

@[mathlib, prim]
opaque List.prod {α : Type u} [Mul α] [One α] (l : List α) : α

@[mathlib, prim]
opaque List.Sorted {α : Type u} (R : α → α → Prop) (l : List α) : Prop

@[mathlib, prim]
opaque List.Chain' {α : Type u} (R : α → α → Prop) (l : List α) : Prop

@[mathlib, prim]
opaque List.IsChain {α : Type u} (R : α → α → Prop) (l : List α) : Prop

@[mathlib, prim]
opaque List.Chain {α : Type u} (R : α → α → Prop) (a : α) (l : List α) : Prop

@[mathlib, instance]
opaque List.decidableSorted {α : Type u} {r : α → α → Prop} [DecidableRel r] (l : List α) : Decidable (List.Sorted r l)

@[mathlib, instance]
opaque List.decidableChain' {α : Type u} {r : α → α → Prop} [DecidableRel r] (l : List α) : Decidable (List.Chain' r l)

@[mathlib, instance]
opaque List.decidableIsChain {α : Type u} {r : α → α → Prop} [DecidableRel r] (l : List α) : Decidable (List.IsChain r l)

@[mathlib, instance]
opaque List.decidableChain {α : Type u} {r : α → α → Prop} [DecidableRel r] (a : α) (l : List α) : Decidable (List.Chain r a l)

@[mathlib, prim]
opaque List.Disjoint {α : Type u} (l₁ l₂ : List α) : Prop

@[mathlib, prim]
opaque List.Subperm {α : Type u} (l₁ l₂ : List α) : Prop

@[mathlib, prim]
opaque List.Forall {α : Type u} (p : α → Prop) (l : List α) : Prop

@[mathlib, prim]
opaque List.Forall₂ {α : Type u} {β : Type v} (R : α → β → Prop) (l₁ : List α) (l₂ : List β) : Prop

@[mathlib, prim]
opaque List.Palindrome {α : Type u} (l : List α) : Prop

@[mathlib, instance]
opaque List.Palindrome.instDecidable {α : Type u} [DecidableEq α] (l : List α) : Decidable (List.Palindrome l)

@[mathlib, prim]
opaque List.Duplicate {α : Type u} (x : α) (l : List α) : Prop

@[mathlib, prim]
opaque List.dedup {α : Type u} [DecidableEq α] (l : List α) : List α

@[mathlib, prim]
opaque List.diff {α : Type u} [BEq α] (l₁ l₂ : List α) : List α

@[mathlib, prim]
opaque List.bagInter {α : Type u} [BEq α] (l₁ l₂ : List α) : List α

@[mathlib, prim]
opaque List.insertionSort {α : Type u} (r : α → α → Prop) [DecidableRel r] (l : List α) : List α

@[mathlib, prim]
opaque List.orderedInsert {α : Type u} (r : α → α → Prop) [DecidableRel r] (a : α) (l : List α) : List α

@[mathlib, prim]
opaque List.headI {α : Type u} [Inhabited α] (l : List α) : α

@[mathlib, prim]
opaque List.getLastI {α : Type u} [Inhabited α] (l : List α) : α

@[mathlib, prim]
opaque List.getI {α : Type u} [Inhabited α] (l : List α) (n : Nat) : α

@[mathlib, prim]
opaque List.rotate {α : Type u} (l : List α) (n : Nat) : List α

@[mathlib, prim]
opaque List.scanl {α : Type u} {β : Type v} (f : α → β → α) (a : α) (l : List β) : List α

@[mathlib, prim]
opaque List.scanr {α : Type u} {β : Type v} (f : α → β → β) (b : β) (l : List α) : List β

@[mathlib, prim]
opaque List.tails {α : Type u} (l : List α) : List (List α)

@[mathlib, prim]
opaque List.inits {α : Type u} (l : List α) : List (List α)

@[mathlib, prim]
opaque List.sublists {α : Type u} (l : List α) : List (List α)

@[mathlib, prim]
opaque List.sublists' {α : Type u} (l : List α) : List (List α)

@[mathlib, prim]
opaque List.sublistsLen {α : Type u} (n : Nat) (l : List α) : List (List α)

@[mathlib, prim]
opaque List.permutations {α : Type u} (l : List α) : List (List α)

@[mathlib, prim]
opaque List.permutations' {α : Type u} (l : List α) : List (List α)

@[mathlib, prim]
opaque List.product {α : Type u} {β : Type v} (l₁ : List α) (l₂ : List β) : List (α × β)

@[mathlib, prim]
opaque List.splitOn {α : Type u} [BEq α] (a : α) (as : List α) : List (List α)

@[mathlib, prim]
opaque List.splitOnP {α : Type u} (P : α → Bool) (l : List α) : List (List α)

@[mathlib, prim]
opaque List.transpose {α : Type u} (l : List (List α)) : List (List α)

@[mathlib, prim]
opaque List.iterate {α : Type u} (f : α → α) (a : α) (n : Nat) : List α

@[mathlib, prim]
opaque List.unzip₃ {α : Type u} {β : Type v} {γ : Type w} (l : List (α × β × γ)) : List α × List β × List γ

@[mathlib, prim]
opaque List.replaceF {α : Type u} (f : α → Option α) (l : List α) : List α

@[mathlib, prim]
opaque List.indexesOf {α : Type u} [BEq α] (a : α) (l : List α) : List Nat

@[mathlib, prim]
opaque List.idxsOf {α : Type u} [BEq α] (a : α) (l : List α) : List Nat

@[mathlib, prim]
opaque List.findIdxs {α : Type u} (p : α → Bool) (l : List α) : List Nat

@[mathlib, prim]
opaque List.Ico (n m : Nat) : List Nat

@[mathlib, prim]
opaque List.takeI {α : Type u} [Inhabited α] (n : Nat) (l : List α) : List α

@[mathlib, prim]
opaque List.takeD {α : Type u} (n : Nat) (l : List α) (a : α) : List α

@[mathlib, prim]
opaque List.dropSlice {α : Type u} (n m : Nat) (xs : List α) : List α

@[mathlib, prim]
opaque List.zipWith3 {α : Type u} {β : Type v} {γ : Type w} {δ : Type x} (f : α → β → γ → δ) (as : List α) (bs : List β) (cs : List γ) : List δ

@[mathlib, prim]
opaque List.argmax {α : Type u} {β : Type v} [LT β] [DecidableLT β] (f : α → β) (l : List α) : Option α

@[mathlib, prim]
opaque List.argmin {α : Type u} {β : Type v} [LT β] [DecidableLT β] (f : α → β) (l : List α) : Option α

@[mathlib]
def List.maximum {α : Type u} [LT α] [DecidableLT α] (l : List α) : WithBot α := match List.argmax (fun x => x) l with
  | none => Bot.bot
  | some a => WithBot.some a

@[mathlib]
def List.minimum {α : Type u} [LT α] [DecidableLT α] (l : List α) : WithTop α := match List.argmin (fun x => x) l with
  | none => Top.top
  | some a => WithTop.some a

@[mathlib, instance]
opaque List.decidableSubperm {α : Type u} [DecidableEq α] (l₁ l₂ : List α) : Decidable (List.Subperm l₁ l₂)

-- ------------------------------------------------------------------------------- Real, Complex: types and operations only

@[mathlib]
opaque Real : Type

@[mathlib]
opaque Real.ofRatInternal (q : Rat) : Real

@[mathlib]
opaque Real.addInternal (a b : Real) : Real

@[mathlib]
opaque Real.subInternal (a b : Real) : Real

@[mathlib]
opaque Real.mulInternal (a b : Real) : Real

@[mathlib]
opaque Real.divInternal (a b : Real) : Real

@[mathlib]
opaque Real.negInternal (a : Real) : Real

@[mathlib]
opaque Real.invInternal (a : Real) : Real

@[mathlib]
opaque Real.powInternal (a : Real) (n : Nat) : Real

@[mathlib]
opaque Real.rpow (a b : Real) : Real

@[mathlib]
opaque Real.ltInternal (a b : Real) : Prop

@[mathlib]
opaque Real.leInternal (a b : Real) : Prop

@[mathlib]
opaque Real.sqrt (a : Real) : Real

@[mathlib]
opaque Real.exp (a : Real) : Real

@[mathlib]
opaque Real.log (a : Real) : Real

@[mathlib]
opaque Real.sin (a : Real) : Real

@[mathlib]
opaque Real.cos (a : Real) : Real

@[mathlib]
opaque Real.pi : Real

@[mathlib]
opaque Real.maxInternal (a b : Real) : Real

@[mathlib]
opaque Real.minInternal (a b : Real) : Real

@[mathlib]
opaque Real.floorInternal (a : Real) : Int

@[mathlib]
instance Real.instOfNat {n : Nat} : OfNat Real n := ⟨Real.ofRatInternal (Rat.ofInt (Int.ofNat n))⟩

@[mathlib]
instance Real.instOfScientific : OfScientific Real := ⟨fun m s e => Real.ofRatInternal (Rat.ofScientific m s e)⟩

@[mathlib]
instance Real.instAdd : Add Real := ⟨Real.addInternal⟩

@[mathlib]
instance Real.instSub : Sub Real := ⟨Real.subInternal⟩

@[mathlib]
instance Real.instMul : Mul Real := ⟨Real.mulInternal⟩

@[mathlib]
instance Real.instDiv : Div Real := ⟨Real.divInternal⟩

@[mathlib]
instance Real.instNeg : Neg Real := ⟨Real.negInternal⟩

@[mathlib]
instance Real.instInv : Inv Real := ⟨Real.invInternal⟩

@[mathlib]
instance Real.instPowReal : Pow Real Real := ⟨Real.rpow⟩

@[mathlib]
instance Real.instNatPow : NatPow Real := ⟨Real.powInternal⟩

@[mathlib]
instance Real.instLT : LT Real := ⟨Real.ltInternal⟩

@[mathlib]
instance Real.instLE : LE Real := ⟨Real.leInternal⟩

@[mathlib]
instance Real.instMax : Max Real := ⟨Real.maxInternal⟩

@[mathlib]
instance Real.instMin : Min Real := ⟨Real.minInternal⟩

@[mathlib]
instance Real.instZero : Zero Real := ⟨Real.ofRatInternal (Rat.ofInt 0)⟩

@[mathlib]
instance Real.instOne : One Real := ⟨Real.ofRatInternal (Rat.ofInt 1)⟩

@[mathlib]
instance Real.instNatCast : NatCast Real := ⟨fun n => Real.ofRatInternal (Rat.ofInt (Int.ofNat n))⟩

@[mathlib]
instance Real.instIntCast : IntCast Real := ⟨fun n => Real.ofRatInternal (Rat.ofInt n)⟩

@[mathlib]
instance Real.instRatCast : RatCast Real := ⟨Real.ofRatInternal⟩

@[mathlib]
instance Real.instInhabited : Inhabited Real := ⟨Real.ofRatInternal (Rat.ofInt 0)⟩

@[mathlib]
instance Real.instAddGroup : AddGroup Real where
  add := Real.addInternal
  zero := Real.ofRatInternal (Rat.ofInt 0)
  neg := Real.negInternal
  sub := Real.subInternal

@[mathlib]
instance Real.instAddCommMonoid : AddCommMonoid Real where
  add := Real.addInternal
  zero := Real.ofRatInternal (Rat.ofInt 0)

@[mathlib]
instance Real.instFloorRing : FloorRingInternal Real := ⟨Real.floorInternal⟩

@[mathlib]
instance List.instMonad : Monad List where
  pure := fun x => [x]
  bind := fun x f => List.flatMap f x
  map := fun f x => List.map f x

-- -------------------------------------------------------------------------------------- List, more of Batteries

@[mathlib]
def List.after {α : Type u} (p : α → Bool) (l : List α) : List α := List.drop 1 (List.dropWhile (fun a => !p a) l)

@[mathlib]
def List.pwFilter {α : Type u} (R : α → α → Prop) [DecidableRel R] (l : List α) : List α :=
  List.foldr (fun x ih => if ∀ y, y ∈ ih → R x y then x :: ih else ih) [] l

@[mathlib]
def List.eraseDup {α : Type u} [BEq α] (l : List α) : List α :=
  List.foldr (fun x ih => cond (List.all ih fun y => x != y) (x :: ih) ih) [] l

@[mathlib]
def List.revzip {α : Type u} (l : List α) : List (α × α) := List.zip l (List.reverse l)

@[mathlib]
def List.allSome {α : Type u} (l : List (Option α)) : Option (List α) := List.mapM (fun x => x) l

@[mathlib]
def List.zipWith₃ {α : Type u} {β : Type v} {γ : Type w} {δ : Type x} (f : α → β → γ → δ) (as : List α) (bs : List β) (cs : List γ) : List δ := List.zipWith3 f as bs cs

@[mathlib]
def List.foldlIdx {α : Type u} {β : Type v} (f : Nat → α → β → α) (init : α) (l : List β) (start : Nat := 0) : α :=
  List.foldl (fun acc p => f p.2 acc p.1) init (List.zipIdx l start)

@[mathlib]
def List.foldrIdx {α : Type u} {β : Type v} (f : Nat → α → β → β) (init : β) (l : List α) (start : Nat := 0) : β :=
  List.foldr (fun p acc => f p.2 p.1 acc) init (List.zipIdx l start)
