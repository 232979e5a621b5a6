"""The functions of the seed 002 note in Python: a player, a referee and a board that exchange terms.

The functions have the note's names in Python's spelling, with the same arguments in the same order:
`create_player`, `referee_for`, and in `touchline.coursework.oz.board` `to_list`, `set`, `init`, `show`,
`valid_moves_for` and `analyse`. The note's example

    P1 = {Player.createPlayer p1 PR1}
    P2 = {Player.createPlayer p2 PR2}
    ports(PR1 PR2) = {Referee.refereeFor P1 P2 5 5}

"assumes that the necessary variables are available and unbound", and so it is here:

>>> PR1, PR2 = Variable(), Variable()

>>> P1 = create_player("p1", PR1)
>>> P2 = create_player("p2", PR2)
>>> unify(Ports(PR1, PR2), referee_for(P1, P2, 5, 5))

Then the game is over. To watch it, put a port of your own before a player's:

>>> PR1, PR2 = Variable(), Variable()
>>> P1 = create_player("p1", PR1)
>>> P2 = create_player("p2", PR2)
>>> def overhear(message):
...     print(message)
...     P2.send(message)
>>> unify(Ports(PR1, PR2), referee_for(P1, Port(overhear), 3, 2))
request(board:board(row(p1 empty) row(empty p1) row(p2 p2)))
gameEnded(winner:p1)

A player of your own is a port that answers requests. A message is a term, or its text in the note's syntax:

>>> PR1, PR2 = Variable(), Variable()
>>> answers = iter(["move(f(1 1) t(2 1))", "move(f(1 2) t(2 1))"])
>>> def receive(message):
...     print(message)
...     if message.label == "request":
...         PR1.send(next(answers))
>>> P1, P2 = Port(receive), create_player("p2", PR2)
>>> unify(Ports(PR1, PR2), referee_for(P1, P2, 3, 2))
request(board:board(row(p1 p1) row(empty empty) row(p2 p2)))
request(board:board(row(empty p1) row(p2 empty) row(p2 empty)))
gameEnded(winner:p1)
"""

from touchline.coursework.oz.player import create_player
from touchline.coursework.oz.ports import Port, Ports, Variable, unify
from touchline.coursework.oz.referee import referee_for

__all__ = ["Port", "Ports", "Variable", "create_player", "referee_for", "unify"]
