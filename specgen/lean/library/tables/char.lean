-- Functions of `Char`.

@[prim]
opaque Char.val (c : Char) : UInt32

@[prim]
opaque Char.isWhitespace (c : Char) : Bool

@[prim]
opaque Char.isUpper (c : Char) : Bool

@[prim]
opaque Char.isLower (c : Char) : Bool

@[prim]
opaque Char.isAlpha (c : Char) : Bool

@[prim]
opaque Char.isDigit (c : Char) : Bool

@[prim]
opaque Char.isAlphanum (c : Char) : Bool

@[prim]
opaque Char.toLower (c : Char) : Char

@[prim]
opaque Char.toUpper (c : Char) : Char

@[prim]
opaque Char.utf8Size (c : Char) : Nat

@[prim]
opaque Char.quote (c : Char) : String

@[prim]
opaque Char.toUInt8 (c : Char) : UInt8

@[prim]
opaque Char.ofUInt8 (n : UInt8) : Char

@[prim]
opaque Char.ofNatAux (n : Nat) (h : Nat.isValidChar n) : Char

@[prim]
opaque Char.quoteCore (c : Char) : String

def Char.isValidCharNat (n : Nat) : Prop := Nat.isValidChar n

@[prim, since "4.27.0"]
opaque Char.isHexDigit (c : Char) : Bool
