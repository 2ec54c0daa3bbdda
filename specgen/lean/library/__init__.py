"""The library table: what a text may use without declaring it."""
