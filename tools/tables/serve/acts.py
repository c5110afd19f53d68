"""Does what a viewer of a table asks for; only that viewer gets a refusal."""

from .room import Room
from .seats import Viewer
from .sentences import RefusedError
from .wire import Again, Back, Bid, Bots, Hint, Play, Request, Review


def welcome(room: Room, viewer: Viewer, token: str) -> None:
    """Greets a new viewer, and shows the table to all viewers."""
    viewer.send({"type": "welcome", "token": token, "chair": viewer.chair})
    for message in room.reviews.messages():
        viewer.send(message)
    room.show()


def act(room: Room, viewer: Viewer, request: Request) -> None:
    """Does what *viewer* asks for; a hint takes time, and is :func:`give_hint`."""
    try:
        if isinstance(request, Play):
            room.play(viewer.chair, request.at, request.cards)
        elif isinstance(request, Bid):
            room.bid(viewer.chair, request.at, request.bid)
        elif isinstance(request, Back):
            room.take_back(viewer.chair, request.at, request.moves)
        elif isinstance(request, Bots):
            room.set_bots(viewer.chair, request.positions)
        elif isinstance(request, Again):
            room.again(viewer.chair, request.game)
        elif isinstance(request, Review):
            room.review(viewer.chair, request.game)
        else:
            raise RefusedError("this connection has joined already", "你已经入座")
    except RefusedError as error:
        viewer.send(error.message())


async def give_hint(room: Room, viewer: Viewer, request: Hint) -> None:
    """Sends *viewer* a hint when it is there."""
    try:
        viewer.send(await room.hint(viewer.chair, request.at))
    except RefusedError as error:
        viewer.send(error.message())
