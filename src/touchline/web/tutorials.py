"""The tutorial of a game in the form of the API: drawings for the learner, and the moves that go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.draw.tutorial import tutorial
from touchline.web import schema

if TYPE_CHECKING:
    from touchline.draw.tutorial import TutorialStep


def tutorial_of(game: str) -> schema.Tutorial:
    """Return the tutorial of a game; without steps if it has none. BadInput names a step that is wrong."""
    return schema.Tutorial(game, tuple(map(_step, tutorial(registry.find("games", game)))))


def tutorial_after(game: str, step: int, move: int) -> schema.TutorialAfter:
    """Return the drawing after a legal move of a step, both counted from 0. BadOptions if there is none."""
    steps = tutorial(registry.find("games", game))
    if step >= len(steps) or move >= len(steps[step].sketch.moves):
        raise BadOptions("the tutorial has no such step or move")
    return schema.TutorialAfter(steps[step].after(move).spots)


def _step(step: TutorialStep) -> schema.TutorialStep:
    sketch = step.sketch
    return schema.TutorialStep(
        title=step.title,
        text=step.text,
        position=schema.TutorialPosition(
            spots=sketch.spots, backdrop=sketch.backdrop, notes=sketch.notes, legal=sketch.moves
        ),
        wanted=step.wanted,
        right=step.right,
        wrong=step.wrong,
        after=step.after(step.wanted[0]).spots,
    )
