def check(suite, dialect): raise AssertionError("later")
