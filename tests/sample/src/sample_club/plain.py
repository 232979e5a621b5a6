"""A dialect for Hexapawn: the referee calls begin, move and over, and a move is a JSON object."""

import msgspec

from touchline.core.messages import Begin, Expelled, Over, YourTurn
from touchline.dialects.base import SILENCE, UNREADABLE, Refusal, SignUp, plain
from touchline.dialects.shared.calls import READY, CalledFace, Calls, Chooser, answering, call, heard, moving
from touchline.games.hexapawn import Hexapawn, HexapawnPosition, Step

read_name = msgspec.json.Decoder(str).decode
read_move = msgspec.json.Decoder(Step).decode


class ByChoice(Chooser):
    """A bot as a player with the methods below."""

    def move(self, position):
        position = msgspec.convert(position, HexapawnPosition)
        game = Hexapawn(rows=len(position.board), cols=len(position.board[0]))
        return self._choose(game.restore(position))


class PlainFace(CalledFace):
    """A player with a method `move`, and, if it likes, `begin` and `over`."""

    asked = "move"
    void = {"begin": 0, "over": 1}
    asks = {"move": 1}
    last = frozenset({"over"})
    by_choice = ByChoice


class Plain(Calls):
    """One connection that speaks plain."""

    name = "plain"
    games = ("hexapawn",)
    words = {
        "begin": 'a match begins; answer "void"',
        "move": "move from this position; answer a move",
        "over": 'the match is over; have you won?; answer "void"',
    }
    face = PlainFace
    seat = None

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
                return self.make(call("begin", [], answering(READY)))
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
