-- Functions of `Option`.

def Option.get {α : Type u} (o : Option α) (h : (Option.isSome o) = true) : α := match o with
  | some a => a
  | none => sorryAx _

protected def Option.get! {α : Type u} [Inhabited α] (o : Option α) : α := match o with
  | some a => a
  | none => default

def Option.getD {α : Type u} (opt : Option α) (dflt : α) : α := match opt with
  | some a => a
  | none => dflt

def Option.isSome {α : Type u} (o : Option α) : Bool := match o with
  | some _ => true
  | none => false

def Option.isNone {α : Type u} (o : Option α) : Bool := match o with
  | some _ => false
  | none => true

def Option.isEqSome {α : Type u} [BEq α] (o : Option α) (b : α) : Bool := match o with
  | some a => a == b
  | none => false

protected def Option.map {α : Type u} {β : Type v} (f : α → β) (o : Option α) : Option β := match o with
  | some a => some (f a)
  | none => none

protected def Option.bind {α : Type u} {β : Type v} (o : Option α) (f : α → Option β) : Option β := match o with
  | some a => f a
  | none => none

protected def Option.filter {α : Type u} (p : α → Bool) (o : Option α) : Option α := match o with
  | some a => cond (p a) (some a) none
  | none => none

protected def Option.all {α : Type u} (p : α → Bool) (o : Option α) : Bool := match o with
  | some a => p a
  | none => true

protected def Option.any {α : Type u} (p : α → Bool) (o : Option α) : Bool := match o with
  | some a => p a
  | none => false

protected def Option.or {α : Type u} (o o' : Option α) : Option α := match o with
  | some a => some a
  | none => o'

protected def Option.orElse {α : Type u} (o : Option α) (f : Unit → Option α) : Option α := match o with
  | some a => some a
  | none => f ()

protected def Option.merge {α : Type u} (fn : α → α → α) (x y : Option α) : Option α := match x, y with
  | none, none => none
  | some a, none => some a
  | none, some b => some b
  | some a, some b => some (fn a b)

def Option.join {α : Type u} (x : Option (Option α)) : Option α := match x with
  | some o => o
  | none => none

def Option.toList {α : Type u} (o : Option α) : List α := match o with
  | some a => [a]
  | none => []

def Option.toArray {α : Type u} (o : Option α) : Array α := match o with
  | some a => #[a]
  | none => #[]

protected def Option.elim {α : Type u} {β : Sort v} (o : Option α) (b : β) (f : α → β) : β := match o with
  | some a => f a
  | none => b

def Option.guard {α : Type u} (p : α → Bool) (a : α) : Option α := cond (p a) (some a) none

protected def Option.toMonad {m : Type → Type v} {α : Type} [Monad m] [Alternative m] (o : Option α) : m α := match o with
  | some a => Pure.pure a
  | none => Alternative.failure

def Option.getM {m : Type u → Type v} {α : Type u} [Alternative m] (o : Option α) : m α := match o with
  | some a => Pure.pure a
  | none => Alternative.failure

def Option.getDM {m : Type u → Type v} {α : Type u} [Monad m] (x : Option α) (y : m α) : m α := match x with
  | some a => Pure.pure a
  | none => y

protected def Option.mapM {m : Type u → Type v} {α : Type w} {β : Type u} [Applicative m] (f : α → m β) (o : Option α) : m (Option β) := match o with
  | some a => Functor.map some (f a)
  | none => Pure.pure none

protected def Option.mapA {m : Type u → Type v} {α : Type w} {β : Type u} [Applicative m] (f : α → m β) (o : Option α) : m (Option β) := match o with
  | some a => Functor.map some (f a)
  | none => Pure.pure none

protected def Option.bindM {m : Type u → Type v} {α : Type w} {β : Type u} [Monad m] (f : α → m (Option β)) (o : Option α) : m (Option β) := match o with
  | some a => f a
  | none => Pure.pure none

protected def Option.filterM {m : Type → Type v} {α : Type} [Applicative m] (p : α → m Bool) (o : Option α) : m (Option α) := match o with
  | some a => Functor.map (fun b => cond b (some a) none) (p a)
  | none => Pure.pure none

protected def Option.forM {m : Type u → Type v} {α : Type w} [Monad m] (o : Option α) (f : α → m PUnit) : m PUnit := match o with
  | some a => f a
  | none => Pure.pure PUnit.unit

protected def Option.elimM {m : Type u → Type v} {α β : Type u} [Monad m] (x : m (Option α)) (y : m β) (z : α → m β) : m β :=
  Bind.bind x fun o => Option.elim o y z

protected def Option.sequence {m : Type u → Type v} {α : Type u} [Applicative m] (o : Option (m α)) : m (Option α) := match o with
  | some x => Functor.map some x
  | none => Pure.pure none

protected def Option.tryCatch {α : Type u} (x : Option α) (handle : Unit → Option α) : Option α := match x with
  | some a => some a
  | none => handle ()

protected def Option.max {α : Type u} [Max α] (x y : Option α) : Option α := match x, y with
  | none, o => o
  | some a, none => some a
  | some a, some b => some (Max.max a b)

protected def Option.min {α : Type u} [Min α] (x y : Option α) : Option α := match x, y with
  | none, none => none
  | none, some _ => none
  | some _, none => none
  | some a, some b => some (Min.min a b)

instance Option.instMax {α : Type u} [Max α] : Max (Option α) := ⟨Option.max⟩

instance Option.instMin {α : Type u} [Min α] : Min (Option α) := ⟨Option.min⟩

def Option.attach {α : Type u} (o : Option α) : Option {x // o = some x} := match o with
  | some a => some ⟨a, sorryAx _⟩
  | none => none

def Option.unattach {α : Type u} {p : α → Prop} (o : Option {x // p x}) : Option α := Option.map (fun x => x.val) o

def Option.pbind {α : Type u} {β : Type v} (o : Option α) (f : (a : α) → o = some a → Option β) : Option β := match o with
  | some a => f a (sorryAx _)
  | none => none

def Option.pmap {α : Type u} {β : Type v} {p : α → Prop} (f : (a : α) → p a → β) (o : Option α) (H : ∀ a, o = some a → p a) : Option β := match o with
  | some a => some (f a (sorryAx _))
  | none => none

def Option.pelim {α : Type u} {β : Sort v} (o : Option α) (b : β) (f : (a : α) → o = some a → β) : β := match o with
  | some a => f a (sorryAx _)
  | none => b

@[mathlib]
def Option.iget {α : Type u} [Inhabited α] (o : Option α) : α := match o with
  | some a => a
  | none => default

@[mathlib]
def Option.elim' {α : Type u} {β : Type v} (b : β) (f : α → β) (o : Option α) : β := match o with
  | some a => f a
  | none => b

@[mathlib]
def Option.map₂ {α : Type u} {β : Type v} {γ : Type w} (f : α → β → γ) (a : Option α) (b : Option β) : Option γ :=
  Option.bind a fun x => Option.map (f x) b
