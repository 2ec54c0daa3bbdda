-- Functions of `Int`.

@[prim]
opaque Int.natAbs (m : Int) : Nat

@[prim]
opaque Int.toNat (n : Int) : Nat

@[prim]
opaque Int.toNat? (n : Int) : Option Nat

@[prim, until "4.23.0"]
opaque Int.toNat' (n : Int) : Option Nat

@[prim]
opaque Int.sign (n : Int) : Int

@[prim]
opaque Int.tdiv (m n : Int) : Int

@[prim]
opaque Int.tmod (m n : Int) : Int

@[prim]
opaque Int.fdiv (m n : Int) : Int

@[prim]
opaque Int.fmod (m n : Int) : Int

@[prim]
opaque Int.bdiv (x : Int) (m : Nat) : Int

@[prim]
opaque Int.bmod (x : Int) (m : Nat) : Int

@[prim, until "4.18.0"]
opaque Int.div (m n : Int) : Int

@[prim, until "4.18.0"]
opaque Int.mod (m n : Int) : Int

@[prim]
opaque Int.negOfNat (n : Nat) : Int

@[prim]
opaque Int.subNatNat (m n : Nat) : Int

@[prim]
opaque Int.gcd (m n : Int) : Nat

@[prim]
opaque Int.lcm (m n : Int) : Nat

@[prim]
opaque Int.beq' (a b : Int) : Bool

@[prim]
opaque Int.blt' (a b : Int) : Bool

@[prim]
opaque Int.ble' (a b : Int) : Bool

def Int.NonNeg (n : Int) : Prop := 0 ≤ n

@[prim, since "4.23.0"]
protected opaque Int.shiftLeft (m : Int) (n : Nat) : Int

@[since "4.23.0"]
instance Int.instHShiftLeftNat : HShiftLeft Int Nat Int := ⟨Int.shiftLeft⟩

@[prim, since "4.26.0"]
opaque Int.toFloat (n : Int) : Float

@[prim]
opaque Int.toInt8 (n : Int) : Int8

@[prim]
opaque Int.toInt16 (n : Int) : Int16

@[prim]
opaque Int.toInt32 (n : Int) : Int32

@[prim]
opaque Int.toInt64 (n : Int) : Int64

@[prim]
opaque Int.toISize (n : Int) : ISize

-- ------------------------------------------------------------------------------------------------------ Mathlib

@[mathlib, prim]
opaque Int.sqrt (n : Int) : Int

@[mathlib, prim]
opaque Int.natMod (m n : Int) : Nat

@[mathlib, prim]
opaque Int.land (m n : Int) : Int

@[mathlib, prim]
opaque Int.lor (m n : Int) : Int

@[mathlib, prim]
opaque Int.xor (m n : Int) : Int

@[mathlib, prim]
opaque Int.testBit (m : Int) (n : Nat) : Bool

@[mathlib]
def Int.ModEq (n a b : Int) : Prop := a % n = b % n

@[mathlib, prim]
opaque Int.bodd (n : Int) : Bool

@[mathlib, prim]
opaque Int.div2 (n : Int) : Int

@[instance, mathlib]
opaque Int.instDecidableModEq {n a b : Int} : Decidable (Int.ModEq n a b)
