"""`cesplan emulator serve`: files of faults and of evaluations reach the emulator."""

import signal
import subprocess
import sys

import urllib3

from cesplan.workflow.emulating import switch_help

SERVE = [sys.executable, "-m", "cesplan", "emulator", "serve", "--port", "0"]


def test_faults_and_scripts_come_from_files(tmp_path):
    """The faults of the file wait from the first request on, and the scripts are played."""
    faults, script = tmp_path / "faults.yaml", tmp_path / "evaluations.yaml"
    talks = tmp_path / "sessions.yaml"
    talks.write_text("sessions:\n- steps: [{say: Hello.}]\n")
    judges = tmp_path / "judges.yaml"
    judges.write_text("judges:\n- {metric: safety, score: 1}\n")
    faults.write_text("faults:\n- {method: ListApps, status: {code: UNAVAILABLE}}\n")
    script.write_text('evaluations:\n- {evaluation: "*", outcome: PASS}\n')
    command = [*SERVE, "--faults", str(faults), "--evaluations", str(script), "--sessions", str(talks)]
    command += ["--judges", str(judges)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline().split("http://")[1].split(",")[0]
        base = f"http://{address}"
        apps = f"{base}/v1/projects/p/locations/us/apps"
        seen = [urllib3.request("GET", apps, retries=False).status for _ in range(2)]
        said = [_said(base) for _ in range(2)]
        judged = urllib3.request("POST", f"{base}/v1/{_PLACE}:evaluateInstances", json=_ASKED).json()
        report = urllib3.request("GET", f"{base}/emulator/faults").json()["faults"]
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    assert (seen, [fault["consumed"] for fault in report]) == ([503, 200], [True])
    assert said == ["Hello.", "Hello."]
    assert judged == {"safetyResult": {"score": 1}}
    assert process.returncode == 0


_PLACE = "projects/p/locations/us-central1"
_ASKED = {"safetyInput": {"instance": {"prediction": "fine"}}}


def _said(base):
    """What an agent says in a new session; the app and its root agent are made by the first call."""
    app = "projects/p/locations/us/apps/desk1"
    agent = {"name": f"{app}/agents/front", "displayName": "front", "llmAgent": {}}
    resources = [{"name": app, "displayName": "Desk", "rootAgent": agent["name"]}, agent]
    urllib3.request("POST", f"{base}/emulator/resources", json={"resources": resources})
    body = {"config": {}, "inputs": [{"text": "hi"}]}
    answer = urllib3.request("POST", f"{base}/v1/{app}/sessions/s1:runSession", json=body)
    return answer.json()["outputs"][0]["text"]


def test_the_help_tells_of_every_switch():
    """Name, values and what it decides: nobody has to read the source."""
    ran = subprocess.run([*SERVE[:5], "--help"], capture_output=True, text=True, timeout=60, check=True)
    told = " ".join(ran.stdout.split())
    for switch, about in switch_help():
        assert f"{switch} {about}" in told


_EACH = """
import sys
from cesplan.cli.running import run
for option in sys.argv[2:]:
    code = run(["emulator", "serve", "--port", "0", option, sys.argv[1]])
    print(option, code, file=sys.stderr)
"""


def test_a_wrong_file_is_wrong_usage(tmp_path):
    """A file with a mistake ends the command with 64, its path and the place of the mistake."""
    path = tmp_path / "wrong.yaml"
    path.write_text("faults: [{}]\nevaluations: [{}]\nsessions: [{}]\njudges: [7]\n")
    options = ["--faults", "--evaluations", "--sessions", "--judges"]
    command = [sys.executable, "-c", _EACH, str(path), *options]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    rest = ran.stderr
    for option in options:
        said, ended, rest = rest.partition(f"{option} 64\n")
        assert "wrong.yaml:" in said
        assert ended, ran.stderr
    assert "Traceback" not in ran.stderr
