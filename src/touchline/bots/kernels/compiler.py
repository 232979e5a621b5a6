"""Compile kernels with Numba, or load them from the cache: only those that a player needs, and announced.

A kernel that Python calls is an entry. An entry is compiled with a wrapper for Python and cached on disk,
together with all kernels that it calls. A kernel that only kernels call is compiled without a wrapper, which
takes half as long, and is not cached.

Laws of this file: what is in the cache is not compiled again; two processes that need the same kernels at the
same time compile them once; an interrupted process leaves no partial file in the cache; a cache that cannot
be written is reported once, and costs nothing but the time to compile again.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from threading import RLock
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numba
from numba.core import sigutils, types

from touchline.bots.shared import compile_progress, kernel_cache
from touchline.bots.shared.compile_progress import Compiling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_KEPT = kernel_cache.folder()
KNOWN = 3
"""Kernels after which the speed of the compiler is known: the first one also loads it."""
_lock = RLock()
"""Held while this process compiles or loads: threads of one process take turns."""


class Kernel:
    """A function that is compiled for one signature. Python and other kernels may call it."""

    def __init__(self, function: Callable[..., Any], signature: str) -> None:
        self.function, self.signature = function, signature
        self.__name__, self.__doc__, self.__module__ = (
            function.__name__,
            function.__doc__,
            function.__module__,
        )
        self._machine: Any = None
        """The compiled function, as Numba's dispatcher."""
        self.is_entry = False
        """Whether Python can call it without compiling it first."""

    def __call__(self, *args: Any) -> Any:
        if not self.is_entry:
            compile_kernels("", [self])
        return self._machine(*args)

    def __repr__(self) -> str:
        return f"<kernel {self.__module__}.{self.__name__}>"

    @property
    def compiled(self) -> bool:
        """Whether other kernels can call it."""
        return self._machine is not None

    @cached_property
    def calls(self) -> tuple[Kernel, ...]:
        """The other kernels that it calls."""
        code, scope = self.function.__code__, self.function.__globals__
        named = (scope.get(name) for name in code.co_names)
        return tuple(one for one in named if isinstance(one, Kernel) and one is not self)

    @property
    def weight(self) -> int:
        """The work to compile it, relative to others: the size of its bytecode, and a fixed part."""
        return len(self.function.__code__.co_code) + 150

    @property
    def _numba_type_(self) -> types.Dispatcher:
        """What Numba takes it for where a kernel calls it."""
        if self._machine is None:
            self.compile(is_entry=False)
        return types.Dispatcher(self._machine)

    def load(self) -> bool:
        """Load it from the cache as an entry; return whether it was there."""
        machine = self._dispatcher(is_entry=True)
        if not _attach(machine):
            return False
        try:
            found = machine._cache.load_overload(self._types(), machine.targetctx)
        except Exception:  # a damaged file: empty the index, so that it is replaced
            with suppress(OSError):
                machine._cache.flush()
            return False
        if found is None:
            return False
        machine.targetctx.insert_user_function(found.entry_point, found.fndesc, [found.library])
        machine.add_overload(found)
        machine.disable_compile()
        self._machine, self.is_entry = machine, True
        return True

    def compile(self, *, is_entry: bool) -> None:
        """Compile it; an entry is written to the cache."""
        before, self._machine = self._machine, self._dispatcher(is_entry=is_entry)
        if is_entry:
            _attach(self._machine)
        try:
            self._machine.compile(self._types())
        except BaseException as error:
            if not (isinstance(error, OSError) and self._machine.overloads):
                self._machine = before
                raise
            _cannot_cache(str(error))  # it is compiled, but could not be written
        self._machine.disable_compile()
        self.is_entry = is_entry

    def _types(self) -> Any:
        args, result = sigutils.normalize_signature(self.signature)  # type: ignore[no-untyped-call]
        return result(*args)

    def _dispatcher(self, *, is_entry: bool) -> Any:
        options: dict[str, Any] = {"no_cfunc_wrapper": True, "no_cpython_wrapper": not is_entry}
        return numba.njit(nogil=True, error_model="numpy", **options)(self.function)


def compile_kernels(player: str, kernels: Iterable[Kernel]) -> None:
    """Load these entries, or compile them for a player, and tell the listener how far that is."""
    with _lock:
        wanted = [kernel for kernel in kernels if not kernel.is_entry]
        if not wanted:
            return
        if (why := kernel_cache.use(_KEPT)) is not None:
            _cannot_cache(why)
        if missing := [kernel for kernel in wanted if not kernel.load()]:
            with kernel_cache.alone(_KEPT):
                # Another process may have compiled them while this one waited for the lock.
                if missing := [kernel for kernel in missing if not kernel.load()]:
                    _compile_all(player, missing)


def _compile_all(player: str, entries: Sequence[Kernel]) -> None:
    kernel_cache.remove_partial(_KEPT)
    todo = list(_needed(entries))
    whole = sum(kernel.weight for kernel, _ in todo)
    begun, weight = perf_counter(), 0
    tell = compile_progress.listener().compiling
    tell(Compiling(player, 0, len(todo), 0.0, None))
    try:
        for number, (kernel, is_entry) in enumerate(todo, start=1):
            kernel.compile(is_entry=is_entry)
            weight += kernel.weight
            seconds = perf_counter() - begun
            known = number >= min(KNOWN, len(todo))
            left = seconds * (whole - weight) / weight if known else None
            tell(Compiling(player, number, len(todo), seconds, left))
    except BaseException:
        kernel_cache.remove_partial(_KEPT)
        raise


def _needed(entries: Sequence[Kernel]) -> Iterator[tuple[Kernel, bool]]:
    """Yield the kernels to compile, each after those that it calls, and whether Python calls it."""
    seen: set[Kernel] = set()

    def visit(kernel: Kernel) -> Iterator[tuple[Kernel, bool]]:
        seen.add(kernel)
        for called in kernel.calls:
            if called not in seen and (called in entries or not called.compiled):
                yield from visit(called)
        yield kernel, kernel in entries

    for entry in entries:
        if entry not in seen:
            yield from visit(entry)


_reported: set[str] = set()


def _cannot_cache(why: str) -> None:
    """Tell the listener, once, that nothing can be written to the cache."""
    if not _reported:
        _reported.add(why)
        compile_progress.listener().uncached(why)


def _attach(dispatcher: Any) -> bool:
    """Let Numba read and write the cache; return False if there is no folder for it."""
    if _reported:
        return False
    config: Any = numba.config
    before, config.CACHE_DIR = config.CACHE_DIR, str(_KEPT)
    try:
        dispatcher.enable_caching()
    except (OSError, RuntimeError) as error:
        _cannot_cache(str(error))
        return False
    finally:
        config.CACHE_DIR = before
    return True
