"""
The web application: its pages, its tables, and the files of finished games.

=============================================== =====================================================
``GET /``                                       the page that makes a table, and lists those with free seats
``POST /tables``                                makes a table
``GET /tables/NAME``                            the page of a table
``GET /tables/NAME/socket``                     its websocket, see :mod:`tools.tables.serve.wire`
``GET /tables/NAME/games/NUMBER/replay``        the replay page of a finished game
``GET /tables/NAME/games/NUMBER/record.ddzn``   its record
``GET /tables/NAME/games/NUMBER/review``        the page of its review, when that is ready
``GET /endgames/NUMBER``                        the page of a puzzle
``GET /endgames/NUMBER/game?moves=4,Q,pass``    the game after these moves and the reply, as JSON
``GET /static/FILE``                            styles and scripts
=============================================== =====================================================
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Collection
from functools import partial
from typing import Any

from aiohttp import web

from ddzbot.rules import RULE_SETS

from ...records.files import text_of
from ...records.record import GameRecord
from ...shared.default_rules import DEFAULT_RULES
from ...shared.json_text import json_text, parse_json
from ...shared.names import PERSON
from ..table.endgames import PUZZLES, puzzle
from ..table.levels import LEVELS, NAMES
from ..table.turns import Turns
from .board import EXAMPLE
from .connection import serve_socket
from .endgames import endgame_after
from .finished import MOST_GAMES
from .guard import guard
from .markup import STATIC, page_text, static_text
from .room import Room
from .rooms import Rooms
from .sentences import RefusedError
from .site import SPOKEN, speaking

MOST_BODY = 4096
BODY_SECONDS = 10.0
PAGES_AT_ONCE = 2
"""Pages of finished games that are made at once; further requests wait."""

ROOMS: web.AppKey[Rooms] = web.AppKey("rooms")
TURNS: web.AppKey[Turns] = web.AppKey("turns")
DEFAULTS: web.AppKey[dict[str, Any]] = web.AppKey("defaults")


def make_app(rooms: Rooms, names: Collection[str] = (), rules: str = DEFAULT_RULES) -> web.Application:
    """
    Makes the application for these *rooms*; *names* are the host names that it answers to beside ``localhost``.

    *rules* stand on the start page first, and the first of the bots that *rooms* have.
    """
    app = web.Application(middlewares=[speaking, guard({host.lower() for host in names})], client_max_size=MOST_BODY)
    app[TURNS] = Turns(PAGES_AT_ONCE)
    app[ROOMS] = rooms
    app[SPOKEN] = set()
    app[DEFAULTS] = {"rules": rules, "bot": rooms.bots[0]}
    app.router.add_get("/", _start_page)
    app.router.add_post("/tables", _make_table)
    app.router.add_get("/tables/{name}", _table_page)
    app.router.add_get("/tables/{name}/socket", _socket)
    app.router.add_get(r"/tables/{name}/games/{number:\d{1,6}}/replay", _replay)
    app.router.add_get(r"/tables/{name}/games/{number:\d{1,6}}/record.ddzn", _record)
    app.router.add_get(r"/tables/{name}/games/{number:\d{1,6}}/review", _review)
    app.router.add_get(r"/endgames/{number:\d{1,3}}", _endgame_page)
    app.router.add_get(r"/endgames/{number:\d{1,3}}/game", _endgame)
    app.router.add_get("/static/{file}", _static)
    app.cleanup_ctx.append(_sweeping)
    app.on_shutdown.append(_close_rooms)
    return app


async def _sweeping(app: web.Application) -> AsyncIterator[None]:
    sweeping = asyncio.create_task(app[ROOMS].sweep())
    yield
    sweeping.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await sweeping


async def _close_rooms(app: web.Application) -> None:
    app[ROOMS].close()
    await asyncio.sleep(0)  # the connections write their last sentence


# Pages.


def _home(request: web.Request) -> str:
    """Gets the start page's address as seen from a page, since a proxy may have put both into a path of its own."""
    return "../" * (request.rel_url.raw_path.count("/") - 1) or "./"


def _page(request: web.Request, template: str, status: int = 200, **values: Any) -> web.Response:
    home = _home(request)
    html = page_text(template, f"{home}static/", home, **values)
    return web.Response(text=html, content_type="text/html", status=status)


async def _start_page(request: web.Request) -> web.Response:
    rooms = request.app[ROOMS]
    open_rooms = [room for room in rooms if room.seats.free and not room.closed]
    return _page(
        request,
        "start.html",
        rules=sorted(RULE_SETS, key=lambda name: name != request.app[DEFAULTS]["rules"]),
        bots=rooms.bots,
        levels=LEVELS,
        level_names=NAMES,
        person=PERSON,
        rooms=[
            {"name": room.name, "rules": room.rules.name, "who": [chair.who for chair in room.chairs]}
            for room in open_rooms
        ],
        not_kept=rooms.failing,
        puzzles=[hands.replace(" ", " : ") for hands in PUZZLES],
        example=EXAMPLE,
    )


async def _table_page(request: web.Request) -> web.Response:
    room = request.app[ROOMS].get(request.match_info["name"])
    if room is None or room.closed:
        return _page(request, "gone.html", status=404)
    return _page(request, "table.html", rules=room.rules.name)


async def _static(request: web.Request) -> web.Response:
    file = request.match_info["file"]
    if file not in STATIC:
        raise web.HTTPNotFound
    return web.Response(text=static_text(file), content_type=STATIC[file][1])


# Tables.


async def _make_table(request: web.Request) -> web.Response:
    if request.content_type != "application/json":
        return _json_refusal("a request for a table must be JSON", "请用 JSON 开桌", 415)
    try:
        body = await asyncio.wait_for(request.read(), BODY_SECONDS)
        wish = parse_json(body.decode("utf-8"))
    except asyncio.TimeoutError:
        return _json_refusal("the request for a table did not come in time", "开桌请求超时", 408)
    except (ValueError, web.RequestPayloadError):
        return _json_refusal("a request for a table must be JSON", "请用 JSON 开桌", 400)
    try:
        room = request.app[ROOMS].make(wish)
    except RefusedError as error:
        return _json_refusal(*error.sentence, 400)
    seats = [{"place": chair, "token": token} for chair, token in room.seats.invite().items()]
    return web.json_response({"table": room.name, "seats": seats}, status=201, dumps=json_text)


def _json_refusal(en: str, zh: str, status: int) -> web.Response:
    return web.json_response({"error": {"en": en, "zh": zh}}, status=status, dumps=json_text)


def _room(request: web.Request) -> Room:
    room = request.app[ROOMS].get(request.match_info["name"])
    if room is None or room.closed:
        raise web.HTTPNotFound(text="there is no such table any more\n")
    return room


async def _socket(request: web.Request) -> web.StreamResponse:
    return await serve_socket(request, _room(request))


# Endgames. The page knows the moves; the server keeps nothing of them.


def _puzzle_number(request: web.Request) -> int:
    number = int(request.match_info["number"])
    if not 1 <= number <= len(PUZZLES):
        raise web.HTTPNotFound(text=f"there is no such endgame: they are 1 to {len(PUZZLES)}\n")
    return number


async def _endgame_page(request: web.Request) -> web.Response:
    return _page(request, "endgame.html", number=_puzzle_number(request))


async def _endgame(request: web.Request) -> web.Response:
    puzzle_number, moves = _puzzle_number(request), request.query.get("moves", "")
    try:
        position = await request.app[TURNS].run(partial(endgame_after, puzzle(puzzle_number), moves))
        return web.json_response(position, dumps=json_text)
    except RefusedError as error:
        # The page asked for the verdict on a mistake: a browser would note another status as a fault.
        return _json_refusal(*error.sentence, 200)


# Finished games.


def _finished_game(request: web.Request) -> tuple[Room, GameRecord]:
    room, number = _room(request), int(request.match_info["number"])
    record = room.finished.get(number)
    if record is None:
        raise web.HTTPNotFound(text=f"the table has no such game: it keeps the last {MOST_GAMES} that are finished\n")
    return room, record


async def _record(request: web.Request) -> web.Response:
    room, record = _finished_game(request)
    file = f"{room.rules.name}-{request.match_info['number']}.ddzn"
    headers = {"Content-Disposition": f'attachment; filename="{file}"'}
    return web.Response(text=text_of([record], "text"), content_type="text/plain", headers=headers)


async def _replay(request: web.Request) -> web.Response:
    _, record = _finished_game(request)
    return _whole_page(await request.app[TURNS].run(partial(_replay_text, record, _home(request))))


async def _review(request: web.Request) -> web.Response:
    room = _room(request)
    number = int(request.match_info["number"])
    html = await request.app[TURNS].run(partial(room.reviews.page, number, _home(request)))
    if html is None:
        raise web.HTTPNotFound(text="this game was not reviewed: a player at the table has to ask for it\n")
    return _whole_page(html)


def _whole_page(text: str) -> web.Response:
    # The page has its one script inside, and a policy of its own that names it.
    headers = {"Content-Security-Policy": "frame-ancestors 'none'"}
    return web.Response(text=text, content_type="text/html", headers=headers)


def _replay_text(record: GameRecord, home: str) -> str:
    # Not at the top: only a look back at a game needs it.
    from ...study.view.game_data import game_data
    from ...study.view.render import replay_page

    return replay_page([game_data(record)], board=home)
