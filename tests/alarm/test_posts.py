"""The real command line, the emulator and a real receiver: exactly the right posts arrive."""

import json
import stat
import threading
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from cesplan.remote.clock import Backoff
from cesplan.remote.other_services import request, webhook
from tests.alarm.conftest import AGENT, INSTRUCTION, Process, Ran, Scene
from tests.alarm.servers import SECRET, Receiver, bucket, receiver

STATE = "state.json"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries without pauses, and receivers that are left after a moment."""
    monkeypatch.setattr(webhook.post, "__kwdefaults__", {"backoff": Backoff(first=0.01, longest=0.01, tries=3)})
    monkeypatch.setattr(request, "ANSWER_SECONDS", 0.2)


def drift(scene: Scene, *hooks: Receiver, words: tuple[str, ...] = (), state: str = STATE) -> Ran:
    """A run of cron."""
    urls = [word for hook in hooks for word in ("--notify", hook.url)]
    ran = scene.run("drift", *urls, "--state", state, *words)
    assert SECRET not in ran.out + ran.err
    return ran


def edit(scene: Scene, text: str) -> None:
    scene.edit(AGENT, instruction=text)


def test_drift_the_same_another_and_none_are_three_posts(applied: Scene, hook: Receiver) -> None:
    """Runs that alternate: quiet, drift, the same twice, other drift, the same, gone, quiet, drift again."""
    codes = [drift(applied, hook).code]
    edit(applied, "Be rude.")
    codes += [drift(applied, hook).code for _ in range(3)]
    edit(applied, "Be ruder.")
    codes += [drift(applied, hook).code for _ in range(2)]
    edit(applied, INSTRUCTION)
    codes += [drift(applied, hook).code for _ in range(2)]
    edit(applied, "Be rude.")
    codes += [drift(applied, hook).code]
    assert codes == [0, 2, 2, 2, 2, 2, 0, 0, 2]
    assert hook.occasions() == ["appeared", "changed", "gone", "appeared"]
    first, second, third, _ = (post.body for post in hook.posts)
    assert (first["previous_fingerprint"], second["previous_fingerprint"]) == ("", first["fingerprint"])
    assert third["fingerprint"] == ""
    (app,) = first["apps"]
    assert [(item["address"], item["path"], item["author"]) for item in app["items"]] == [
        (AGENT, "instruction", "emulator@localhost")
    ]
    assert "rude" not in json.dumps([post.body for post in hook.posts])


def test_the_run_says_whom_it_told_without_the_url(applied: Scene, hook: Receiver) -> None:
    edit(applied, "Be rude.")
    ran = drift(applied, hook)
    assert f"Notified http://127.0.0.1:{hook.port}: drift appeared." in ran.err
    ran = drift(applied, hook, words=("--debug", "--format", "json"))
    assert "Notified" not in ran.err
    assert json.loads(ran.out)["fingerprint"] == hook.posts[0].body["fingerprint"]


def test_pending_changes_alone_post_nothing(applied: Scene, hook: Receiver) -> None:
    applied.tree.replace("apps/help-desk/app.yaml", "temperature: 0.5", "temperature: 0.7")
    assert drift(applied, hook).code == 0
    assert hook.posts == []


def test_ignored_drift_posts_nothing_and_expired_rules_are_told(applied: Scene, hook: Receiver) -> None:
    """The plan still reverts it: rules are for the alarm alone."""
    edit(applied, "Be rude.")
    project = applied.tree.root / "cesplan.yaml"
    text = project.read_text(encoding="utf-8")
    rule = "drift: {ignore: [{address: agents/*, field: instruction, reason: tuned in the console%s}]}\n"
    project.write_text(text + rule % "", encoding="utf-8")
    ran = drift(applied, hook)
    assert (ran.code, hook.posts) == (0, [])
    assert "ignored: tuned in the console" in ran.out
    assert applied.run("plan", "--detailed-exitcode").code == 2
    project.write_text(text + rule % ", until: 2020-01-31", encoding="utf-8")
    ran = drift(applied, hook)
    assert (ran.code, hook.occasions()) == (2, ["appeared"])
    assert (
        "address agents/*, field instruction: expired after 2020-01-31; it named 1 of these differences"
        in ran.out
    )
    project.write_text(text + (rule % "").replace("agents", "tools"), encoding="utf-8")
    assert "address tools/*, field instruction: matches nothing" in drift(applied, hook).out


@pytest.mark.usefixtures("quick")
def test_a_receiver_that_fails_is_told_by_the_next_run(applied: Scene, hook: Receiver) -> None:
    """Exit code 1, and the other receiver is not told twice."""
    edit(applied, "Be rude.")
    with receiver() as sound:
        hook.answers = [500] * 3
        ran = drift(applied, hook, sound, words=("--report", "json=drift.json"))
        assert ran.code == 1
        document = json.loads(Path("drift.json").read_text(encoding="utf-8"))
        assert (document["exit_code"], len(document["alarm_failures"])) == (1, 1)
        assert SECRET not in str(document)
        assert f"Could not notify http://127.0.0.1:{hook.port}: it answered 500; tried 3 times." in ran.err
        assert "the next run posts it again" in ran.err
        assert drift(applied, hook, sound).code == 2
        assert len(hook.posts) == 4
        assert hook.posts[0].body["id"] == hook.posts[3].body["id"]
        assert sound.occasions() == ["appeared"]


@pytest.mark.usefixtures("quick")
def test_a_receiver_that_hangs_or_redirects_is_told_by_the_next_run(applied: Scene, hook: Receiver) -> None:
    edit(applied, "Be rude.")
    hook.hang = threading.Event()
    ran = drift(applied, hook)
    assert (ran.code, "no complete response" in ran.err) == (1, True)
    hook.hang.set()
    hook.hang = None
    with receiver() as elsewhere:
        hook.answers, hook.location = [307], elsewhere.url
        ran = drift(applied, hook)
        assert (ran.code, "redirects are not followed" in ran.err) == (1, True)
        assert elsewhere.posts == []
    hook.posts.clear()
    assert drift(applied, hook).code == 2
    assert drift(applied, hook).code == 2
    assert hook.occasions() == ["appeared"]


def test_two_runs_at_once_post_once(applied: Scene, hook: Receiver, start: Process) -> None:
    """Whoever is first posts; the other waits for it, and finds all told."""
    edit(applied, "Be rude.")
    both = threading.Barrier(2, timeout=0.5)

    def together() -> None:
        try:
            both.wait()
        except threading.BrokenBarrierError:
            return

    hook.before = together  # time for the other run to come here too, if it wants
    runs = [start("drift", "--notify", hook.url, "--state", STATE) for _ in range(4)]
    ended = [process.communicate(timeout=60) for process in runs]
    assert [process.returncode for process in runs] == [2, 2, 2, 2], ended
    assert hook.occasions() == ["appeared"]
    assert sum("Notified" in err for _, err in ended) == 1


def test_two_runs_at_once_with_an_object_of_cloud_storage_post_once(
    applied: Scene, hook: Receiver, start: Process
) -> None:
    """The precondition on the generation decides; this bucket is a small stand-in of ours."""
    edit(applied, "Be rude.")
    with bucket() as held:
        environ = {"STORAGE_EMULATOR_HOST": held.host}
        words = ("drift", "--notify", hook.url, "--state", "gs://acme-state/team/drift.json")
        runs = [start(*words, environ=environ) for _ in range(4)]
        ended = [process.communicate(timeout=60) for process in runs]
        assert [process.returncode for process in runs] == [2, 2, 2, 2], ended
        assert hook.occasions() == ["appeared"]
        document = held.document("acme-state/team/drift.json")
        assert list(document["receivers"]) == [f"http://127.0.0.1:{hook.port}"]
        assert "claim" not in document
        assert set(held.tokens) == {""}


def test_a_bucket_that_refuses_ends_with_6_and_posts_nothing(
    applied: Scene, hook: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(applied, "Be rude.")
    with bucket() as held:
        monkeypatch.setenv("STORAGE_EMULATOR_HOST", held.host)
        held.answers = [403]
        ran = drift(applied, hook, state="gs://acme-state/drift.json")
    assert (ran.code, hook.posts) == (6, [])
    assert "roles/storage.objectUser" in ran.err
    assert "1 drifted" in ran.out


def test_a_run_that_is_killed_while_it_posts_leaves_a_claim_that_ends(
    applied: Scene, hook: Receiver, start: Process
) -> None:
    """The message may be sent twice, never not at all."""
    edit(applied, "Be rude.")
    arrived = threading.Event()
    hook.before = arrived.set
    hook.hang = threading.Event()
    process = start("drift", "--notify", hook.url, "--state", STATE, real=True)
    assert arrived.wait(30)
    process.kill()
    process.wait()
    hook.hang.set()
    hook.hang = None
    path = applied.tree.root / STATE
    document = json.loads(path.read_text(encoding="utf-8"))
    assert (document["receivers"], document["claim"]["seconds"]) == ({}, 120)
    document["claim"]["at"] = "2020-01-01T00:00:00Z"  # as if the 120 seconds were over
    path.write_text(json.dumps(document), encoding="utf-8")
    assert drift(applied, hook).code == 2
    assert hook.occasions() == ["appeared", "appeared"]
    assert hook.posts[0].body["id"] == hook.posts[1].body["id"]


def test_an_app_that_cannot_be_read_does_not_make_its_drift_go_away(applied: Scene, hook: Receiver) -> None:
    edit(applied, "Be rude.")
    assert drift(applied, hook).code == 2
    applied.tree.write("apps/help-desk/app.yaml", "displayname: wrong\n")
    assert drift(applied, hook).code == 7
    assert hook.occasions() == ["appeared"]


def test_the_url_may_come_from_the_environment(
    applied: Scene, hook: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that it is not in the list of processes; several are separated by white space."""
    edit(applied, "Be rude.")
    with receiver() as other:
        monkeypatch.setenv("CESPLAN_NOTIFY", f"{hook.url}\n{other.url}")
        assert drift(applied).code == 2
        assert (hook.occasions(), other.occasions()) == (["appeared"], ["appeared"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--notify", f"https://h.example/{SECRET}"), "--notify needs --state"),
        (("--state", STATE), "--state has no effect without --notify"),
        (("--notify-format", "slack"), "--notify-format has no effect without --notify"),
        (("--notify", f"http://h.example/{SECRET}", "--state", STATE), "is not usable"),
        (("--notify", f"https://u:{SECRET}@h.example/", "--state", STATE), "is not usable"),
        (("--notify", f"https://h.example/{SECRET}", "--state", "s3://a/b"), "is not a state file"),
        (("--notify", f"https://h.example/{SECRET}", "--state", "gs://a"), "is not an object"),
        (
            ("--notify", f"https://h.example/{SECRET}", "--state", STATE, "--shard", "1/2"),
            "`cesplan drift merge`",
        ),
        (("--notify", f"https://h.example/{SECRET}", "--state", STATE, "--since", "24h"), "cannot be combined"),
        (("--metrics-file", "nowhere/x.prom"), "does not exist"),
        (("--metrics-file", "."), "is a folder"),
        (("--metrics-file", "x.json", "--report", "json=x.json"), "already in use"),
        (
            ("--notify", f"https://h.example/{SECRET}", "--state", "x.json", "--report", "json=x.json"),
            "already in use",
        ),
    ],
)
def test_what_cannot_be_right_is_wrong_usage_before_anything_is_read(
    applied: Scene, hook: Receiver, words: tuple[str, ...], said: str
) -> None:
    applied.service.journal.clear()
    ran = applied.run("drift", *words)
    assert (ran.code, said in ran.err) == (64, True), ran.err
    assert SECRET not in ran.out + ran.err
    assert applied.service.journal.entries == []


def test_shards_are_joined_and_then_announced(applied: Scene, hook: Receiver) -> None:
    """The joined report has the fingerprint of a run over everything."""
    edit(applied, "Be rude.")
    for number in (1, 2):
        applied.run("drift", "--shard", f"{number}/2", "--report", f"json=drift-{number}.json")
    for _ in range(2):
        ran = applied.run(
            "drift", "merge", "drift-1.json", "drift-2.json", "--notify", hook.url, "--state", STATE,
            "--metrics-file", "drift.prom",
        )  # fmt: skip
        assert ran.code == 2
    assert hook.occasions() == ["appeared"]
    whole = json.loads(applied.run("drift", "--format", "json").out)
    assert hook.posts[0].body["fingerprint"] == whole["fingerprint"]
    assert "cesplan_drift_differences" in Path("drift.prom").read_text(encoding="utf-8")


def test_metrics_can_be_read_by_a_collector(applied: Scene) -> None:
    """By another user, whole, and with what an alert needs."""
    edit(applied, "Be rude.")
    assert applied.run("drift", "--metrics-file", "drift.prom").code == 2
    path = Path("drift.prom")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    found = {
        sample.name: sample.value
        for family in text_string_to_metric_families(path.read_text(encoding="utf-8"))
        for sample in family.samples
        if sample.labels.get("kind", "agents") == "agents"
    }
    assert found["cesplan_drift_differences"] == 1
    assert found["cesplan_drift_success"] == 1
    assert found["cesplan_drift_requests"] > 3
    assert found["cesplan_drift_coverage_ratio"] == 1
    assert found["cesplan_drift_last_check_timestamp_seconds"] > 1.7e9
    assert found["cesplan_drift_duration_seconds"] > 0


def test_metrics_are_written_where_an_app_could_not_be_checked(applied: Scene) -> None:
    applied.tree.write("apps/help-desk/app.yaml", "displayname: wrong\n")
    assert applied.run("drift", "--metrics-file", "drift.prom").code == 7
    assert 'cesplan_drift_success{app="",' in Path("drift.prom").read_text(encoding="utf-8")
