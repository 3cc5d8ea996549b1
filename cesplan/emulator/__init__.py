"""
A server on this machine that answers like ces.googleapis.com: `EmbeddedEmulator`, `serve`.

It must not share code with the client side: it imports nothing of cesplan but itself, and knows the
API from `contract.json`, which is made from the public descriptions. Unverified behavior is in `switches`.

Sources: [D] the public reference, [S] seen in what the service wrote or accepted, [T] another
tool's note, [?] not established: the emulator's own choice, the conservative one.

Routes of v1 and v1beta below projects/*
  route                                                    methods           served      source
  locations                                                GET               in part     D
  locations/*                                              GET               faithful    D
Routes of v1 and v1beta below projects/*/locations/*
  apps                                                     GET POST          faithful    D S
  apps/*                                                   GET PATCH DELETE  faithful    D S
  apps/*/{agents,tools,toolsets,guardrails,examples}       GET POST          faithful    D S
  apps/*/{agents,tools,toolsets,guardrails,examples}/*     GET PATCH DELETE  faithful    D S
  apps/*/deployments                                       GET POST          faithful    D S
  apps/*/deployments/*                                     GET PATCH DELETE  faithful    D S
  apps/*/versions                                          GET POST          faithful    D S
  apps/*/versions/*                                        GET DELETE        faithful    D S
  apps/*/versions/*:restore                                POST              faithful    D
  apps/*/changelogs                                        GET               in part     D ?
  apps/*/changelogs/*                                      GET               in part     D ?
  apps/*/conversations                                     GET               in part     D ?
  apps/*/conversations/*                                   GET DELETE        in part     D ?
  apps/*/conversations:batchDelete                         POST              in part     D
  apps/*:exportApp                                         POST              in part     S ?
  apps:importApp                                           POST              in part     D S T ?
  apps/*/toolsets/*:retrieveTools                          POST              in part     D ?
  apps/*:retrieveToolSchema                                POST              in part     D ?
  operations                                               GET               faithful    D
  operations/*                                             GET DELETE        faithful    D
  operations/*:cancel                                      POST              in part     D
  apps/*/sessions/*:{runSession,streamRunSession}          POST              in part     D S T ?
  apps/*/sessions/*:generateChatToken                      POST              not served  D
  apps/*:executeTool                                       POST              in part     D ?
  apps/*/message:send                                      POST              not served  D
  apps/*/{deployments,versions}/*/message:send             POST              not served  D
  apps/*/extendedAgentCard                                 GET               not served  D
  apps/*/{deployments,versions}/*/extendedAgentCard        GET               not served  D
Routes of v1beta below projects/*/locations/*
  securitySettings                                         GET PATCH         faithful    D
  apps/*/{evaluations,evaluationDatasets}                  GET POST          faithful    D S
  apps/*/{evaluations,evaluationDatasets}/*                GET PATCH DELETE  faithful    D S
  apps/*/{evaluationExpectations,scheduledEvaluationRuns}  GET POST          faithful    D S
  apps/*/{evaluationExpectations,scheduledEvaluationRuns}/* GET PATCH DELETE faithful    D S
  apps/*:runEvaluation                                     POST              in part     D
  apps/*/evaluationRuns                                    GET               in part     D ?
  apps/*/evaluationRuns/*                                  GET DELETE        in part     D ?
  apps/*/evaluations/*/results                             GET               in part     D ?
  apps/*/evaluations/*/results/*                           GET               in part     D ?
  apps/*/evaluations/*/results/*                           DELETE            faithful    D
  apps/*:importEvaluations                                 POST              in part     D ?
  apps/*/{evaluations,evaluationRuns}:export               POST              in part     D ?
  apps/*/evaluations/*/results:export                      POST              in part     D ?
  apps/*:{generateAppResource,testPersonaVoice}            POST              not served  D
  apps/*/conversations/*:generateEvaluation                POST              not served  D
  apps/*/evaluations/*:uploadEvaluationAudio               POST              not served  D
  apps/*/evaluations/*/results/*:runEvaluationResultMetrics POST             not served  D

Faithful
  routes, messages, enum names and numbers, create ids, list keys, query parameters           [D]
  id pattern, ALREADY_EXISTS, UUIDs, LROs of app create, app delete and restore            [D][S]
  masks: cleared when named and missing, lists replaced, no mask is everything             [D][S]
  etags: ABORTED on delete, empty overwrites, app etag moved by a data-store tool          [D][S]
  force: who blocks a delete and loses the reference; `invalid` examples and evaluations      [D]
  required fields of a resource; oneofs; output-only and input-only fields                 [D][S]
  deployed version must exist, `versions/-` refused, traffic split, rootAgent not at create [D][S]
  derived and filled-in values, Struct numbers, int64, sorted map keys                        [S]
  lists: default orders, directions, hidden system tools, deployments 50 and 1000             [D]
  versions: what a snapshot holds, restore saves the draft first; change log fields, filter   [D]

Chosen here
  ABORTED for a stale body etag; nested masks; paths below maps refused                       [?]
  FAILED_PRECONDITION for a forbidden delete, a locked app, an unchanged version              [?]
  a locked app refuses its own changes too, but the one that unlocks it                       [?]
  required fields further down are not insisted on; a switch insists on most of them          [?]
  references inside an app must lead somewhere, unless the update found them dangling         [?]
  a deployed version cannot be deleted; unique display names are ALREADY_EXISTS               [?]
  order of lists without orderBy (creation), page sizes but those of deployments              [?]
  orderBy takes one field; a list below a location that there is not is INVALID_ARGUMENT      [?]
  a conversation has the id of its session, and is LIVE on a deployment, else from the SIMULATOR [?]
  a split gives the same version to the same session; whether appVersion wins is a switch      [?]
  the change log covers every write through the API, at once and for ever                     [?]
  client certificates and keys are checked by their form; models and data stores that exist
  are listed in switches, and by default any does; a type can be changed in place         [S][?]
  schemas of OpenAPI tools: $refs followed, a schema inside itself cut off, a body that is
  no object is the argument `body`; documents of another form are INVALID_ARGUMENT            [?]

Not like the service
  of the limits in docs/api-facts.md only turns, personas and the traffic split are enforced
  error texts are the emulator's own; only code, status and the named fields are imitated
  queries are accepted in camelCase only, and answers are in JSON only
  requests that a web page may have sent are refused, and so are large or compressed bodies
  an unknown route and a GET with a body are answered as by the API; a switch writes the HTML
  of the front end instead
  the change log and the journal forget the oldest when they grow too large
  an operation's work is done when it starts; `operation_polls` only delays the news of it
  no authentication, permissions, quotas; the author is the header `x-emulator-author`
  three system tools, without description; one engine for all data stores of an app
  filters: fields that the reference names; where it names none any top-level field will do, or
  by a switch a filter is refused
  gs:// addresses lead into the emulator's own store (`PUT /emulator/objects`)
  evaluation runs have the verdicts of a script (`evaluating.script`) and none without
  sessions and tools answer by a script (`sessions.script`) and are UNIMPLEMENTED without
  evaluateInstances of Vertex AI (v1, v1beta1) is served beside the API: deterministic metrics are
  computed, judges answer by a script (`judging.script`) and are UNIMPLEMENTED without
  what needs a language model answers UNIMPLEMENTED
  /mcp has the tools of docs/api-facts.md for the methods above; of their schemas the first level only

Method by method, with what is missing: `fidelity`. Faults for testing clients: `faults.specs`. Control
routes: `control`.
"""

from cesplan.emulator.evaluating.script import Script
from cesplan.emulator.faults.registry import Faults
from cesplan.emulator.judging.script import JudgeScript
from cesplan.emulator.server.server import EmbeddedEmulator, serve
from cesplan.emulator.sessions.script import SessionScript
from cesplan.emulator.switches import Switches

__all__ = ["EmbeddedEmulator", "Faults", "JudgeScript", "Script", "SessionScript", "Switches", "serve"]
