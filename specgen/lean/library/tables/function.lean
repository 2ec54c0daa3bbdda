-- Functions on functions, pairs, sums, booleans, orderings, subtypes.

@[reducible]
def id {α : Sort u} (a : α) : α := a

@[reducible]
def Function.comp {α : Sort u} {β : Sort v} {δ : Sort w} (f : β → δ) (g : α → β) : α → δ := fun x => f (g x)

@[reducible]
def Function.const {α : Sort u} (β : Sort v) (a : α) : β → α := fun _ => a

def flip {α : Sort u} {β : Sort v} {φ : Sort w} (f : α → β → φ) : β → α → φ := fun b a => f a b

def Function.curry {α : Type u} {β : Type v} {φ : Type w} (f : α × β → φ) (a : α) (b : β) : φ := f (a, b)

def Function.uncurry {α : Type u} {β : Type v} {φ : Type w} (f : α → β → φ) (p : α × β) : φ := f p.1 p.2

@[mathlib]
def Function.Injective {α : Sort u} {β : Sort v} (f : α → β) : Prop := ∀ a₁ a₂, f a₁ = f a₂ → a₁ = a₂

@[mathlib]
def Function.Surjective {α : Sort u} {β : Sort v} (f : α → β) : Prop := ∀ b, ∃ a, f a = b

@[mathlib]
def Function.Bijective {α : Sort u} {β : Sort v} (f : α → β) : Prop := Function.Injective f ∧ Function.Surjective f

@[mathlib]
def Function.LeftInverse {α : Sort u} {β : Sort v} (g : β → α) (f : α → β) : Prop := ∀ x, g (f x) = x

@[mathlib]
def Function.RightInverse {α : Sort u} {β : Sort v} (g : β → α) (f : α → β) : Prop := Function.LeftInverse f g

@[mathlib]
def Function.Involutive {α : Sort u} (f : α → α) : Prop := ∀ x, f (f x) = x

@[mathlib]
def Function.swap {α : Sort u} {β : Sort v} {φ : Sort w} (f : α → β → φ) : β → α → φ := fun b a => f a b

@[mathlib]
def Function.onFun {α : Sort u} {β : Sort v} {φ : Sort w} (f : β → β → φ) (g : α → β) : α → α → φ := fun x y => f (g x) (g y)

@[mathlib]
def Function.update {α : Type u} {β : Type v} [DecidableEq α] (f : α → β) (a' : α) (v : β) (a : α) : β := if a = a' then v else f a

-- -------------------------------------------------------------------------------------------------------- Prod

def Prod.map {α₁ : Type u} {α₂ : Type v} {β₁ : Type w} {β₂ : Type x} (f : α₁ → α₂) (g : β₁ → β₂) (p : α₁ × β₁) : α₂ × β₂ := (f p.1, g p.2)

def Prod.swap {α : Type u} {β : Type v} (p : α × β) : β × α := (p.2, p.1)

def Prod.Lex {α : Type u} {β : Type v} (ra : α → α → Prop) (rb : β → β → Prop) (s t : α × β) : Prop := ra s.1 t.1 ∨ (s.1 = t.1 ∧ rb s.2 t.2)

def Prod.allI (i : Nat × Nat) (f : (j : Nat) → i.1 ≤ j → j < i.2 → Bool) : Bool :=
  List.all (List.range' i.1 (i.2 - i.1)) fun j => f j (sorryAx _) (sorryAx _)

def Prod.anyI (i : Nat × Nat) (f : (j : Nat) → i.1 ≤ j → j < i.2 → Bool) : Bool :=
  List.any (List.range' i.1 (i.2 - i.1)) fun j => f j (sorryAx _) (sorryAx _)

def Prod.foldI {α : Type u} (i : Nat × Nat) (f : (j : Nat) → i.1 ≤ j → j < i.2 → α → α) (init : α) : α :=
  List.foldl (fun acc j => f j (sorryAx _) (sorryAx _) acc) init (List.range' i.1 (i.2 - i.1))

-- --------------------------------------------------------------------------------------------------------- Sum

def Sum.getLeft? {α : Type u} {β : Type v} (s : Sum α β) : Option α := match s with
  | Sum.inl a => some a
  | Sum.inr _ => none

def Sum.getRight? {α : Type u} {β : Type v} (s : Sum α β) : Option β := match s with
  | Sum.inl _ => none
  | Sum.inr b => some b

def Sum.isLeft {α : Type u} {β : Type v} (s : Sum α β) : Bool := match s with
  | Sum.inl _ => true
  | Sum.inr _ => false

def Sum.isRight {α : Type u} {β : Type v} (s : Sum α β) : Bool := match s with
  | Sum.inl _ => false
  | Sum.inr _ => true

protected def Sum.elim {α : Type u} {β : Type v} {γ : Sort w} (f : α → γ) (g : β → γ) (s : Sum α β) : γ := match s with
  | Sum.inl a => f a
  | Sum.inr b => g b

protected def Sum.map {α : Type u} {α' : Type v} {β : Type w} {β' : Type x} (f : α → α') (g : β → β') (s : Sum α β) : Sum α' β' := match s with
  | Sum.inl a => Sum.inl (f a)
  | Sum.inr b => Sum.inr (g b)

def Sum.swap {α : Type u} {β : Type v} (s : Sum α β) : Sum β α := match s with
  | Sum.inl a => Sum.inr a
  | Sum.inr b => Sum.inl b

-- -------------------------------------------------------------------------------------------------------- Bool

protected def Bool.xor (x y : Bool) : Bool := cond x (not y) y

protected def Bool.not (x : Bool) : Bool := not x

protected def Bool.and (x y : Bool) : Bool := and x y

protected def Bool.or (x y : Bool) : Bool := or x y

def Bool.toNat (b : Bool) : Nat := cond b 1 0

def Bool.toInt (b : Bool) : Int := cond b 1 0

def Bool.toUInt64 (b : Bool) : UInt64 := cond b 1 0

@[mathlib]
def Bool.nand (x y : Bool) : Bool := not (and x y)

-- ----------------------------------------------------------------------------------------------------- Ordering

def Ordering.swap (o : Ordering) : Ordering := match o with
  | Ordering.lt => Ordering.gt
  | Ordering.eq => Ordering.eq
  | Ordering.gt => Ordering.lt

protected def Ordering.then (a b : Ordering) : Ordering := match a with
  | Ordering.eq => b
  | _ => a

def Ordering.isEq (o : Ordering) : Bool := match o with
  | Ordering.eq => true
  | _ => false

def Ordering.isNe (o : Ordering) : Bool := not (Ordering.isEq o)

def Ordering.isLE (o : Ordering) : Bool := match o with
  | Ordering.gt => false
  | _ => true

def Ordering.isLT (o : Ordering) : Bool := match o with
  | Ordering.lt => true
  | _ => false

def Ordering.isGT (o : Ordering) : Bool := match o with
  | Ordering.gt => true
  | _ => false

def Ordering.isGE (o : Ordering) : Bool := match o with
  | Ordering.lt => false
  | _ => true

instance Ordering.instBEq : BEq Ordering := ⟨fun a b => Decidable.decide (a = b)⟩

def compareLex {α : Sort u} {β : Sort v} (cmp₁ cmp₂ : α → β → Ordering) (a : α) (b : β) : Ordering := Ordering.then (cmp₁ a b) (cmp₂ a b)

def compareOn {α : Sort u} {β : Type v} [ord : Ord β] (f : α → β) (x y : α) : Ordering := compare (f x) (f y)

def compareOfLessAndEq {α : Type u} (x y : α) [LT α] [Decidable (x < y)] [DecidableEq α] : Ordering :=
  if x < y then Ordering.lt else if x = y then Ordering.eq else Ordering.gt

def compareOfLessAndBEq {α : Type u} (x y : α) [LT α] [Decidable (x < y)] [BEq α] : Ordering :=
  if x < y then Ordering.lt else if x == y then Ordering.eq else Ordering.gt

def Ord.toLT {α : Type u} (ord : Ord α) : LT α := ⟨fun a b => compare a b = Ordering.lt⟩

def Ord.toLE {α : Type u} (ord : Ord α) : LE α := ⟨fun a b => Ordering.isLE (compare a b) = true⟩

def Ord.opposite {α : Type u} (ord : Ord α) : Ord α := ⟨fun x y => compare y x⟩

def Ord.on {α : Sort u} {β : Type v} (ord : Ord β) (f : α → β) : Ord α := ⟨fun x y => compare (f x) (f y)⟩

def Ord.lex {α : Type u} {β : Type v} (ord₁ : Ord α) (ord₂ : Ord β) : Ord (α × β) := lexOrd

def ltOfOrd {α : Type u} [Ord α] : LT α := ⟨fun a b => compare a b = Ordering.lt⟩

def leOfOrd {α : Type u} [Ord α] : LE α := ⟨fun a b => Ordering.isLE (compare a b) = true⟩

-- ------------------------------------------------------------------------------------------------------- Except

protected def Except.map {ε : Type u} {α : Type v} {β : Type w} (f : α → β) (x : Except ε α) : Except ε β := match x with
  | Except.error e => Except.error e
  | Except.ok a => Except.ok (f a)

protected def Except.mapError {ε : Type u} {ε' : Type v} {α : Type w} (f : ε → ε') (x : Except ε α) : Except ε' α := match x with
  | Except.error e => Except.error (f e)
  | Except.ok a => Except.ok a

protected def Except.bind {ε : Type u} {α : Type v} {β : Type w} (ma : Except ε α) (f : α → Except ε β) : Except ε β := match ma with
  | Except.error e => Except.error e
  | Except.ok a => f a

protected def Except.pure {ε : Type u} {α : Type v} (a : α) : Except ε α := Except.ok a

def Except.toBool {ε : Type u} {α : Type v} (x : Except ε α) : Bool := match x with
  | Except.error _ => false
  | Except.ok _ => true

def Except.isOk {ε : Type u} {α : Type v} (x : Except ε α) : Bool := match x with
  | Except.error _ => false
  | Except.ok _ => true

def Except.toOption {ε : Type u} {α : Type v} (x : Except ε α) : Option α := match x with
  | Except.error _ => none
  | Except.ok a => some a

protected def Except.tryCatch {ε : Type u} {α : Type v} (ma : Except ε α) (handle : ε → Except ε α) : Except ε α := match ma with
  | Except.error e => handle e
  | Except.ok a => Except.ok a

protected def Except.orElseLazy {ε : Type u} {α : Type v} (x : Except ε α) (y : Unit → Except ε α) : Except ε α := match x with
  | Except.error _ => y ()
  | Except.ok a => Except.ok a

-- ------------------------------------------------------------------------------------------ monads with a state

def StateT (σ : Type u) (m : Type u → Type v) (α : Type u) : Type v := σ → m (α × σ)

@[reducible]
def StateM (σ : Type u) (α : Type u) : Type u := StateT σ Id α

def StateT.run {σ : Type u} {m : Type u → Type v} {α : Type u} (x : StateT σ m α) (s : σ) : m (α × σ) := x s

def StateT.run' {σ : Type u} {m : Type u → Type v} [Functor m] {α : Type u} (x : StateT σ m α) (s : σ) : m α := Functor.map (fun p => p.1) (x s)

def StateT.bindInternal {σ : Type u} {m : Type u → Type v} [Monad m] {α β : Type u} (x : StateT σ m α) (f : α → StateT σ m β) : StateT σ m β :=
  fun s => Bind.bind (x s) fun p => f p.1 p.2

instance StateT.instMonad {σ : Type u} {m : Type u → Type v} [Monad m] : Monad (StateT σ m) where
  pure := fun a s => Pure.pure (a, s)
  bind := fun x f => StateT.bindInternal x f

instance StateT.instMonadStateOf {σ : Type u} {m : Type u → Type v} [Monad m] : MonadStateOf σ (StateT σ m) where
  get := fun s => Pure.pure (s, s)
  set := fun s' _ => Pure.pure (PUnit.unit, s')
  modifyGet := fun f s => Pure.pure (f s)

instance StateT.instMonadLift {σ : Type u} {m : Type u → Type v} [Monad m] : MonadLift m (StateT σ m) := ⟨fun x s => Bind.bind x fun a => Pure.pure (a, s)⟩

instance StateT.instMonadExceptOf {σ : Type u} {m : Type u → Type v} [Monad m] {ε : Type w} [MonadExceptOf ε m] : MonadExceptOf ε (StateT σ m) where
  throw := fun e _ => MonadExceptOf.throw e
  tryCatch := fun x c s => MonadExceptOf.tryCatch (x s) (fun e => c e s)

protected def StateT.get {σ : Type u} {m : Type u → Type v} [Monad m] : StateT σ m σ := fun s => Pure.pure (s, s)

protected def StateT.set {σ : Type u} {m : Type u → Type v} [Monad m] (s : σ) : StateT σ m PUnit := fun _ => Pure.pure (PUnit.unit, s)

protected def StateT.modifyGet {σ : Type u} {m : Type u → Type v} [Monad m] {α : Type u} (f : σ → α × σ) : StateT σ m α := fun s => Pure.pure (f s)

def ReaderT (ρ : Type u) (m : Type u → Type v) (α : Type u) : Type v := ρ → m α

@[reducible]
def ReaderM (ρ : Type u) (α : Type u) : Type u := ReaderT ρ Id α

def ReaderT.run {ρ : Type u} {m : Type u → Type v} {α : Type u} (x : ReaderT ρ m α) (r : ρ) : m α := x r

instance ReaderT.instMonad {ρ : Type u} {m : Type u → Type v} [Monad m] : Monad (ReaderT ρ m) where
  pure := fun a _ => Pure.pure a
  bind := fun x f r => Bind.bind (x r) fun a => f a r

instance ReaderT.instMonadReaderOf {ρ : Type u} {m : Type u → Type v} [Monad m] : MonadReaderOf ρ (ReaderT ρ m) := ⟨fun r => Pure.pure r⟩

instance ReaderT.instMonadLift {ρ : Type u} {m : Type u → Type v} [Monad m] : MonadLift m (ReaderT ρ m) := ⟨fun x _ => x⟩

def ExceptT (ε : Type u) (m : Type u → Type v) (α : Type u) : Type v := m (Except ε α)

def ExceptT.run {ε : Type u} {m : Type u → Type v} {α : Type u} (x : ExceptT ε m α) : m (Except ε α) := x

def ExceptT.mk {ε : Type u} {m : Type u → Type v} {α : Type u} (x : m (Except ε α)) : ExceptT ε m α := x

def ExceptT.bindInternal {ε : Type u} {m : Type u → Type v} [Monad m] {α β : Type u} (x : ExceptT ε m α) (f : α → ExceptT ε m β) : ExceptT ε m β :=
  ExceptT.mk (Bind.bind (ExceptT.run x) fun r => match r with
    | Except.ok a => ExceptT.run (f a)
    | Except.error e => Pure.pure (Except.error e))

def ExceptT.catchInternal {ε : Type u} {m : Type u → Type v} [Monad m] {α : Type u} (x : ExceptT ε m α) (h : ε → ExceptT ε m α) : ExceptT ε m α :=
  ExceptT.mk (Bind.bind (ExceptT.run x) fun r => match r with
    | Except.ok a => Pure.pure (Except.ok a)
    | Except.error e => ExceptT.run (h e))

instance ExceptT.instMonad {ε : Type u} {m : Type u → Type v} [Monad m] : Monad (ExceptT ε m) where
  pure := fun a => ExceptT.mk (Pure.pure (Except.ok a))
  bind := fun x f => ExceptT.bindInternal x f

instance ExceptT.instMonadExceptOf {ε : Type u} {m : Type u → Type v} [Monad m] : MonadExceptOf ε (ExceptT ε m) where
  throw := fun e => ExceptT.mk (Pure.pure (Except.error e))
  tryCatch := fun x h => ExceptT.catchInternal x h

instance ExceptT.instMonadLift {ε : Type u} {m : Type u → Type v} [Monad m] : MonadLift m (ExceptT ε m) := ⟨fun x => ExceptT.mk (Bind.bind x fun a => Pure.pure (Except.ok a))⟩

instance ExceptT.instMonadStateOf {ε : Type u} {m : Type u → Type v} [Monad m] {σ : Type u} [MonadStateOf σ m] : MonadStateOf σ (ExceptT ε m) where
  get := ExceptT.mk (Bind.bind MonadStateOf.get fun s => Pure.pure (Except.ok s))
  set := fun s => ExceptT.mk (Bind.bind (MonadStateOf.set s) fun u => Pure.pure (Except.ok u))
  modifyGet := fun f => ExceptT.mk (Bind.bind (MonadStateOf.modifyGet f) fun a => Pure.pure (Except.ok a))

def OptionT (m : Type u → Type v) (α : Type u) : Type v := m (Option α)

def OptionT.run {m : Type u → Type v} {α : Type u} (x : OptionT m α) : m (Option α) := x

def OptionT.mk {m : Type u → Type v} {α : Type u} (x : m (Option α)) : OptionT m α := x

def OptionT.bindInternal {m : Type u → Type v} [Monad m] {α β : Type u} (x : OptionT m α) (f : α → OptionT m β) : OptionT m β :=
  OptionT.mk (Bind.bind (OptionT.run x) fun r => match r with
    | some a => OptionT.run (f a)
    | none => Pure.pure none)

def OptionT.orElseInternal {m : Type u → Type v} [Monad m] {α : Type u} (x : OptionT m α) (y : Unit → OptionT m α) : OptionT m α :=
  OptionT.mk (Bind.bind (OptionT.run x) fun r => match r with
    | some a => Pure.pure (some a)
    | none => OptionT.run (y ()))

instance OptionT.instMonad {m : Type u → Type v} [Monad m] : Monad (OptionT m) where
  pure := fun a => OptionT.mk (Pure.pure (some a))
  bind := fun x f => OptionT.bindInternal x f

instance OptionT.instAlternative {m : Type u → Type v} [Monad m] : Alternative (OptionT m) where
  toApplicative := Monad.toApplicative
  failure := OptionT.mk (Pure.pure none)
  orElse := fun x y => OptionT.orElseInternal x y

instance OptionT.instMonadLift {m : Type u → Type v} [Monad m] : MonadLift m (OptionT m) := ⟨fun x => OptionT.mk (Bind.bind x fun a => Pure.pure (some a))⟩

def guard {f : Type → Type v} [Alternative f] (p : Prop) [Decidable p] : f Unit := if p then Pure.pure () else Alternative.failure

def optional {f : Type u → Type v} [Alternative f] {α : Type u} (x : f α) : f (Option α) :=
  Alternative.orElse (Functor.map some x) fun _ => Pure.pure none

def Functor.mapRev {f : Type u → Type v} [Functor f] {α β : Type u} (a : f α) (g : α → β) : f β := Functor.map g a

def Functor.discard {f : Type → Type v} {α : Type} [Functor f] (x : f α) : f PUnit := Functor.map (fun _ => PUnit.unit) x

def Bind.kleisliRight {m : Type u → Type v} {α : Type w} {β γ : Type u} [Bind m] (f₁ : α → m β) (f₂ : β → m γ) (a : α) : m γ := Bind.bind (f₁ a) f₂

def Monad.join {m : Type u → Type v} [Monad m] {α : Type u} (a : m (m α)) : m α := Bind.bind a fun x => x

-- ------------------------------------------------------------------------------------------- choice, existence

opaque Classical.choice {α : Sort u} (h : Nonempty α) : α

opaque Classical.choose {α : Sort u} {p : α → Prop} (h : ∃ x, p x) : α

opaque Classical.choose_spec {α : Sort u} {p : α → Prop} (h : ∃ x, p x) : p (Classical.choose h)

opaque Classical.em (p : Prop) : p ∨ ¬p

opaque Classical.propDecidable (a : Prop) : Decidable a

opaque Classical.dec (p : Prop) : Decidable p

opaque Classical.decPred {α : Sort u} (p : α → Prop) : DecidablePred p

opaque Classical.arbitrary (α : Sort u) [Nonempty α] : α

opaque Exists.choose {α : Sort u} {p : α → Prop} (h : ∃ x, p x) : α

instance instBEqSum {α : Type u} {β : Type v} [BEq α] [BEq β] : BEq (Sum α β) := ⟨fun x y => match x, y with
    | Sum.inl a, Sum.inl b => a == b
    | Sum.inr a, Sum.inr b => a == b
    | _, _ => false⟩
