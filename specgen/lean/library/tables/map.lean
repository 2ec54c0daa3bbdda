-- `Std.HashMap`, `Std.HashSet`, `Std.TreeMap`, `Std.TreeSet`. The order in which a hash map lists its entries is not specified.

@[std]
opaque Std.HashMap (α : Type u) (β : Type v) [BEq α] [Hashable α] : Type v

@[std, prim, until "4.26.0"]
opaque Std.HashMap.empty {α : Type u} {β : Type v} [BEq α] [Hashable α] (capacity : Nat := 8) : Std.HashMap α β

@[std, prim]
opaque Std.HashMap.emptyWithCapacity {α : Type u} {β : Type v} [BEq α] [Hashable α] (capacity : Nat := 8) : Std.HashMap α β

@[std, prim]
opaque Std.HashMap.insert {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) (a : α) (b : β) : Std.HashMap α β

@[std, prim]
opaque Std.HashMap.insertIfNew {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) (a : α) (b : β) : Std.HashMap α β

@[std, prim]
opaque Std.HashMap.get? {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) (a : α) : Option β

@[std, prim]
opaque Std.HashMap.getD {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) (a : α) (fallback : β) : β

@[std, prim]
opaque Std.HashMap.contains {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) (a : α) : Bool

@[std, prim]
opaque Std.HashMap.erase {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) (a : α) : Std.HashMap α β

@[std, prim]
opaque Std.HashMap.size {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) : Nat

@[std, prim]
opaque Std.HashMap.isEmpty {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) : Bool

@[std, prim]
opaque Std.HashMap.containsThenInsert {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) (a : α) (b : β) : Bool × Std.HashMap α β

@[std, prim]
opaque Std.HashMap.containsThenInsertIfNew {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) (a : α) (b : β) : Bool × Std.HashMap α β

@[std, prim]
opaque Std.HashMap.getThenInsertIfNew? {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) (a : α) (b : β) : Option β × Std.HashMap α β

@[std, prim]
opaque Std.HashMap.getKey? {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) (a : α) : Option α

@[std, prim]
opaque Std.HashMap.getKeyD {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) (a fallback : α) : α

@[std, prim]
opaque Std.HashMap.toList {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) : List (α × β)

@[std, prim]
opaque Std.HashMap.toArray {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) : Array (α × β)

@[std, prim]
opaque Std.HashMap.keys {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) : List α

@[std, prim]
opaque Std.HashMap.keysArray {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) : Array α

@[std, prim]
opaque Std.HashMap.values {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) : List β

@[std, prim]
opaque Std.HashMap.valuesArray {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) : Array β

@[std, prim]
opaque Std.HashMap.ofList {α : Type u} {β : Type v} [BEq α] [Hashable α] (l : List (α × β)) : Std.HashMap α β

@[std, prim]
opaque Std.HashMap.ofArray {α : Type u} {β : Type v} [BEq α] [Hashable α] (a : Array (α × β)) : Std.HashMap α β

@[std, prim]
opaque Std.HashMap.modify {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) (a : α) (f : β → β) : Std.HashMap α β

@[std, prim]
opaque Std.HashMap.alter {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) (a : α) (f : Option β → Option β) : Std.HashMap α β

@[std, prim]
opaque Std.HashMap.filter {α : Type u} {β : Type v} [BEq α] [Hashable α] (f : α → β → Bool) (m : Std.HashMap α β) : Std.HashMap α β

@[std, prim]
opaque Std.HashMap.all {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) (p : α → β → Bool) : Bool

@[std, prim]
opaque Std.HashMap.any {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) (p : α → β → Bool) : Bool

@[std, prim]
opaque Std.HashMap.union {α : Type u} {β : Type v} [BEq α] [Hashable α] (m₁ m₂ : Std.HashMap α β) : Std.HashMap α β

@[std, prim]
opaque Std.HashMap.get {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) (a : α) (h : a ∈ m) : β

@[std, prim]
opaque Std.HashMap.get! {α : Type u} {β : Type v} [BEq α] [Hashable α] [Inhabited β] (m : Std.HashMap α β) (a : α) : β

@[std, prim]
opaque Std.HashMap.getKey! {α : Type u} {β : Type v} [BEq α] [Hashable α] [Inhabited α] (m : Std.HashMap α β) (a : α) : α

@[std, prim]
opaque Std.HashMap.map {α : Type u} {β : Type v} {γ : Type w} [BEq α] [Hashable α] (f : α → β → γ) (m : Std.HashMap α β) : Std.HashMap α γ

@[std, prim]
opaque Std.HashMap.filterMap {α : Type u} {β : Type v} {γ : Type w} [BEq α] [Hashable α] (f : α → β → Option γ) (m : Std.HashMap α β) : Std.HashMap α γ

@[std, prim]
opaque Std.HashMap.fold {α : Type u} {β : Type v} [BEq α] [Hashable α] {γ : Type w} (f : γ → α → β → γ) (init : γ) (b : Std.HashMap α β) : γ

@[std, prim]
opaque Std.HashMap.Mem {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) (a : α) : Prop

@[std]
def Std.HashMap.foldM {α : Type u} {β : Type v} [BEq α] [Hashable α] {m : Type w → Type w} [Monad m] {γ : Type w} (f : γ → α → β → m γ) (init : γ) (b : Std.HashMap α β) : m γ := List.foldlM (fun acc p => f acc p.1 p.2) init (Std.HashMap.toList b)

@[std]
def Std.HashMap.forM {α : Type u} {β : Type v} [BEq α] [Hashable α] {m : Type w → Type w} [Monad m] (f : α → β → m PUnit) (b : Std.HashMap α β) : m PUnit := List.forM (Std.HashMap.toList b) fun p => f p.1 p.2

@[std]
def Std.HashMap.insertMany {α : Type u} {β : Type v} [BEq α] [Hashable α] {ρ : Type w} [ForIn Id ρ (α × β)] (m : Std.HashMap α β) (l : ρ) : Std.HashMap α β :=
  ForIn.forIn (m := Id) l m fun p acc => ForInStep.yield (Std.HashMap.insert acc p.1 p.2)

@[std]
instance Std.HashMap.instMembership {α : Type u} {β : Type v} [BEq α] [Hashable α] : Membership α (Std.HashMap α β) := ⟨fun m a => Std.HashMap.Mem m a⟩

@[std, instance]
opaque Std.HashMap.instDecidableMem {α : Type u} {β : Type v} [BEq α] [Hashable α] (m : Std.HashMap α β) (a : α) : Decidable (a ∈ m)

@[std]
instance Std.HashMap.instGetElem?Mem {α : Type u} {β : Type v} [BEq α] [Hashable α] : GetElem? (Std.HashMap α β) α β (fun m a => a ∈ m) where
  getElem := fun m a h => Std.HashMap.get m a h
  getElem? := fun m a => Std.HashMap.get? m a
  getElem! := fun m a => Std.HashMap.get! m a

@[std]
instance Std.HashMap.instGetElemMem {α : Type u} {β : Type v} [BEq α] [Hashable α] : GetElem (Std.HashMap α β) α β (fun m a => a ∈ m) := ⟨fun m a h => Std.HashMap.get m a h⟩

@[std]
instance Std.HashMap.instEmptyCollection {α : Type u} {β : Type v} [BEq α] [Hashable α] : EmptyCollection (Std.HashMap α β) := ⟨Std.HashMap.emptyWithCapacity 8⟩

@[std]
instance Std.HashMap.instInhabited {α : Type u} {β : Type v} [BEq α] [Hashable α] : Inhabited (Std.HashMap α β) := ⟨Std.HashMap.emptyWithCapacity 8⟩

@[std]
instance Std.HashMap.instInsertProd {α : Type u} {β : Type v} [BEq α] [Hashable α] : Insert (α × β) (Std.HashMap α β) := ⟨fun p m => Std.HashMap.insert m p.1 p.2⟩

@[std]
instance Std.HashMap.instSingletonProd {α : Type u} {β : Type v} [BEq α] [Hashable α] : Singleton (α × β) (Std.HashMap α β) := ⟨fun p => Std.HashMap.insert (Std.HashMap.emptyWithCapacity 8) p.1 p.2⟩

@[std]
instance Std.HashMap.instUnion {α : Type u} {β : Type v} [BEq α] [Hashable α] : Union (Std.HashMap α β) := ⟨Std.HashMap.union⟩

@[std]
instance Std.HashMap.instForInProd {m : Type w → Type w} {α : Type u} {β : Type v} [BEq α] [Hashable α] : ForIn m (Std.HashMap α β) (α × β) := ⟨fun xs b f => List.forIn (Std.HashMap.toList xs) b f⟩

@[std, instance]
opaque Std.HashMap.instRepr {α : Type u} {β : Type v} [BEq α] [Hashable α] [Repr α] [Repr β] : Repr (Std.HashMap α β)

@[std]
opaque Std.HashSet (α : Type u) [BEq α] [Hashable α] : Type u

@[std, prim, until "4.26.0"]
opaque Std.HashSet.empty {α : Type u} [BEq α] [Hashable α] (capacity : Nat := 8) : Std.HashSet α

@[std, prim]
opaque Std.HashSet.emptyWithCapacity {α : Type u} [BEq α] [Hashable α] (capacity : Nat := 8) : Std.HashSet α

@[std, prim]
opaque Std.HashSet.insert {α : Type u} [BEq α] [Hashable α] (m : Std.HashSet α) (a : α) : Std.HashSet α

@[std, prim]
opaque Std.HashSet.contains {α : Type u} [BEq α] [Hashable α] (m : Std.HashSet α) (a : α) : Bool

@[std, prim]
opaque Std.HashSet.erase {α : Type u} [BEq α] [Hashable α] (m : Std.HashSet α) (a : α) : Std.HashSet α

@[std, prim]
opaque Std.HashSet.size {α : Type u} [BEq α] [Hashable α] (m : Std.HashSet α) : Nat

@[std, prim]
opaque Std.HashSet.isEmpty {α : Type u} [BEq α] [Hashable α] (m : Std.HashSet α) : Bool

@[std, prim]
opaque Std.HashSet.containsThenInsert {α : Type u} [BEq α] [Hashable α] (m : Std.HashSet α) (a : α) : Bool × Std.HashSet α

@[std, prim]
opaque Std.HashSet.toList {α : Type u} [BEq α] [Hashable α] (m : Std.HashSet α) : List α

@[std, prim]
opaque Std.HashSet.toArray {α : Type u} [BEq α] [Hashable α] (m : Std.HashSet α) : Array α

@[std, prim]
opaque Std.HashSet.ofList {α : Type u} [BEq α] [Hashable α] (l : List α) : Std.HashSet α

@[std, prim]
opaque Std.HashSet.ofArray {α : Type u} [BEq α] [Hashable α] (l : Array α) : Std.HashSet α

@[std, prim]
opaque Std.HashSet.filter {α : Type u} [BEq α] [Hashable α] (f : α → Bool) (m : Std.HashSet α) : Std.HashSet α

@[std, prim]
opaque Std.HashSet.all {α : Type u} [BEq α] [Hashable α] (m : Std.HashSet α) (p : α → Bool) : Bool

@[std, prim]
opaque Std.HashSet.any {α : Type u} [BEq α] [Hashable α] (m : Std.HashSet α) (p : α → Bool) : Bool

@[std, prim]
opaque Std.HashSet.union {α : Type u} [BEq α] [Hashable α] (m₁ m₂ : Std.HashSet α) : Std.HashSet α

@[std, prim]
opaque Std.HashSet.inter {α : Type u} [BEq α] [Hashable α] (m₁ m₂ : Std.HashSet α) : Std.HashSet α

@[std, prim]
opaque Std.HashSet.diff {α : Type u} [BEq α] [Hashable α] (m₁ m₂ : Std.HashSet α) : Std.HashSet α

@[std, prim]
opaque Std.HashSet.get? {α : Type u} [BEq α] [Hashable α] (m : Std.HashSet α) (a : α) : Option α

@[std, prim]
opaque Std.HashSet.Mem {α : Type u} [BEq α] [Hashable α] (m : Std.HashSet α) (a : α) : Prop

@[std, prim]
opaque Std.HashSet.fold {α : Type u} [BEq α] [Hashable α] {β : Type v} (f : β → α → β) (init : β) (m : Std.HashSet α) : β

@[std]
def Std.HashSet.insertMany {α : Type u} [BEq α] [Hashable α] {ρ : Type v} [ForIn Id ρ α] (m : Std.HashSet α) (l : ρ) : Std.HashSet α :=
  ForIn.forIn (m := Id) l m fun a acc => ForInStep.yield (Std.HashSet.insert acc a)

@[std]
def Std.HashSet.foldM {α : Type u} [BEq α] [Hashable α] {m : Type w → Type w} [Monad m] {β : Type w} (f : β → α → m β) (init : β) (b : Std.HashSet α) : m β := List.foldlM f init (Std.HashSet.toList b)

@[std]
instance Std.HashSet.instMembership {α : Type u} [BEq α] [Hashable α] : Membership α (Std.HashSet α) := ⟨fun m a => Std.HashSet.Mem m a⟩

@[std, instance]
opaque Std.HashSet.instDecidableMem {α : Type u} [BEq α] [Hashable α] (m : Std.HashSet α) (a : α) : Decidable (a ∈ m)

@[std]
instance Std.HashSet.instEmptyCollection {α : Type u} [BEq α] [Hashable α] : EmptyCollection (Std.HashSet α) := ⟨Std.HashSet.emptyWithCapacity 8⟩

@[std]
instance Std.HashSet.instInhabited {α : Type u} [BEq α] [Hashable α] : Inhabited (Std.HashSet α) := ⟨Std.HashSet.emptyWithCapacity 8⟩

@[std]
instance Std.HashSet.instInsert {α : Type u} [BEq α] [Hashable α] : Insert α (Std.HashSet α) := ⟨fun a m => Std.HashSet.insert m a⟩

@[std]
instance Std.HashSet.instSingleton {α : Type u} [BEq α] [Hashable α] : Singleton α (Std.HashSet α) := ⟨fun a => Std.HashSet.insert (Std.HashSet.emptyWithCapacity 8) a⟩

@[std]
instance Std.HashSet.instUnion {α : Type u} [BEq α] [Hashable α] : Union (Std.HashSet α) := ⟨Std.HashSet.union⟩

@[std]
instance Std.HashSet.instForIn {m : Type w → Type w} {α : Type u} [BEq α] [Hashable α] : ForIn m (Std.HashSet α) α := ⟨fun xs b f => List.forIn (Std.HashSet.toList xs) b f⟩

@[std, instance]
opaque Std.HashSet.instRepr {α : Type u} [BEq α] [Hashable α] [Repr α] : Repr (Std.HashSet α)

@[std]
opaque Std.TreeMap (α : Type u) (β : Type v) (cmp : α → α → Ordering := by exact compare) : Type v

@[std, prim]
opaque Std.TreeMap.empty {α : Type u} {β : Type v} {cmp : α → α → Ordering} : Std.TreeMap α β cmp

@[std, prim]
opaque Std.TreeMap.insert {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) (a : α) (b : β) : Std.TreeMap α β cmp

@[std, prim]
opaque Std.TreeMap.insertIfNew {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) (a : α) (b : β) : Std.TreeMap α β cmp

@[std, prim]
opaque Std.TreeMap.get? {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) (a : α) : Option β

@[std, prim]
opaque Std.TreeMap.getD {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) (a : α) (fallback : β) : β

@[std, prim]
opaque Std.TreeMap.get {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) (a : α) (h : a ∈ t) : β

@[std, prim]
opaque Std.TreeMap.contains {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) (a : α) : Bool

@[std, prim]
opaque Std.TreeMap.erase {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) (a : α) : Std.TreeMap α β cmp

@[std, prim]
opaque Std.TreeMap.size {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) : Nat

@[std, prim]
opaque Std.TreeMap.isEmpty {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) : Bool

@[std, prim]
opaque Std.TreeMap.toList {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) : List (α × β)

@[std, prim]
opaque Std.TreeMap.toArray {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) : Array (α × β)

@[std, prim]
opaque Std.TreeMap.keys {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) : List α

@[std, prim]
opaque Std.TreeMap.keysArray {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) : Array α

@[std, prim]
opaque Std.TreeMap.values {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) : List β

@[std, prim]
opaque Std.TreeMap.valuesArray {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) : Array β

@[std, prim]
opaque Std.TreeMap.minKey? {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) : Option α

@[std, prim]
opaque Std.TreeMap.maxKey? {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) : Option α

@[std, prim]
opaque Std.TreeMap.minEntry? {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) : Option (α × β)

@[std, prim]
opaque Std.TreeMap.maxEntry? {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) : Option (α × β)

@[std, prim]
opaque Std.TreeMap.modify {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) (a : α) (f : β → β) : Std.TreeMap α β cmp

@[std, prim]
opaque Std.TreeMap.alter {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) (a : α) (f : Option β → Option β) : Std.TreeMap α β cmp

@[std, prim]
opaque Std.TreeMap.filter {α : Type u} {β : Type v} {cmp : α → α → Ordering} (f : α → β → Bool) (m : Std.TreeMap α β cmp) : Std.TreeMap α β cmp

@[std, prim]
opaque Std.TreeMap.any {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) (p : α → β → Bool) : Bool

@[std, prim]
opaque Std.TreeMap.all {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) (p : α → β → Bool) : Bool

@[std, prim]
opaque Std.TreeMap.Mem {α : Type u} {β : Type v} {cmp : α → α → Ordering} (t : Std.TreeMap α β cmp) (a : α) : Prop

@[std, prim]
opaque Std.TreeMap.get! {α : Type u} {β : Type v} {cmp : α → α → Ordering} [Inhabited β] (t : Std.TreeMap α β cmp) (a : α) : β

@[std, prim]
opaque Std.TreeMap.ofList {α : Type u} {β : Type v} (l : List (α × β)) (cmp : α → α → Ordering := by exact compare) : Std.TreeMap α β cmp

@[std, prim]
opaque Std.TreeMap.foldl {α : Type u} {β : Type v} {cmp : α → α → Ordering} {δ : Type w} (f : δ → α → β → δ) (init : δ) (t : Std.TreeMap α β cmp) : δ

@[std, prim]
opaque Std.TreeMap.foldr {α : Type u} {β : Type v} {cmp : α → α → Ordering} {δ : Type w} (f : α → β → δ → δ) (init : δ) (t : Std.TreeMap α β cmp) : δ

@[std, prim]
opaque Std.TreeMap.map {α : Type u} {β : Type v} {γ : Type w} {cmp : α → α → Ordering} (f : α → β → γ) (t : Std.TreeMap α β cmp) : Std.TreeMap α γ cmp

@[std]
def Std.TreeMap.insertMany {α : Type u} {β : Type v} {cmp : α → α → Ordering} {ρ : Type w} [ForIn Id ρ (α × β)] (t : Std.TreeMap α β cmp) (l : ρ) : Std.TreeMap α β cmp :=
  ForIn.forIn (m := Id) l t fun p acc => ForInStep.yield (Std.TreeMap.insert acc p.1 p.2)

@[std]
instance Std.TreeMap.instMembership {α : Type u} {β : Type v} {cmp : α → α → Ordering} : Membership α (Std.TreeMap α β cmp) := ⟨fun m a => Std.TreeMap.Mem m a⟩

@[std, instance]
opaque Std.TreeMap.instDecidableMem {α : Type u} {β : Type v} {cmp : α → α → Ordering} (m : Std.TreeMap α β cmp) (a : α) : Decidable (a ∈ m)

@[std]
instance Std.TreeMap.instGetElem?Mem {α : Type u} {β : Type v} {cmp : α → α → Ordering} : GetElem? (Std.TreeMap α β cmp) α β (fun m a => a ∈ m) where
  getElem := fun m a h => Std.TreeMap.get m a h
  getElem? := fun m a => Std.TreeMap.get? m a
  getElem! := fun m a => Std.TreeMap.get! m a

@[std]
instance Std.TreeMap.instEmptyCollection {α : Type u} {β : Type v} {cmp : α → α → Ordering} : EmptyCollection (Std.TreeMap α β cmp) := ⟨Std.TreeMap.empty⟩

@[std]
instance Std.TreeMap.instInhabited {α : Type u} {β : Type v} {cmp : α → α → Ordering} : Inhabited (Std.TreeMap α β cmp) := ⟨Std.TreeMap.empty⟩

@[std]
instance Std.TreeMap.instForInProd {m : Type w → Type w} {α : Type u} {β : Type v} {cmp : α → α → Ordering} : ForIn m (Std.TreeMap α β cmp) (α × β) := ⟨fun xs b f => List.forIn (Std.TreeMap.toList xs) b f⟩

@[std, instance]
opaque Std.TreeMap.instRepr {α : Type u} {β : Type v} {cmp : α → α → Ordering} [Repr α] [Repr β] : Repr (Std.TreeMap α β cmp)

@[std]
opaque Std.TreeSet (α : Type u) (cmp : α → α → Ordering := by exact compare) : Type u

@[std, prim]
opaque Std.TreeSet.empty {α : Type u} {cmp : α → α → Ordering} : Std.TreeSet α cmp

@[std, prim]
opaque Std.TreeSet.insert {α : Type u} {cmp : α → α → Ordering} (t : Std.TreeSet α cmp) (a : α) : Std.TreeSet α cmp

@[std, prim]
opaque Std.TreeSet.contains {α : Type u} {cmp : α → α → Ordering} (t : Std.TreeSet α cmp) (a : α) : Bool

@[std, prim]
opaque Std.TreeSet.erase {α : Type u} {cmp : α → α → Ordering} (t : Std.TreeSet α cmp) (a : α) : Std.TreeSet α cmp

@[std, prim]
opaque Std.TreeSet.size {α : Type u} {cmp : α → α → Ordering} (t : Std.TreeSet α cmp) : Nat

@[std, prim]
opaque Std.TreeSet.isEmpty {α : Type u} {cmp : α → α → Ordering} (t : Std.TreeSet α cmp) : Bool

@[std, prim]
opaque Std.TreeSet.toList {α : Type u} {cmp : α → α → Ordering} (t : Std.TreeSet α cmp) : List α

@[std, prim]
opaque Std.TreeSet.toArray {α : Type u} {cmp : α → α → Ordering} (t : Std.TreeSet α cmp) : Array α

@[std, prim]
opaque Std.TreeSet.min? {α : Type u} {cmp : α → α → Ordering} (t : Std.TreeSet α cmp) : Option α

@[std, prim]
opaque Std.TreeSet.max? {α : Type u} {cmp : α → α → Ordering} (t : Std.TreeSet α cmp) : Option α

@[std, prim]
opaque Std.TreeSet.filter {α : Type u} {cmp : α → α → Ordering} (f : α → Bool) (m : Std.TreeSet α cmp) : Std.TreeSet α cmp

@[std, prim]
opaque Std.TreeSet.any {α : Type u} {cmp : α → α → Ordering} (t : Std.TreeSet α cmp) (p : α → Bool) : Bool

@[std, prim]
opaque Std.TreeSet.all {α : Type u} {cmp : α → α → Ordering} (t : Std.TreeSet α cmp) (p : α → Bool) : Bool

@[std, prim]
opaque Std.TreeSet.Mem {α : Type u} {cmp : α → α → Ordering} (t : Std.TreeSet α cmp) (a : α) : Prop

@[std, prim]
opaque Std.TreeSet.ofList {α : Type u} (l : List α) (cmp : α → α → Ordering := by exact compare) : Std.TreeSet α cmp

@[std, prim]
opaque Std.TreeSet.foldl {α : Type u} {cmp : α → α → Ordering} {δ : Type w} (f : δ → α → δ) (init : δ) (t : Std.TreeSet α cmp) : δ

@[std]
instance Std.TreeSet.instMembership {α : Type u} {cmp : α → α → Ordering} : Membership α (Std.TreeSet α cmp) := ⟨fun m a => Std.TreeSet.Mem m a⟩

@[std, instance]
opaque Std.TreeSet.instDecidableMem {α : Type u} {cmp : α → α → Ordering} (m : Std.TreeSet α cmp) (a : α) : Decidable (a ∈ m)

@[std]
instance Std.TreeSet.instEmptyCollection {α : Type u} {cmp : α → α → Ordering} : EmptyCollection (Std.TreeSet α cmp) := ⟨Std.TreeSet.empty⟩

@[std]
instance Std.TreeSet.instInhabited {α : Type u} {cmp : α → α → Ordering} : Inhabited (Std.TreeSet α cmp) := ⟨Std.TreeSet.empty⟩

@[std]
instance Std.TreeSet.instForIn {m : Type w → Type w} {α : Type u} {cmp : α → α → Ordering} : ForIn m (Std.TreeSet α cmp) α := ⟨fun xs b f => List.forIn (Std.TreeSet.toList xs) b f⟩
