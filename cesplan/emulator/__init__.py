"""
A server on this machine that behaves like ces.googleapis.com: `EmbeddedEmulator`, `serve`.

It must not share code with the client side: it imports no other package of cesplan, and knows the API only from
`contract.json`, which is generated from the public descriptions. Unverified behavior is in `switches`.

Sources: [D] the public reference, [S] observed in what the service wrote or accepted, [T] another
tool's note, [?] unverified: the emulator's own, conservative choice.

Faithful
  routes, messages, enum names, and numbers, create ids, list keys, query parameters           [D]
  id pattern, ALREADY_EXISTS, UUIDs, LROs of app create, app delete, and restore            [D][S]
  masks: a named field that is missing is cleared, lists are replaced, no mask means all  [D][S]
  etags: ABORTED on delete, empty overwrites, a data-store tool changes the app's etag    [D][S]
  force: what blocks a delete and loses the reference; `invalid` examples and evaluations    [D]
  required fields of a resource; oneofs; output-only and input-only fields                 [D][S]
  deployed version must exist, `versions/-` refused, traffic split, rootAgent not at create [D][S]
  derived values and defaults, Struct numbers, int64, sorted map keys                        [S]
  lists: default orders, directions, hidden system tools, deployments 50 and 1000             [D]
  versions: content of a snapshot, restore saves the draft first; change log fields, filter  [D]

The emulator's own choices
  ABORTED for a stale body etag; nested masks; paths below maps refused                       [?]
  FAILED_PRECONDITION for a forbidden delete, a locked app, an unchanged version              [?]
  a locked app refuses changes to itself too, except unlocking it                            [?]
  nested required fields may be missing; a switch requires most of them                      [?]
  references inside an app must have a target, unless they were dangling before the update   [?]
  a deployed version cannot be deleted; unique display names are ALREADY_EXISTS               [?]
  order of lists without orderBy (creation), page sizes except those of deployments          [?]
  orderBy takes one field; a list in a location that does not exist is INVALID_ARGUMENT      [?]
  a conversation has the id of its session; its source is LIVE on a deployment, else SIMULATOR [?]
  a split gives the same version to the same session; whether appVersion wins is a switch      [?]
  the change log covers all writes through the API, immediately and forever                  [?]
  client certificates and keys are checked by format; switches list the existing models and
  data stores, and by default any exists; a type can be changed in place                  [S][?]
  schemas of OpenAPI tools: $refs are followed, a schema inside itself is cut off, a body that is
  not an object is the argument `body`; invalid documents are INVALID_ARGUMENT               [?]

Differences from the service
  of the limits in docs/api-facts.md only turns, personas, and the traffic split are enforced
  error texts are the emulator's own; only code, status, and the named fields are imitated
  query parameters are accepted only in camelCase, and responses are only in JSON
  requests that a web page may have sent are refused, and so are large or compressed bodies
  an unknown route and a GET with a body return an API error; with a switch, the HTML of the
  front end instead
  the change log and the journal drop the oldest entries when they grow too large
  an operation's work is done when it starts; `operation_polls` only delays its completion
  no authentication, permissions, quotas; the author is the header `x-emulator-author`
  three system tools, without description; one engine for all data stores of an app
  filters: fields that the reference names; if it names none, any top-level field is accepted, or
  with a switch the filter is refused
  gs:// URIs refer to the emulator's own store (`PUT /emulator/objects`)
  evaluation runs get their verdicts from a script (`evaluating.script`), and have none without it
  sessions and tools follow a script (`sessions.script`), and are UNIMPLEMENTED without it
  evaluateInstances of Vertex AI (v1, v1beta1) is served too: deterministic metrics are computed,
  and judges follow a script (`judging.script`), and are UNIMPLEMENTED without it
  methods that need a language model return UNIMPLEMENTED
  /mcp has the tools of docs/api-facts.md for the methods above, with only the first level of their schemas

`fidelity` lists all methods with their sources and differences, and docs/emulator.md their routes.
`faults.specs` describes faults for testing clients, and `server.control` the control routes.
"""

from cesplan.emulator.evaluating.script import Script
from cesplan.emulator.faults.registry import Faults
from cesplan.emulator.judging.script import JudgeScript
from cesplan.emulator.server.server import EmbeddedEmulator, serve
from cesplan.emulator.sessions.script import SessionScript
from cesplan.emulator.switches import Switches

__all__ = ["EmbeddedEmulator", "Faults", "JudgeScript", "Script", "SessionScript", "Switches", "serve"]
