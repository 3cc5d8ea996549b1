"""Raw requests to one emulator, without any retry."""

import http.client
import json

APPS = "v1beta/projects/p/locations/us/apps"
APP = "projects/p/locations/us/apps/desk1"
FRONT = f"{APP}/agents/front"


class Wire:
    """One emulator with an app and an agent, and raw requests to it, without any retry."""

    def __init__(self, emulator):
        self.emulator = emulator
        self.send("POST", f"{APPS}?appId=desk1", {"displayName": "Desk"})
        self.send("POST", f"v1beta/{APP}/agents?agentId=front", {"displayName": "Front", "llmAgent": {}})
        emulator.journal.clear()

    def send(self, verb, path, body=None, headers=None):
        """Return status, headers and JSON body; the body is None if it is cut off."""
        connection = http.client.HTTPConnection(self.emulator.address, timeout=10)
        try:
            data = None if body is None else json.dumps(body)
            connection.request(verb, f"/{path}", body=data, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, json.loads(answer.read())
        finally:
            connection.close()

    def get(self, name=FRONT):
        return self.send("GET", f"v1beta/{name}")

    def update(self, **body):
        mask = ",".join(key for key in body if key != "etag")
        return self.send("PATCH", f"v1beta/{FRONT}?updateMask={mask}", body)

    def instruction(self):
        return self.get()[2].get("instruction", "")

    def hits(self):
        return [len(fault["hits"]) for fault in self.emulator.faults.report()]
