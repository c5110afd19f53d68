"""A host of the page on which things go wrong: each case has a path of its own, and so nothing of another one."""

import http.client
import shutil
import threading
from dataclasses import dataclass
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import ClassVar

from tests.web.page import Files

PACED = 1 << 16


@dataclass
class Case:
    """What a host does wrong with files that end in *suffix*."""

    fault: str = ""
    """``missing``, ``cut`` off in transfer, ``short`` on the disk, ``silent`` after the first bytes, or a MIME type."""
    suffix: str = ""
    strict: bool = False
    """Whether the browser may not guess types."""
    age: str = ""
    """The header Cache-Control."""
    charset: str = ""
    """What all text is said to be written in."""
    policy: str = ""
    """The header Content-Security-Policy."""
    behind: str = ".html"
    """What stands behind the names of pages: where that is not ``.html``, other addresses lead to these."""
    away: bool = False
    """Whether the host hands out nothing any more."""


class FaultyHost(Files):
    """Hands out files of ``/NAME/...`` as the case of that name says; with a fault, all but the service worker."""

    cases: ClassVar[dict[str, Case]] = {}
    silence: ClassVar[threading.Event] = threading.Event()
    """Set when what is silent may end."""

    def translate_path(self, path: str) -> str:
        _, _, inner = path.lstrip("/").partition("/")
        return super().translate_path(f"/{inner}")

    def do_GET(self) -> None:  # noqa: N802
        case = self.cases.get(self.path.split("/")[1], Case())
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if case.behind != ".html":
            if path.suffix == ".html" and self.path.endswith(".html"):
                self.send_response(HTTPStatus.MOVED_PERMANENTLY)
                self.send_header("Location", self.path.removesuffix(".html") + case.behind)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            path = path if path.suffix else path.with_suffix(".html")
        if case.away or (case.fault and path.name == "service.js"):
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        faulty = bool(case.fault) and str(path).endswith(case.suffix)
        if not path.is_file() or (faulty and case.fault == "missing"):
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        self._send(path, case, case.fault if faulty else "")

    def _send(self, path: Path, case: Case, fault: str) -> None:
        content = path.read_bytes()
        sent = content[: len(content) // 2] if fault in {"cut", "short", "silent"} else content
        self.send_response(HTTPStatus.OK)
        kind = fault if "/" in fault else self.guess_type(path)
        is_text = case.charset and path.suffix in {".html", ".js", ".css"}
        self.send_header("Content-Type", f"{kind}; charset={case.charset}" if is_text else kind)
        if case.policy:
            self.send_header("Content-Security-Policy", case.policy)
        self.send_header("Content-Length", str(len(sent if fault == "short" else content)))
        self.send_header("Last-Modified", self.date_time_string(int(path.stat().st_mtime)))
        if case.age:
            self.send_header("Cache-Control", case.age)
        if case.strict:
            self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        try:
            shutil.copyfileobj(BytesIO(sent), self.wfile, PACED)
            if fault == "silent":
                self.wfile.flush()
                self.silence.wait()
        except (ConnectionError, http.client.HTTPException):
            pass  # the page was left
        self.close_connection = True
