"""Find the shortest script on which a player still fails: delta debugging, then a search by the rules.

The search has three parts, which take turns until none finds anything shorter:

1. Drop steps from the best script so far, from large chunks to single steps. What is illegal then is dropped,
   too, so that in a game of turns whole rounds go.
2. Try every position that the rules allow after fewer steps, as far as the budget goes.
3. Play random games of fewer steps, most of which begin like the best one.

Law of this file: it is pure. `fails` plays a script with the player, and it alone costs anything: a player is
asked at each of its turns along a script, so one call tries all positions on the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.records.script import Script, Step, continuations, legal_part, states_along

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from touchline.core.rules import Seat, State

MOST_NODES = 20_000
"""Positions that part 2 lists at most, which bounds its memory and its time."""
LEAST_DROPS = 20
"""Tries that part 1 may use at least; otherwise a third of those that are left."""
MOST_MISSES = 500
"""Random scripts in a row without a position that is worth a try, after which part 3 gives up."""


class Shrinking:
    """A search for the shortest script on which a player fails.

    `fails(script)` returns the number of steps before the question at which the player fails, or None. With
    `wanted` only a question at the end of a script counts, in a state of which `wanted` is true.
    """

    def __init__(
        self,
        opening: State,
        seat: Seat,
        fails: Callable[[Script], int | None],
        *,
        tries: int,
        rng: Random,
        wanted: Callable[[State], bool] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """`tries` limits the calls of `fails`; `progress` is called after each one.

        It is given the number of tries so far, and the number of steps of the best script.
        """
        self._opening, self._seat, self._fails = opening, seat, fails
        self._most, self._rng, self._wanted, self._progress = tries, rng, wanted, progress
        self._tried: set[Script] = set()
        self._covered: set[tuple[int, State]] = set()
        """The questions that were put without a failure: the number of steps before each, and its state."""
        self.tries = 0
        self.best: Script | None = None
        """The shortest failing script so far; None if there is none."""
        self.bound = 0
        """All positions after fewer steps than this have been tried, each in one of the ways to reach it."""

    @property
    def shortest(self) -> bool:
        """Whether every position after fewer steps has been tried."""
        return self.best is not None and self.bound >= len(self.best)

    def run(self, failing: Script) -> None:
        """Search, from a script after which the player fails. After an interruption `best` remains."""
        self.best = failing
        self._mark(failing, states_along(self._opening, failing))
        while self._left > 0 and not self.shortest:
            if not (self._drop() or self._cover() or self._wander() or self._cover()):
                return

    @property
    def _left(self) -> int:
        return self._most - self.tries

    def _try(self, script: Script) -> bool:
        """Try a script; return whether it is the new best one."""
        assert self.best is not None
        if script in self._tried or self._left <= 0 or len(script) >= len(self.best):
            return False
        states = states_along(self._opening, script)
        if self._wanted is not None and not self._asks(states[-1]):
            return False
        self.tries += 1
        self._mark(script, states)
        steps = self._fails(script)
        if steps is not None:
            self.best = script[:steps]
        if self._progress is not None:
            self._progress(self.tries, len(self.best))
        return steps is not None

    def _asks(self, state: State) -> bool:
        """Return whether a question that counts is put in this state."""
        return state.to_move == self._seat and (self._wanted is None or self._wanted(state))

    def _mark(self, script: Script, states: list[State]) -> None:
        first = len(script) if self._wanted is not None else 0
        for steps in range(first, len(script) + 1):
            self._tried.add(script[:steps])
            self._covered.add((steps, states[steps]))

    # -- 1: drop steps --------------------------------------------------------------------------

    def _drop(self) -> bool:
        """Drop chunks of steps while the player still fails; return whether anything could be dropped."""
        assert self.best is not None
        improved, size = False, len(self.best)
        enough = self.tries + max(LEAST_DROPS, self._left // 3)
        while size >= 1 and self.tries < enough:
            if self._drop_chunk(size):
                improved, size = True, min(size, len(self.best))
            else:
                size //= 2
        return improved

    def _drop_chunk(self, size: int) -> bool:
        best = self.best
        assert best is not None
        for start in range(len(best) - size, -1, -max(1, size // 2)):
            if self._try(legal_part(self._opening, best[:start] + best[start + size :])):
                return True
        return False

    # -- 2: all positions after fewer steps -----------------------------------------------------

    def _cover(self) -> bool:
        """Try all positions after fewer steps, or all up to a depth that half of the budget is enough for."""
        assert self.best is not None
        listed: list[dict[State, Script]] = []
        chosen, depth = list[Script](), 0
        while len(listed) < len(self.best) and (layer := self._layer(listed)) is not None:
            listed.append(layer)
            scripts = self._scripts(listed)
            if len(scripts) > self._left:
                break
            if len(scripts) <= self._left // 2 or len(listed) == len(self.best):
                chosen, depth = scripts, len(listed)
        for script in chosen:
            if self._try(script):
                return True
        self.bound = max(self.bound, depth)
        return False

    def _layer(self, listed: list[dict[State, Script]]) -> dict[State, Script] | None:
        """Return the states after one more step, each with a script; None if there are too many."""
        if not listed:
            return {self._opening: ()}
        room = MOST_NODES - sum(map(len, listed))
        layer: dict[State, Script] = {}
        for state, script in listed[-1].items():
            for step, new in continuations(state):
                layer.setdefault(new, (*script, step))
            if len(layer) > room:
                return None
        return layer

    def _scripts(self, listed: list[dict[State, Script]]) -> list[Script]:
        """Return scripts that lead through all listed positions in which a new question is put."""
        scripts: list[Script] = []
        seen: set[Script] = set()
        for depth in range(len(listed) - 1, -1, -1):  # a long script tries the positions on its way, too
            for state, script in listed[depth].items():
                if not self._asks(state) or (depth, state) in self._covered or script in seen:
                    continue
                scripts.append(script)
                if self._wanted is None:
                    seen.update(script[:steps] for steps in range(len(script)))
        return scripts

    # -- 3: random games ------------------------------------------------------------------------

    def _wander(self) -> bool:
        """Play random games of fewer steps, until one fails or the budget is used up."""
        assert self.best is not None
        misses = 0
        while self._left > 0 and misses < MOST_MISSES:
            script = self._random_script(self.best)
            if self._is_new(script):
                misses = 0
                if self._try(script):
                    return True
            else:
                misses += 1
        return False

    def _random_script(self, best: Script) -> Script:
        """Return the beginning of the best script, continued at random with legal moves."""
        kept = self._rng.randrange(len(best))
        script: list[Step] = [*best[:kept]]
        state = states_along(self._opening, best[:kept])[-1]
        while len(script) < len(best) - 1 and (ways := continuations(state)):
            step, state = self._rng.choice(ways)
            script.append(step)
        return tuple(script)

    def _is_new(self, script: Script) -> bool:
        """Return whether a script leads to a question that has not been put."""
        states = states_along(self._opening, script)
        first = len(script) if self._wanted is not None else 0
        return any(
            self._asks(states[steps]) and (steps, states[steps]) not in self._covered
            for steps in range(first, len(states))
        )
