-- Functions of `Nat`.

@[prim]
protected opaque Nat.pred (n : Nat) : Nat

@[prim]
opaque Nat.gcd (m n : Nat) : Nat

@[prim]
opaque Nat.lcm (m n : Nat) : Nat

@[prim]
opaque Nat.log2 (n : Nat) : Nat

@[prim]
opaque Nat.nextPowerOfTwo (n : Nat) : Nat

@[prim]
opaque Nat.isPowerOfTwo (n : Nat) : Prop

@[prim]
opaque Nat.testBit (m n : Nat) : Bool

@[prim]
opaque Nat.bitwise (f : Bool → Bool → Bool) (n m : Nat) : Nat

@[prim]
opaque Nat.Coprime (m n : Nat) : Prop

@[instance]
opaque Nat.instDecidableCoprime (m n : Nat) : Decidable (Nat.Coprime m n)

@[prim]
opaque Nat.toDigits (base : Nat) (n : Nat) : List Char

@[prim]
opaque Nat.toDigitsCore (base : Nat) (fuel n : Nat) (ds : List Char) : List Char

@[prim]
opaque Nat.digitChar (n : Nat) : Char

@[prim]
opaque Nat.toSuperDigits (n : Nat) : List Char

@[prim]
opaque Nat.toSubDigits (n : Nat) : List Char

@[prim]
opaque Nat.toSuperscriptString (n : Nat) : String

@[prim]
opaque Nat.toSubscriptString (n : Nat) : String

@[prim]
opaque Nat.subDigitChar (n : Nat) : Char

@[prim]
opaque Nat.superDigitChar (n : Nat) : Char

def Nat.isValidChar (n : Nat) : Prop := n < 0xD800 ∨ (0xDFFF < n ∧ n < 0x110000)

@[instance]
opaque Nat.instDecidableIsValidChar (n : Nat) : Decidable (Nat.isValidChar n)

@[prim]
opaque Nat.repeat {α : Type u} (f : α → α) (n : Nat) (a : α) : α

@[prim]
opaque Nat.repeatTR {α : Type u} (f : α → α) (n : Nat) (a : α) : α

@[mathlib, prim]
opaque Nat.iterate {α : Sort u} (op : α → α) (n : Nat) (a : α) : α

@[prim]
opaque Nat.fold {α : Type u} (n : Nat) (f : (i : Nat) → i < n → α → α) (init : α) : α

@[prim]
opaque Nat.foldRev {α : Type u} (n : Nat) (f : (i : Nat) → i < n → α → α) (init : α) : α

@[prim]
opaque Nat.foldTR {α : Type u} (n : Nat) (f : (i : Nat) → i < n → α → α) (init : α) : α

@[prim]
opaque Nat.any (n : Nat) (f : (i : Nat) → i < n → Bool) : Bool

@[prim]
opaque Nat.all (n : Nat) (f : (i : Nat) → i < n → Bool) : Bool

def Nat.foldM {α : Type u} {m : Type u → Type v} [Monad m] (n : Nat) (f : (i : Nat) → i < n → α → m α) (init : α) : m α :=
  List.foldlM (fun acc i => f i (sorryAx _) acc) init (List.range n)

def Nat.foldRevM {α : Type u} {m : Type u → Type v} [Monad m] (n : Nat) (f : (i : Nat) → i < n → α → m α) (init : α) : m α :=
  List.foldlM (fun acc i => f i (sorryAx _) acc) init (List.reverse (List.range n))

def Nat.forM {m : Type u → Type v} [Monad m] (n : Nat) (f : (i : Nat) → i < n → m PUnit) : m PUnit :=
  List.forM (List.range n) fun i => f i (sorryAx _)

def Nat.forRevM {m : Type u → Type v} [Monad m] (n : Nat) (f : (i : Nat) → i < n → m PUnit) : m PUnit :=
  List.forM (List.reverse (List.range n)) fun i => f i (sorryAx _)

def Nat.anyM {m : Type → Type u} [Monad m] (n : Nat) (p : (i : Nat) → i < n → m Bool) : m Bool :=
  List.anyM (fun i => p i (sorryAx _)) (List.range n)

def Nat.allM {m : Type → Type u} [Monad m] (n : Nat) (p : (i : Nat) → i < n → m Bool) : m Bool :=
  List.allM (fun i => p i (sorryAx _)) (List.range n)

@[prim]
opaque Nat.toUInt8 (n : Nat) : UInt8

@[prim]
opaque Nat.toUInt16 (n : Nat) : UInt16

@[prim]
opaque Nat.toUInt32 (n : Nat) : UInt32

@[prim]
opaque Nat.toUInt64 (n : Nat) : UInt64

@[prim]
opaque Nat.toUSize (n : Nat) : USize

@[prim]
opaque Nat.toInt8 (n : Nat) : Int8

@[prim]
opaque Nat.toInt16 (n : Nat) : Int16

@[prim]
opaque Nat.toInt32 (n : Nat) : Int32

@[prim]
opaque Nat.toInt64 (n : Nat) : Int64

@[prim]
opaque Nat.toFloat (n : Nat) : Float

@[prim, until "4.20.0"]
protected opaque Nat.sum (l : List Nat) : Nat

@[prim]
opaque Nat.imax (n m : Nat) : Nat

-- ------------------------------------------------------------------------------------------------------ Mathlib

@[mathlib, prim]
opaque Nat.sqrt (n : Nat) : Nat

@[mathlib, prim]
opaque Nat.Prime (p : Nat) : Prop

@[instance, mathlib]
opaque Nat.decidablePrime (p : Nat) : Decidable (Nat.Prime p)

@[mathlib, prim]
opaque Nat.factorial (n : Nat) : Nat

@[mathlib, prim]
opaque Nat.ascFactorial (n k : Nat) : Nat

@[mathlib, prim]
opaque Nat.descFactorial (n k : Nat) : Nat

@[mathlib, prim]
opaque Nat.choose (n k : Nat) : Nat

@[mathlib, prim]
opaque Nat.fib (n : Nat) : Nat

@[mathlib, prim]
opaque Nat.digits (b n : Nat) : List Nat

@[mathlib, prim]
opaque Nat.ofDigits {α : Type u} [Add α] [Mul α] [Zero α] [NatCast α] (b : α) (l : List Nat) : α

@[mathlib, prim]
opaque Nat.log (b n : Nat) : Nat

@[mathlib, prim]
opaque Nat.clog (b n : Nat) : Nat

@[mathlib, prim]
opaque Nat.size (n : Nat) : Nat

@[mathlib, prim]
opaque Nat.bits (n : Nat) : List Bool

@[mathlib, prim]
opaque Nat.bodd (n : Nat) : Bool

@[mathlib, prim]
opaque Nat.div2 (n : Nat) : Nat

@[mathlib, prim]
opaque Nat.dist (n m : Nat) : Nat

@[mathlib, prim]
opaque Nat.minFac (n : Nat) : Nat

@[mathlib, prim]
opaque Nat.primeFactorsList (n : Nat) : List Nat

@[mathlib, prim]
opaque Nat.divisors (n : Nat) : Finset Nat

@[mathlib, prim]
opaque Nat.properDivisors (n : Nat) : Finset Nat

@[mathlib, prim]
opaque Nat.primeFactors (n : Nat) : Finset Nat

@[mathlib, prim]
opaque Nat.totient (n : Nat) : Nat

@[mathlib, prim]
opaque Nat.Perfect (n : Nat) : Prop

@[mathlib, prim]
opaque Nat.psub (m n : Nat) : Option Nat

@[mathlib, prim]
opaque Nat.ppred (n : Nat) : Option Nat

@[mathlib, prim]
protected opaque Nat.find {p : Nat → Prop} [DecidablePred p] (H : ∃ n, p n) : Nat

@[mathlib, prim]
opaque Nat.findGreatest (P : Nat → Prop) [DecidablePred P] (n : Nat) : Nat

@[mathlib, prim]
opaque Nat.nth (p : Nat → Prop) (n : Nat) : Nat

@[mathlib, prim]
opaque Nat.count (p : Nat → Prop) [DecidablePred p] (n : Nat) : Nat

@[mathlib]
def Nat.ModEq (n a b : Nat) : Prop := a % n = b % n

@[mathlib, prim]
opaque Prime {α : Type u} [Mul α] [Zero α] [One α] [Dvd α] (p : α) : Prop

@[mathlib, prim]
opaque Irreducible {α : Type u} [Mul α] [Zero α] [One α] [Dvd α] (p : α) : Prop

@[mathlib, prim]
opaque Even {α : Type u} [Add α] (a : α) : Prop

@[mathlib, prim]
opaque Odd {α : Type u} [Add α] [Mul α] [One α] (a : α) : Prop

@[mathlib, prim]
opaque IsSquare {α : Type u} [Mul α] (a : α) : Prop

@[instance, mathlib]
opaque Nat.instDecidablePredEven : DecidablePred (Even : Nat → Prop)

@[instance, mathlib]
opaque Nat.instDecidablePredOdd : DecidablePred (Odd : Nat → Prop)

@[instance, mathlib]
opaque Int.instDecidablePredEven : DecidablePred (Even : Int → Prop)

@[instance, mathlib]
opaque Int.instDecidablePredOdd : DecidablePred (Odd : Int → Prop)

@[instance, mathlib]
opaque Nat.instDecidablePredIsSquare : DecidablePred (IsSquare : Nat → Prop)

@[instance, mathlib]
opaque Int.instDecidablePredIsSquare : DecidablePred (IsSquare : Int → Prop)

@[instance, mathlib]
opaque Nat.instDecidableModEq {n a b : Nat} : Decidable (Nat.ModEq n a b)
