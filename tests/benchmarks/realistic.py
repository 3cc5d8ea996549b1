"""
Resources of the size that people have: about 4 KB each.

Agents with instructions of 2 to 6 KB and a callback, Python tools of 1 to 3 KB, toolsets with an OpenAPI
document of 3 to 8 KB, evaluations of 20 turns. What refers to others comes after them.
"""

import random
from collections.abc import Iterator
from typing import Any

_KINDS = ("agents", "tools", "tools", "toolsets", "evaluations", "agents", "tools", "evaluations")
_CHILDREN = 8
"""Of each agent, so that the root agent leads to all."""
_WORDS = [
    "order", "refund", "parcel", "address", "delivery", "customer", "account", "invoice", "never", "always",
    "ask", "confirm", "before", "after", "when", "if", "the", "a", "their", "your", "please", "thank",
    "apologize", "escalate", "transfer", "summarize", "check", "look", "item", "price", "date", "status",
    "number",
]  # fmt: skip


def bodies(size: int, seed: int = 0) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Kind, key and body of so many resources; equal for equal seeds."""
    chance = random.Random(seed)
    block = len(_KINDS)
    kinds = [_KINDS[number % block] for number in range(size)]
    keys = [f"{kind}-{number:05}" for number, kind in enumerate(kinds)]
    agents = [key for key, kind in zip(keys, kinds, strict=True) if kind == "agents"]
    for number, (kind, key) in enumerate(zip(kinds, keys, strict=True)):
        body = _MAKERS[kind](chance, number // block * block, key)
        if kind == "agents":
            first = _CHILDREN * agents.index(key) + 1
            body["childAgents"] = agents[first : first + _CHILDREN]
        yield kind, key, body


def _sentence(chance: random.Random) -> str:
    return " ".join(chance.choices(_WORDS, k=chance.randint(6, 14))).capitalize() + "."


def _instruction(chance: random.Random, key: str) -> str:
    rules = (f"- {_sentence(chance)}\n" for _ in range(chance.randint(30, 90)))
    return f"# {key}\n\nYou answer customers of a shop.\n\n## Rules\n\n{''.join(rules)}"


def _code(chance: random.Random, name: str, parameters: str = "order: dict") -> str:
    fields = "".join(
        f'    if "{word}" in seen:\n        found["{word}_{number}"] = str(seen["{word}"]).strip()\n'
        for number, word in enumerate(chance.choices(_WORDS, k=chance.randint(12, 30)))
    )
    seen = parameters.partition(":")[0].partition(",")[0]
    head = f'def {name}({parameters}):\n    """{_sentence(chance)}"""\n    seen, found = vars({seen}), {{}}\n'
    return f"{head}{fields}    return found\n"


def _agent(chance: random.Random, block: int, key: str) -> dict[str, Any]:
    is_first = key == f"agents-{block:05}"  # of the two agents of a block
    toolsets = {"toolsets": [{"toolset": f"toolsets-{block + 3:05}"}]} if is_first else {}
    return {
        "displayName": f"Agent {key}",
        "instruction": _instruction(chance, key),
        "modelSettings": {"model": "gemini-2.5-flash", "temperature": 0.25},
        "tools": [*(f"tools-{block + place:05}" for place in ((1, 2) if is_first else (6,))), "end_session"],
        **toolsets,
        "beforeModelCallbacks": [
            {
                "description": _sentence(chance),
                "pythonCode": _code(chance, "before_model_callback", "callback_context, llm_request"),
            }
        ],
    }


def _tool(chance: random.Random, block: int, key: str) -> dict[str, Any]:
    name = key.replace("-", "_")
    return {"executionType": "SYNCHRONOUS", "pythonFunction": {"name": name, "pythonCode": _code(chance, name)}}


def _toolset(chance: random.Random, block: int, key: str) -> dict[str, Any]:
    paths = "".join(
        f"  /{word}/{number}:\n    get:\n      operationId: get_{word}_{number}\n"
        f"      summary: {_sentence(chance)}\n      parameters:\n      - name: id\n        in: query\n"
        f"        required: true\n        schema: {{type: string}}\n      responses:\n        '200':\n"
        f"          description: {_sentence(chance)}\n"
        for number, word in enumerate(chance.choices(_WORDS, k=chance.randint(9, 22)))
    )
    head = f"openapi: 3.0.3\ninfo: {{title: {key}, version: '1'}}\nservers:\n- url: https://api.example.com\npaths:\n"
    return {"displayName": f"Toolset {key}", "openApiToolset": {"openApiSchema": head + paths}}


def _evaluation(chance: random.Random, block: int, key: str) -> dict[str, Any]:
    turns = [
        {
            "steps": [
                {"userInput": {"text": _sentence(chance)}},
                {"expectation": {"agentResponse": {"role": "agent", "chunks": [{"text": _sentence(chance)}]}}},
            ]
        }
        for _ in range(20)
    ]
    return {"displayName": f"Evaluation {key}", "tags": ["nightly"], "golden": {"turns": turns}}


_MAKERS = {"agents": _agent, "tools": _tool, "toolsets": _toolset, "evaluations": _evaluation}
