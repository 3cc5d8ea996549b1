"""The codes of weakened protection, one for each kind of protection, with the pages that explain them."""

import re
from collections.abc import Mapping

from cesplan.domain.diagnostic import Code, Severity
from cesplan.model.marks import Guards

GUARDRAIL, UNPROTECTED = "WEA001", "WEA007"
CODE_OF: Mapping[Guards, str] = {
    Guards.GUARDRAIL: GUARDRAIL,
    Guards.SAFETY: "WEA002",
    Guards.EVALUATION: "WEA003",
    Guards.AUTHENTICATION: "WEA004",
    Guards.ORIGINS: "WEA005",
    Guards.LOGGING: "WEA006",
}

_WEAKENING = """\
WEA001 guardrail off or gone
    A guardrail is disabled or deleted, or an app or agent no longer names it. What it stopped is no
    longer stopped.
WEA002 safety check laxer
    A safety threshold, the scope of a check, its behavior on errors, or a list of banned contents lets
    pass more than before.
WEA003 evaluation threshold lower
    An evaluation passes with a lower score than before, or a check of evaluations is off.
WEA004 authentication weaker
    Calls of a tool, or users of a channel, need fewer proofs than before.
WEA005 more origins allowed
    More addresses may be called, or may embed the agent, than before.
WEA006 less redaction
    Conversations are kept with less redaction, or recorded with less consent, than before.
WEA007 protection removed
    A resource had `$protect: true` when it was applied last, and has it no longer: a later plan may
    delete it.
"""

_ENTRY = re.compile(r"^(WEA[0-9]{3}) (.*)\n((?:    .*\n)+)", re.MULTILINE)
_ADVICE = """\
**What to do.** Check that this is intended. A rule of the policy can refuse it, or ask for approval:

    deny: size(weakens) > 0
"""

WEAKENING_CODES: Mapping[str, Code] = {
    code: Code(
        code=code,
        title=title,
        severity=Severity.WARNING,
        page="\n".join([*(row.strip() for row in text.splitlines()), "", _ADVICE]),
    )
    for code, title, text in _ENTRY.findall(_WEAKENING)
}
