"""Compiled kernels of the house bots, and the decorator that compiles them with Numba where it is installed.

A kernel is a plain Python function over 64-bit integers and arrays of them. With Numba it is compiled for the
types in its signature, or loaded from the user's cache folder, before a bot is asked to play (`compiler.py`).
Without Numba the same function runs as plain Python, slower, and a warning is logged once. Law of this
package: a kernel gives the same numbers either way, and only this package imports numba or numpy.

Both ways agree only if a kernel stays within 64 bits: mask what is shifted left, and write `U64(0) - x` and
`x ^ ALL` rather than `-x` and `~x`.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

F = TypeVar("F", bound="Callable[..., Any]")
ALL = 0xFFFF_FFFF_FFFF_FFFF

try:
    import numba
    import numpy
except ImportError:
    COMPILES = False
    logging.getLogger(__name__).warning(
        "this bot runs in plain Python and is much weaker for it: pip install 'touchline[engine]'"
    )

    def compiled(signature: str) -> Callable[[F], F]:
        """Leave the kernel as it is."""
        return lambda kernel: kernel

    def compile_kernels(player: str, kernels: Iterable[Any]) -> None:
        """Do nothing: kernels run as they are."""

    U64: Any = int
    I64: Any = int

    def table(values: Iterable[int], kind: str = "int64") -> Any:
        """Return an array that a kernel can read and write."""
        return list(values)

    def blank(length: int, kind: str = "int64") -> Any:
        """Return an array of zeros."""
        return [0] * length

    def count(bits: int) -> int:
        """Return how many bits are set."""
        return bits.bit_count()

    def lowest(bits: int) -> int:
        """Return the index of the lowest set bit."""
        return (bits & -bits).bit_length() - 1

    def highest(bits: int) -> int:
        """Return the index of the highest set bit; at least one bit must be set."""
        return bits.bit_length() - 1

else:
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    from touchline.bots.kernels.compiler import Kernel, compile_kernels

    COMPILES = True

    def compiled(signature: str) -> Callable[[F], F]:
        """Make a kernel that is compiled for these types when it is first needed."""

        def make(function: F) -> F:
            made: Any = Kernel(function, signature)
            return made  # type: ignore[no-any-return]

        return make

    U64 = numba.uint64
    I64 = numba.int64

    def table(values: Iterable[int], kind: str = "int64") -> Any:
        """Return an array that a kernel can read and write."""
        return numpy.array(list(values), dtype=kind)

    def blank(length: int, kind: str = "int64") -> Any:
        """Return an array of zeros."""
        return numpy.zeros(length, dtype=kind)

    @intrinsic
    def count(typing: Any, bits: Any) -> Any:
        """Return how many bits are set: one instruction."""

        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.uint64), build

    @intrinsic
    def lowest(typing: Any, bits: Any) -> Any:
        """Return the index of the lowest set bit: one instruction."""

        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], cgutils.true_bit)

        return types.int64(types.uint64), build

    @intrinsic
    def highest(typing: Any, bits: Any) -> Any:
        """Return the index of the highest set bit, of which there must be one: one instruction."""

        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.xor(builder.ctlz(args[0], cgutils.true_bit), context.get_constant(types.int64, 63))

        return types.int64(types.uint64), build


__all__ = [
    "ALL", "COMPILES", "I64", "U64",
    "blank", "compile_kernels", "compiled", "count", "highest", "lowest", "table",
]  # fmt: skip
