"""The system call filter, run by an interpreter of classic BPF and compared with its tables."""

from __future__ import annotations

import errno
import struct

import pytest

from touchline.sandbox import seccomp
from touchline.sandbox.seccomp import MACHINES, seccomp_filter

MOST_STEPS = 4096


def verdict(steps: bytes, audit: int, number: int, *arguments: int) -> int:
    """Run a filter on one system call, as slowly and obviously as possible."""
    data = struct.pack("=IIQ", number, audit, 0) + struct.pack("=6Q", *(*arguments, *[0] * 6)[:6])
    program = [struct.unpack_from("=HBBI", steps, place) for place in range(0, len(steps), 8)]
    value = place = 0
    for _ in range(MOST_STEPS):
        code, if_true, if_false, operand = program[place]
        place += 1
        if code == seccomp.LOAD:
            (value,) = struct.unpack_from("=I", data, operand)
        elif code == seccomp.RETURN:
            return int(operand)
        else:
            test = {
                seccomp.EQUAL: value == operand,
                seccomp.AT_LEAST: value >= operand,
                seccomp.ANY_BIT: bool(value & operand),
            }[code]
            place += if_true if test else if_false
    raise AssertionError("the filter does not end")


DENIED, ABSENT = seccomp.FAIL | errno.EPERM, seccomp.FAIL | errno.ENOSYS


@pytest.mark.parametrize("machine", MACHINES)
def test_every_call_is_judged_as_the_tables_say(machine: str) -> None:
    """All call numbers that any kernel has, with arguments of 0."""
    audit, column = MACHINES[machine]
    steps = seccomp_filter(machine)
    denied = {numbers[column] for numbers in seccomp.DENIED.values()} | {seccomp.SOCKETPAIR[column]}
    absent = {numbers[column] for numbers in seccomp.ABSENT.values()}
    pretended = {numbers[column] for numbers in seccomp.PRETENDED.values()}
    by_path = {numbers[column] for numbers in seccomp.BY_PATH.values()}
    without = seccomp_filter(machine, by_path=False)
    for number in range(600):
        expected = DENIED if number in denied else ABSENT if number in absent else seccomp.ALLOW
        expected = seccomp.FAIL if number in pretended else expected
        assert verdict(steps, audit, number) == expected, number
        assert verdict(without, audit, number) == (DENIED if number in by_path else expected), number


@pytest.mark.parametrize("machine", MACHINES)
def test_arguments_decide_where_a_call_has_two_sides(machine: str) -> None:
    """Own limits, forks and local socket pairs are allowed; others' limits, namespaces, the net are not."""
    audit, column = MACHINES[machine]
    steps, allowed = seccomp_filter(machine), seccomp.ALLOW

    def judged(numbers: tuple[int, int], *arguments: int) -> int:
        return verdict(steps, audit, numbers[column], *arguments)

    for numbers in seccomp.OWN_ONLY.values():
        assert (judged(numbers, 0), judged(numbers, 1234)) == (allowed, DENIED)
    for flag in (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000, 0x80):
        assert judged(seccomp.CLONE, flag | 17) == DENIED
    assert judged(seccomp.CLONE, 0x003D0F00) == allowed, "a thread"
    assert judged(seccomp.CLONE, 17) == allowed, "a fork"
    for at, *both in seccomp.SIGNALS.values():
        assert verdict(steps, audit, both[column], *[0] * at, seccomp.SIGCONT) == DENIED
        assert verdict(steps, audit, both[column], *[0] * at, 9) == allowed
    assert [judged(seccomp.SOCKETPAIR, family) for family in (1, 2, 10, 16)] == [allowed, *[DENIED] * 3]
    assert judged(seccomp.IOCTL, 0, seccomp.TIOCSTI) == DENIED
    assert judged(seccomp.IOCTL, 0, seccomp.TIOCLINUX) == DENIED
    assert judged(seccomp.IOCTL, 0, 0x5401) == allowed
    assert judged(seccomp.SETPRIORITY, 0, 0, 19) == allowed
    assert judged(seccomp.SETPRIORITY, 0, 1, 19) == DENIED, "another process"
    assert judged(seccomp.SETPRIORITY, 2, 0, 19) == DENIED, "all processes of the user"


def test_other_doors_to_the_kernel_are_closed() -> None:
    """Calls of another architecture kill, and those of x32 do not exist."""
    steps, x86 = seccomp_filter("x86_64"), MACHINES["x86_64"].audit
    assert verdict(steps, 0x40000003, 1) == seccomp.KILL
    assert verdict(steps, x86, seccomp.X32 | 41) == ABSENT
    assert verdict(seccomp_filter("aarch64"), x86, 63) == seccomp.KILL


def test_an_unknown_processor_is_named() -> None:
    """There is no filter that could be wrong for it."""
    with pytest.raises(ValueError, match="riscv64"):
        seccomp_filter("riscv64")
