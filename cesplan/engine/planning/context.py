"""The context of planning one app: both sides matched, with the settings and options of this run."""

from collections.abc import Mapping
from dataclasses import field, replace

from cesplan.domain.address import Address
from cesplan.domain.app_metadata.stamp import NO_STAMP, Stamp, id_mark
from cesplan.domain.desired import Desired, DesiredApp
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import Live, LiveApp, LiveResource
from cesplan.domain.options import PlanOptions
from cesplan.domain.settings import Settings
from cesplan.engine.comparing.copies import address_of
from cesplan.engine.comparing.match import Matched, match_resources
from cesplan.engine.comparing.rotation import Rotated, rotated, rotations_of
from cesplan.engine.comparing.stamp import Contact, contact_of, stamp_of
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.planning.draft import Terms
from cesplan.engine.planning.versions.recorded import remade
from cesplan.engine.planning.versions.repeated import newest_of, satisfied_file


@dataclass(frozen=True, slots=True, kw_only=True)
class AppContext:
    """One app, desired and live, with the settings and options of this run."""

    app: DesiredApp
    live: LiveApp | None
    matched: Matched
    settings: Settings
    options: PlanOptions
    redactor: ValueRedactor
    adopts: bool = False
    satisfied: str = ""
    stamp: Stamp = NO_STAMP
    rotations: Mapping[str, str] = field(default_factory=dict)
    """The rotation markers in the tree of the secret variables that the app uses."""
    contact: Contact = Contact.FIRST

    @property
    def terms(self) -> Terms:
        return Terms(naming=self.matched.naming, settings=self.settings, redactor=self.redactor)

    @property
    def knows_rotations(self) -> bool:
        """Whether the stamp records which secrets live has, and will record them after the next apply."""
        return self.contact is Contact.OURS and self.settings.stamp

    @property
    def rotated(self) -> tuple[Rotated, ...]:
        """The secret variables whose marker has changed since the last complete apply, if known."""
        return rotated(self.stamp, self.rotations) if self.knows_rotations else ()

    @property
    def first_contact(self) -> bool:
        """First contact: the app is live, this tree was never applied to it, and --adopt was not given."""
        return self.live is not None and not self.adopts and self.contact is not Contact.OURS

    @property
    def known_versions(self) -> frozenset[str]:
        """The keys of the version files in the last complete apply of this tree."""
        return self.stamp.versions if self.contact is Contact.OURS else frozenset()

    @property
    def remade_versions(self) -> frozenset[str]:
        """The known versions that were deleted and re-created with the same id since."""
        return remade(self.matched.matches, self.known_versions, self.stamp, self.live)

    @property
    def newest_version(self) -> str:
        """The id of the newest live version; empty if there is none."""
        newest = newest_of(self.live) if self.live else None
        return newest.id if newest else ""

    def address(self, item: LiveResource) -> Address:
        """The address of a live resource, with the tree's key if it has one."""
        return address_of(item, self.app.key, self.matched.naming)


def context_of(
    app: DesiredApp, desired: Desired, live: Live, options: PlanOptions, redactor: ValueRedactor
) -> AppContext:
    """The context of an app. A new version that would only repeat the newest one is left out."""
    return _satisfied(_matched(app, desired, live, options, redactor), live)


def _matched(
    app: DesiredApp, desired: Desired, live: Live, options: PlanOptions, redactor: ValueRedactor
) -> AppContext:
    live_app = live.apps.get(app.key)
    place = desired.settings.place
    stamp = stamp_of(live_app, place) if live_app else NO_STAMP
    matched = match_resources(app, live_app, place, lambda kind, found: id_mark(kind, found) in stamp.ids)
    return AppContext(
        app=app,
        live=live_app,
        matched=matched,
        stamp=stamp,
        contact=contact_of(stamp, desired),
        rotations=rotations_of(app, desired),
        settings=desired.settings,
        options=options,
        redactor=redactor,
        adopts=options.adopt or desired.settings.adopt,
    )


def _satisfied(context: AppContext, live: Live) -> AppContext:
    """The context without a new version that would only repeat the newest one."""
    newest = live.newest_versions.get(context.app.key)
    matched = context.matched
    if newest is None or context.live is None:
        return context
    file = satisfied_file(matched.matches, context.live, newest, matched.naming)
    if file is None:
        return context
    answer = f"{newest.kind}/{matched.naming.key_of(newest.kind, newest.id)}"
    aliases = {file.desired.address.within_app: answer}
    return replace(
        context,
        matched=replace(
            matched,
            matches=tuple(item for item in matched.matches if item is not file),
            naming=replace(matched.naming, aliases=aliases),
        ),
        satisfied=f"{file.desired.address} would repeat {answer}, the newest version, so none is created; "
        f"before the app changes again, write its `$id: {newest.id}` and display name to {file.desired.file}",
    )
