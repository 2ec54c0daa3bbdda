"""Reference equivalence: is a candidate the same contract as the reference, and if not, what tells them apart."""
