-- Functions of `Array` and `Subarray`.

@[prim]
opaque Array.empty {α : Type u} : Array α

@[prim]
opaque Array.mkEmpty {α : Type u} (c : Nat) : Array α

@[prim, since "4.19.0"]
opaque Array.emptyWithCapacity {α : Type u} (c : Nat) : Array α

@[prim]
opaque Array.singleton {α : Type u} (v : α) : Array α

@[prim, since "4.19.0"]
opaque Array.replicate {α : Type u} (n : Nat) (v : α) : Array α

@[prim, until "4.25.0"]
opaque Array.mkArray {α : Type u} (n : Nat) (v : α) : Array α

@[prim, until "4.25.0"]
opaque mkArray {α : Type u} (n : Nat) (v : α) : Array α

@[prim]
opaque Array.ofFn {α : Type u} {n : Nat} (f : Fin n → α) : Array α

@[prim]
opaque Array.range (n : Nat) : Array Nat

@[prim]
opaque Array.range' (start size : Nat) (step : Nat := 1) : Array Nat

@[prim]
opaque Array.finRange (n : Nat) : Array (Fin n)

@[prim]
opaque Array.isEmpty {α : Type u} (xs : Array α) : Bool

@[prim]
opaque Array.usize {α : Type u} (xs : Array α) : USize

@[prim, until "4.25.0"]
opaque Array.get {α : Type u} (xs : Array α) (i : Nat) (h : i < xs.size) : α

@[prim, until "4.25.0"]
opaque Array.get! {α : Type u} [Inhabited α] (xs : Array α) (i : Nat) : α

@[prim, until "4.19.0"]
opaque Array.get? {α : Type u} (xs : Array α) (i : Nat) : Option α

@[prim]
opaque Array.getD {α : Type u} (xs : Array α) (i : Nat) (v₀ : α) : α

@[prim]
opaque Array.set {α : Type u} (xs : Array α) (i : Nat) (v : α) (h : i < xs.size := by get_elem_tactic) : Array α

@[prim]
opaque Array.set! {α : Type u} (xs : Array α) (i : Nat) (v : α) : Array α

@[prim]
opaque Array.setIfInBounds {α : Type u} (xs : Array α) (i : Nat) (v : α) : Array α

@[prim, until "4.19.0"]
opaque Array.setD {α : Type u} (xs : Array α) (i : Nat) (v : α) : Array α

@[prim]
opaque Array.push {α : Type u} (xs : Array α) (v : α) : Array α

@[prim]
opaque Array.pop {α : Type u} (xs : Array α) : Array α

@[prim]
opaque Array.swap {α : Type u} (xs : Array α) (i j : Nat) (hi : i < xs.size := by get_elem_tactic) (hj : j < xs.size := by get_elem_tactic) : Array α

@[prim]
opaque Array.swapIfInBounds {α : Type u} (xs : Array α) (i j : Nat) : Array α

@[prim, until "4.19.0"]
opaque Array.swap! {α : Type u} (xs : Array α) (i j : Nat) : Array α

@[prim]
opaque Array.swapAt {α : Type u} (xs : Array α) (i : Nat) (v : α) (hi : i < xs.size := by get_elem_tactic) : α × Array α

@[prim]
opaque Array.swapAt! {α : Type u} (xs : Array α) (i : Nat) (v : α) : α × Array α

@[prim]
opaque Array.modify {α : Type u} (xs : Array α) (i : Nat) (f : α → α) : Array α

@[prim]
opaque Array.modifyOp {α : Type u} (xs : Array α) (idx : Nat) (f : α → α) : Array α

@[prim]
opaque Array.back {α : Type u} (xs : Array α) (h : 0 < xs.size := by get_elem_tactic) : α

@[prim]
opaque Array.back! {α : Type u} [Inhabited α] (xs : Array α) : α

@[prim]
opaque Array.back? {α : Type u} (xs : Array α) : Option α

@[prim]
opaque Array.extract {α : Type u} (as : Array α) (start : Nat := 0) (stop : Nat := as.size) : Array α

@[prim]
opaque Array.take {α : Type u} (xs : Array α) (i : Nat) : Array α

@[prim]
opaque Array.drop {α : Type u} (xs : Array α) (i : Nat) : Array α

@[prim]
opaque Array.shrink {α : Type u} (xs : Array α) (n : Nat) : Array α

@[prim]
opaque Array.takeWhile {α : Type u} (p : α → Bool) (as : Array α) : Array α

@[prim]
opaque Array.popWhile {α : Type u} (p : α → Bool) (as : Array α) : Array α

@[prim]
opaque Array.reverse {α : Type u} (as : Array α) : Array α

@[prim]
opaque Array.toListRev {α : Type u} (xs : Array α) : List α

@[prim]
opaque Array.toListAppend {α : Type u} (as : Array α) (l : List α) : List α

@[prim]
opaque Array.map {α : Type u} {β : Type v} (f : α → β) (as : Array α) : Array β

@[prim]
opaque Array.mapIdx {α : Type u} {β : Type v} (f : Nat → α → β) (as : Array α) : Array β

@[prim]
opaque Array.mapFinIdx {α : Type u} {β : Type v} (as : Array α) (f : (i : Nat) → α → (h : i < as.size) → β) : Array β

@[prim]
opaque Array.filter {α : Type u} (p : α → Bool) (as : Array α) (start : Nat := 0) (stop : Nat := as.size) : Array α

@[prim]
opaque Array.filterMap {α : Type u} {β : Type v} (f : α → Option β) (as : Array α) (start : Nat := 0) (stop : Nat := as.size) : Array β

@[prim]
opaque Array.flatMap {α : Type u} {β : Type v} (f : α → Array β) (as : Array α) : Array β

@[prim, until "4.20.0"]
opaque Array.concatMap {α : Type u} {β : Type v} (f : α → Array β) (as : Array α) : Array β

@[prim]
opaque Array.flatten {α : Type u} (xss : Array (Array α)) : Array α

@[prim]
opaque Array.foldl {α : Type u} {β : Type v} (f : β → α → β) (init : β) (as : Array α) (start : Nat := 0) (stop : Nat := as.size) : β

@[prim]
opaque Array.foldr {α : Type u} {β : Type v} (f : α → β → β) (init : β) (as : Array α) (start : Nat := as.size) (stop : Nat := 0) : β

@[prim]
opaque Array.any {α : Type u} (as : Array α) (p : α → Bool) (start : Nat := 0) (stop : Nat := as.size) : Bool

@[prim]
opaque Array.all {α : Type u} (as : Array α) (p : α → Bool) (start : Nat := 0) (stop : Nat := as.size) : Bool

@[prim]
opaque Array.contains {α : Type u} [BEq α] (as : Array α) (a : α) : Bool

@[prim]
opaque Array.elem {α : Type u} [BEq α] (a : α) (as : Array α) : Bool

@[prim]
opaque Array.count {α : Type u} [BEq α] (a : α) (as : Array α) : Nat

@[prim]
opaque Array.countP {α : Type u} (p : α → Bool) (as : Array α) : Nat

@[prim]
opaque Array.find? {α : Type u} (p : α → Bool) (as : Array α) : Option α

@[prim]
opaque Array.findSome? {α : Type u} {β : Type v} (f : α → Option β) (as : Array α) : Option β

@[prim]
opaque Array.findSome! {α : Type u} {β : Type v} [Inhabited β] (f : α → Option β) (xs : Array α) : β

@[prim]
opaque Array.findRev? {α : Type u} (p : α → Bool) (as : Array α) : Option α

@[prim]
opaque Array.findSomeRev? {α : Type u} {β : Type v} (f : α → Option β) (as : Array α) : Option β

@[prim]
opaque Array.findIdx {α : Type u} (p : α → Bool) (as : Array α) : Nat

@[prim]
opaque Array.findIdx? {α : Type u} (p : α → Bool) (as : Array α) : Option Nat

@[prim]
opaque Array.findFinIdx? {α : Type u} (p : α → Bool) (as : Array α) : Option (Fin as.size)

@[prim]
opaque Array.idxOf {α : Type u} [BEq α] (a : α) (xs : Array α) : Nat

@[prim]
opaque Array.idxOf? {α : Type u} [BEq α] (xs : Array α) (v : α) : Option Nat

@[prim]
opaque Array.finIdxOf? {α : Type u} [BEq α] (xs : Array α) (v : α) : Option (Fin xs.size)

@[prim, until "4.23.0"]
opaque Array.indexOf? {α : Type u} [BEq α] (xs : Array α) (v : α) : Option (Fin xs.size)

@[prim, until "4.19.0"]
opaque Array.getIdx? {α : Type u} [BEq α] (xs : Array α) (v : α) : Option Nat

@[prim]
opaque Array.erase {α : Type u} [BEq α] (as : Array α) (a : α) : Array α

@[prim]
opaque Array.eraseP {α : Type u} (as : Array α) (p : α → Bool) : Array α

@[prim]
opaque Array.eraseIdx {α : Type u} (xs : Array α) (i : Nat) (h : i < xs.size := by get_elem_tactic) : Array α

@[prim]
opaque Array.eraseIdx! {α : Type u} (xs : Array α) (i : Nat) : Array α

@[prim]
opaque Array.eraseIdxIfInBounds {α : Type u} (xs : Array α) (i : Nat) : Array α

@[prim]
opaque Array.eraseReps {α : Type u} [BEq α] (as : Array α) : Array α

@[prim]
opaque Array.insertIdx {α : Type u} (as : Array α) (i : Nat) (a : α) (h : i ≤ as.size := by get_elem_tactic) : Array α

@[prim]
opaque Array.insertIdx! {α : Type u} (as : Array α) (i : Nat) (a : α) : Array α

@[prim]
opaque Array.insertIdxIfInBounds {α : Type u} (as : Array α) (i : Nat) (a : α) : Array α

@[prim, until "4.20.0"]
opaque Array.insertAt! {α : Type u} (as : Array α) (i : Nat) (a : α) : Array α

@[prim]
opaque Array.replace {α : Type u} [BEq α] (xs : Array α) (a b : α) : Array α

@[prim]
opaque Array.isEqv {α : Type u} (xs ys : Array α) (p : α → α → Bool) : Bool

@[prim]
opaque Array.isPrefixOf {α : Type u} [BEq α] (as bs : Array α) : Bool

@[prim]
opaque Array.allDiff {α : Type u} [BEq α] (as : Array α) : Bool

@[prim]
opaque Array.partition {α : Type u} (p : α → Bool) (as : Array α) : Array α × Array α

@[prim]
opaque Array.zip {α : Type u} {β : Type v} (as : Array α) (bs : Array β) : Array (α × β)

@[prim]
opaque Array.zipWith {α : Type u} {β : Type v} {γ : Type w} (f : α → β → γ) (as : Array α) (bs : Array β) : Array γ

@[prim]
opaque Array.zipWithAll {α : Type u} {β : Type v} {γ : Type w} (f : Option α → Option β → γ) (as : Array α) (bs : Array β) : Array γ

@[prim]
opaque Array.unzip {α : Type u} {β : Type v} (as : Array (α × β)) : Array α × Array β

@[prim]
opaque Array.zipIdx {α : Type u} (xs : Array α) (start : Nat := 0) : Array (α × Nat)

@[prim, until "4.23.0"]
opaque Array.zipWithIndex {α : Type u} (xs : Array α) : Array (α × Nat)

@[prim]
protected opaque Array.sum {α : Type u} [Add α] [Zero α] (xs : Array α) : α

@[prim]
opaque Array.qsort {α : Type u} (as : Array α) (lt : α → α → Bool := by exact (· < ·)) (lo : Nat := 0) (hi : Nat := as.size - 1) : Array α

@[prim]
opaque Array.qsortOrd {α : Type u} [ord : Ord α] (xs : Array α) : Array α

@[prim]
opaque Array.insertionSort {α : Type u} (xs : Array α) (lt : α → α → Bool := by exact (· < ·)) : Array α

@[prim]
opaque Array.getMax? {α : Type u} (as : Array α) (lt : α → α → Bool) : Option α

@[prim, since "4.24.0"]
opaque Array.max? {α : Type u} [Max α] (xs : Array α) : Option α

@[prim, since "4.24.0"]
opaque Array.min? {α : Type u} [Min α] (xs : Array α) : Option α

@[prim]
opaque Array.binInsert {α : Type u} (lt : α → α → Bool) (as : Array α) (k : α) : Array α

@[prim]
opaque Array.getEvenElems {α : Type u} (as : Array α) : Array α

@[prim]
opaque Array.binSearch {α : Type} (as : Array α) (k : α) (lt : α → α → Bool) (lo : Nat := 0) (hi : Nat := as.size - 1) : Option α

@[prim]
opaque Array.binSearchContains {α : Type} (as : Array α) (k : α) (lt : α → α → Bool) (lo : Nat := 0) (hi : Nat := as.size - 1) : Bool

@[prim]
opaque Array.lex {α : Type u} [BEq α] (as bs : Array α) (lt : α → α → Bool := by exact (· < ·)) : Bool

@[prim]
opaque Array.leftpad {α : Type u} (n : Nat) (a : α) (xs : Array α) : Array α

@[prim]
opaque Array.rightpad {α : Type u} (n : Nat) (a : α) (xs : Array α) : Array α

def Array.Perm {α : Type u} (as bs : Array α) : Prop := List.Perm as.toList bs.toList

@[instance]
opaque Array.instDecidablePerm {α : Type u} [DecidableEq α] (as bs : Array α) : Decidable (Array.Perm as bs)

def Array.attach {α : Type u} (xs : Array α) : Array {x // x ∈ xs} := Array.map (fun x => ⟨x, sorryAx _⟩) xs

def Array.unattach {α : Type u} {p : α → Prop} (xs : Array {x // p x}) : Array α := Array.map (fun x => x.val) xs

def Array.pmap {α : Type u} {β : Type v} {P : α → Prop} (f : (a : α) → P a → β) (xs : Array α) (H : ∀ a, a ∈ xs → P a) : Array β := Array.map (fun a => f a (sorryAx _)) xs

def Array.reduceOption {α : Type u} (as : Array (Option α)) : Array α := Array.filterMap (fun x => x) as

def Array.mapM {m : Type u → Type v} [Monad m] {α : Type w} {β : Type u} (f : α → m β) (as : Array α) : m (Array β) :=
  Functor.map List.toArray (List.mapM f as.toList)

def Array.mapM' {α : Type w} {β : Type u} {m : Type u → Type v} [Monad m] (f : α → m β) (as : Array α) : m (Array β) :=
  Functor.map List.toArray (List.mapM f as.toList)

def Array.mapIdxM {α : Type w} {β : Type u} {m : Type u → Type v} [Monad m] (f : Nat → α → m β) (as : Array α) : m (Array β) :=
  Functor.map List.toArray (List.mapIdxM f as.toList)

def Array.forM {α : Type w} {m : Type u → Type v} [Monad m] (f : α → m PUnit) (as : Array α) (start : Nat := 0) (stop : Nat := as.size) : m PUnit :=
  List.forM (Array.extract as start stop).toList f

def Array.forRevM {α : Type w} {m : Type u → Type v} [Monad m] (f : α → m PUnit) (as : Array α) (start : Nat := as.size) (stop : Nat := 0) : m PUnit :=
  List.forM (Array.extract as stop start).toList.reverse f

def Array.foldlM {m : Type u → Type v} [Monad m] {α : Type w} {β : Type u} (f : β → α → m β) (init : β) (as : Array α) (start : Nat := 0) (stop : Nat := as.size) : m β :=
  List.foldlM f init (Array.extract as start stop).toList

def Array.foldrM {m : Type u → Type v} [Monad m] {α : Type w} {β : Type u} (f : α → β → m β) (init : β) (as : Array α) (start : Nat := as.size) (stop : Nat := 0) : m β :=
  List.foldrM f init (Array.extract as stop start).toList

def Array.anyM {m : Type → Type u} [Monad m] {α : Type v} (p : α → m Bool) (as : Array α) (start : Nat := 0) (stop : Nat := as.size) : m Bool :=
  List.anyM p (Array.extract as start stop).toList

def Array.allM {α : Type v} {m : Type → Type u} [Monad m] (p : α → m Bool) (as : Array α) (start : Nat := 0) (stop : Nat := as.size) : m Bool :=
  List.allM p (Array.extract as start stop).toList

def Array.filterM {α : Type} {m : Type → Type v} [Monad m] (p : α → m Bool) (as : Array α) (start : Nat := 0) (stop : Nat := as.size) : m (Array α) :=
  Functor.map List.toArray (List.filterM p (Array.extract as start stop).toList)

def Array.filterMapM {α : Type w} {β : Type u} {m : Type u → Type v} [Monad m] (f : α → m (Option β)) (as : Array α) (start : Nat := 0) (stop : Nat := as.size) : m (Array β) :=
  Functor.map List.toArray (List.filterMapM f (Array.extract as start stop).toList)

def Array.flatMapM {α : Type w} {β : Type u} {m : Type u → Type v} [Monad m] (f : α → m (Array β)) (as : Array α) : m (Array β) :=
  Functor.map List.toArray (List.flatMapM (fun a => Functor.map Array.toList (f a)) as.toList)

def Array.findM? {α : Type} {m : Type → Type u} [Monad m] (p : α → m Bool) (as : Array α) : m (Option α) := List.findM? p as.toList

def Array.findSomeM? {α : Type w} {β : Type u} {m : Type u → Type v} [Monad m] (f : α → m (Option β)) (as : Array α) : m (Option β) := List.findSomeM? f as.toList

def Array.firstM {α : Type w} {β : Type u} {m : Type u → Type v} [Alternative m] (f : α → m β) (as : Array α) : m β := List.firstM f as.toList

-- ---------------------------------------------------------------------------------------------------- Subarray

structure Subarray (α : Type u) where
  array : Array α
  start : Nat
  stop : Nat

def Array.toSubarray {α : Type u} (as : Array α) (start : Nat := 0) (stop : Nat := as.size) : Subarray α :=
  if stop ≤ as.size then (if start ≤ stop then ⟨as, start, stop⟩ else ⟨as, stop, stop⟩)
  else (if start ≤ as.size then ⟨as, start, as.size⟩ else ⟨as, as.size, as.size⟩)

def Array.ofSubarray {α : Type u} (s : Subarray α) : Array α := Array.extract s.array s.start s.stop

def Subarray.toArray {α : Type u} (s : Subarray α) : Array α := Array.extract s.array s.start s.stop

def Subarray.toList {α : Type u} (s : Subarray α) : List α := (Array.extract s.array s.start s.stop).toList

def Subarray.size {α : Type u} (s : Subarray α) : Nat := s.stop - s.start

def Subarray.isEmptyInternal {α : Type u} (s : Subarray α) : Bool := s.stop - s.start == 0

def Subarray.getInternal {α : Type u} (s : Subarray α) (i : Nat) (h : i < s.size) : α := Array.getInternal s.array (s.start + i) (sorryAx _)

def Subarray.get {α : Type u} (s : Subarray α) (i : Fin s.size) : α := Array.getInternal s.array (s.start + i.val) (sorryAx _)

def Subarray.getD {α : Type u} (s : Subarray α) (i : Nat) (v₀ : α) : α := if i < s.stop - s.start then Array.getD s.array (s.start + i) v₀ else v₀

def Subarray.get! {α : Type u} [Inhabited α] (s : Subarray α) (i : Nat) : α := Subarray.getD s i default

def Subarray.popFront {α : Type u} (s : Subarray α) : Subarray α := if s.start < s.stop then ⟨s.array, s.start + 1, s.stop⟩ else s

def Subarray.empty {α : Type u} : Subarray α := ⟨#[], 0, 0⟩

def Subarray.foldl {α : Type u} {β : Type v} (f : β → α → β) (init : β) (as : Subarray α) : β := Array.foldl f init (Subarray.toArray as)

def Subarray.foldr {α : Type u} {β : Type v} (f : α → β → β) (init : β) (as : Subarray α) : β := Array.foldr f init (Subarray.toArray as)

def Subarray.any {α : Type u} (p : α → Bool) (as : Subarray α) : Bool := Array.any (Subarray.toArray as) p

def Subarray.all {α : Type u} (p : α → Bool) (as : Subarray α) : Bool := Array.all (Subarray.toArray as) p

def Subarray.find? {α : Type u} (as : Subarray α) (p : α → Bool) : Option α := Array.find? p (Subarray.toArray as)

def Subarray.findRev? {α : Type u} (as : Subarray α) (p : α → Bool) : Option α := Array.findRev? p (Subarray.toArray as)

def Subarray.foldlM {m : Type u → Type v} [Monad m] {α : Type w} {β : Type u} (f : β → α → m β) (init : β) (as : Subarray α) : m β := List.foldlM f init (Subarray.toList as)

def Subarray.forM {α : Type w} {m : Type u → Type v} [Monad m] (f : α → m PUnit) (as : Subarray α) : m PUnit := List.forM (Subarray.toList as) f

instance instCoeSubarrayArray {α : Type u} : Coe (Subarray α) (Array α) := ⟨Array.ofSubarray⟩

instance Subarray.instForIn {m : Type u → Type v} {α : Type w} : ForIn m (Subarray α) α := ⟨fun s b f => List.forIn (Subarray.toList s) b f⟩

instance instAppendSubarray {α : Type u} : Append (Subarray α) := ⟨fun x y => Array.toSubarray (Subarray.toArray x ++ Subarray.toArray y)⟩

@[instance]
opaque Subarray.instRepr {α : Type u} [Repr α] : Repr (Subarray α)

instance Subarray.instToString {α : Type u} [ToString α] : ToString (Subarray α) := ⟨fun s => toString (Subarray.toArray s)⟩

instance Subarray.instEmptyCollection {α : Type u} : EmptyCollection (Subarray α) := ⟨⟨#[], 0, 0⟩⟩

instance Subarray.instInhabited {α : Type u} : Inhabited (Subarray α) := ⟨⟨#[], 0, 0⟩⟩

instance Subarray.instGetElemNatLtSize {α : Type u} : GetElem (Subarray α) Nat α (fun xs i => i < xs.size) := ⟨fun xs i h => Subarray.getInternal xs i h⟩

instance Subarray.instGetElem?NatLtSize {α : Type u} : GetElem? (Subarray α) Nat α (fun xs i => i < xs.size) where
  getElem := fun xs i h => Subarray.getInternal xs i h
  getElem? := fun xs i => if i < xs.size then Array.get?Internal xs.array (xs.start + i) else none
  getElem! := fun xs i => Subarray.get! xs i
