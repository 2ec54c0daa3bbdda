-- !benchmark @start import type=solution
import Std.Data.HashMap
-- !benchmark @end import

-- !benchmark @start solution_aux
def affordable (purse price : Int) : Bool :=
  price ≤ purse
-- !benchmark @end solution_aux

-- !benchmark @start precond_aux

-- !benchmark @end precond_aux

@[reducible, simp]
def dearest_precond (prices : List Int) (purse : Int) : Prop :=
  -- !benchmark @start precond
  ∀ p ∈ prices, 0 ≤ p
  -- !benchmark @end precond


-- !benchmark @start code_aux
def best (found : Option Int) (price : Int) : Option Int :=
  some ((found.getD price).max price)
-- !benchmark @end code_aux


def dearest (prices : List Int) (purse : Int) (h_precond : dearest_precond (prices) (purse)) : Option Int :=
  -- !benchmark @start code
  (prices.filter (affordable purse)).foldl best none
  -- !benchmark @end code


-- !benchmark @start postcond_aux

-- !benchmark @end postcond_aux


@[reducible, simp]
def dearest_postcond (prices : List Int) (purse : Int) (result: Option Int) (h_precond : dearest_precond (prices) (purse)) : Prop :=
  -- !benchmark @start postcond
  match result with
  | some r => r ∈ prices ∧ r ≤ purse ∧ ∀ p ∈ prices, p ≤ purse → p ≤ r
  | none => ∀ p ∈ prices, purse < p
  -- !benchmark @end postcond


-- !benchmark @start proof_aux

-- !benchmark @end proof_aux


theorem dearest_spec_satisfied (prices : List Int) (purse : Int) (h_precond : dearest_precond (prices) (purse)) :
    dearest_postcond (prices) (purse) (dearest (prices) (purse) h_precond) h_precond := by
  -- !benchmark @start proof
  sorry
  -- !benchmark @end proof
