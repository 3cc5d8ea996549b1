"""Making and dropping resources through Google's client."""

import uuid
from typing import Any

from google.protobuf import field_mask_pb2

from tests.conformance.emulator.cases import EVALUATIONS, Case
from tests.conformance.emulator.conftest import LOCATION, PATIENCE, Google, fresh


def service(google: Google, case: Case) -> Any:
    """Return the client that has the methods of a kind."""
    return google.evaluations if case in EVALUATIONS else google.agents


def made(google: Google, case: Case) -> Any:
    """Create a resource of a kind in the session's app."""
    if case.collection == "versions":
        touch(google)
    message = getattr(google.ces, case.message)(case.made_for(google.app))
    words = {"parent": google.app, case.word: message, f"{case.word}_id": fresh("it")}
    return getattr(service(google, case), f"create_{case.word}")(**words)


def touch(google: Google) -> None:
    """Change the app, so that another version of it is one."""
    app = google.ces.App(name=google.app, description=uuid.uuid4().hex)
    google.agents.update_app(app=app, update_mask=mask("description"))


def mask(*paths: str) -> Any:
    return field_mask_pb2.FieldMask(paths=list(paths))


def app_of_its_own(google: Google, **fields: Any) -> Any:
    """Create an app beside the session's; each test that does so deletes it."""
    app = google.ces.App(
        display_name=fresh("conformance"), model_settings={"model": "gemini-2.5-flash"}, **fields
    )
    future = google.agents.create_app(parent=LOCATION, app=app, app_id=fresh("conformance"))
    return future.result(timeout=PATIENCE)


def drop(google: Google, name: str) -> None:
    google.agents.delete_app(name=name).result(timeout=PATIENCE)
