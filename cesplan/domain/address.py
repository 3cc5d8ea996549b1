"""
Addresses: how people name a resource, without projects, numbers, and ids.

`support-desk` is an app, `support-desk/agents/front-desk` lives in it, and `@us/securitySettings` is the only
resource of a location. Inside a body of the same app a reference is the short form `agents/front-desk`.
"""

from typing import NewType

from cesplan.domain.frozen import dataclass

KindName = NewType("KindName", str)
"""The collection of a kind: `agents`, `tools`, …"""

AppKey = NewType("AppKey", str)
"""The key of an app: the name of its folder."""

Key = NewType("Key", str)
"""The key of a resource: the stem of its file."""

APPS = KindName("apps")
FORBIDDEN_IN_KEYS = frozenset("@/$")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Address:
    """The position of a resource: its app (or `@<location>`), kind and key."""

    app: AppKey
    kind: KindName
    key: Key

    def __str__(self) -> str:
        if self.is_app:
            return self.app
        if self.app.startswith("@"):
            return f"{self.app}/{self.kind}"
        return f"{self.app}/{self.kind}/{self.key}"

    @property
    def is_app(self) -> bool:
        """Whether this is the app itself, not a resource in it."""
        return self.kind == APPS

    @property
    def within_app(self) -> str:
        """The short form used inside bodies of the same app: `agents/front-desk`."""
        return f"{self.kind}/{self.key}"

    @property
    def short(self) -> str:
        """The name shown under the heading of its app: `agents/front-desk`, `app`, or `securitySettings`."""
        if self.is_app:
            return "app"
        return self.kind if self.app.startswith("@") else self.within_app

    @property
    def in_words(self) -> str:
        """The name in a message about its app: `agents/front-desk`, or `the app`."""
        return "the app" if self.is_app else self.within_app

    def sibling(self, reference: str) -> "Address":
        """The address of a short reference, such as `tools/lookup-order`, in the same app."""
        kind, _, key = reference.partition("/")
        return Address(app=self.app, kind=KindName(kind), key=Key(key))


def app_address(app: AppKey) -> Address:
    """The address of the app itself."""
    return Address(app=app, kind=APPS, key=Key(app))


def location_address(location: str, kind: KindName) -> Address:
    """The address of a resource that exists once per location, such as `@us/securitySettings`."""
    return Address(app=AppKey(f"@{location}"), kind=kind, key=Key(kind))


def parse_address(text: str) -> Address:
    """
    Read an address as people type it.

    Raises ValueError if the text has none of the three forms.
    """
    parts = text.split("/")
    match parts:
        case [app] if app and not app.startswith("@"):
            return app_address(AppKey(app))
        case [location, kind] if location.startswith("@") and kind:
            return location_address(location[1:], KindName(kind))
        case [app, kind, key] if app and kind and key:
            return Address(app=AppKey(app), kind=KindName(kind), key=Key(key))
    raise ValueError(f"`{text}` is not an address: write <app>, <app>/<kind>/<key> or @<location>/<kind>")
