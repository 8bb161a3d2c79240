"""Looks for known bytes in all that a process can read of its own memory, from outside."""

import os
import re

import numpy

CHUNK = 16 << 20
OVERLAP = 64
NUMBER = re.compile(rb"\d{15,20}")
LEAST_NUMBER = 10**14  # fifteen digits hold eight that begin at an address divisible by eight


def numbers_as_bytes(number):
    """A number as C holds it, and as Python does: digits of 30 bits."""
    digits = [(number >> shift) & ((1 << 30) - 1) for shift in range(0, number.bit_length(), 30)]
    return [number.to_bytes(8, "little"), b"".join(digit.to_bytes(4, "little") for digit in digits)]


def regions(pid):
    """(start, end) of what may hold data: not code and constants of libraries, which are files of the system."""
    with open(f"/proc/{pid}/maps") as file:
        for line in file:
            fields = line.split(None, 5)
            path = fields[5].strip() if len(fields) > 5 else ""
            library = path.startswith("/") and not path.startswith(("/memfd:", "/dev/")) and "w" not in fields[1]
            if "r" in fields[1] and not library and path not in ("[vvar]", "[vsyscall]", "[vdso]", "[vvar_vclock]"):
                start, end = (int(part, 16) for part in fields[0].split("-"))
                yield start, end


def chunks(pid):
    with open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for start, end in regions(pid):
            for at in range(start, end, CHUNK):
                try:
                    data = os.pread(memory.fileno(), min(CHUNK + OVERLAP, end - at), at)
                except OSError:  # reserved, not backed by anything
                    continue
                if data:
                    yield data


def long_numbers(data):
    """Every number of fifteen digits or more that is written in decimal."""
    words = numpy.frombuffer(data, dtype=numpy.uint64, count=len(data) // 8)
    threes = numpy.flatnonzero((words & 0xF0F0F0F0F0F0F0F0) == 0x3030303030303030)
    for index in threes:
        yield from NUMBER.findall(data[max(0, 8 * int(index) - 24):8 * int(index) + 32])


class Needles:
    """Bytes of eight or more that lie at addresses divisible by four, numbers written in decimal, and any texts."""

    def __init__(self, data=(), numbers=(), texts=()):
        self.data = [needle for needle in set(data) if len(set(needle)) >= 6]  # zeros are everywhere
        self.numbers = {str(number).encode() for number in numbers if number >= LEAST_NUMBER}
        self.data += [form for number in numbers if number >= LEAST_NUMBER for form in numbers_as_bytes(number)]
        self.texts = list(texts)
        self.by_word = {}  # one word of each, of those that are not everywhere, and where in the needle it is
        for needle in self.data:
            at = max(range(0, len(needle) - 3, 4), key=lambda at: len(set(needle[at:at + 4])))
            self.by_word.setdefault(int.from_bytes(needle[at:at + 4], "little"), []).append((needle, at))
        self.low_halves = numpy.zeros(1 << 16, dtype=bool)
        self.words = numpy.array(sorted(self.by_word), dtype=numpy.uint32)
        self.low_halves[self.words & 0xFFFF] = True

    def found_in(self, pid):
        """The needles that occur in the memory of the process, and how many bytes were looked at."""
        found, size = set(), 0
        for data in chunks(pid):
            size += len(data)
            words = numpy.frombuffer(data, dtype=numpy.uint32, count=len(data) // 4)
            likely = numpy.flatnonzero(self.low_halves[(words & 0xFFFF).astype(numpy.uint16)])
            for index in likely[numpy.isin(words[likely], self.words)]:
                for needle, at in self.by_word[int(words[index])]:
                    start = 4 * int(index) - at
                    if start >= 0 and data[start:start + len(needle)] == needle:
                        found.add(needle)
            found.update(self.numbers.intersection(long_numbers(data)))
            found.update(text for text in self.texts if text in data)
        return found, size
