"""The answer to one query, whatever happens."""

from typing import Any

from .analyse import AnalysisError, analyse_any
from .query import Query


def answer_of(query: Query) -> dict[str, Any]:
    """Analyses a query; what goes wrong becomes an answer too, so that no query ends the process."""
    try:
        analysis = analyse_any(query.view, query.limit, seed=query.seed, top=query.top, only=query.only)
    except AnalysisError as error:
        return {"id": query.id, "error": str(error), "field": None}
    except Exception as error:
        return {"id": query.id, "error": f"the analysis failed: {error!r}", "field": None}
    return {"id": query.id, **analysis.as_json()}
