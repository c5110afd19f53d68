"""
The kernel's seeded generator in Python, bit for bit the same.

xoshiro256** of D. Blackman and S. Vigna ("Scrambled Linear Pseudorandom Number Generators", ACM TOMS 2021), its state
filled by SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014); numbers below a bound as in D. Lemire, "Fast Random
Integer Generation in an Interval" (ACM TOMACS 2019).
"""

from typing import List

_WORD = (1 << 64) - 1
_HALF = (1 << 32) - 1


class Generator:
    """
    A source of random numbers whose state is four 64-bit words.

    For example ``Generator(7).below(6)`` is the same throw of a die on every machine, with or without the kernel.
    """

    def __init__(self, seed: int) -> None:
        self.state: List[int] = []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & _WORD
            mixed = ((seed ^ seed >> 30) * 0xBF58476D1CE4E5B9) & _WORD
            mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & _WORD
            self.state.append(mixed ^ mixed >> 31)

    def word(self) -> int:
        """Draws 64 bits."""
        first, second, third, fourth = self.state
        result = (_rotated((second * 5) & _WORD, 7) * 9) & _WORD
        third ^= first
        fourth ^= second
        self.state = [first ^ fourth, second ^ third, third ^ (second << 17) & _WORD, _rotated(fourth, 45)]
        return result

    def below(self, bound: int) -> int:
        """
        Draws a number from 0 to *bound* - 1, each with exactly the same probability; a bound of 1 draws nothing.

        :raises ValueError: for a bound that is not from 1 to 2**32 - 1.
        """
        if not 0 < bound <= _HALF:
            raise ValueError(f"a random number cannot be below {bound}")
        if bound == 1:
            return 0
        # The low half says how close the draw is to the next number; the first few of them are one draw too many.
        surplus = (1 << 32) % bound
        product = (self.word() >> 32) * bound
        while product & _HALF < surplus:
            product = (self.word() >> 32) * bound
        return product >> 32


def _rotated(word: int, by: int) -> int:
    return (word << by | word >> (64 - by)) & _WORD
