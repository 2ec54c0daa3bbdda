-- !benchmark @start import type=task
import Mathlib.Data.Nat.Prime.Defs
-- !benchmark @end import

-- !benchmark @start task_aux
inductive Mood where
  | merry | grave
  deriving DecidableEq
-- !benchmark @end task_aux

-- !benchmark @start precond_aux
-- !benchmark @end precond_aux

@[reducible]
def greet_precond (who : String) (mood : Mood) (weight : Float) : Prop :=
  -- !benchmark @start precond
  True
  -- !benchmark @end precond

-- !benchmark @start code_aux
def word (mood : Mood) : String :=
  if mood = .merry then "hello " else "good day "
-- !benchmark @end code_aux

def greet (who : String) (mood : Mood) (weight : Float) (h_precond : greet_precond (who) (mood) (weight)) : String :=
  -- !benchmark @start code
  word mood ++ who ++ "."
  -- !benchmark @end code

-- !benchmark @start postcond_aux
-- !benchmark @end postcond_aux

@[reducible]
def greet_postcond (who : String) (mood : Mood) (weight : Float) (result: String) (h_precond : greet_precond (who) (mood) (weight)) : Prop :=
  -- !benchmark @start postcond
  result = word mood ++ who ++ "."
  -- !benchmark @end postcond
