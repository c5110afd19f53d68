"""Networks out of weights files: each is made once in a process, and a file that is bad only says so."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional

from ddzbot.net.current import current_network, weights_folder
from ddzbot.net.packed import Packed, read
from ddzbot.rules import RULE_SETS, RuleSet

if TYPE_CHECKING:
    from ddzbot.kernel.binding import Kernel

_CACHE = 8


class Loaded(NamedTuple):
    """A network that is ready, or None, and one line on which it is or why there is none."""

    net: Any
    """What the loader's *build* makes: the kernel's form, where there is a kernel."""
    description: str
    trained_on: str = ""
    """The name of the rule set that it was trained on; empty without a network."""

    def pays_as(self, rules: RuleSet) -> bool:
        """Checks if its points are those of *rules*: it may play under rules that pay otherwise."""
        trained_on = RULE_SETS.get(self.trained_on)
        return trained_on is not None and trained_on.pays_as(rules)


class Loader:
    """
    Loads the networks of one version of features; ``build(kernel, packed)`` makes one, or raises ValueError.

    For example ``Loader("fast-2", build).load(kernel, "botzone").net``. Where a setting of a player has networks of its
    own, *features* name it too, as in ``mcm-1/thesis``.
    """

    def __init__(self, features: str, build: "Callable[[Optional[Kernel], Packed], Any]") -> None:
        self._features = features
        self._build = build
        self._current = lru_cache(maxsize=_CACHE)(self._load_current)
        self._of_file = lru_cache(maxsize=_CACHE)(self._load_file)

    def load(
        self, kernel: "Optional[Kernel]", rules: str, file: Optional[str] = None, folder: Optional[str] = None
    ) -> Loaded:
        """
        Loads the network of *file*, or the one that the *folder* of weights has for *rules*, once in a process.

        *folder* is :func:`ddzbot.net.current.weights_folder` by default. Never raises because of a file.
        """
        if file is not None:
            return self._of_file(kernel, file)
        return self._current(kernel, rules, folder or weights_folder())

    def forget(self) -> None:
        """Forgets the networks that were loaded, after their files have changed."""
        self._current.cache_clear()
        self._of_file.cache_clear()

    def _load_current(self, kernel: "Optional[Kernel]", rules: str, folder: str) -> Loaded:
        current = current_network(self._features, rules, folder)
        if current.network is None:
            return Loaded(None, current.description)
        return self._loaded(kernel, current.network, current.description)

    def _load_file(self, kernel: "Optional[Kernel]", path: str) -> Loaded:
        try:
            packed = read(path, known=[self._features.partition("/")[0]])
        except ValueError as error:
            return Loaded(None, f"no network: {error}")
        return self._loaded(kernel, packed, path)

    def _loaded(self, kernel: "Optional[Kernel]", packed: Packed, description: str) -> Loaded:
        try:
            return Loaded(self._build(kernel, packed), description, packed.rules)
        except ValueError as error:
            return Loaded(None, f"no network: {error}")
