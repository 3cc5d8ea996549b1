"""One tree, three environments with different projects, ids, variables and patches, applied side by side."""

import pytest

from tests.environments.conftest import ENVIRONMENTS, SECRETS, Desk, differing

SCHEMA = "toolsets/carrier-api openApiToolset.openApiSchema"


def test_three_applied_at_the_same_time(desk: Desk) -> None:
    """Three processes, one emulator: each live app is what its environment says, and no secret is shown."""
    more = {"prod": ("--allow-policy", "evaluated")}
    started = {
        name: desk.start(name, "apply", "-e", name, "--auto-approve", "--debug", *more.get(name, ()))
        for name in ENVIRONMENTS
    }
    texts = {name: process.communicate(timeout=60)[0] for name, process in started.items()}
    assert [process.returncode for process in started.values()] == [0, 0, 0], texts
    for name in ENVIRONMENTS:
        planned = desk.type(name, "plan", "-e", name, "--detailed-exitcode")
        assert (planned.code, planned.out.partition(".")[0]) == (0, "No changes")
        assert SECRETS[name] in desk.live(name)[SCHEMA]
        assert not [other for other, secret in SECRETS.items() if secret in texts[name] + planned.text]


def test_live_differs_exactly_where_the_environments_do(desk: Desk) -> None:
    """Every other leaf of every resource is the same."""
    desk.apply(*ENVIRONMENTS)
    dev, staging, prod = map(desk.live, ENVIRONMENTS)
    assert differing(dev, staging) == {
        "app displayName": ("Parcel desk", "Parcel desk (staging)"),
        "app modelSettings.temperature": ("", "0.4"),
        "agents/front-desk tools": (
            "['…/tools/parcel-age', '…/tools/make-parcel', '…/tools/end_session']",
            "['…/tools/parcel-age', '…/tools/end_session']",
        ),
        "deployments/web-chat": ("", "there"),
        "tools/make-parcel": ("there", ""),
        SCHEMA: tuple(_address(name) for name in ("dev", "staging")),
    }
    assert differing(staging, prod) == {
        "app displayName": ("Parcel desk (staging)", "Parcel desk"),
        "app modelSettings.temperature": ("0.4", "0.2"),
        "app guardrails": (
            "['…/guardrails/card-numbers']",
            "['…/guardrails/card-numbers', '…/guardrails/no-promises']",
        ),
        "app loggingSettings.conversationLoggingSettings.retentionWindow": ("604800s", "31536000s"),
        "agents/claims modelSettings.model": ("", "gemini-2.5-pro"),
        "agents/claims instruction": tuple(
            f"- Say the number of the claim, and that an answer takes {days} working days."
            for days in ("five", "two")
        ),
        "deployments/web-chat channelProfile.webWidgetConfig.securitySettings.allowedOrigins": (
            "['https://staging.fjordpost.example']",
            "['https://www.fjordpost.example', 'https://help.fjordpost.example']",
        ),
        "guardrails/no-promises": ("", "there"),
        SCHEMA: tuple(_address(name) for name in ("staging", "prod")),
    }


def test_a_change_of_one_environment_is_a_change_of_no_other(desk: Desk) -> None:
    """An overlay, a patch, a variable: planned where they belong, and nowhere else."""
    desk.apply(*ENVIRONMENTS)
    over = "environments/prod/apps/parcel-desk/agents/claims.yaml"
    desk.replace(over, "gemini-2.5-pro", "gemini-2.5-flash")
    desk.replace("environments/dev/apps/parcel-desk/agents/front-desk.patch.yaml", "/tools/1", "/tools/0")
    desk.replace("cesplan.yaml", "api.staging.fjordpost", "api.try-out.fjordpost")
    found = {name: _planned(desk, name) for name in ENVIRONMENTS}
    assert found == {
        "dev": [],  # tools are a set
        "staging": ["toolsets/carrier-api"],
        "prod": ["agents/claims"],
    }
    desk.replace("apps/parcel-desk/agents/front-desk.yaml", "First contact.", "Whom callers meet first.")
    assert [_planned(desk, name) for name in ENVIRONMENTS] == [
        ["agents/front-desk"],
        ["agents/front-desk", "toolsets/carrier-api"],
        ["agents/claims", "agents/front-desk"],
    ]


def test_what_production_protects_stays(desk: Desk) -> None:
    """A file that is gone deletes nothing there, with any flag; elsewhere the guard asks for its flag."""
    desk.apply("staging", "prod")
    (desk.root / "environments/prod/apps/parcel-desk/releases/web.yaml").unlink()
    for path in ("apps", "environments/prod/apps"):
        for file in (desk.root / path / "parcel-desk" / "deployments").iterdir():
            file.unlink()
    allowed = ("--auto-approve", "--allow-delete", "parcel-desk/deployments/web-chat", "--allow-mass-delete")
    refused = desk.type("prod", "apply", "-e", "prod", *allowed)
    assert refused.code == 5
    assert "protect" in refused.err
    assert "deployments/web-chat displayName" in desk.live("prod")
    assert desk.type("staging", "apply", "-e", "staging", *allowed).code == 0
    assert "deployments/web-chat displayName" not in desk.live("staging")


def test_without_an_environment_there_is_no_project(desk: Desk) -> None:
    """Nothing is planned anywhere by accident; the message names the environments."""
    ran = desk.type("dev", "plan")
    assert ran.code == 7
    assert "`project` is missing" in ran.err
    assert "-e dev, -e staging, or -e prod" in " ".join(ran.err.split())


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_the_example_is_without_a_warning(desk: Desk, name: str) -> None:
    assert desk.type(name, "validate", "-e", name).out.startswith("No problems in ")


def test_the_cases_hold_and_cover_every_rule(desk: Desk) -> None:
    ran = desk.type("dev", "policy", "test")
    assert (ran.code, ran.out.rpartition("\n\n")[2]) == (0, "10 cases, all as expected.\n")


def _address(environment: str) -> str:
    host = "api" if environment == "prod" else f"api.{environment}"
    return f"- url: https://{host}.fjordpost.example/desk/{SECRETS[environment]}"


def _planned(desk: Desk, environment: str) -> list[str]:
    """What a plan of an environment would change."""
    ran = desk.type(environment, "plan", "-e", environment)
    assert ran.code == 0, ran.text
    return sorted(line.split()[1] for line in ran.out.splitlines() if line.startswith("  ~ "))
