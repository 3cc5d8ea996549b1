"""Values of single fields, in the many spellings that people and servers use."""

from collections.abc import Callable
from typing import Any

from cesplan.domain.value import Secret
from cesplan.model.marks import Choices, Form, Secrecy, Sensitive, Within
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec
from tests.properties.dice import Dice

TEXTS = (
    "word",
    "two words",
    "first line\nsecond line",
    "windows\r\nlines\r\n",
    "tools/not-a-reference",
    "Zürich – ✓ 東京 🚕",
    " padded ",
    "0",
    "null",
    "${name} and $$",
    "projects/elsewhere/locations/us/apps/other",
)
FORMS = {
    "a letter or `_`, then letters, digits, and `_`": ("tier", "_hidden", "order_2"),
    "an IANA time zone, such as Europe/Paris": ("Europe/Paris", "Asia/Tokyo", "UTC"),
    "a PEM certificate with header and footer": (
        "-----BEGIN CERTIFICATE-----\nTUlJQg==\n-----END CERTIFICATE-----\n",
    ),
    "an origin: scheme, host, and port without a path": (
        "https://shop.example",
        "http://localhost:8080",
        "https://a.example:443",
    ),
    "an object such as gs://bucket/object": ("gs://sounds/wind.wav", "gs://sounds/rain.wav"),
    "a bucket such as gs://name": ("gs://recordings", "gs://audits"),
    "an E.164 number such as +14155550100": ("+14155550100", "+33140205050"),
    "a number, or an age such as 5D, T24H, 3DT12H30M": ("3.5", "-2", "5D", "T24H", "3DT12H30M"),
    "a schema in the root's `defs`, such as #/defs/Address": ("#/defs/Address",),
    "an absolute HTTPS URL": ("https://agents.example/a2a", "https://agents.example/v2"),
    "six digits": ("123456", "000042"),
}
"""What fits each documented form, by its name in the model; a new form has to be added here."""

_PLAIN: dict[Scalar, tuple[Any, ...]] = {
    Scalar.BOOL: (True,),
    Scalar.INT32: (1, 2, 7, 40),
    Scalar.INT64: (1, 5, 2**40),
    Scalar.FLOAT: (0.5, 0.25, 1, 0.75),
    Scalar.DOUBLE: (0.5, 1, 0.1, 0.7),
    Scalar.BYTES: ("aGVsbG8=", "/+8="),
    Scalar.DURATION: ("30s", "3.5s", "86400s"),
    Scalar.TIMESTAMP: ("2026-03-01T09:00:00Z", "2026-12-24T18:30:00.25Z"),
}
_FREE: dict[Scalar, tuple[Any, ...]] = {
    Scalar.BOOL: (False,),
    Scalar.INT32: (0, 3.0),
    Scalar.INT64: ("7", 0, "1099511627776", 9.0),
    Scalar.FLOAT: (0, 0.1, 1.0, 0.3333333333),
    Scalar.DOUBLE: (0, 1.0, 0.30000000000000004, 1e-7),
    Scalar.BYTES: ("_-8", "aGVsbG8"),
    Scalar.DURATION: ("0s", "3.500s", "0.000000001s", "030s"),
    Scalar.TIMESTAMP: ("2026-03-01T10:00:00+01:00", "2026-12-24T18:30:00.250Z", "2026-03-01t09:00:00z"),
}
"""Other spellings, and values that equal an absent field."""

SECRETS = (Secret(("crmKey",), "s3cret-of-the-crm"), Secret(("payKey",), "s3cret-of-payments"))
_OUTSIDE = {"projects": "elsewhere", "locations": "us", "secrets": "key", "versions": "3"}


class Values:
    """Throws values. `plain` ones are in canonical spelling, present and not a default."""

    def __init__(self, dice: Dice, *, plain: bool = False) -> None:
        self._dice = dice
        self._plain = plain

    def scalar(self, spec: FieldSpec, *, required: bool = False) -> Any:
        """One value or element of a field that holds no message; what is required is not a default."""
        sensitive = spec.mark(Sensitive)
        if sensitive and sensitive.secrecy is not Secrecy.SECRET_NAME:
            return self._secret(spec, sensitive)
        choices, form = spec.mark(Choices), spec.mark(Form)
        if choices:
            return self._dice.pick(choices.values)
        if form:
            return self._dice.pick(FORMS[form.name])
        if spec.reference is not None:
            return self._outside(spec.reference.pattern)
        return self._of_type(spec, required=required)

    def text(self) -> str:
        return self._dice.pick(TEXTS)

    def free_form(self, depth: int = 0) -> Any:
        """Any JSON; numbers stay within what a double holds."""
        kinds = 5 if depth > 2 else 7
        match self._dice.below(kinds):
            case 0:
                return self.text()
            case 1:
                return self._dice.pick((1, 2.0, -0.5, 10**15, 0))
            case 2:
                return self._dice.chance(50)
            case 3:
                return None
            case 4:
                return {}
            case 5:
                return [self.free_form(depth + 1) for _ in range(self._dice.below(3))]
        return self.struct(depth + 1)

    def struct(self, depth: int = 0) -> dict[str, Any]:
        keys = self._dice.some(("city", "$ref", "a.b", "tier level", "x"), 3)
        return {key: self.free_form(depth + 1) for key in keys}

    def _secret(self, spec: FieldSpec, sensitive: Sensitive) -> Any:
        if sensitive.secrecy is Secrecy.VARIABLE_ONLY:
            return f"$context.variables.{self._dice.pick(('token', 'account_key'))}"
        form = spec.mark(Form)
        text = FORMS[form.name][0] if form else "one-time-code"
        return Secret((f"the{spec.name}",), text)

    def _outside(self, pattern: str) -> str:
        number = self._dice.pick("12")
        parts = pattern.replace("{projects|organizations}", "projects").split("/")
        pairs = zip(parts[::2], parts[1::2], strict=True)
        named = [(name, _OUTSIDE.get(name, f"some-{name.lower()}-{number}")) for name, _ in pairs]
        return "/".join(part for pair in named for part in pair)

    def _of_type(self, spec: FieldSpec, *, required: bool) -> Any:
        match spec.scalar:
            case Scalar.ENUM:
                return self._enum(spec, required=required)
            case Scalar.STRING:
                return self._string(required=required)
            case Scalar.STRUCT:
                return self.struct() or ({"kept": "here"} if self._plain else {})
            case Scalar.VALUE:
                return self.free_form()
        return self._number(spec, required=required)

    def _string(self, *, required: bool) -> Any:
        if self._plain or required:
            return self.text()
        if self._dice.chance(5):
            return self._dice.pick(SECRETS)
        return "" if self._dice.chance(10) else self.text()

    def _enum(self, spec: FieldSpec, *, required: bool) -> Any:
        said = [value for value in spec.enum if value != spec.unspecified]
        if self._plain or required or self._dice.chance(70):
            return self._dice.pick(said)
        number = self._dice.below(len(spec.enum))
        return self._dice.pick((spec.enum[number], spec.numbers[number]))

    def _number(self, spec: FieldSpec, *, required: bool) -> Any:
        fits = _fits(spec, required=required)
        plain = [item for item in _PLAIN[spec.scalar] if fits(item)]
        if self._plain or self._dice.chance(50):
            return self._dice.pick(plain)
        return self._dice.pick([*plain, *filter(fits, _FREE[spec.scalar])])


def _fits(spec: FieldSpec, *, required: bool) -> Callable[[Any], bool]:
    within = spec.mark(Within)

    def fits(value: Any) -> bool:
        if required and value in (0, False, "0"):
            return False
        if within is None or (value == 0 and spec.cardinality is Cardinality.ONE):
            return True
        return within.low <= float(value) <= within.high

    return fits
