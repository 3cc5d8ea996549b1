"""Files of ADK, as documents that tests change."""

import json
from typing import Any


def content(*texts: str | None) -> dict[str, Any]:
    """A part without a text is a call."""
    parts = [{"functionCall": {"name": "f"}} if text is None else {"text": text} for text in texts]
    return {"parts": parts, "role": "model"}


def invocation(user: str, *answer: str | None, calls: Any = ()) -> dict[str, Any]:
    """A turn; without an answer it has no final response."""
    document: dict[str, Any] = {"user_content": content(user), "intermediate_data": {"tool_uses": [*calls]}}
    return {**document, "final_response": content(*answer)} if answer else document


def eval_set(**conversations: list[dict[str, Any]]) -> dict[str, Any]:
    """Cases by id."""
    rows = [{"eval_id": name, "conversation": turns} for name, turns in conversations.items()]
    return {"eval_set_id": "desk", "eval_cases": rows}


def results(
    *runs: tuple[str, list[dict[str, Any]]], eval_set_id: str = "desk", **recorded: float
) -> dict[str, Any]:
    """Runs of cases; a case may be there twice."""
    return {
        "eval_set_result_id": "r",
        "eval_set_id": eval_set_id,
        "eval_case_results": [
            {
                "eval_set_id": eval_set_id,
                "eval_id": name,
                "final_eval_status": 1,
                "overall_eval_metric_results": [
                    {"metric_name": metric, "score": score, "eval_status": 1}
                    for metric, score in recorded.items()
                ],
                "eval_metric_result_per_invocation": [{"actual_invocation": turn} for turn in turns],
                "session_id": "s",
            }
            for name, turns in runs
        ],
    }


def camel(value: Any) -> Any:
    """The same document in camel case, but for the keys of an eval set itself and of arguments."""
    match value:
        case dict():
            return {_camel(key): item if key == "args" else camel(item) for key, item in value.items()}
        case list():
            return [camel(item) for item in value]
    return value


def text(document: Any) -> str:
    return json.dumps(document)


def _camel(key: str) -> str:
    first, *rest = key.split("_")
    return "".join([first, *(word.title() for word in rest)])
