"""
Learning in the terminal: positions of recorded games in which one looks for the right move.

They are mistakes that were made, or puzzles; the numbers that judge an answer are those of a review.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ddzbot.rules import explain
from ddzbot.search.limit import Limit
from ddzbot.view import View

from ...records.record import GameRecord
from ...shared.interrupts import INTERRUPTED
from ...shared.language import tr
from ...shared.message import Message
from ...shared.names import PERSON
from ...shared.refusal_words import refusal_message
from ...shared.terminal import Console
from ...study.review.decisions import Answer, Reviewed, decisions, review_of
from ...study.review.model import loss_text
from . import words
from .asking import ask
from .hints import move_lines
from .listing import ListingError
from .screen import PlayScreen
from .session import show_asked
from .words import WordError

HELP = (
    *(row for row in words.HELP if row[0].split()[0] in ("334455", "10", "pass", "moves", "table", "history", "quit")),
    ("hint", Message("the best move, and on to the next position")),
)

MARK_WORDS = {"inaccuracy": Message("inaccuracy"), "mistake": Message("mistake"), "blunder": Message("blunder")}


class _Lesson(NamedTuple):
    game: int
    view: View
    screen: PlayScreen
    reviewed: Reviewed


class Learning:
    """Goes through *games*, by their numbers in the file, decision by decision within *limit*."""

    def __init__(self, console: Console, games: Sequence[tuple[int, GameRecord]], limit: Limit, puzzles: bool) -> None:
        self._console, self._games, self._limit, self._puzzles = console, games, limit, puzzles
        self._screen = PlayScreen(console, 0, ("", "", ""))
        self._right = self._asked = 0

    def learn(self) -> int:
        """Asks until there are no more positions, or the person has had enough; gets the exit status."""
        try:
            for lesson in self._lessons():
                self._asked += 1
                self._right += self._ask_until_right(lesson)
        except KeyboardInterrupt:
            return INTERRUPTED
        except EOFError:
            self._screen.line("")
            return 0
        self._screen.line("")
        if self._asked:
            all_seen = (
                "No more puzzles: {right} of {count} right at the first try."
                if self._puzzles
                else "No more mistakes: {right} of {count} right at the first try."
            )
            self._screen.line(tr(all_seen, right=self._right, count=self._asked))
        else:
            self._screen.line(tr("There is no puzzle in it." if self._puzzles else "There is no mistake in it."))
        return 0

    def _lessons(self) -> Iterator[_Lesson]:
        for game, record in self._games:
            persons = PERSON in record.names and not self._puzzles
            for ply in decisions(record):
                view = record.view(ply)
                position = record.position_of(view.seat)
                if persons and record.names[position] != PERSON:
                    continue
                screen = PlayScreen(self._console, position, record.names)
                with screen.thinking():
                    reviewed = review_of(record, game, ply, self._limit, numbers_only=True)
                if reviewed is not None and (reviewed.is_puzzle if self._puzzles else reviewed.review.mark):
                    yield _Lesson(game, view, screen, reviewed)

    def _ask_until_right(self, lesson: _Lesson) -> bool:
        """Asks until the answer is right or shown; True if it was right at once."""
        _, view, screen, reviewed = lesson
        screen.line("")
        made = reviewed.made
        mistake = Message("{move} was a mistake", move=Message("pass") if made.is_pass else str(made))
        task = Message("one move is clearly the best") if self._puzzles else mistake
        where = {"number": self._asked, "game": lesson.game, "move": len(view.plays) + 1}
        screen.line(tr("{number}. Game {game}, move {move}: {task}. Find it.", **where, task=task))
        screen.position(view)
        tries = 0
        while True:
            try:
                order = words.read_move(ask(tr("your move>") + " "))
                if order.what == words.QUIT:
                    raise EOFError
                if order.what == words.HINT:
                    screen.lines(move_lines(reviewed.analysis))
                    return False
                if order.what == words.WORDS:
                    screen.help(HELP)
                elif order.what != words.PLAY:
                    show_asked(screen, order, view)
                else:
                    tries += 1
                    if self._judged(lesson, order.cards):
                        return tries == 1
            except (WordError, ListingError) as error:
                screen.fault(str(error))

    def _judged(self, lesson: _Lesson, cards: int) -> bool:
        """Prints what an answer is worth; True if it is right."""
        _, view, screen, reviewed = lesson
        answer = next((graded for graded in reviewed.answers if graded.move.cards == cards), None)
        if answer is None:
            refusal = explain(view.rules, view.hand, cards, view.to_beat)
            raise WordError(refusal_message(refusal) if refusal else str(refusal))
        review = reviewed.review
        move = Message("pass") if answer.move.is_pass else str(answer.move)
        mark = review.mark if answer.move.cards == reviewed.made.cards and review.mark else answer.mark
        if mark:
            problem = "{move}: {mark}, {loss}; try again, or hint"
            screen.fault(Message(problem, move=move, mark=MARK_WORDS[mark], loss=self._lost(answer, reviewed)))
            return False
        if answer.loss:
            screen.line(tr("Right: {move} is good too, {loss}.", move=move, loss=self._lost(answer, reviewed)))
        else:
            screen.line(tr("Right: {move} is the best.", move=move))
        screen.lines(move_lines(reviewed.analysis))
        return True

    def _lost(self, answer: Answer, reviewed: Reviewed) -> Message:
        points = reviewed.review.points
        lost: str = loss_text(answer.loss, points)
        loss = Message("{points} points", points=lost) if points else lost
        if answer.error:
            return Message("{loss} +- {error} lost", loss=loss, error=loss_text(answer.error, points))
        return Message("{loss} lost", loss=loss)
