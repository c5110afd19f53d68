"""Networks out of weights files: each is made once in a process, and a file that is bad only says so."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional

from ddzbot.net.packed import Packed, read
from ddzbot.net.reigning import reigning, weights_folder

if TYPE_CHECKING:
    from ddzbot.kernel.binding import Kernel

_CACHE = 8


class Loaded(NamedTuple):
    """A network that is ready, or None, and one line on which it is or why there is none."""

    net: Any
    """What the loader's *build* makes: the kernel's form, where there is a kernel."""
    description: str


class Loader:
    """
    Loads the networks of one version of features; ``build(kernel, packed)`` makes one, or raises ValueError.

    For example ``Loader("fast-2", build).reigning(kernel, "botzone").net``.
    """

    def __init__(self, features: str, build: "Callable[[Optional[Kernel], Packed], Any]") -> None:
        self._features = features
        self._build = build
        self._reigning = lru_cache(maxsize=_CACHE)(self._load_reigning)
        self._of_file = lru_cache(maxsize=_CACHE)(self._load_file)

    def reigning(self, kernel: "Optional[Kernel]", rules: str, folder: Optional[str] = None) -> Loaded:
        """Loads the network that reigns under *rules*, once in a process. Never raises because of a file."""
        return self._reigning(kernel, rules, folder or weights_folder())

    def of_file(self, kernel: "Optional[Kernel]", path: str) -> Loaded:
        """Loads the network of a file, once in a process. Never raises because of it."""
        return self._of_file(kernel, path)

    def forget(self) -> None:
        """Forgets the networks that were loaded, for whoever has changed their files."""
        self._reigning.cache_clear()
        self._of_file.cache_clear()

    def _load_reigning(self, kernel: "Optional[Kernel]", rules: str, folder: str) -> Loaded:
        found = reigning(self._features, rules, folder)
        if found.network is None:
            return Loaded(None, found.description)
        try:
            return Loaded(self._build(kernel, found.network), found.description)
        except ValueError as error:
            return Loaded(None, f"no network: {error}")

    def _load_file(self, kernel: "Optional[Kernel]", path: str) -> Loaded:
        try:
            return Loaded(self._build(kernel, read(path, known=[self._features])), path)
        except ValueError as error:
            return Loaded(None, f"no network: {error}")
