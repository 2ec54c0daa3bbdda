-- Bit vectors (`BitVec` itself is in fixed.lean) and functions of `Fin`.

@[prim]
protected opaque BitVec.ofNat (n : Nat) (i : Nat) : BitVec n

@[prim]
protected opaque BitVec.ofInt (n : Nat) (i : Int) : BitVec n

@[prim]
opaque BitVec.ofNatLT {w : Nat} (i : Nat) (p : i < 2 ^ w) : BitVec w

@[prim]
protected opaque BitVec.toNat {w : Nat} (x : BitVec w) : Nat

@[prim]
protected opaque BitVec.toInt {n : Nat} (x : BitVec n) : Int

@[prim]
protected opaque BitVec.toFin {w : Nat} (x : BitVec w) : Fin (2 ^ w)

@[prim]
opaque BitVec.ofFin {w : Nat} (x : Fin (2 ^ w)) : BitVec w

@[prim]
protected opaque BitVec.add {n : Nat} (x y : BitVec n) : BitVec n

@[prim]
protected opaque BitVec.sub {n : Nat} (x y : BitVec n) : BitVec n

@[prim]
protected opaque BitVec.mul {n : Nat} (x y : BitVec n) : BitVec n

@[prim]
protected opaque BitVec.neg {n : Nat} (x : BitVec n) : BitVec n

@[prim]
opaque BitVec.udiv {n : Nat} (x y : BitVec n) : BitVec n

@[prim]
opaque BitVec.umod {n : Nat} (x y : BitVec n) : BitVec n

@[prim]
opaque BitVec.sdiv {n : Nat} (x y : BitVec n) : BitVec n

@[prim]
opaque BitVec.srem {n : Nat} (x y : BitVec n) : BitVec n

@[prim]
opaque BitVec.smod {n : Nat} (x y : BitVec n) : BitVec n

@[prim]
protected opaque BitVec.and {n : Nat} (x y : BitVec n) : BitVec n

@[prim]
protected opaque BitVec.or {n : Nat} (x y : BitVec n) : BitVec n

@[prim]
protected opaque BitVec.xor {n : Nat} (x y : BitVec n) : BitVec n

@[prim]
protected opaque BitVec.not {n : Nat} (x : BitVec n) : BitVec n

def BitVec.abs {n : Nat} (x : BitVec n) : BitVec n := if BitVec.msb x then BitVec.neg x else x

@[prim]
opaque BitVec.replicate {w : Nat} (i : Nat) (x : BitVec w) : BitVec (w * i)

@[prim]
opaque BitVec.shiftLeft {n : Nat} (x : BitVec n) (s : Nat) : BitVec n

@[prim]
opaque BitVec.ushiftRight {n : Nat} (x : BitVec n) (s : Nat) : BitVec n

@[prim]
opaque BitVec.sshiftRight {n : Nat} (x : BitVec n) (s : Nat) : BitVec n

@[prim]
opaque BitVec.rotateLeft {w : Nat} (x : BitVec w) (n : Nat) : BitVec w

@[prim]
opaque BitVec.rotateRight {w : Nat} (x : BitVec w) (n : Nat) : BitVec w

@[prim]
opaque BitVec.ult {n : Nat} (x y : BitVec n) : Bool

@[prim]
opaque BitVec.ule {n : Nat} (x y : BitVec n) : Bool

@[prim]
opaque BitVec.slt {n : Nat} (x y : BitVec n) : Bool

@[prim]
opaque BitVec.sle {n : Nat} (x y : BitVec n) : Bool

@[prim]
opaque BitVec.getLsbD {w : Nat} (x : BitVec w) (i : Nat) : Bool

@[prim]
opaque BitVec.getMsbD {w : Nat} (x : BitVec w) (i : Nat) : Bool

@[prim]
opaque BitVec.getLsb {w : Nat} (x : BitVec w) (i : Fin w) : Bool

@[prim]
opaque BitVec.msb {n : Nat} (x : BitVec n) : Bool

@[prim]
opaque BitVec.allOnes (n : Nat) : BitVec n

@[prim]
protected opaque BitVec.zero (n : Nat) : BitVec n

@[prim]
opaque BitVec.twoPow (w : Nat) (i : Nat) : BitVec w

@[prim]
opaque BitVec.setWidth {w : Nat} (v : Nat) (x : BitVec w) : BitVec v

@[prim]
opaque BitVec.zeroExtend {w : Nat} (v : Nat) (x : BitVec w) : BitVec v

@[prim]
opaque BitVec.truncate {w : Nat} (v : Nat) (x : BitVec w) : BitVec v

@[prim]
opaque BitVec.signExtend {w : Nat} (v : Nat) (x : BitVec w) : BitVec v

@[prim]
protected opaque BitVec.append {n m : Nat} (msbs : BitVec n) (lsbs : BitVec m) : BitVec (n + m)

@[prim]
opaque BitVec.extractLsb' {n : Nat} (start len : Nat) (x : BitVec n) : BitVec len

@[prim]
opaque BitVec.extractLsb {n : Nat} (hi lo : Nat) (x : BitVec n) : BitVec (hi - lo + 1)

@[prim]
opaque BitVec.toHex {n : Nat} (x : BitVec n) : String

@[prim]
opaque BitVec.toStringInternal {n : Nat} (x : BitVec n) : String

instance BitVec.instOfNat {w i : Nat} : OfNat (BitVec w) i := ⟨BitVec.ofNat w i⟩

instance BitVec.instAdd {w : Nat} : Add (BitVec w) := ⟨BitVec.add⟩

instance BitVec.instSub {w : Nat} : Sub (BitVec w) := ⟨BitVec.sub⟩

instance BitVec.instMul {w : Nat} : Mul (BitVec w) := ⟨BitVec.mul⟩

instance BitVec.instNeg {w : Nat} : Neg (BitVec w) := ⟨BitVec.neg⟩

instance BitVec.instDiv {w : Nat} : Div (BitVec w) := ⟨BitVec.udiv⟩

instance BitVec.instMod {w : Nat} : Mod (BitVec w) := ⟨BitVec.umod⟩

instance BitVec.instAndOp {w : Nat} : AndOp (BitVec w) := ⟨BitVec.and⟩

instance BitVec.instOrOp {w : Nat} : OrOp (BitVec w) := ⟨BitVec.or⟩

instance BitVec.instXorOp {w : Nat} : XorOp (BitVec w) := ⟨BitVec.xor⟩

instance BitVec.instComplement {w : Nat} : Complement (BitVec w) := ⟨BitVec.not⟩

instance BitVec.instHShiftLeftNat {w : Nat} : HShiftLeft (BitVec w) Nat (BitVec w) := ⟨BitVec.shiftLeft⟩

instance BitVec.instHShiftRightNat {w : Nat} : HShiftRight (BitVec w) Nat (BitVec w) := ⟨BitVec.ushiftRight⟩

instance BitVec.instHShiftLeft {m n : Nat} : HShiftLeft (BitVec m) (BitVec n) (BitVec m) := ⟨fun x y => BitVec.shiftLeft x (BitVec.toNat y)⟩

instance BitVec.instHShiftRight {m n : Nat} : HShiftRight (BitVec m) (BitVec n) (BitVec m) := ⟨fun x y => BitVec.ushiftRight x (BitVec.toNat y)⟩

instance BitVec.instHAppend {n m : Nat} : HAppend (BitVec n) (BitVec m) (BitVec (n + m)) := ⟨BitVec.append⟩

instance BitVec.instLT {w : Nat} : LT (BitVec w) := ⟨fun x y => BitVec.toNat x < BitVec.toNat y⟩

instance BitVec.instLE {w : Nat} : LE (BitVec w) := ⟨fun x y => BitVec.toNat x ≤ BitVec.toNat y⟩

instance BitVec.instGetElem {w : Nat} : GetElem (BitVec w) Nat Bool (fun _ i => i < w) := ⟨fun x i _ => BitVec.getLsbD x i⟩

@[instance]
opaque BitVec.instDecidableEq {w : Nat} : DecidableEq (BitVec w)

@[instance]
opaque BitVec.instDecidableLt {w : Nat} (x y : BitVec w) : Decidable (x < y)

@[instance]
opaque BitVec.instDecidableLe {w : Nat} (x y : BitVec w) : Decidable (x ≤ y)

instance BitVec.instInhabited {w : Nat} : Inhabited (BitVec w) := ⟨BitVec.ofNat w 0⟩

instance BitVec.instToString {w : Nat} : ToString (BitVec w) := ⟨BitVec.toStringInternal⟩

@[instance]
opaque BitVec.instRepr {w : Nat} : Repr (BitVec w)

@[instance]
opaque BitVec.instHashable {w : Nat} : Hashable (BitVec w)

-- ------------------------------------------------------------------------------------------------------- Fin

protected def Fin.toNat {n : Nat} (i : Fin n) : Nat := i.val

protected def Fin.ofNat' (n : Nat) [NeZero n] (a : Nat) : Fin n := Fin.ofNatInternal n a

@[since "4.20.0"]
protected def Fin.ofNat (n : Nat) [NeZero n] (a : Nat) : Fin n := Fin.ofNatInternal n a

def Fin.last (n : Nat) : Fin (n + 1) := Fin.ofNatInternal (n + 1) n

def Fin.succ {n : Nat} (i : Fin n) : Fin (n + 1) := Fin.ofNatInternal (n + 1) (i.val + 1)

def Fin.castSucc {n : Nat} (i : Fin n) : Fin (n + 1) := Fin.ofNatInternal (n + 1) i.val

def Fin.castLE {n m : Nat} (h : n ≤ m) (i : Fin n) : Fin m := Fin.ofNatInternal m i.val

def Fin.castLT {n m : Nat} (i : Fin m) (h : i.val < n) : Fin n := Fin.ofNatInternal n i.val

def Fin.cast {n m : Nat} (eq : n = m) (i : Fin n) : Fin m := Fin.ofNatInternal m i.val

def Fin.castAdd {n : Nat} (m : Nat) (i : Fin n) : Fin (n + m) := Fin.ofNatInternal (n + m) i.val

def Fin.addNat {n : Nat} (i : Fin n) (m : Nat) : Fin (n + m) := Fin.ofNatInternal (n + m) (i.val + m)

def Fin.natAdd {m : Nat} (n : Nat) (i : Fin m) : Fin (n + m) := Fin.ofNatInternal (n + m) (n + i.val)

def Fin.subNat {n : Nat} (m : Nat) (i : Fin (n + m)) (h : m ≤ i.val) : Fin n := Fin.ofNatInternal n (i.val - m)

def Fin.rev {n : Nat} (i : Fin n) : Fin n := Fin.ofNatInternal n (n - (i.val + 1))

def Fin.pred {n : Nat} (i : Fin (n + 1)) (h : i ≠ 0) : Fin n := Fin.ofNatInternal n (i.val - 1)

opaque Fin.elim0 {α : Sort u} (i : Fin 0) : α

def Fin.foldl {α : Type u} (n : Nat) (f : α → Fin n → α) (init : α) : α := List.foldl f init (List.finRange n)

def Fin.foldr {α : Type u} (n : Nat) (f : Fin n → α → α) (init : α) : α := List.foldr f init (List.finRange n)

@[prim]
protected opaque Fin.land {n : Nat} (a b : Fin n) : Fin n

@[prim]
protected opaque Fin.lor {n : Nat} (a b : Fin n) : Fin n

@[prim]
protected opaque Fin.xor {n : Nat} (a b : Fin n) : Fin n

protected def Fin.log2 {m : Nat} (n : Fin m) : Fin m := Fin.ofNatInternal m (Nat.log2 n.val)

@[prim]
opaque Fin.shiftLeft {n : Nat} (a b : Fin n) : Fin n

@[prim]
opaque Fin.shiftRight {n : Nat} (a b : Fin n) : Fin n

@[prim]
protected opaque Fin.neg {n : Nat} (a : Fin n) : Fin n

instance Fin.instNeg {n : Nat} : Neg (Fin n) := ⟨Fin.neg⟩

instance Fin.instShiftLeft {n : Nat} : ShiftLeft (Fin n) := ⟨Fin.shiftLeft⟩

instance Fin.instShiftRight {n : Nat} : ShiftRight (Fin n) := ⟨Fin.shiftRight⟩

instance Fin.instAndOp {n : Nat} : AndOp (Fin n) := ⟨Fin.land⟩

instance Fin.instOrOp {n : Nat} : OrOp (Fin n) := ⟨Fin.lor⟩

instance Fin.instXorOp {n : Nat} : XorOp (Fin n) := ⟨Fin.xor⟩


structure ByteArray where
  data : Array UInt8

def ByteArray.size (a : ByteArray) : Nat := Array.size a.data

def ByteArray.empty : ByteArray := ⟨#[]⟩

def ByteArray.push (a : ByteArray) (b : UInt8) : ByteArray := ⟨Array.push a.data b⟩

def ByteArray.get! (a : ByteArray) (i : Nat) : UInt8 := Array.getD a.data i (UInt8.ofNat 0)

def ByteArray.toList (a : ByteArray) : List UInt8 := a.data.toList

def ByteArray.append (a b : ByteArray) : ByteArray := ⟨a.data ++ b.data⟩

instance ByteArray.instAppend : Append ByteArray := ⟨ByteArray.append⟩

instance ByteArray.instInhabited : Inhabited ByteArray := ⟨⟨#[]⟩⟩

@[instance]
opaque ByteArray.instDecidableEq : DecidableEq ByteArray
