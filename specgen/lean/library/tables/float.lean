-- `Float` (IEEE double).

opaque Float : Type

@[prim]
protected opaque Float.add (a b : Float) : Float

@[prim]
protected opaque Float.sub (a b : Float) : Float

@[prim]
protected opaque Float.mul (a b : Float) : Float

@[prim]
protected opaque Float.div (a b : Float) : Float

@[prim]
protected opaque Float.neg (a : Float) : Float

@[prim]
protected opaque Float.lt (a b : Float) : Prop

@[prim]
protected opaque Float.le (a b : Float) : Prop

@[prim]
protected opaque Float.beq (a b : Float) : Bool

@[prim]
protected opaque Float.pow (a b : Float) : Float

@[prim]
opaque Float.atan2 (a b : Float) : Float

@[prim]
opaque Float.abs (a : Float) : Float

@[prim]
opaque Float.sqrt (a : Float) : Float

@[prim]
opaque Float.cbrt (a : Float) : Float

@[prim]
opaque Float.exp (a : Float) : Float

@[prim]
opaque Float.exp2 (a : Float) : Float

@[prim]
opaque Float.log (a : Float) : Float

@[prim]
opaque Float.log2 (a : Float) : Float

@[prim]
opaque Float.log10 (a : Float) : Float

@[prim]
opaque Float.sin (a : Float) : Float

@[prim]
opaque Float.cos (a : Float) : Float

@[prim]
opaque Float.tan (a : Float) : Float

@[prim]
opaque Float.asin (a : Float) : Float

@[prim]
opaque Float.acos (a : Float) : Float

@[prim]
opaque Float.atan (a : Float) : Float

@[prim]
opaque Float.sinh (a : Float) : Float

@[prim]
opaque Float.cosh (a : Float) : Float

@[prim]
opaque Float.tanh (a : Float) : Float

@[prim]
opaque Float.asinh (a : Float) : Float

@[prim]
opaque Float.acosh (a : Float) : Float

@[prim]
opaque Float.atanh (a : Float) : Float

@[prim]
opaque Float.floor (a : Float) : Float

@[prim]
opaque Float.ceil (a : Float) : Float

@[prim]
opaque Float.round (a : Float) : Float

@[prim]
opaque Float.isNaN (a : Float) : Bool

@[prim]
opaque Float.isFinite (a : Float) : Bool

@[prim]
opaque Float.isInf (a : Float) : Bool

@[prim]
opaque Float.toUInt8 (a : Float) : UInt8

@[prim]
opaque Float.toUInt16 (a : Float) : UInt16

@[prim]
opaque Float.toUInt32 (a : Float) : UInt32

@[prim]
opaque Float.toUInt64 (a : Float) : UInt64

@[prim]
opaque Float.toUSize (a : Float) : USize

@[prim]
opaque Float.toInt8 (a : Float) : Int8

@[prim]
opaque Float.toInt16 (a : Float) : Int16

@[prim]
opaque Float.toInt32 (a : Float) : Int32

@[prim]
opaque Float.toInt64 (a : Float) : Int64

@[prim]
opaque Float.toISize (a : Float) : ISize

@[prim]
protected opaque Float.ofNat (n : Nat) : Float

@[prim]
protected opaque Float.ofInt (n : Int) : Float

@[prim]
protected opaque Float.ofScientific (mantissa : Nat) (exponentSign : Bool) (decimalExponent : Nat) : Float

@[prim]
opaque Float.ofBinaryScientific (m : Nat) (e : Int) : Float

@[prim]
opaque Float.scaleB (x : Float) (i : Int) : Float

@[prim]
opaque Float.frExp (a : Float) : Float × Int

@[prim]
opaque Float.toBits (a : Float) : UInt64

@[prim]
opaque Float.ofBits (b : UInt64) : Float

@[prim]
protected opaque Float.toString (a : Float) : String

@[default_instance mid]
instance instOfScientificFloat : OfScientific Float := ⟨Float.ofScientific⟩

instance instOfNatFloat {n : Nat} : OfNat Float n := ⟨Float.ofNat n⟩

instance instAddFloat : Add Float := ⟨Float.add⟩

instance instSubFloat : Sub Float := ⟨Float.sub⟩

instance instMulFloat : Mul Float := ⟨Float.mul⟩

instance instDivFloat : Div Float := ⟨Float.div⟩

instance instNegFloat : Neg Float := ⟨Float.neg⟩

instance instHomogeneousPowFloat : HomogeneousPow Float := ⟨Float.pow⟩

instance instLTFloat : LT Float := ⟨Float.lt⟩

instance instLEFloat : LE Float := ⟨Float.le⟩

instance instBEqFloat : BEq Float := ⟨Float.beq⟩

@[instance]
opaque floatDecLt (a b : Float) : Decidable (a < b)

@[instance]
opaque floatDecLe (a b : Float) : Decidable (a ≤ b)

instance instInhabitedFloat : Inhabited Float := ⟨Float.ofNat 0⟩

instance instToStringFloat : ToString Float := ⟨Float.toString⟩

@[instance]
opaque instReprFloat : Repr Float

instance instMinFloat : Min Float := ⟨fun a b => if a ≤ b then a else b⟩

instance instMaxFloat : Max Float := ⟨fun a b => if a ≤ b then b else a⟩

@[instance]
opaque instHashableFloat : Hashable Float

instance instZeroFloat : Zero Float := ⟨Float.ofNat 0⟩

instance instOneFloat : One Float := ⟨Float.ofNat 1⟩
