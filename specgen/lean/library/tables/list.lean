-- Functions of `List`. Format: docs/engine.md, "The library table". What prelude.lean declares is not repeated.

-- ------------------------------------------------------------------------------------------------------- access

@[prim, until "4.25.0"]
protected opaque List.get? {α : Type u} (as : List α) (i : Nat) : Option α

@[prim, until "4.25.0"]
protected opaque List.get! {α : Type u} [Inhabited α] (as : List α) (i : Nat) : α

@[prim]
opaque List.getD {α : Type u} (as : List α) (i : Nat) (fallback : α) : α

@[prim]
opaque List.head {α : Type u} (as : List α) (h : as ≠ []) : α

@[prim]
opaque List.head? {α : Type u} (as : List α) : Option α

@[prim]
opaque List.head! {α : Type u} [Inhabited α] (as : List α) : α

@[prim]
opaque List.headD {α : Type u} (as : List α) (fallback : α) : α

@[prim]
opaque List.tail {α : Type u} (as : List α) : List α

@[prim]
opaque List.tail? {α : Type u} (as : List α) : Option (List α)

@[prim]
opaque List.tail! {α : Type u} (as : List α) : List α

@[prim]
opaque List.tailD {α : Type u} (l fallback : List α) : List α

@[prim]
opaque List.getLast {α : Type u} (as : List α) (h : as ≠ []) : α

@[prim]
opaque List.getLast? {α : Type u} (as : List α) : Option α

@[prim]
opaque List.getLast! {α : Type u} [Inhabited α] (as : List α) : α

@[prim]
opaque List.getLastD {α : Type u} (as : List α) (fallback : α) : α

@[prim]
opaque List.isEmpty {α : Type u} (as : List α) : Bool

@[prim]
opaque List.lengthTR {α : Type u} (as : List α) : Nat

-- ----------------------------------------------------------------------------------------------------- building

@[prim]
opaque List.appendTR {α : Type u} (as bs : List α) : List α

@[prim]
opaque List.concat {α : Type u} (as : List α) (a : α) : List α

@[prim]
opaque List.reverse {α : Type u} (as : List α) : List α

@[prim]
opaque List.reverseAux {α : Type u} (as bs : List α) : List α

@[prim]
opaque List.replicate {α : Type u} (n : Nat) (a : α) : List α

@[prim]
opaque List.singleton {α : Type u} (a : α) : List α

@[prim, until "4.20.0"]
protected opaque List.pure {α : Type u} (a : α) : List α

@[prim]
opaque List.range (n : Nat) : List Nat

@[prim]
opaque List.range' (start len : Nat) (step : Nat := 1) : List Nat

@[prim, until "4.23.0"]
opaque List.iota (n : Nat) : List Nat

@[prim]
opaque List.finRange (n : Nat) : List (Fin n)

@[prim]
opaque List.ofFn {α : Type u} {n : Nat} (f : Fin n → α) : List α

@[prim]
opaque List.leftpad {α : Type u} (n : Nat) (a : α) (l : List α) : List α

@[prim]
opaque List.rightpad {α : Type u} (n : Nat) (a : α) (l : List α) : List α

-- ------------------------------------------------------------------------------------------------------ slicing

@[prim]
opaque List.take {α : Type u} (n : Nat) (xs : List α) : List α

@[prim]
opaque List.drop {α : Type u} (n : Nat) (xs : List α) : List α

@[prim]
opaque List.extract {α : Type u} (l : List α) (start : Nat := 0) (stop : Nat := l.length) : List α

@[prim]
opaque List.splitAt {α : Type u} (n : Nat) (l : List α) : List α × List α

@[prim]
opaque List.dropLast {α : Type u} (as : List α) : List α

@[prim]
opaque List.rotateLeft {α : Type u} (xs : List α) (i : Nat := 1) : List α

@[prim]
opaque List.rotateRight {α : Type u} (xs : List α) (i : Nat := 1) : List α

@[prim]
opaque List.takeWhile {α : Type u} (p : α → Bool) (xs : List α) : List α

@[prim]
opaque List.dropWhile {α : Type u} (p : α → Bool) (xs : List α) : List α

@[prim]
opaque List.span {α : Type u} (p : α → Bool) (as : List α) : List α × List α

@[prim]
opaque List.splitBy {α : Type u} (R : α → α → Bool) (l : List α) : List (List α)

@[prim, until "4.20.0"]
opaque List.groupBy {α : Type u} (R : α → α → Bool) (l : List α) : List (List α)

-- ----------------------------------------------------------------------------------------------------- changing

@[prim]
opaque List.set {α : Type u} (l : List α) (n : Nat) (a : α) : List α

@[prim]
opaque List.modify {α : Type u} (l : List α) (i : Nat) (f : α → α) : List α

@[prim]
opaque List.modifyHead {α : Type u} (f : α → α) (l : List α) : List α

@[prim]
opaque List.modifyTailIdx {α : Type u} (l : List α) (i : Nat) (f : List α → List α) : List α

@[prim]
opaque List.insertIdx {α : Type u} (xs : List α) (i : Nat) (a : α) : List α

@[prim]
opaque List.eraseIdx {α : Type u} (l : List α) (i : Nat) : List α

@[prim]
opaque List.eraseP {α : Type u} (p : α → Bool) (l : List α) : List α

@[prim]
opaque List.intersperse {α : Type u} (sep : α) (l : List α) : List α

@[prim]
opaque List.intercalate {α : Type u} (sep : List α) (xs : List (List α)) : List α

@[prim]
opaque List.flatten {α : Type u} (l : List (List α)) : List α

@[prim, until "4.20.0"]
opaque List.join {α : Type u} (l : List (List α)) : List α

-- ------------------------------------------------------------------------------------------------- higher order

@[prim]
opaque List.map {α : Type u} {β : Type v} (f : α → β) (l : List α) : List β

@[prim]
opaque List.mapTR {α : Type u} {β : Type v} (f : α → β) (as : List α) : List β

@[prim]
opaque List.filter {α : Type u} (p : α → Bool) (l : List α) : List α

@[prim]
opaque List.filterTR {α : Type u} (p : α → Bool) (as : List α) : List α

@[prim]
opaque List.filterMap {α : Type u} {β : Type v} (f : α → Option β) (l : List α) : List β

@[prim]
opaque List.flatMap {α : Type u} {β : Type v} (b : α → List β) (as : List α) : List β

@[prim, until "4.20.0"]
protected opaque List.bind {α : Type u} {β : Type v} (a : List α) (b : α → List β) : List β

@[prim]
opaque List.foldl {α : Type u} {β : Type v} (f : α → β → α) (init : α) (l : List β) : α

@[prim]
opaque List.foldr {α : Type u} {β : Type v} (f : α → β → β) (init : β) (l : List α) : β

@[prim]
opaque List.all {α : Type u} (l : List α) (p : α → Bool) : Bool

@[prim]
opaque List.any {α : Type u} (l : List α) (p : α → Bool) : Bool

@[prim]
opaque List.and (bs : List Bool) : Bool

@[prim]
opaque List.or (bs : List Bool) : Bool

@[prim]
opaque List.partition {α : Type u} (p : α → Bool) (as : List α) : List α × List α

@[prim]
opaque List.partitionMap {α : Type u} {β : Type v} {γ : Type w} (f : α → Sum β γ) (l : List α) : List β × List γ

@[prim]
opaque List.mapIdx {α : Type u} {β : Type v} (f : Nat → α → β) (as : List α) : List β

@[prim]
opaque List.mapFinIdx {α : Type u} {β : Type v} (as : List α) (f : (i : Nat) → α → (h : i < as.length) → β) : List β

@[prim, until "4.23.0"]
opaque List.enum {α : Type u} (l : List α) : List (Nat × α)

@[prim, until "4.23.0"]
opaque List.enumFrom {α : Type u} (n : Nat) (l : List α) : List (Nat × α)

@[prim]
opaque List.zipIdx {α : Type u} (l : List α) (n : Nat := 0) : List (α × Nat)

@[prim]
opaque List.zip {α : Type u} {β : Type v} (xs : List α) (ys : List β) : List (α × β)

@[prim]
opaque List.zipWith {α : Type u} {β : Type v} {γ : Type w} (f : α → β → γ) (xs : List α) (ys : List β) : List γ

@[prim]
opaque List.zipWithAll {α : Type u} {β : Type v} {γ : Type w} (f : Option α → Option β → γ) (xs : List α) (ys : List β) : List γ

@[prim]
opaque List.unzip {α : Type u} {β : Type v} (l : List (α × β)) : List α × List β

def List.attach {α : Type u} (l : List α) : List {x // x ∈ l} := List.map (fun x => ⟨x, sorryAx _⟩) l

def List.attachWith {α : Type u} (l : List α) (P : α → Prop) (H : ∀ x, x ∈ l → P x) : List {x // P x} := List.map (fun x => ⟨x, sorryAx _⟩) l

def List.unattach {α : Type u} {p : α → Prop} (l : List {x // p x}) : List α := List.map (fun x => x.val) l

def List.pmap {α : Type u} {β : Type v} {P : α → Prop} (f : (a : α) → P a → β) (l : List α) (H : ∀ a, a ∈ l → P a) : List β := List.map (fun a => f a (sorryAx _)) l

-- ---------------------------------------------------------------------------------------------------- searching

@[prim]
opaque List.elem {α : Type u} [BEq α] (a : α) (l : List α) : Bool

@[prim]
opaque List.contains {α : Type u} [BEq α] (as : List α) (a : α) : Bool

@[prim, until "4.17.0"]
opaque List.notElem {α : Type u} [BEq α] (a : α) (as : List α) : Bool

@[prim]
opaque List.isEqv {α : Type u} (as bs : List α) (eqv : α → α → Bool) : Bool

@[prim]
protected opaque List.erase {α : Type u} [BEq α] (l : List α) (a : α) : List α

@[prim]
opaque List.removeAll {α : Type u} [BEq α] (xs ys : List α) : List α

@[prim]
opaque List.replace {α : Type u} [BEq α] (l : List α) (a b : α) : List α

@[prim]
opaque List.eraseDups {α : Type u} [BEq α] (as : List α) : List α

@[prim, since "4.21.0"]
opaque List.eraseDupsBy {α : Type u} (r : α → α → Bool) (as : List α) : List α

@[prim]
opaque List.eraseReps {α : Type u} [BEq α] (as : List α) : List α

@[prim, since "4.21.0"]
opaque List.eraseRepsBy {α : Type u} (r : α → α → Bool) (as : List α) : List α

@[prim]
opaque List.count {α : Type u} [BEq α] (a : α) (l : List α) : Nat

@[prim]
opaque List.countP {α : Type u} (p : α → Bool) (l : List α) : Nat

@[prim]
opaque List.find? {α : Type u} (p : α → Bool) (l : List α) : Option α

@[prim]
opaque List.findSome? {α : Type u} {β : Type v} (f : α → Option β) (l : List α) : Option β

@[prim]
opaque List.findRev? {α : Type u} (p : α → Bool) (l : List α) : Option α

@[prim]
opaque List.findIdx {α : Type u} (p : α → Bool) (l : List α) : Nat

@[prim]
opaque List.findIdx? {α : Type u} (p : α → Bool) (l : List α) : Option Nat

@[prim]
opaque List.findFinIdx? {α : Type u} (p : α → Bool) (l : List α) : Option (Fin l.length)

@[prim]
opaque List.idxOf {α : Type u} [BEq α] (a : α) (l : List α) : Nat

@[prim]
opaque List.idxOf? {α : Type u} [BEq α] (a : α) (l : List α) : Option Nat

@[prim]
opaque List.finIdxOf? {α : Type u} [BEq α] (a : α) (l : List α) : Option (Fin l.length)

@[prim, until "4.23.0"]
opaque List.indexOf {α : Type u} [BEq α] (a : α) (l : List α) : Nat

@[prim, until "4.23.0"]
opaque List.indexOf? {α : Type u} [BEq α] (a : α) (l : List α) : Option Nat

@[prim]
opaque List.lookup {α : Type u} {β : Type v} [BEq α] (a : α) (l : List (α × β)) : Option β

@[prim]
opaque List.isPrefixOf {α : Type u} [BEq α] (l₁ l₂ : List α) : Bool

@[prim]
opaque List.isPrefixOf? {α : Type u} [BEq α] (l₁ l₂ : List α) : Option (List α)

@[prim]
opaque List.isSuffixOf {α : Type u} [BEq α] (l₁ l₂ : List α) : Bool

@[prim]
opaque List.isSuffixOf? {α : Type u} [BEq α] (l₁ l₂ : List α) : Option (List α)

@[prim]
opaque List.isSublist {α : Type u} [BEq α] (l₁ l₂ : List α) : Bool

@[prim]
opaque List.isPerm {α : Type u} [BEq α] (l₁ l₂ : List α) : Bool

-- -------------------------------------------------------------------------------------------------------- order

@[prim]
opaque List.mergeSort {α : Type u} (xs : List α) (le : α → α → Bool := by exact fun a b => a ≤ b) : List α

@[prim]
opaque List.merge {α : Type u} (xs ys : List α) (le : α → α → Bool := by exact fun a b => a ≤ b) : List α

@[prim]
opaque List.max? {α : Type u} [Max α] (l : List α) : Option α

@[prim]
opaque List.min? {α : Type u} [Min α] (l : List α) : Option α

@[prim, until "4.18.0"]
opaque List.maximum? {α : Type u} [Max α] (l : List α) : Option α

@[prim, until "4.18.0"]
opaque List.minimum? {α : Type u} [Min α] (l : List α) : Option α

@[prim, since "4.26.0"]
protected opaque List.max {α : Type u} [Max α] (l : List α) (h : l ≠ []) : α

@[prim, since "4.26.0"]
protected opaque List.min {α : Type u} [Min α] (l : List α) (h : l ≠ []) : α

@[prim]
opaque List.lex {α : Type u} [BEq α] (l₁ l₂ : List α) (lt : α → α → Bool := by exact (· < ·)) : Bool

@[prim]
opaque List.Lex {α : Type u} (r : α → α → Prop) (as bs : List α) : Prop

@[prim]
protected opaque List.sum {α : Type u} [Add α] [Zero α] (l : List α) : α

-- ----------------------------------------------------------------------------------------------------- relations

@[prim]
opaque List.Pairwise {α : Type u} (R : α → α → Prop) (l : List α) : Prop

@[prim]
opaque List.Nodup {α : Type u} (l : List α) : Prop

@[prim]
opaque List.Perm {α : Type u} (l₁ l₂ : List α) : Prop

@[prim]
opaque List.Sublist {α : Type u} (l₁ l₂ : List α) : Prop

@[prim]
opaque List.IsPrefix {α : Type u} (l₁ l₂ : List α) : Prop

@[prim]
opaque List.IsSuffix {α : Type u} (l₁ l₂ : List α) : Prop

@[prim]
opaque List.IsInfix {α : Type u} (l₁ l₂ : List α) : Prop

@[instance]
opaque List.instDecidablePairwise {α : Type u} (R : α → α → Prop) [DecidableRel R] (l : List α) : Decidable (List.Pairwise R l)

@[instance]
opaque List.nodupDecidable {α : Type u} [DecidableEq α] (l : List α) : Decidable (List.Nodup l)

@[instance]
opaque List.decidablePerm {α : Type u} [DecidableEq α] (l₁ l₂ : List α) : Decidable (List.Perm l₁ l₂)

@[instance]
opaque List.instDecidableSublistOfDecidableEq {α : Type u} [DecidableEq α] (l₁ l₂ : List α) : Decidable (List.Sublist l₁ l₂)

@[instance]
opaque List.instDecidableIsPrefixOfDecidableEq {α : Type u} [DecidableEq α] (l₁ l₂ : List α) : Decidable (List.IsPrefix l₁ l₂)

@[instance]
opaque List.instDecidableIsSuffixOfDecidableEq {α : Type u} [DecidableEq α] (l₁ l₂ : List α) : Decidable (List.IsSuffix l₁ l₂)

@[instance]
opaque List.instDecidableIsInfixOfDecidableEq {α : Type u} [DecidableEq α] (l₁ l₂ : List α) : Decidable (List.IsInfix l₁ l₂)

@[instance]
opaque List.decidableLex {α : Type u} [DecidableEq α] (r : α → α → Prop) [h : DecidableRel r] (l₁ l₂ : List α) : Decidable (List.Lex r l₁ l₂)

-- ------------------------------------------------------------------------------------------------------ monadic

def List.mapM {m : Type u → Type v} [Monad m] {α : Type w} {β : Type u} (f : α → m β) (as : List α) : m (List β) :=
  match as with
  | [] => Pure.pure []
  | a :: rest => Bind.bind (f a) fun b => Bind.bind (List.mapM f rest) fun bs => Pure.pure (b :: bs)

def List.mapM' {α : Type w} {β : Type u} {m : Type u → Type v} [Monad m] (f : α → m β) (as : List α) : m (List β) :=
  match as with
  | [] => Pure.pure []
  | a :: rest => Bind.bind (f a) fun b => Bind.bind (List.mapM' f rest) fun bs => Pure.pure (b :: bs)

def List.mapA {m : Type u → Type v} [Applicative m] {α : Type w} {β : Type u} (f : α → m β) (as : List α) : m (List β) :=
  match as with
  | [] => Pure.pure []
  | a :: rest => Seq.seq (Functor.map (fun b bs => b :: bs) (f a)) fun _ => List.mapA f rest

def List.forM {m : Type u → Type v} [Monad m] {α : Type w} (as : List α) (f : α → m PUnit) : m PUnit :=
  match as with
  | [] => Pure.pure PUnit.unit
  | a :: rest => Bind.bind (f a) fun _ => List.forM rest f

def List.forA {m : Type u → Type v} [Applicative m] {α : Type w} (as : List α) (f : α → m PUnit) : m PUnit :=
  match as with
  | [] => Pure.pure PUnit.unit
  | a :: rest => SeqRight.seqRight (f a) fun _ => List.forA rest f

def List.foldlM {m : Type u → Type v} [Monad m] {s : Type u} {α : Type w} (f : s → α → m s) (init : s) (l : List α) : m s :=
  match l with
  | [] => Pure.pure init
  | a :: rest => Bind.bind (f init a) fun s' => List.foldlM f s' rest

def List.foldrM {m : Type u → Type v} [Monad m] {s : Type u} {α : Type w} (f : α → s → m s) (init : s) (l : List α) : m s :=
  List.foldlM (fun s a => f a s) init (List.reverse l)

def List.filterM {m : Type → Type v} [Monad m] {α : Type} (p : α → m Bool) (as : List α) : m (List α) :=
  match as with
  | [] => Pure.pure []
  | a :: rest => Bind.bind (p a) fun b => Bind.bind (List.filterM p rest) fun bs => Pure.pure (cond b (a :: bs) bs)

def List.filterRevM {m : Type → Type v} [Monad m] {α : Type} (p : α → m Bool) (as : List α) : m (List α) :=
  Bind.bind (List.filterM p (List.reverse as)) fun bs => Pure.pure (List.reverse bs)

def List.filterMapM {m : Type u → Type v} [Monad m] {α : Type w} {β : Type u} (f : α → m (Option β)) (as : List α) : m (List β) :=
  match as with
  | [] => Pure.pure []
  | a :: rest => Bind.bind (f a) fun o => Bind.bind (List.filterMapM f rest) fun bs => Pure.pure (match o with
    | none => bs
    | some b => b :: bs)

def List.flatMapM {m : Type u → Type v} [Monad m] {α : Type w} {β : Type u} (f : α → m (List β)) (as : List α) : m (List β) :=
  match as with
  | [] => Pure.pure []
  | a :: rest => Bind.bind (f a) fun bs => Bind.bind (List.flatMapM f rest) fun cs => Pure.pure (bs ++ cs)

def List.anyM {m : Type → Type u} [Monad m] {α : Type v} (p : α → m Bool) (l : List α) : m Bool :=
  match l with
  | [] => Pure.pure false
  | a :: rest => Bind.bind (p a) fun b => match b with
    | true => Pure.pure true
    | false => List.anyM p rest

def List.allM {m : Type → Type u} [Monad m] {α : Type v} (p : α → m Bool) (l : List α) : m Bool :=
  match l with
  | [] => Pure.pure true
  | a :: rest => Bind.bind (p a) fun b => match b with
    | true => List.allM p rest
    | false => Pure.pure false

def List.findM? {m : Type → Type u} [Monad m] {α : Type} (p : α → m Bool) (l : List α) : m (Option α) :=
  match l with
  | [] => Pure.pure none
  | a :: rest => Bind.bind (p a) fun b => match b with
    | true => Pure.pure (some a)
    | false => List.findM? p rest

def List.findSomeM? {m : Type u → Type v} [Monad m] {α : Type w} {β : Type u} (f : α → m (Option β)) (l : List α) : m (Option β) :=
  match l with
  | [] => Pure.pure none
  | a :: rest => Bind.bind (f a) fun o => match o with
    | some b => Pure.pure (some b)
    | none => List.findSomeM? f rest

def List.firstM {m : Type u → Type v} [Alternative m] {α : Type w} {β : Type u} (f : α → m β) (l : List α) : m β :=
  match l with
  | [] => Alternative.failure
  | a :: rest => Alternative.orElse (f a) fun _ => List.firstM f rest

def List.mapIdxM {α : Type w} {β : Type u} {m : Type u → Type v} [Monad m] (f : Nat → α → m β) (as : List α) : m (List β) :=
  List.mapM (fun p => f p.2 p.1) (List.zipIdx as)

-- ------------------------------------------------------------------------------------------------- conversions

@[prim]
opaque List.toArray {α : Type u} (xs : List α) : Array α

@[prim]
opaque List.asString (s : List Char) : String

@[prim]
protected opaque List.toString {α : Type u} [ToString α] (l : List α) : String

def List.reduceOption {α : Type u} (l : List (Option α)) : List α := List.filterMap (fun x => x) l
