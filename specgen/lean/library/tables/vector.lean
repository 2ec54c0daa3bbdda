-- `Vector`: an array with its size in the type.

structure Vector (α : Type u) (n : Nat) extends Array α where
  size_toArray : toArray.size = n

def Vector.toList {α : Type u} {n : Nat} (xs : Vector α n) : List α := xs.toArray.toList

def Vector.get {α : Type u} {n : Nat} (xs : Vector α n) (i : Fin n) : α := Array.getInternal xs.toArray i.val (sorryAx _)

def Vector.getD {α : Type u} {n : Nat} (xs : Vector α n) (i : Nat) (default : α) : α := Array.getD xs.toArray i default

def Vector.head {n : Nat} {α : Type u} [NeZero n] (xs : Vector α n) : α := Array.getInternal xs.toArray 0 (sorryAx _)

def Vector.back {n : Nat} {α : Type u} [NeZero n] (xs : Vector α n) : α := Array.back xs.toArray (sorryAx _)

def Vector.back! {α : Type u} {n : Nat} [Inhabited α] (xs : Vector α n) : α := Array.back! xs.toArray

def Vector.back? {α : Type u} {n : Nat} (xs : Vector α n) : Option α := Array.back? xs.toArray

def Vector.size {α : Type u} {n : Nat} (xs : Vector α n) : Nat := n

def Vector.isEmpty {α : Type u} {n : Nat} (xs : Vector α n) : Bool := Array.isEmpty xs.toArray

def Vector.replicate {α : Type u} (n : Nat) (v : α) : Vector α n := ⟨List.toArray (List.replicate n v), sorryAx _⟩

def Vector.mkVector {α : Type u} (n : Nat) (v : α) : Vector α n := ⟨List.toArray (List.replicate n v), sorryAx _⟩

def Vector.singleton {α : Type u} (v : α) : Vector α 1 := ⟨#[v], sorryAx _⟩

def Vector.emptyWithCapacity {α : Type u} (capacity : Nat) : Vector α 0 := ⟨#[], sorryAx _⟩

def Vector.ofFn {n : Nat} {α : Type u} (f : Fin n → α) : Vector α n := ⟨Array.ofFn f, sorryAx _⟩

def Vector.range (n : Nat) : Vector Nat n := ⟨Array.range n, sorryAx _⟩

def Vector.range' (start size : Nat) (step : Nat := 1) : Vector Nat size := ⟨Array.range' start size step, sorryAx _⟩

def Vector.set {α : Type u} {n : Nat} (xs : Vector α n) (i : Nat) (x : α) (h : i < n := by get_elem_tactic) : Vector α n := ⟨Array.setIfInBounds xs.toArray i x, sorryAx _⟩

def Vector.set! {α : Type u} {n : Nat} (xs : Vector α n) (i : Nat) (x : α) : Vector α n := ⟨Array.set! xs.toArray i x, sorryAx _⟩

def Vector.setIfInBounds {α : Type u} {n : Nat} (xs : Vector α n) (i : Nat) (x : α) : Vector α n := ⟨Array.setIfInBounds xs.toArray i x, sorryAx _⟩

def Vector.push {α : Type u} {n : Nat} (xs : Vector α n) (x : α) : Vector α (n + 1) := ⟨Array.push xs.toArray x, sorryAx _⟩

def Vector.pop {α : Type u} {n : Nat} (xs : Vector α n) : Vector α (n - 1) := ⟨Array.pop xs.toArray, sorryAx _⟩

def Vector.append {α : Type u} {n m : Nat} (xs : Vector α n) (ys : Vector α m) : Vector α (n + m) := ⟨xs.toArray ++ ys.toArray, sorryAx _⟩

def Vector.extract {α : Type u} {n : Nat} (xs : Vector α n) (start : Nat := 0) (stop : Nat := n) : Vector α (min stop n - start) := ⟨Array.extract xs.toArray start stop, sorryAx _⟩

def Vector.take {α : Type u} {n : Nat} (xs : Vector α n) (i : Nat) : Vector α (min i n) := ⟨Array.take xs.toArray i, sorryAx _⟩

def Vector.drop {α : Type u} {n : Nat} (xs : Vector α n) (i : Nat) : Vector α (n - i) := ⟨Array.drop xs.toArray i, sorryAx _⟩

def Vector.tail {α : Type u} {n : Nat} (xs : Vector α n) : Vector α (n - 1) := ⟨Array.drop xs.toArray 1, sorryAx _⟩

def Vector.map {α : Type u} {n : Nat} {β : Type v} (f : α → β) (xs : Vector α n) : Vector β n := ⟨Array.map f xs.toArray, sorryAx _⟩

def Vector.mapIdx {α : Type u} {n : Nat} {β : Type v} (f : Nat → α → β) (xs : Vector α n) : Vector β n := ⟨Array.mapIdx f xs.toArray, sorryAx _⟩

def Vector.mapFinIdx {α : Type u} {n : Nat} {β : Type v} (xs : Vector α n) (f : (i : Nat) → α → (h : i < n) → β) : Vector β n := ⟨Array.mapIdx (fun i a => f i a (sorryAx _)) xs.toArray, sorryAx _⟩

def Vector.zip {α : Type u} {n : Nat} {β : Type v} (as : Vector α n) (bs : Vector β n) : Vector (α × β) n := ⟨Array.zip as.toArray bs.toArray, sorryAx _⟩

def Vector.zipWith {α : Type u} {n : Nat} {β : Type v} {φ : Type w} (f : α → β → φ) (as : Vector α n) (bs : Vector β n) : Vector φ n := ⟨Array.zipWith f as.toArray bs.toArray, sorryAx _⟩

def Vector.zipIdx {α : Type u} {n : Nat} (xs : Vector α n) (k : Nat := 0) : Vector (α × Nat) n := ⟨Array.zipIdx xs.toArray k, sorryAx _⟩

def Vector.unzip {α : Type u} {n : Nat} {β : Type v} (xs : Vector (α × β) n) : Vector α n × Vector β n := (⟨(Array.unzip xs.toArray).1, sorryAx _⟩, ⟨(Array.unzip xs.toArray).2, sorryAx _⟩)

def Vector.reverse {α : Type u} {n : Nat} (xs : Vector α n) : Vector α n := ⟨Array.reverse xs.toArray, sorryAx _⟩

def Vector.swap {α : Type u} {n : Nat} (xs : Vector α n) (i j : Nat) (hi : i < n := by get_elem_tactic) (hj : j < n := by get_elem_tactic) : Vector α n := ⟨Array.swapIfInBounds xs.toArray i j, sorryAx _⟩

def Vector.swapIfInBounds {α : Type u} {n : Nat} (xs : Vector α n) (i j : Nat) : Vector α n := ⟨Array.swapIfInBounds xs.toArray i j, sorryAx _⟩

def Vector.foldl {α : Type u} {n : Nat} {β : Type v} (f : β → α → β) (b : β) (xs : Vector α n) : β := Array.foldl f b xs.toArray

def Vector.foldr {α : Type u} {n : Nat} {β : Type v} (f : α → β → β) (b : β) (xs : Vector α n) : β := Array.foldr f b xs.toArray

def Vector.all {α : Type u} {n : Nat} (xs : Vector α n) (p : α → Bool) : Bool := Array.all xs.toArray p

def Vector.any {α : Type u} {n : Nat} (xs : Vector α n) (p : α → Bool) : Bool := Array.any xs.toArray p

def Vector.contains {α : Type u} {n : Nat} [BEq α] (xs : Vector α n) (a : α) : Bool := Array.contains xs.toArray a

def Vector.count {α : Type u} {n : Nat} [BEq α] (a : α) (xs : Vector α n) : Nat := Array.count a xs.toArray

def Vector.countP {α : Type u} {n : Nat} (p : α → Bool) (xs : Vector α n) : Nat := Array.countP p xs.toArray

def Vector.find? {α : Type u} {n : Nat} (f : α → Bool) (as : Vector α n) : Option α := Array.find? f as.toArray

def Vector.findSome? {α : Type u} {n : Nat} {β : Type v} (f : α → Option β) (as : Vector α n) : Option β := Array.findSome? f as.toArray

def Vector.findIdx? {α : Type u} {n : Nat} (p : α → Bool) (xs : Vector α n) : Option Nat := Array.findIdx? p xs.toArray

protected def Vector.sum {α : Type u} {n : Nat} [Add α] [Zero α] (xs : Vector α n) : α := Array.sum xs.toArray

def Vector.flatten {α : Type u} {n m : Nat} (xs : Vector (Vector α n) m) : Vector α (m * n) := ⟨Array.flatMap (fun x => x.toArray) xs.toArray, sorryAx _⟩

def Vector.cast {α : Type u} {n m : Nat} (h : n = m) (xs : Vector α n) : Vector α m := ⟨xs.toArray, sorryAx _⟩

def Vector.eraseIdx {α : Type u} {n : Nat} (xs : Vector α n) (i : Nat) (h : i < n := by get_elem_tactic) : Vector α (n - 1) := ⟨Array.eraseIdxIfInBounds xs.toArray i, sorryAx _⟩

def Vector.isEqv {α : Type u} {n : Nat} (xs ys : Vector α n) (r : α → α → Bool) : Bool := Array.isEqv xs.toArray ys.toArray r

def Vector.isPrefixOf {α : Type u} {m n : Nat} [BEq α] (xs : Vector α m) (ys : Vector α n) : Bool := Array.isPrefixOf xs.toArray ys.toArray

def Array.toVector {α : Type u} (xs : Array α) : Vector α xs.size := ⟨xs, sorryAx _⟩

def Vector.foldlM {m : Type u → Type v} {β : Type u} {α : Type w} {n : Nat} [Monad m] (f : β → α → m β) (b : β) (xs : Vector α n) : m β := List.foldlM f b xs.toArray.toList

def Vector.mapM {m : Type u → Type v} {α : Type w} {β : Type u} {n : Nat} [Monad m] (f : α → m β) (xs : Vector α n) : m (Vector β n) := Functor.map (fun l => ⟨List.toArray l, sorryAx _⟩) (List.mapM f xs.toArray.toList)

def Vector.forM {m : Type u → Type v} {α : Type w} {n : Nat} [Monad m] (xs : Vector α n) (f : α → m PUnit) : m PUnit := List.forM xs.toArray.toList f

instance Vector.instMembership {α : Type u} {n : Nat} : Membership α (Vector α n) := ⟨fun xs a => a ∈ xs.toArray⟩

instance Vector.instGetElem {α : Type u} {n : Nat} : GetElem (Vector α n) Nat α (fun _ i => i < n) := ⟨fun xs i _ => Array.getInternal xs.toArray i (sorryAx _)⟩

instance Vector.instGetElem? {α : Type u} {n : Nat} : GetElem? (Vector α n) Nat α (fun _ i => i < n) where
  getElem := fun xs i _ => Array.getInternal xs.toArray i (sorryAx _)
  getElem? := fun xs i => Array.get?Internal xs.toArray i
  getElem! := fun xs i => Array.get!Internal xs.toArray i

instance Vector.instHAppend {α : Type u} {n m : Nat} : HAppend (Vector α n) (Vector α m) (Vector α (n + m)) := ⟨Vector.append⟩

instance Vector.instBEq {α : Type u} {n : Nat} [BEq α] : BEq (Vector α n) := ⟨fun a b => a.toArray == b.toArray⟩

@[instance]
opaque instDecidableEqVector {α : Type u} {n : Nat} [DecidableEq α] : DecidableEq (Vector α n)

@[instance]
opaque Vector.instDecidableMem {α : Type u} {n : Nat} [BEq α] [LawfulBEq α] (a : α) (xs : Vector α n) : Decidable (a ∈ xs)

@[instance]
opaque Vector.instDecidableForallMem {α : Type u} {n : Nat} (p : α → Prop) [DecidablePred p] (xs : Vector α n) : Decidable (∀ x, x ∈ xs → p x)

@[instance]
opaque Vector.instDecidableExistsMem {α : Type u} {n : Nat} (p : α → Prop) [DecidablePred p] (xs : Vector α n) : Decidable (∃ x, x ∈ xs ∧ p x)

instance Vector.instInhabited {α : Type u} {n : Nat} [Inhabited α] : Inhabited (Vector α n) := ⟨Vector.replicate n default⟩

instance Vector.instLT {α : Type u} {n : Nat} [LT α] : LT (Vector α n) := ⟨fun a b => a.toArray < b.toArray⟩

instance Vector.instLE {α : Type u} {n : Nat} [LT α] : LE (Vector α n) := ⟨fun a b => a.toArray ≤ b.toArray⟩

@[instance]
opaque Vector.instRepr {α : Type u} {n : Nat} [Repr α] : Repr (Vector α n)

instance Vector.instToString {α : Type u} {n : Nat} [ToString α] : ToString (Vector α n) := ⟨fun v => toString v.toArray⟩

instance Vector.instForIn {m : Type u → Type v} {α : Type w} {n : Nat} : ForIn m (Vector α n) α := ⟨fun xs b f => Array.forIn xs.toArray b f⟩

instance Vector.instForIn' {m : Type u → Type v} {α : Type w} {n : Nat} : ForIn' m (Vector α n) α inferInstance := ⟨fun xs b f => Array.forIn xs.toArray b (fun a b => f a (sorryAx _) b)⟩
