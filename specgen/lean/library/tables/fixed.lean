-- Fixed-width integers and bit vectors.

opaque UInt8 : Type

opaque UInt16 : Type

opaque UInt32 : Type

opaque UInt64 : Type

opaque USize : Type

opaque Int8 : Type

opaque Int16 : Type

opaque Int32 : Type

opaque Int64 : Type

opaque ISize : Type

opaque BitVec (w : Nat) : Type

def UInt8.size : Nat := 256

@[prim]
opaque UInt8.ofNat (n : Nat) : UInt8

@[prim]
opaque UInt8.ofNatLT (n : Nat) (h : n < UInt8.size) : UInt8

@[prim]
protected opaque UInt8.toNat (n : UInt8) : Nat

@[prim]
opaque UInt8.ofNatTruncate (n : Nat) : UInt8

@[prim]
protected opaque UInt8.log2 (a : UInt8) : UInt8

@[prim]
opaque UInt8.toFloat (n : UInt8) : Float

@[prim]
protected opaque UInt8.add (a b : UInt8) : UInt8

@[prim]
protected opaque UInt8.sub (a b : UInt8) : UInt8

@[prim]
protected opaque UInt8.mul (a b : UInt8) : UInt8

@[prim]
protected opaque UInt8.div (a b : UInt8) : UInt8

@[prim]
protected opaque UInt8.mod (a b : UInt8) : UInt8

@[prim]
protected opaque UInt8.land (a b : UInt8) : UInt8

@[prim]
protected opaque UInt8.lor (a b : UInt8) : UInt8

@[prim]
protected opaque UInt8.xor (a b : UInt8) : UInt8

@[prim]
protected opaque UInt8.shiftLeft (a b : UInt8) : UInt8

@[prim]
protected opaque UInt8.shiftRight (a b : UInt8) : UInt8

@[prim]
protected opaque UInt8.complement (a : UInt8) : UInt8

@[prim]
protected opaque UInt8.neg (a : UInt8) : UInt8

@[prim]
protected opaque UInt8.lt (a b : UInt8) : Prop

@[prim]
protected opaque UInt8.le (a b : UInt8) : Prop

@[prim]
opaque UInt8.compareInternal (a b : UInt8) : Ordering

@[prim]
opaque UInt8.toStringInternal (a : UInt8) : String

instance UInt8.instOfNat {n : Nat} : OfNat UInt8 n := ⟨UInt8.ofNat n⟩

instance UInt8.instAdd : Add UInt8 := ⟨UInt8.add⟩

instance UInt8.instSub : Sub UInt8 := ⟨UInt8.sub⟩

instance UInt8.instMul : Mul UInt8 := ⟨UInt8.mul⟩

instance UInt8.instDiv : Div UInt8 := ⟨UInt8.div⟩

instance UInt8.instMod : Mod UInt8 := ⟨UInt8.mod⟩

instance UInt8.instAndOp : AndOp UInt8 := ⟨UInt8.land⟩

instance UInt8.instOrOp : OrOp UInt8 := ⟨UInt8.lor⟩

instance UInt8.instXorOp : XorOp UInt8 := ⟨UInt8.xor⟩

instance UInt8.instShiftLeft : ShiftLeft UInt8 := ⟨UInt8.shiftLeft⟩

instance UInt8.instShiftRight : ShiftRight UInt8 := ⟨UInt8.shiftRight⟩

instance UInt8.instComplement : Complement UInt8 := ⟨UInt8.complement⟩

instance UInt8.instNeg : Neg UInt8 := ⟨UInt8.neg⟩

instance UInt8.instLT : LT UInt8 := ⟨UInt8.lt⟩

instance UInt8.instLE : LE UInt8 := ⟨UInt8.le⟩

@[instance]
opaque UInt8.instDecidableEq : DecidableEq UInt8

@[instance]
opaque UInt8.decLt (a b : UInt8) : Decidable (a < b)

@[instance]
opaque UInt8.decLe (a b : UInt8) : Decidable (a ≤ b)

instance UInt8.instMax : Max UInt8 := ⟨fun a b => if a ≤ b then b else a⟩

instance UInt8.instMin : Min UInt8 := ⟨fun a b => if a ≤ b then a else b⟩

instance UInt8.instOrd : Ord UInt8 := ⟨UInt8.compareInternal⟩

instance UInt8.instInhabited : Inhabited UInt8 := ⟨UInt8.ofNat 0⟩

instance UInt8.instToString : ToString UInt8 := ⟨UInt8.toStringInternal⟩

@[instance]
opaque UInt8.instRepr : Repr UInt8

@[instance]
opaque UInt8.instHashable : Hashable UInt8

instance UInt8.instZero : Zero UInt8 := ⟨UInt8.ofNat 0⟩

@[prim]
opaque UInt8.toUInt16 (a : UInt8) : UInt16

@[prim]
opaque UInt8.toUInt32 (a : UInt8) : UInt32

@[prim]
opaque UInt8.toUInt64 (a : UInt8) : UInt64

@[prim]
opaque UInt8.toUSize (a : UInt8) : USize

@[prim]
opaque UInt8.toFin (x : UInt8) : Fin UInt8.size

@[prim]
opaque UInt8.ofFin (x : Fin UInt8.size) : UInt8

@[prim]
opaque UInt8.toBitVec (x : UInt8) : BitVec 8

@[prim]
opaque UInt8.ofBitVec (x : BitVec 8) : UInt8

@[prim]
opaque UInt8.toInt8 (x : UInt8) : Int8

def UInt16.size : Nat := 65536

@[prim]
opaque UInt16.ofNat (n : Nat) : UInt16

@[prim]
opaque UInt16.ofNatLT (n : Nat) (h : n < UInt16.size) : UInt16

@[prim]
protected opaque UInt16.toNat (n : UInt16) : Nat

@[prim]
opaque UInt16.ofNatTruncate (n : Nat) : UInt16

@[prim]
protected opaque UInt16.log2 (a : UInt16) : UInt16

@[prim]
opaque UInt16.toFloat (n : UInt16) : Float

@[prim]
protected opaque UInt16.add (a b : UInt16) : UInt16

@[prim]
protected opaque UInt16.sub (a b : UInt16) : UInt16

@[prim]
protected opaque UInt16.mul (a b : UInt16) : UInt16

@[prim]
protected opaque UInt16.div (a b : UInt16) : UInt16

@[prim]
protected opaque UInt16.mod (a b : UInt16) : UInt16

@[prim]
protected opaque UInt16.land (a b : UInt16) : UInt16

@[prim]
protected opaque UInt16.lor (a b : UInt16) : UInt16

@[prim]
protected opaque UInt16.xor (a b : UInt16) : UInt16

@[prim]
protected opaque UInt16.shiftLeft (a b : UInt16) : UInt16

@[prim]
protected opaque UInt16.shiftRight (a b : UInt16) : UInt16

@[prim]
protected opaque UInt16.complement (a : UInt16) : UInt16

@[prim]
protected opaque UInt16.neg (a : UInt16) : UInt16

@[prim]
protected opaque UInt16.lt (a b : UInt16) : Prop

@[prim]
protected opaque UInt16.le (a b : UInt16) : Prop

@[prim]
opaque UInt16.compareInternal (a b : UInt16) : Ordering

@[prim]
opaque UInt16.toStringInternal (a : UInt16) : String

instance UInt16.instOfNat {n : Nat} : OfNat UInt16 n := ⟨UInt16.ofNat n⟩

instance UInt16.instAdd : Add UInt16 := ⟨UInt16.add⟩

instance UInt16.instSub : Sub UInt16 := ⟨UInt16.sub⟩

instance UInt16.instMul : Mul UInt16 := ⟨UInt16.mul⟩

instance UInt16.instDiv : Div UInt16 := ⟨UInt16.div⟩

instance UInt16.instMod : Mod UInt16 := ⟨UInt16.mod⟩

instance UInt16.instAndOp : AndOp UInt16 := ⟨UInt16.land⟩

instance UInt16.instOrOp : OrOp UInt16 := ⟨UInt16.lor⟩

instance UInt16.instXorOp : XorOp UInt16 := ⟨UInt16.xor⟩

instance UInt16.instShiftLeft : ShiftLeft UInt16 := ⟨UInt16.shiftLeft⟩

instance UInt16.instShiftRight : ShiftRight UInt16 := ⟨UInt16.shiftRight⟩

instance UInt16.instComplement : Complement UInt16 := ⟨UInt16.complement⟩

instance UInt16.instNeg : Neg UInt16 := ⟨UInt16.neg⟩

instance UInt16.instLT : LT UInt16 := ⟨UInt16.lt⟩

instance UInt16.instLE : LE UInt16 := ⟨UInt16.le⟩

@[instance]
opaque UInt16.instDecidableEq : DecidableEq UInt16

@[instance]
opaque UInt16.decLt (a b : UInt16) : Decidable (a < b)

@[instance]
opaque UInt16.decLe (a b : UInt16) : Decidable (a ≤ b)

instance UInt16.instMax : Max UInt16 := ⟨fun a b => if a ≤ b then b else a⟩

instance UInt16.instMin : Min UInt16 := ⟨fun a b => if a ≤ b then a else b⟩

instance UInt16.instOrd : Ord UInt16 := ⟨UInt16.compareInternal⟩

instance UInt16.instInhabited : Inhabited UInt16 := ⟨UInt16.ofNat 0⟩

instance UInt16.instToString : ToString UInt16 := ⟨UInt16.toStringInternal⟩

@[instance]
opaque UInt16.instRepr : Repr UInt16

@[instance]
opaque UInt16.instHashable : Hashable UInt16

instance UInt16.instZero : Zero UInt16 := ⟨UInt16.ofNat 0⟩

@[prim]
opaque UInt16.toUInt8 (a : UInt16) : UInt8

@[prim]
opaque UInt16.toUInt32 (a : UInt16) : UInt32

@[prim]
opaque UInt16.toUInt64 (a : UInt16) : UInt64

@[prim]
opaque UInt16.toUSize (a : UInt16) : USize

@[prim]
opaque UInt16.toFin (x : UInt16) : Fin UInt16.size

@[prim]
opaque UInt16.ofFin (x : Fin UInt16.size) : UInt16

@[prim]
opaque UInt16.toBitVec (x : UInt16) : BitVec 16

@[prim]
opaque UInt16.ofBitVec (x : BitVec 16) : UInt16

@[prim]
opaque UInt16.toInt16 (x : UInt16) : Int16

def UInt32.size : Nat := 4294967296

@[prim]
opaque UInt32.ofNat (n : Nat) : UInt32

@[prim]
opaque UInt32.ofNatLT (n : Nat) (h : n < UInt32.size) : UInt32

@[prim]
protected opaque UInt32.toNat (n : UInt32) : Nat

@[prim]
opaque UInt32.ofNatTruncate (n : Nat) : UInt32

@[prim]
protected opaque UInt32.log2 (a : UInt32) : UInt32

@[prim]
opaque UInt32.toFloat (n : UInt32) : Float

@[prim]
protected opaque UInt32.add (a b : UInt32) : UInt32

@[prim]
protected opaque UInt32.sub (a b : UInt32) : UInt32

@[prim]
protected opaque UInt32.mul (a b : UInt32) : UInt32

@[prim]
protected opaque UInt32.div (a b : UInt32) : UInt32

@[prim]
protected opaque UInt32.mod (a b : UInt32) : UInt32

@[prim]
protected opaque UInt32.land (a b : UInt32) : UInt32

@[prim]
protected opaque UInt32.lor (a b : UInt32) : UInt32

@[prim]
protected opaque UInt32.xor (a b : UInt32) : UInt32

@[prim]
protected opaque UInt32.shiftLeft (a b : UInt32) : UInt32

@[prim]
protected opaque UInt32.shiftRight (a b : UInt32) : UInt32

@[prim]
protected opaque UInt32.complement (a : UInt32) : UInt32

@[prim]
protected opaque UInt32.neg (a : UInt32) : UInt32

@[prim]
protected opaque UInt32.lt (a b : UInt32) : Prop

@[prim]
protected opaque UInt32.le (a b : UInt32) : Prop

@[prim]
opaque UInt32.compareInternal (a b : UInt32) : Ordering

@[prim]
opaque UInt32.toStringInternal (a : UInt32) : String

instance UInt32.instOfNat {n : Nat} : OfNat UInt32 n := ⟨UInt32.ofNat n⟩

instance UInt32.instAdd : Add UInt32 := ⟨UInt32.add⟩

instance UInt32.instSub : Sub UInt32 := ⟨UInt32.sub⟩

instance UInt32.instMul : Mul UInt32 := ⟨UInt32.mul⟩

instance UInt32.instDiv : Div UInt32 := ⟨UInt32.div⟩

instance UInt32.instMod : Mod UInt32 := ⟨UInt32.mod⟩

instance UInt32.instAndOp : AndOp UInt32 := ⟨UInt32.land⟩

instance UInt32.instOrOp : OrOp UInt32 := ⟨UInt32.lor⟩

instance UInt32.instXorOp : XorOp UInt32 := ⟨UInt32.xor⟩

instance UInt32.instShiftLeft : ShiftLeft UInt32 := ⟨UInt32.shiftLeft⟩

instance UInt32.instShiftRight : ShiftRight UInt32 := ⟨UInt32.shiftRight⟩

instance UInt32.instComplement : Complement UInt32 := ⟨UInt32.complement⟩

instance UInt32.instNeg : Neg UInt32 := ⟨UInt32.neg⟩

instance UInt32.instLT : LT UInt32 := ⟨UInt32.lt⟩

instance UInt32.instLE : LE UInt32 := ⟨UInt32.le⟩

@[instance]
opaque UInt32.instDecidableEq : DecidableEq UInt32

@[instance]
opaque UInt32.decLt (a b : UInt32) : Decidable (a < b)

@[instance]
opaque UInt32.decLe (a b : UInt32) : Decidable (a ≤ b)

instance UInt32.instMax : Max UInt32 := ⟨fun a b => if a ≤ b then b else a⟩

instance UInt32.instMin : Min UInt32 := ⟨fun a b => if a ≤ b then a else b⟩

instance UInt32.instOrd : Ord UInt32 := ⟨UInt32.compareInternal⟩

instance UInt32.instInhabited : Inhabited UInt32 := ⟨UInt32.ofNat 0⟩

instance UInt32.instToString : ToString UInt32 := ⟨UInt32.toStringInternal⟩

@[instance]
opaque UInt32.instRepr : Repr UInt32

@[instance]
opaque UInt32.instHashable : Hashable UInt32

instance UInt32.instZero : Zero UInt32 := ⟨UInt32.ofNat 0⟩

@[prim]
opaque UInt32.toUInt8 (a : UInt32) : UInt8

@[prim]
opaque UInt32.toUInt16 (a : UInt32) : UInt16

@[prim]
opaque UInt32.toUInt64 (a : UInt32) : UInt64

@[prim]
opaque UInt32.toUSize (a : UInt32) : USize

@[prim]
opaque UInt32.toFin (x : UInt32) : Fin UInt32.size

@[prim]
opaque UInt32.ofFin (x : Fin UInt32.size) : UInt32

@[prim]
opaque UInt32.toBitVec (x : UInt32) : BitVec 32

@[prim]
opaque UInt32.ofBitVec (x : BitVec 32) : UInt32

@[prim]
opaque UInt32.toInt32 (x : UInt32) : Int32

def UInt64.size : Nat := 18446744073709551616

@[prim]
opaque UInt64.ofNat (n : Nat) : UInt64

@[prim]
opaque UInt64.ofNatLT (n : Nat) (h : n < UInt64.size) : UInt64

@[prim]
protected opaque UInt64.toNat (n : UInt64) : Nat

@[prim]
opaque UInt64.ofNatTruncate (n : Nat) : UInt64

@[prim]
protected opaque UInt64.log2 (a : UInt64) : UInt64

@[prim]
opaque UInt64.toFloat (n : UInt64) : Float

@[prim]
protected opaque UInt64.add (a b : UInt64) : UInt64

@[prim]
protected opaque UInt64.sub (a b : UInt64) : UInt64

@[prim]
protected opaque UInt64.mul (a b : UInt64) : UInt64

@[prim]
protected opaque UInt64.div (a b : UInt64) : UInt64

@[prim]
protected opaque UInt64.mod (a b : UInt64) : UInt64

@[prim]
protected opaque UInt64.land (a b : UInt64) : UInt64

@[prim]
protected opaque UInt64.lor (a b : UInt64) : UInt64

@[prim]
protected opaque UInt64.xor (a b : UInt64) : UInt64

@[prim]
protected opaque UInt64.shiftLeft (a b : UInt64) : UInt64

@[prim]
protected opaque UInt64.shiftRight (a b : UInt64) : UInt64

@[prim]
protected opaque UInt64.complement (a : UInt64) : UInt64

@[prim]
protected opaque UInt64.neg (a : UInt64) : UInt64

@[prim]
protected opaque UInt64.lt (a b : UInt64) : Prop

@[prim]
protected opaque UInt64.le (a b : UInt64) : Prop

@[prim]
opaque UInt64.compareInternal (a b : UInt64) : Ordering

@[prim]
opaque UInt64.toStringInternal (a : UInt64) : String

instance UInt64.instOfNat {n : Nat} : OfNat UInt64 n := ⟨UInt64.ofNat n⟩

instance UInt64.instAdd : Add UInt64 := ⟨UInt64.add⟩

instance UInt64.instSub : Sub UInt64 := ⟨UInt64.sub⟩

instance UInt64.instMul : Mul UInt64 := ⟨UInt64.mul⟩

instance UInt64.instDiv : Div UInt64 := ⟨UInt64.div⟩

instance UInt64.instMod : Mod UInt64 := ⟨UInt64.mod⟩

instance UInt64.instAndOp : AndOp UInt64 := ⟨UInt64.land⟩

instance UInt64.instOrOp : OrOp UInt64 := ⟨UInt64.lor⟩

instance UInt64.instXorOp : XorOp UInt64 := ⟨UInt64.xor⟩

instance UInt64.instShiftLeft : ShiftLeft UInt64 := ⟨UInt64.shiftLeft⟩

instance UInt64.instShiftRight : ShiftRight UInt64 := ⟨UInt64.shiftRight⟩

instance UInt64.instComplement : Complement UInt64 := ⟨UInt64.complement⟩

instance UInt64.instNeg : Neg UInt64 := ⟨UInt64.neg⟩

instance UInt64.instLT : LT UInt64 := ⟨UInt64.lt⟩

instance UInt64.instLE : LE UInt64 := ⟨UInt64.le⟩

@[instance]
opaque UInt64.instDecidableEq : DecidableEq UInt64

@[instance]
opaque UInt64.decLt (a b : UInt64) : Decidable (a < b)

@[instance]
opaque UInt64.decLe (a b : UInt64) : Decidable (a ≤ b)

instance UInt64.instMax : Max UInt64 := ⟨fun a b => if a ≤ b then b else a⟩

instance UInt64.instMin : Min UInt64 := ⟨fun a b => if a ≤ b then a else b⟩

instance UInt64.instOrd : Ord UInt64 := ⟨UInt64.compareInternal⟩

instance UInt64.instInhabited : Inhabited UInt64 := ⟨UInt64.ofNat 0⟩

instance UInt64.instToString : ToString UInt64 := ⟨UInt64.toStringInternal⟩

@[instance]
opaque UInt64.instRepr : Repr UInt64

@[instance]
opaque UInt64.instHashable : Hashable UInt64

instance UInt64.instZero : Zero UInt64 := ⟨UInt64.ofNat 0⟩

@[prim]
opaque UInt64.toUInt8 (a : UInt64) : UInt8

@[prim]
opaque UInt64.toUInt16 (a : UInt64) : UInt16

@[prim]
opaque UInt64.toUInt32 (a : UInt64) : UInt32

@[prim]
opaque UInt64.toUSize (a : UInt64) : USize

@[prim]
opaque UInt64.toFin (x : UInt64) : Fin UInt64.size

@[prim]
opaque UInt64.ofFin (x : Fin UInt64.size) : UInt64

@[prim]
opaque UInt64.toBitVec (x : UInt64) : BitVec 64

@[prim]
opaque UInt64.ofBitVec (x : BitVec 64) : UInt64

@[prim]
opaque UInt64.toInt64 (x : UInt64) : Int64

def USize.size : Nat := 18446744073709551616

@[prim]
opaque USize.ofNat (n : Nat) : USize

@[prim]
opaque USize.ofNatLT (n : Nat) (h : n < USize.size) : USize

@[prim]
protected opaque USize.toNat (n : USize) : Nat

@[prim]
opaque USize.ofNatTruncate (n : Nat) : USize

@[prim]
protected opaque USize.log2 (a : USize) : USize

@[prim]
opaque USize.toFloat (n : USize) : Float

@[prim]
protected opaque USize.add (a b : USize) : USize

@[prim]
protected opaque USize.sub (a b : USize) : USize

@[prim]
protected opaque USize.mul (a b : USize) : USize

@[prim]
protected opaque USize.div (a b : USize) : USize

@[prim]
protected opaque USize.mod (a b : USize) : USize

@[prim]
protected opaque USize.land (a b : USize) : USize

@[prim]
protected opaque USize.lor (a b : USize) : USize

@[prim]
protected opaque USize.xor (a b : USize) : USize

@[prim]
protected opaque USize.shiftLeft (a b : USize) : USize

@[prim]
protected opaque USize.shiftRight (a b : USize) : USize

@[prim]
protected opaque USize.complement (a : USize) : USize

@[prim]
protected opaque USize.neg (a : USize) : USize

@[prim]
protected opaque USize.lt (a b : USize) : Prop

@[prim]
protected opaque USize.le (a b : USize) : Prop

@[prim]
opaque USize.compareInternal (a b : USize) : Ordering

@[prim]
opaque USize.toStringInternal (a : USize) : String

instance USize.instOfNat {n : Nat} : OfNat USize n := ⟨USize.ofNat n⟩

instance USize.instAdd : Add USize := ⟨USize.add⟩

instance USize.instSub : Sub USize := ⟨USize.sub⟩

instance USize.instMul : Mul USize := ⟨USize.mul⟩

instance USize.instDiv : Div USize := ⟨USize.div⟩

instance USize.instMod : Mod USize := ⟨USize.mod⟩

instance USize.instAndOp : AndOp USize := ⟨USize.land⟩

instance USize.instOrOp : OrOp USize := ⟨USize.lor⟩

instance USize.instXorOp : XorOp USize := ⟨USize.xor⟩

instance USize.instShiftLeft : ShiftLeft USize := ⟨USize.shiftLeft⟩

instance USize.instShiftRight : ShiftRight USize := ⟨USize.shiftRight⟩

instance USize.instComplement : Complement USize := ⟨USize.complement⟩

instance USize.instNeg : Neg USize := ⟨USize.neg⟩

instance USize.instLT : LT USize := ⟨USize.lt⟩

instance USize.instLE : LE USize := ⟨USize.le⟩

@[instance]
opaque USize.instDecidableEq : DecidableEq USize

@[instance]
opaque USize.decLt (a b : USize) : Decidable (a < b)

@[instance]
opaque USize.decLe (a b : USize) : Decidable (a ≤ b)

instance USize.instMax : Max USize := ⟨fun a b => if a ≤ b then b else a⟩

instance USize.instMin : Min USize := ⟨fun a b => if a ≤ b then a else b⟩

instance USize.instOrd : Ord USize := ⟨USize.compareInternal⟩

instance USize.instInhabited : Inhabited USize := ⟨USize.ofNat 0⟩

instance USize.instToString : ToString USize := ⟨USize.toStringInternal⟩

@[instance]
opaque USize.instRepr : Repr USize

@[instance]
opaque USize.instHashable : Hashable USize

instance USize.instZero : Zero USize := ⟨USize.ofNat 0⟩

@[prim]
opaque USize.toUInt8 (a : USize) : UInt8

@[prim]
opaque USize.toUInt16 (a : USize) : UInt16

@[prim]
opaque USize.toUInt32 (a : USize) : UInt32

@[prim]
opaque USize.toUInt64 (a : USize) : UInt64

@[prim]
opaque USize.toFin (x : USize) : Fin USize.size

@[prim]
opaque USize.ofFin (x : Fin USize.size) : USize

def Int8.size : Nat := 256

@[prim]
opaque Int8.ofNat (n : Nat) : Int8

@[prim]
opaque Int8.ofInt (i : Int) : Int8

@[prim]
opaque Int8.toInt (i : Int8) : Int

@[prim]
opaque Int8.toNatClampNeg (i : Int8) : Nat

@[prim]
protected opaque Int8.abs (a : Int8) : Int8

@[prim]
opaque Int8.toFloat (n : Int8) : Float

def Int8.maxValue : Int8 := Int8.ofInt (Int8.size / 2 - 1)

def Int8.minValue : Int8 := Int8.ofInt (-(Int8.size / 2))

@[prim]
protected opaque Int8.add (a b : Int8) : Int8

@[prim]
protected opaque Int8.sub (a b : Int8) : Int8

@[prim]
protected opaque Int8.mul (a b : Int8) : Int8

@[prim]
protected opaque Int8.div (a b : Int8) : Int8

@[prim]
protected opaque Int8.mod (a b : Int8) : Int8

@[prim]
protected opaque Int8.land (a b : Int8) : Int8

@[prim]
protected opaque Int8.lor (a b : Int8) : Int8

@[prim]
protected opaque Int8.xor (a b : Int8) : Int8

@[prim]
protected opaque Int8.shiftLeft (a b : Int8) : Int8

@[prim]
protected opaque Int8.shiftRight (a b : Int8) : Int8

@[prim]
protected opaque Int8.complement (a : Int8) : Int8

@[prim]
protected opaque Int8.neg (a : Int8) : Int8

@[prim]
protected opaque Int8.lt (a b : Int8) : Prop

@[prim]
protected opaque Int8.le (a b : Int8) : Prop

@[prim]
opaque Int8.compareInternal (a b : Int8) : Ordering

@[prim]
opaque Int8.toStringInternal (a : Int8) : String

instance Int8.instOfNat {n : Nat} : OfNat Int8 n := ⟨Int8.ofNat n⟩

instance Int8.instAdd : Add Int8 := ⟨Int8.add⟩

instance Int8.instSub : Sub Int8 := ⟨Int8.sub⟩

instance Int8.instMul : Mul Int8 := ⟨Int8.mul⟩

instance Int8.instDiv : Div Int8 := ⟨Int8.div⟩

instance Int8.instMod : Mod Int8 := ⟨Int8.mod⟩

instance Int8.instAndOp : AndOp Int8 := ⟨Int8.land⟩

instance Int8.instOrOp : OrOp Int8 := ⟨Int8.lor⟩

instance Int8.instXorOp : XorOp Int8 := ⟨Int8.xor⟩

instance Int8.instShiftLeft : ShiftLeft Int8 := ⟨Int8.shiftLeft⟩

instance Int8.instShiftRight : ShiftRight Int8 := ⟨Int8.shiftRight⟩

instance Int8.instComplement : Complement Int8 := ⟨Int8.complement⟩

instance Int8.instNeg : Neg Int8 := ⟨Int8.neg⟩

instance Int8.instLT : LT Int8 := ⟨Int8.lt⟩

instance Int8.instLE : LE Int8 := ⟨Int8.le⟩

@[instance]
opaque Int8.instDecidableEq : DecidableEq Int8

@[instance]
opaque Int8.decLt (a b : Int8) : Decidable (a < b)

@[instance]
opaque Int8.decLe (a b : Int8) : Decidable (a ≤ b)

instance Int8.instMax : Max Int8 := ⟨fun a b => if a ≤ b then b else a⟩

instance Int8.instMin : Min Int8 := ⟨fun a b => if a ≤ b then a else b⟩

instance Int8.instOrd : Ord Int8 := ⟨Int8.compareInternal⟩

instance Int8.instInhabited : Inhabited Int8 := ⟨Int8.ofNat 0⟩

instance Int8.instToString : ToString Int8 := ⟨Int8.toStringInternal⟩

@[instance]
opaque Int8.instRepr : Repr Int8

@[instance]
opaque Int8.instHashable : Hashable Int8

instance Int8.instZero : Zero Int8 := ⟨Int8.ofNat 0⟩

@[prim]
opaque Int8.toInt16 (a : Int8) : Int16

@[prim]
opaque Int8.toInt32 (a : Int8) : Int32

@[prim]
opaque Int8.toInt64 (a : Int8) : Int64

@[prim]
opaque Int8.toISize (a : Int8) : ISize

@[prim]
opaque Int8.toUInt8 (x : Int8) : UInt8

@[prim]
opaque Int8.toBitVec (x : Int8) : BitVec 8

@[prim]
opaque Int8.ofBitVec (x : BitVec 8) : Int8

def Int16.size : Nat := 65536

@[prim]
opaque Int16.ofNat (n : Nat) : Int16

@[prim]
opaque Int16.ofInt (i : Int) : Int16

@[prim]
opaque Int16.toInt (i : Int16) : Int

@[prim]
opaque Int16.toNatClampNeg (i : Int16) : Nat

@[prim]
protected opaque Int16.abs (a : Int16) : Int16

@[prim]
opaque Int16.toFloat (n : Int16) : Float

def Int16.maxValue : Int16 := Int16.ofInt (Int16.size / 2 - 1)

def Int16.minValue : Int16 := Int16.ofInt (-(Int16.size / 2))

@[prim]
protected opaque Int16.add (a b : Int16) : Int16

@[prim]
protected opaque Int16.sub (a b : Int16) : Int16

@[prim]
protected opaque Int16.mul (a b : Int16) : Int16

@[prim]
protected opaque Int16.div (a b : Int16) : Int16

@[prim]
protected opaque Int16.mod (a b : Int16) : Int16

@[prim]
protected opaque Int16.land (a b : Int16) : Int16

@[prim]
protected opaque Int16.lor (a b : Int16) : Int16

@[prim]
protected opaque Int16.xor (a b : Int16) : Int16

@[prim]
protected opaque Int16.shiftLeft (a b : Int16) : Int16

@[prim]
protected opaque Int16.shiftRight (a b : Int16) : Int16

@[prim]
protected opaque Int16.complement (a : Int16) : Int16

@[prim]
protected opaque Int16.neg (a : Int16) : Int16

@[prim]
protected opaque Int16.lt (a b : Int16) : Prop

@[prim]
protected opaque Int16.le (a b : Int16) : Prop

@[prim]
opaque Int16.compareInternal (a b : Int16) : Ordering

@[prim]
opaque Int16.toStringInternal (a : Int16) : String

instance Int16.instOfNat {n : Nat} : OfNat Int16 n := ⟨Int16.ofNat n⟩

instance Int16.instAdd : Add Int16 := ⟨Int16.add⟩

instance Int16.instSub : Sub Int16 := ⟨Int16.sub⟩

instance Int16.instMul : Mul Int16 := ⟨Int16.mul⟩

instance Int16.instDiv : Div Int16 := ⟨Int16.div⟩

instance Int16.instMod : Mod Int16 := ⟨Int16.mod⟩

instance Int16.instAndOp : AndOp Int16 := ⟨Int16.land⟩

instance Int16.instOrOp : OrOp Int16 := ⟨Int16.lor⟩

instance Int16.instXorOp : XorOp Int16 := ⟨Int16.xor⟩

instance Int16.instShiftLeft : ShiftLeft Int16 := ⟨Int16.shiftLeft⟩

instance Int16.instShiftRight : ShiftRight Int16 := ⟨Int16.shiftRight⟩

instance Int16.instComplement : Complement Int16 := ⟨Int16.complement⟩

instance Int16.instNeg : Neg Int16 := ⟨Int16.neg⟩

instance Int16.instLT : LT Int16 := ⟨Int16.lt⟩

instance Int16.instLE : LE Int16 := ⟨Int16.le⟩

@[instance]
opaque Int16.instDecidableEq : DecidableEq Int16

@[instance]
opaque Int16.decLt (a b : Int16) : Decidable (a < b)

@[instance]
opaque Int16.decLe (a b : Int16) : Decidable (a ≤ b)

instance Int16.instMax : Max Int16 := ⟨fun a b => if a ≤ b then b else a⟩

instance Int16.instMin : Min Int16 := ⟨fun a b => if a ≤ b then a else b⟩

instance Int16.instOrd : Ord Int16 := ⟨Int16.compareInternal⟩

instance Int16.instInhabited : Inhabited Int16 := ⟨Int16.ofNat 0⟩

instance Int16.instToString : ToString Int16 := ⟨Int16.toStringInternal⟩

@[instance]
opaque Int16.instRepr : Repr Int16

@[instance]
opaque Int16.instHashable : Hashable Int16

instance Int16.instZero : Zero Int16 := ⟨Int16.ofNat 0⟩

@[prim]
opaque Int16.toInt8 (a : Int16) : Int8

@[prim]
opaque Int16.toInt32 (a : Int16) : Int32

@[prim]
opaque Int16.toInt64 (a : Int16) : Int64

@[prim]
opaque Int16.toISize (a : Int16) : ISize

@[prim]
opaque Int16.toUInt16 (x : Int16) : UInt16

@[prim]
opaque Int16.toBitVec (x : Int16) : BitVec 16

@[prim]
opaque Int16.ofBitVec (x : BitVec 16) : Int16

def Int32.size : Nat := 4294967296

@[prim]
opaque Int32.ofNat (n : Nat) : Int32

@[prim]
opaque Int32.ofInt (i : Int) : Int32

@[prim]
opaque Int32.toInt (i : Int32) : Int

@[prim]
opaque Int32.toNatClampNeg (i : Int32) : Nat

@[prim]
protected opaque Int32.abs (a : Int32) : Int32

@[prim]
opaque Int32.toFloat (n : Int32) : Float

def Int32.maxValue : Int32 := Int32.ofInt (Int32.size / 2 - 1)

def Int32.minValue : Int32 := Int32.ofInt (-(Int32.size / 2))

@[prim]
protected opaque Int32.add (a b : Int32) : Int32

@[prim]
protected opaque Int32.sub (a b : Int32) : Int32

@[prim]
protected opaque Int32.mul (a b : Int32) : Int32

@[prim]
protected opaque Int32.div (a b : Int32) : Int32

@[prim]
protected opaque Int32.mod (a b : Int32) : Int32

@[prim]
protected opaque Int32.land (a b : Int32) : Int32

@[prim]
protected opaque Int32.lor (a b : Int32) : Int32

@[prim]
protected opaque Int32.xor (a b : Int32) : Int32

@[prim]
protected opaque Int32.shiftLeft (a b : Int32) : Int32

@[prim]
protected opaque Int32.shiftRight (a b : Int32) : Int32

@[prim]
protected opaque Int32.complement (a : Int32) : Int32

@[prim]
protected opaque Int32.neg (a : Int32) : Int32

@[prim]
protected opaque Int32.lt (a b : Int32) : Prop

@[prim]
protected opaque Int32.le (a b : Int32) : Prop

@[prim]
opaque Int32.compareInternal (a b : Int32) : Ordering

@[prim]
opaque Int32.toStringInternal (a : Int32) : String

instance Int32.instOfNat {n : Nat} : OfNat Int32 n := ⟨Int32.ofNat n⟩

instance Int32.instAdd : Add Int32 := ⟨Int32.add⟩

instance Int32.instSub : Sub Int32 := ⟨Int32.sub⟩

instance Int32.instMul : Mul Int32 := ⟨Int32.mul⟩

instance Int32.instDiv : Div Int32 := ⟨Int32.div⟩

instance Int32.instMod : Mod Int32 := ⟨Int32.mod⟩

instance Int32.instAndOp : AndOp Int32 := ⟨Int32.land⟩

instance Int32.instOrOp : OrOp Int32 := ⟨Int32.lor⟩

instance Int32.instXorOp : XorOp Int32 := ⟨Int32.xor⟩

instance Int32.instShiftLeft : ShiftLeft Int32 := ⟨Int32.shiftLeft⟩

instance Int32.instShiftRight : ShiftRight Int32 := ⟨Int32.shiftRight⟩

instance Int32.instComplement : Complement Int32 := ⟨Int32.complement⟩

instance Int32.instNeg : Neg Int32 := ⟨Int32.neg⟩

instance Int32.instLT : LT Int32 := ⟨Int32.lt⟩

instance Int32.instLE : LE Int32 := ⟨Int32.le⟩

@[instance]
opaque Int32.instDecidableEq : DecidableEq Int32

@[instance]
opaque Int32.decLt (a b : Int32) : Decidable (a < b)

@[instance]
opaque Int32.decLe (a b : Int32) : Decidable (a ≤ b)

instance Int32.instMax : Max Int32 := ⟨fun a b => if a ≤ b then b else a⟩

instance Int32.instMin : Min Int32 := ⟨fun a b => if a ≤ b then a else b⟩

instance Int32.instOrd : Ord Int32 := ⟨Int32.compareInternal⟩

instance Int32.instInhabited : Inhabited Int32 := ⟨Int32.ofNat 0⟩

instance Int32.instToString : ToString Int32 := ⟨Int32.toStringInternal⟩

@[instance]
opaque Int32.instRepr : Repr Int32

@[instance]
opaque Int32.instHashable : Hashable Int32

instance Int32.instZero : Zero Int32 := ⟨Int32.ofNat 0⟩

@[prim]
opaque Int32.toInt8 (a : Int32) : Int8

@[prim]
opaque Int32.toInt16 (a : Int32) : Int16

@[prim]
opaque Int32.toInt64 (a : Int32) : Int64

@[prim]
opaque Int32.toISize (a : Int32) : ISize

@[prim]
opaque Int32.toUInt32 (x : Int32) : UInt32

@[prim]
opaque Int32.toBitVec (x : Int32) : BitVec 32

@[prim]
opaque Int32.ofBitVec (x : BitVec 32) : Int32

def Int64.size : Nat := 18446744073709551616

@[prim]
opaque Int64.ofNat (n : Nat) : Int64

@[prim]
opaque Int64.ofInt (i : Int) : Int64

@[prim]
opaque Int64.toInt (i : Int64) : Int

@[prim]
opaque Int64.toNatClampNeg (i : Int64) : Nat

@[prim]
protected opaque Int64.abs (a : Int64) : Int64

@[prim]
opaque Int64.toFloat (n : Int64) : Float

def Int64.maxValue : Int64 := Int64.ofInt (Int64.size / 2 - 1)

def Int64.minValue : Int64 := Int64.ofInt (-(Int64.size / 2))

@[prim]
protected opaque Int64.add (a b : Int64) : Int64

@[prim]
protected opaque Int64.sub (a b : Int64) : Int64

@[prim]
protected opaque Int64.mul (a b : Int64) : Int64

@[prim]
protected opaque Int64.div (a b : Int64) : Int64

@[prim]
protected opaque Int64.mod (a b : Int64) : Int64

@[prim]
protected opaque Int64.land (a b : Int64) : Int64

@[prim]
protected opaque Int64.lor (a b : Int64) : Int64

@[prim]
protected opaque Int64.xor (a b : Int64) : Int64

@[prim]
protected opaque Int64.shiftLeft (a b : Int64) : Int64

@[prim]
protected opaque Int64.shiftRight (a b : Int64) : Int64

@[prim]
protected opaque Int64.complement (a : Int64) : Int64

@[prim]
protected opaque Int64.neg (a : Int64) : Int64

@[prim]
protected opaque Int64.lt (a b : Int64) : Prop

@[prim]
protected opaque Int64.le (a b : Int64) : Prop

@[prim]
opaque Int64.compareInternal (a b : Int64) : Ordering

@[prim]
opaque Int64.toStringInternal (a : Int64) : String

instance Int64.instOfNat {n : Nat} : OfNat Int64 n := ⟨Int64.ofNat n⟩

instance Int64.instAdd : Add Int64 := ⟨Int64.add⟩

instance Int64.instSub : Sub Int64 := ⟨Int64.sub⟩

instance Int64.instMul : Mul Int64 := ⟨Int64.mul⟩

instance Int64.instDiv : Div Int64 := ⟨Int64.div⟩

instance Int64.instMod : Mod Int64 := ⟨Int64.mod⟩

instance Int64.instAndOp : AndOp Int64 := ⟨Int64.land⟩

instance Int64.instOrOp : OrOp Int64 := ⟨Int64.lor⟩

instance Int64.instXorOp : XorOp Int64 := ⟨Int64.xor⟩

instance Int64.instShiftLeft : ShiftLeft Int64 := ⟨Int64.shiftLeft⟩

instance Int64.instShiftRight : ShiftRight Int64 := ⟨Int64.shiftRight⟩

instance Int64.instComplement : Complement Int64 := ⟨Int64.complement⟩

instance Int64.instNeg : Neg Int64 := ⟨Int64.neg⟩

instance Int64.instLT : LT Int64 := ⟨Int64.lt⟩

instance Int64.instLE : LE Int64 := ⟨Int64.le⟩

@[instance]
opaque Int64.instDecidableEq : DecidableEq Int64

@[instance]
opaque Int64.decLt (a b : Int64) : Decidable (a < b)

@[instance]
opaque Int64.decLe (a b : Int64) : Decidable (a ≤ b)

instance Int64.instMax : Max Int64 := ⟨fun a b => if a ≤ b then b else a⟩

instance Int64.instMin : Min Int64 := ⟨fun a b => if a ≤ b then a else b⟩

instance Int64.instOrd : Ord Int64 := ⟨Int64.compareInternal⟩

instance Int64.instInhabited : Inhabited Int64 := ⟨Int64.ofNat 0⟩

instance Int64.instToString : ToString Int64 := ⟨Int64.toStringInternal⟩

@[instance]
opaque Int64.instRepr : Repr Int64

@[instance]
opaque Int64.instHashable : Hashable Int64

instance Int64.instZero : Zero Int64 := ⟨Int64.ofNat 0⟩

@[prim]
opaque Int64.toInt8 (a : Int64) : Int8

@[prim]
opaque Int64.toInt16 (a : Int64) : Int16

@[prim]
opaque Int64.toInt32 (a : Int64) : Int32

@[prim]
opaque Int64.toISize (a : Int64) : ISize

@[prim]
opaque Int64.toUInt64 (x : Int64) : UInt64

@[prim]
opaque Int64.toBitVec (x : Int64) : BitVec 64

@[prim]
opaque Int64.ofBitVec (x : BitVec 64) : Int64

def ISize.size : Nat := 18446744073709551616

@[prim]
opaque ISize.ofNat (n : Nat) : ISize

@[prim]
opaque ISize.ofInt (i : Int) : ISize

@[prim]
opaque ISize.toInt (i : ISize) : Int

@[prim]
opaque ISize.toNatClampNeg (i : ISize) : Nat

@[prim]
protected opaque ISize.abs (a : ISize) : ISize

@[prim]
opaque ISize.toFloat (n : ISize) : Float

def ISize.maxValue : ISize := ISize.ofInt (ISize.size / 2 - 1)

def ISize.minValue : ISize := ISize.ofInt (-(ISize.size / 2))

@[prim]
protected opaque ISize.add (a b : ISize) : ISize

@[prim]
protected opaque ISize.sub (a b : ISize) : ISize

@[prim]
protected opaque ISize.mul (a b : ISize) : ISize

@[prim]
protected opaque ISize.div (a b : ISize) : ISize

@[prim]
protected opaque ISize.mod (a b : ISize) : ISize

@[prim]
protected opaque ISize.land (a b : ISize) : ISize

@[prim]
protected opaque ISize.lor (a b : ISize) : ISize

@[prim]
protected opaque ISize.xor (a b : ISize) : ISize

@[prim]
protected opaque ISize.shiftLeft (a b : ISize) : ISize

@[prim]
protected opaque ISize.shiftRight (a b : ISize) : ISize

@[prim]
protected opaque ISize.complement (a : ISize) : ISize

@[prim]
protected opaque ISize.neg (a : ISize) : ISize

@[prim]
protected opaque ISize.lt (a b : ISize) : Prop

@[prim]
protected opaque ISize.le (a b : ISize) : Prop

@[prim]
opaque ISize.compareInternal (a b : ISize) : Ordering

@[prim]
opaque ISize.toStringInternal (a : ISize) : String

instance ISize.instOfNat {n : Nat} : OfNat ISize n := ⟨ISize.ofNat n⟩

instance ISize.instAdd : Add ISize := ⟨ISize.add⟩

instance ISize.instSub : Sub ISize := ⟨ISize.sub⟩

instance ISize.instMul : Mul ISize := ⟨ISize.mul⟩

instance ISize.instDiv : Div ISize := ⟨ISize.div⟩

instance ISize.instMod : Mod ISize := ⟨ISize.mod⟩

instance ISize.instAndOp : AndOp ISize := ⟨ISize.land⟩

instance ISize.instOrOp : OrOp ISize := ⟨ISize.lor⟩

instance ISize.instXorOp : XorOp ISize := ⟨ISize.xor⟩

instance ISize.instShiftLeft : ShiftLeft ISize := ⟨ISize.shiftLeft⟩

instance ISize.instShiftRight : ShiftRight ISize := ⟨ISize.shiftRight⟩

instance ISize.instComplement : Complement ISize := ⟨ISize.complement⟩

instance ISize.instNeg : Neg ISize := ⟨ISize.neg⟩

instance ISize.instLT : LT ISize := ⟨ISize.lt⟩

instance ISize.instLE : LE ISize := ⟨ISize.le⟩

@[instance]
opaque ISize.instDecidableEq : DecidableEq ISize

@[instance]
opaque ISize.decLt (a b : ISize) : Decidable (a < b)

@[instance]
opaque ISize.decLe (a b : ISize) : Decidable (a ≤ b)

instance ISize.instMax : Max ISize := ⟨fun a b => if a ≤ b then b else a⟩

instance ISize.instMin : Min ISize := ⟨fun a b => if a ≤ b then a else b⟩

instance ISize.instOrd : Ord ISize := ⟨ISize.compareInternal⟩

instance ISize.instInhabited : Inhabited ISize := ⟨ISize.ofNat 0⟩

instance ISize.instToString : ToString ISize := ⟨ISize.toStringInternal⟩

@[instance]
opaque ISize.instRepr : Repr ISize

@[instance]
opaque ISize.instHashable : Hashable ISize

instance ISize.instZero : Zero ISize := ⟨ISize.ofNat 0⟩

@[prim]
opaque ISize.toInt8 (a : ISize) : Int8

@[prim]
opaque ISize.toInt16 (a : ISize) : Int16

@[prim]
opaque ISize.toInt32 (a : ISize) : Int32

@[prim]
opaque ISize.toInt64 (a : ISize) : Int64

@[prim]
opaque UInt8.toChar (n : UInt8) : Char

def UInt32.isValidChar (n : UInt32) : Prop := Nat.isValidChar n.toNat
