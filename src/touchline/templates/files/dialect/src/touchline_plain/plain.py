"""Plain: the referee calls begin, move and over; positions and moves are JSON as in the native dialect."""

import msgspec

from touchline.core import registry
from touchline.core.messages import Begin, Expelled, Over, YourTurn
from touchline.dialects.base import SILENCE, UNREADABLE, Refusal, SignUp, plain
from touchline.dialects.shared.calls import READY, CalledFace, Calls, Chooser, answering, call, heard, moving

GAME = "hexapawn"
read_name = msgspec.json.Decoder(str).decode
read_move = msgspec.json.Decoder(registry.GAMES[GAME].Move).decode


class ByChoice(Chooser):
    """A bot as a player with the methods below."""

    game = registry.game(GAME)

    def begin(self, options):
        self.game = registry.game(GAME, options)

    def move(self, position):
        return self._choose(self.game.restore(msgspec.convert(position, self.game.Position)))


class PlainFace(CalledFace):
    """A player with a method `move`, and, if it likes, `begin` and `over`."""

    asked = "move"
    void = {"begin": 1, "over": 1}
    asks = {"move": 1}
    last = frozenset({"over"})
    by_choice = ByChoice


class Plain(Calls):
    """One connection that speaks plain."""

    name = "plain"
    games = (GAME,)
    words = {
        "begin": 'a match with these options begins; answer "void"',
        "move": "move from this position; answer a move",
        "over": 'the match is over; have you won?; answer "void"',
    }
    face = PlainFace
    seat = None

    def __init__(self, game):
        super().__init__(game)
        self.options = msgspec.to_builtins(game)

    @classmethod
    def read_sign_up(cls, frame):
        try:
            return SignUp(read_name(frame))
        except UNREADABLE as error:
            raise Refusal(f"a name as a JSON string was expected: {plain(str(error))}") from None

    def say(self, message):
        match message:
            case Begin(seat):
                self.seat = seat
                return self.make(call("begin", [self.options], answering(READY)))
            case YourTurn(turn, view):
                return self.make(call("move", [view.position()], moving(turn, read_move), turn))
            case Over(outcome=outcome):
                self.withdraw()
                won = outcome is not None and self.seat in outcome.winners
                return self.make(call("over", [won], heard))
            case Expelled():
                self.forget()
        return SILENCE


DIALECT = Plain
