"""Evaluations in tests: an app with two, and running them."""

APP = "projects/acme/locations/us/apps/desk1"
GOLD, WILD = f"{APP}/evaluations/golden1", f"{APP}/evaluations/scenario1"


def evaluated_desk(server):
    """An app with a tool, a golden evaluation and a scenario."""
    server.app()
    tool = server.tool("lookup")["name"]
    call = {"expectation": {"toolCall": {"tool": tool, "args": {"order": "7"}}}}
    said = {"expectation": {"agentResponse": {"role": "agent", "chunks": [{"text": "It is sent."}]}}}
    golden = {"turns": [{"steps": [{"userInput": {"text": "hi"}}, said]}, {"steps": [call]}]}
    server.made("evaluations", {"displayName": "Gold", "golden": golden}, evaluationId="golden1")
    server.made("evaluations", {"displayName": "Wild", "scenario": {"task": "ask"}}, evaluationId="scenario1")
    return server


def run(server, **request):
    """Run and return the operation and the run."""
    operation = server.send("POST", f"{APP}:runEvaluation", request).body
    return operation, server.get(operation["metadata"]["evaluationRun"]).body


def results(server, evaluation):
    return server.get(f"{evaluation}/results", orderBy="create_time asc").body.get("evaluationResults", [])
