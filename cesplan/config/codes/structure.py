"""Codes of files, fields, references and variables: CES001 to CES039."""

from cesplan.config.codes.code import Code
from cesplan.domain.diagnostic import Severity

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTICE
_TITLES = {
    "CES001": ("file that cannot be read", _E),
    "CES002": ("text that is no YAML", _E),
    "CES003": ("key written twice", _E),
    "CES004": ("YAML that has no place in a tree", _E),
    "CES005": ("no project", _E),
    "CES006": ("mistake in cesplan.yaml", _E),
    "CES007": ("unknown environment", _E),
    "CES008": ("unknown file or folder", _E),
    "CES009": ("name that cannot be a key", _E),
    "CES010": ("two files for one key", _E),
    "CES011": ("file that nothing uses", _W),
    "CES012": ("unknown field", _E),
    "CES013": ("value of the wrong type", _E),
    "CES014": ("unknown enum value", _E),
    "CES015": ("two members of one oneof", _E),
    "CES016": ("field that is not for files", _E),
    "CES017": ("value of the wrong form", _E),
    "CES018": ("required field is missing", _E),
    "CES019": ("deprecated field", _W),
    "CES020": ("field that should be there is missing", _W),
    "CES021": ("reference to something that does not exist", _E),
    "CES022": ("reference of the wrong form", _E),
    "CES023": ("unknown directive", _E),
    "CES024": ("directive with a wrong value", _E),
    "CES025": ("$file that cannot be taken in", _E),
    "CES026": ("key that cannot be an id", _E),
    "CES027": ("two resources with one id", _E),
    "CES028": ("variable without a value", _E),
    "CES029": ("mistake in a variable", _E),
    "CES030": ("secret in clear", _E),
    "CES031": ("unknown variable on the command line", _E),
    "CES032": ("left out in this API version", _N),
    "CES033": ("$silence that silences nothing", _W),
    "CES034": ("no app", _E),
}
STRUCTURE_CODES = tuple(
    Code(code=code, title=title, severity=severity, page=title) for code, (title, severity) in _TITLES.items()
)
