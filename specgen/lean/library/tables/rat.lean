-- `Rat` (Batteries and Mathlib).

@[mathlib]
opaque Rat : Type

@[mathlib, prim]
opaque Rat.num (q : Rat) : Int

@[mathlib, prim]
opaque Rat.den (q : Rat) : Nat

@[mathlib, prim]
opaque mkRat (num : Int) (den : Nat) : Rat

@[mathlib, prim]
opaque Rat.divInt (num den : Int) : Rat

@[mathlib, prim]
opaque Rat.normalize (num : Int) (den : Nat := 1) (den_nz : den ≠ 0 := by decide) : Rat

@[mathlib, prim]
opaque Rat.mk' (num : Int) (den : Nat := 1) (den_nz : den ≠ 0 := by decide) (reduced : Nat.Coprime num.natAbs den := by decide) : Rat

@[mathlib, prim]
opaque Rat.ofInt (num : Int) : Rat

@[mathlib, prim]
opaque Rat.ofScientific (m : Nat) (s : Bool) (e : Nat) : Rat

@[mathlib, prim]
protected opaque Rat.add (a b : Rat) : Rat

@[mathlib, prim]
protected opaque Rat.sub (a b : Rat) : Rat

@[mathlib, prim]
protected opaque Rat.mul (a b : Rat) : Rat

@[mathlib, prim]
protected opaque Rat.div (a b : Rat) : Rat

@[mathlib, prim]
protected opaque Rat.neg (a : Rat) : Rat

@[mathlib, prim]
protected opaque Rat.inv (a : Rat) : Rat

@[mathlib, prim]
protected opaque Rat.pow (a : Rat) (n : Nat) : Rat

@[mathlib, prim]
protected opaque Rat.zpow (a : Rat) (n : Int) : Rat

@[mathlib, prim]
protected opaque Rat.blt (a b : Rat) : Bool

@[mathlib, prim]
opaque Rat.ltInternal (a b : Rat) : Prop

@[mathlib, prim]
protected opaque Rat.le (a b : Rat) : Prop

@[mathlib, prim]
protected opaque Rat.floor (a : Rat) : Int

@[mathlib, prim]
protected opaque Rat.ceil (a : Rat) : Int

@[mathlib, prim]
opaque Rat.isInt (a : Rat) : Bool

@[mathlib, prim]
opaque Rat.compareInternal (a b : Rat) : Ordering

@[mathlib, prim]
opaque Rat.toStringInternal (a : Rat) : String

@[mathlib, prim]
opaque Rat.toFloat (a : Rat) : Float

@[mathlib, prim]
opaque Rat.sqrt (a : Rat) : Rat

@[mathlib]
instance Rat.instOfNat {n : Nat} : OfNat Rat n := ⟨Rat.ofInt (Int.ofNat n)⟩

@[mathlib]
instance Rat.instAdd : Add Rat := ⟨Rat.add⟩

@[mathlib]
instance Rat.instSub : Sub Rat := ⟨Rat.sub⟩

@[mathlib]
instance Rat.instMul : Mul Rat := ⟨Rat.mul⟩

@[mathlib]
instance Rat.instDiv : Div Rat := ⟨Rat.div⟩

@[mathlib]
instance Rat.instNeg : Neg Rat := ⟨Rat.neg⟩

@[mathlib]
instance Rat.instInv : Inv Rat := ⟨Rat.inv⟩

@[mathlib]
instance Rat.instNatPow : NatPow Rat := ⟨Rat.pow⟩

@[mathlib]
instance Rat.instPowInt : Pow Rat Int := ⟨Rat.zpow⟩

@[mathlib]
instance Rat.instLT : LT Rat := ⟨Rat.ltInternal⟩

@[mathlib]
instance Rat.instLE : LE Rat := ⟨Rat.le⟩

@[mathlib]
instance Rat.instMax : Max Rat := ⟨fun a b => if a ≤ b then b else a⟩

@[mathlib]
instance Rat.instMin : Min Rat := ⟨fun a b => if a ≤ b then a else b⟩

@[mathlib, instance]
opaque Rat.instDecidableEq : DecidableEq Rat

@[mathlib, instance]
opaque Rat.instDecidableLt (a b : Rat) : Decidable (a < b)

@[mathlib, instance]
opaque Rat.instDecidableLe (a b : Rat) : Decidable (a ≤ b)

@[mathlib]
instance Rat.instInhabited : Inhabited Rat := ⟨Rat.ofInt 0⟩

@[mathlib]
instance Rat.instOrd : Ord Rat := ⟨Rat.compareInternal⟩

@[mathlib]
instance Rat.instZero : Zero Rat := ⟨Rat.ofInt 0⟩

@[mathlib]
instance Rat.instOne : One Rat := ⟨Rat.ofInt 1⟩

@[mathlib]
instance Rat.instNatCast : NatCast Rat := ⟨fun n => Rat.ofInt (Int.ofNat n)⟩

@[mathlib]
instance Rat.instIntCast : IntCast Rat := ⟨Rat.ofInt⟩

@[mathlib]
instance Rat.instRatCast : RatCast Rat := ⟨fun q => q⟩

@[mathlib]
instance Rat.instOfScientific : OfScientific Rat := ⟨Rat.ofScientific⟩

@[mathlib]
instance Rat.instToString : ToString Rat := ⟨Rat.toStringInternal⟩

@[mathlib, instance]
opaque Rat.instRepr : Repr Rat

@[mathlib, instance]
opaque Rat.instHashable : Hashable Rat
