TESTS = {}
class Skip(Exception):
    pass
