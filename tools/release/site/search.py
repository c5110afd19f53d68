"""Search in English and Chinese at once, from one index."""

import re

from sphinx.search.en import SearchEnglish

_CHINESE = r"\u3400-\u9fff"
_RUN = re.compile(rf"[{_CHINESE}]+|[^\W{_CHINESE}]+")

_SPLITTER = r"""
function splitQuery(query) {
  const runs = query.match(/[CHINESE]+|(?:(?![CHINESE])[\p{Letter}\p{Number}_])+/gu) || [];
  const pairs = (run) => Array.from({length: run.length - 1}, (_, place) => run.slice(place, place + 2));
  return runs.flatMap((run) => (/^[CHINESE]{2}/.test(run) ? pairs(run) : [run]));
}
""".replace("CHINESE", _CHINESE)


class SearchBoth(SearchEnglish):
    """
    Words of English by their stems, Chinese by each character and each two neighbours.

    Chinese has no blanks between words. Neighbours find what a division into words would find, without a dictionary.
    The browser splits a query in the same way: of two characters or more all neighbours must be there.
    """

    lang = "en-zh"
    js_splitter_code = _SPLITTER

    def split(self, input: str) -> list[str]:
        """Splits a text into what the index holds."""
        entries: list[str] = []
        for run in _RUN.findall(input):
            entries += _grams(run) if re.match(f"[{_CHINESE}]", run) else [run]
        return entries


def _grams(run: str) -> list[str]:
    """Lists the characters of a run, and its neighbours: 地主, 主出, ..."""
    return [*run, *(run[begin : begin + 2] for begin in range(len(run) - 1))]
