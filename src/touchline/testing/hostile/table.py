"""The table of the hostile corpus: one row for each behaviour.

The default of a row is in the name of its kind (`malformed`, `late`, `flood`, `gone`, `out_of_turn`, `odd`);
where a cell differs, a `But` says what is expected there, and why.
"""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from msgspec.structs import replace

from touchline.core import registry
from touchline.core.conduct import Offence
from touchline.testing.hostile import processes, sockets, timing, words
from touchline.testing.hostile.behaviour import (
    Absent,
    Behaviour,
    But,
    Cell,
    Wire,
    flood,
    gone,
    late,
    malformed,
    odd,
    only,
    out_of_turn,
)
from touchline.testing.hostile.player import DialectPlayer, Moment, Phase, until
from touchline.testing.hostile.sockets import CLOSE, CONTINUATION, PING, PONG, TEXT, ws_frame
from touchline.testing.hostile.words import says

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.testing.hostile.player import Script

PENGUINS = 3
"""The penguins of a seat at a table of three."""
BEFORE, ASKED = (Phase.SIGN_UP,), (Phase.SET_UP, Phase.TURN)
UNNUMBERED = frozenset(name for name in registry.dialects() if not registry.dialect(name).numbered)
UNFINISHED = But(
    Offence.LATE, "a JSON value that is not finished is waited for", phases=ASKED, framings=("values",)
)
MOVES_ONLY = But(Absent("only a move has this in it"), "", phases=(Phase.SIGN_UP, Phase.SET_UP, Phase.END))
TEXT_NAMES = frozenset({"labyrinth-course", "seed-000", "seed-001", "seed-003"})
"""In these dialects any JSON text is a name, and a sign-up."""
PLAIN_NAMES = frozenset({"seed-002"})
"""In these dialects any word is a name, and a sign-up."""
A_NAME = But(Absent("a text is a name in this dialect"), "", phases=BEFORE, dialects=TEXT_NAMES)
A_WORD = But(Absent("a word is a name in this dialect"), "", phases=BEFORE, dialects=PLAIN_NAMES)
A_PASS = But(
    Absent("null is the pass of this dialect"), "", phases=(Phase.TURN,), dialects=frozenset({"seed-004"})
)
NEXT_FRAME = But(
    Offence.OUT_OF_TURN, "what follows a value is a frame of its own", phases=ASKED, framings=("values",)
)
NEXT_CALL = But(
    Offence.MALFORMED,
    "the next call is not answered so",
    phases=(Phase.SET_UP,),
    dialects=frozenset({"fish-course"}),
)
EACH_MESSAGE = "each message is judged by itself, and the first of them is no flood"

WORDS: tuple[Behaviour, ...] = (
    malformed("plain_text", "Answers with a word of English.", says(b"hello"), A_WORD),
    malformed("empty_object", "Answers with an empty object.", says(b"{}")),
    malformed("null", "Answers with null.", says(b"null"), A_WORD, A_PASS),
    malformed("number", "Answers with a number.", says(b"7")),
    malformed("not_a_number", "Answers with NaN.", says(b"NaN")),
    malformed("infinite", "Answers with a number beyond every float.", says(b"[1e999,-1e999]")),
    malformed("many_digits", "Answers with an integer of 5000 digits.", says(b"9" * 5000)),
    malformed("deep_lists", "Answers with 5000 nested lists.", says(b"[" * words.DEEP + b"]" * words.DEEP)),
    malformed("deep_objects", "Answers with 5000 nested objects.",
              says(b'{"a":' * words.DEEP + b"1" + b"}" * words.DEEP)),
    malformed("open_lists", "Answers with brackets that are never closed.", says(b"[" * words.DEEP),
              UNFINISHED),
    malformed("wide_list", "Answers with a list of ten thousand zeros.",
              says(b"[" + b"0," * words.WIDE + b"0]")),
    malformed("bad_utf_8", "Answers with bytes that are no UTF-8.", says(b'"\xff\xfe\xc3\x28"')),
    malformed("lone_surrogate", "Answers with half of a surrogate pair.", says(rb'"\ud800"')),
    malformed("utf_16", "Answers in UTF-16.", says(words.utf_16)),
    malformed("byte_order_mark", "Puts a byte order mark before its answer.", says(words.after_mark)),
    malformed("zero_byte", "Puts a zero byte before its answer.", says(words.after_zero)),
    malformed("terminal_escapes", "Answers with escape sequences for a terminal.", says(words.ESCAPES)),
    malformed("markup", "Answers with HTML and a spreadsheet formula.", says(words.MARKUP)),
    malformed("control_word", "Answers with a word that another referee takes for its own.",
              says(b'"DeadlineExceeded"'), A_NAME),
    malformed("sends_a_verdict", "Says what only a referee may say.",
              says(b'{"type":"expelled","reason":"x"}')),
    malformed("unknown_call", "Calls a method that does not exist.", says(b'["shutdown",[]]')),
    malformed("http", "Sends an HTTP request.", says(words.HTTP)),
    malformed("tls", "Begins a TLS handshake.", says(words.TLS)),
    malformed("pickle", "Sends a Python pickle.", says(words.PICKLE)),
    malformed("as_text", "Puts its answer into quotes.", says(words.as_text), A_NAME),
    malformed("in_a_list", "Puts its answer into two lists.", says(words.in_list)),
    malformed("cut_short", "Sends the first half of its answer as if it were whole.", says(words.cut_short),
              UNFINISHED, A_WORD),
    malformed("junk_behind", "Puts a bracket behind its answer.", says(words.with_junk),
              replace(NEXT_CALL, framings=("values",)), NEXT_FRAME),
    malformed("truths_for_numbers", "Puts true in the place of every number.", says(words.numbers(b"true")),
              MOVES_ONLY),
    malformed("texts_for_numbers", "Puts every number into quotes.", says(words.quoted_numbers), MOVES_ONLY),
    malformed("fractions", "Adds a half to every number.", says(words.fractions), MOVES_ONLY),
    replace(malformed("illegal_move", "Makes a move that the rules forbid.", says(words.same), MOVES_ONLY),
            turn=Offence.ILLEGAL, lies=True),
    out_of_turn("answers_twice", "Answers one question twice, and plays on honestly.", words.answers_twice),
    out_of_turn("moves_ahead", "Keeps answering after its answer.", words.moves_ahead),
    out_of_turn("chats", "Answers, and goes on talking.", words.chats, NEXT_CALL),
    late("repeats_itself", "Gives its first answer to every question, with its old turn number.",
         words.repeats_itself,
         But(Absent("turns are not numbered"), "", dialects=UNNUMBERED),
         But(Absent("only a move has a turn number"), "", phases=(Phase.SIGN_UP, Phase.SET_UP, Phase.END))),
)  # fmt: skip

TIMING: tuple[Behaviour, ...] = (
    late("silent", "Does not answer.", timing.silent),
    late("answers_late", "Answers after its deadline.", timing.answers_late),
    late("stops_in_the_middle", "Sends half an answer and stops.", timing.stops_in_the_middle),
    late("slow_loris", "Sends its answer byte by byte, each byte in time and the whole too late.",
         timing.slow_loris),
    late("keeps_alive", "Sends blanks instead of an answer.", timing.keeps_alive),
    replace(late("stops_reading", "Answers, and never reads again.", timing.stops_reading),
            sign_up=Offence.LATE),
    odd("answers_in_time", "Uses most of its time for an answer.", timing.answers_in_time),
    odd("trickles", "Sends its answers byte by byte, in time.", timing.trickles),
    odd("pads", "Sends thousands of blanks before each answer.", timing.pads),
    odd("sends_pieces", "Sends its answers in pieces.", timing.sends_pieces),
    flood("floods_answers", "Sends thousands of answers at once.", timing.floods_answers,
          But(Offence.OUT_OF_TURN, EACH_MESSAGE, phases=ASKED, framings=("messages",))),
    flood("floods_words", "Sends thousands of words at once.", timing.floods(b"x\n"),
          But(Offence.MALFORMED, EACH_MESSAGE, phases=ASKED, framings=("messages",))),
    only(late("floods_blank_lines", "Sends thousands of blank lines.", timing.floods(b"\n")),
         {Wire.PROCESS, Wire.TCP}, "a WebSocket has no lines"),
    flood("endless_text", "Begins a text that never ends.", timing.never_ends(b'"', b"x")),
    flood("endless_lists", "Opens lists for ever.", timing.never_ends(b"[", b"[")),
    flood("endless_digits", "Sends a number that never ends.", timing.never_ends(b"1", b"9")),
    flood("endless_blanks", "Sends blanks without end.", timing.never_ends(b" ", b" "),
          But(Offence.LATE, "blanks between values are skipped", phases=ASKED, framings=("values",))),
    flood("one_giant", "Sends one frame of more than a mebibyte.", timing.one_giant),
)  # fmt: skip

_SOCKETS = {Wire.TCP, Wire.WS}
_NO_SOCKET = "a program has pipes and no socket; see the rows about exits"
SOCKETS = tuple(
    only(row, _SOCKETS, _NO_SOCKET)
    for row in (
        gone("hangs_up", "Closes the connection instead of answering.", sockets.hangs_up),
        gone("resets", "Resets the connection instead of answering.", sockets.resets),
        gone("closes_its_half", "Closes the sending direction of its socket.", sockets.closes_its_half),
        gone("hangs_up_in_the_middle", "Sends half an answer and closes the connection.",
             sockets.hangs_up_in_the_middle),
        gone("answers_and_hangs_up", "Answers and closes the connection.", sockets.answers_and_hangs_up),
        gone("answers_and_resets", "Answers and resets the connection.", sockets.answers_and_resets),
    )
)  # fmt: skip

WEBSOCKETS = tuple(
    only(row, {Wire.WS}, "only a WebSocket has frames below its messages")
    for row in (
        odd("ws_binary", "Answers with a binary message.", sockets.answers_in_binary),
        odd("ws_pings_between", "Sends pings between the fragments of its answer.",
            sockets.pings_between_fragments),
        odd("ws_ping_flood", "Sends hundreds of pings before its answer.", sockets.controls_before(PING)),
        odd("ws_pong_flood", "Sends hundreds of pongs that nobody asked for.", sockets.controls_before(PONG)),
        gone("ws_unmasked", "Answers without a mask.", sockets.answers_unmasked),
        gone("ws_reserved_kind", "Sends a frame of a kind that does not exist.",
             sockets.sends_raw(ws_frame(3, b"x"))),
        malformed("ws_reserved_bits", "Sends a message marked as compressed, which none is.",
                  sockets.sends_raw(ws_frame(TEXT, b"?", bits=4))),
        gone("ws_long_ping", "Sends a ping longer than a control frame may be.",
             sockets.sends_raw(ws_frame(PING, b"x" * 200))),
        gone("ws_close", "Closes with a code and a reason.",
             sockets.sends_raw(ws_frame(CLOSE, (1000).to_bytes(2) + b"bye"))),
        gone("ws_close_bad_code", "Closes with a code that is none.",
             sockets.sends_raw(ws_frame(CLOSE, (1).to_bytes(2) + b"\xff"))),
        flood("ws_lone_continuation", "Continues a message that never began.",
              sockets.sends_raw(ws_frame(CONTINUATION, b"x"))),
        flood("ws_two_at_once", "Begins a message inside another.",
              sockets.sends_raw(ws_frame(TEXT, b"x", last=False) * 2)),
        flood("ws_announced_giant", "Announces a message of an exbibyte.",
              sockets.sends_raw(bytes([0x81, 0xFF]) + (1 << 60).to_bytes(8) + bytes(4) + b"x")),
        flood("ws_fragments_for_ever", "Sends fragments without end.", sockets.fragments_for_ever),
        malformed("ws_empty", "Answers with an empty message.", sockets.sends_raw(ws_frame(TEXT, b""))),
    )
)  # fmt: skip

_NO_PROCESS = "only a program is a process of ours"
PROCESSES = tuple(
    only(row, {Wire.PROCESS}, _NO_PROCESS, harmful=row.name in {"hides_children", "leaves_a_child"})
    for row in (
        gone("exits", "Exits with code 0.", processes.exits(0)),
        gone("fails", "Exits with code 1.", processes.exits(1)),
        gone("exits_in_the_middle", "Writes half an answer and exits.", processes.exits_in_the_middle),
        gone("kills_itself", "Dies of SIGKILL.", processes.dies_of(signal.SIGKILL)),
        gone("aborts", "Dies of SIGABRT.", processes.dies_of(signal.SIGABRT)),
        gone("segfaults", "Dies of SIGSEGV.", processes.dies_of(signal.SIGSEGV)),
        gone("closes_stdout", "Closes stdout and stays.", processes.then_exits(processes.close_stdout)),
        gone("leaves_a_child", "Exits, and a child holds its pipes.",
             processes.then_exits(processes.leave_a_child)),
        late("closes_stdin", "Closes stdin and stays.", processes.then_sleeps(processes.close_stdin)),
        late("stops_itself", "Sends itself SIGSTOP.", processes.then_sleeps(processes.stop_self)),
        late("ignores_signals", "Ignores SIGTERM, SIGHUP and SIGINT.",
             processes.then_sleeps(processes.ignore_signals)),
        late("hides_children", "Starts orphans in sessions of their own.",
             processes.then_sleeps(processes.hide_children)),
        late("burns_time", "Computes and never answers.", processes.then_sleeps(processes.burn_time)),
        late("answers_on_stderr", "Writes its answer to stderr.", processes.answers_on_stderr),
        odd("floods_stderr", "Writes megabytes to stderr, and plays on.",
            processes.then_plays(processes.flood_stderr)),
        odd("leaves_zombies", "Does not wait for its children, and plays on.",
            processes.then_plays(processes.leave_zombies)),
        odd("starts_threads", "Starts threads, and plays on.", processes.then_plays(processes.start_threads)),
        odd("opens_files", "Opens files, and plays on.", processes.then_plays(processes.open_files)),
        odd("takes_memory", "Takes 64 MiB, and plays on.", processes.then_plays(processes.take_memory)),
    )
)  # fmt: skip

BEHAVIOURS: dict[str, Behaviour] = {
    row.name: row for row in (*WORDS, *TIMING, *SOCKETS, *WEBSOCKETS, *PROCESSES)
}
"""The hostile corpus, by name."""


def cells(dialect: str, wire: Wire, phase: Phase) -> Iterator[Cell]:
    """Return the cells of all behaviours in a dialect, over a transport, in a phase; also the absent ones."""
    return (Cell(row, dialect, wire, phase) for row in BEHAVIOURS.values())


def honest_turns(cell: Cell) -> int:
    """Return after how many moves a player misbehaves in a turn.

    In Fish over pipes it waits until all penguins stand, when other words ask for a move.
    """
    games = registry.dialect(cell.dialect).games
    return PENGUINS if cell.wire is Wire.PROCESS and games == ("fish",) else 1


def script(cell: Cell, name: str | None, limit: float, in_time: float) -> Script:
    """Return the script of a cell's player; `name` is what it signs up with, if it must."""
    row, turns = cell.behaviour, honest_turns(cell)
    player = DialectPlayer(cell.dialect, name, turns, lies_after=turns if row.lies else None)
    answer = yield from until(player, cell.phase)
    yield from row.act(Moment(player, answer, cell.phase, limit, in_time))
