"""
The scalar types of the API in JSON (protobuf's JSON mapping), as annotations.

Python types cannot distinguish an int64 from an int32, or a Duration from a string. The Scalar in each alias
does.
"""

from enum import StrEnum
from typing import Annotated, Any, TypeAlias


class Scalar(StrEnum):
    """The JSON form of a value, which determines how it is compared."""

    STRING = "string"
    BOOL = "bool"
    INT32 = "int32"
    INT64 = "int64"
    FLOAT = "float"
    DOUBLE = "double"
    BYTES = "bytes"
    DURATION = "duration"
    TIMESTAMP = "timestamp"
    ENUM = "enum"
    STRUCT = "struct"
    VALUE = "value"
    MESSAGE = "message"
    OPAQUE = "opaque"
    """Output-only content whose structure is not used."""


DEFAULTS: dict[Scalar, Any] = {
    **dict.fromkeys((Scalar.STRING, Scalar.BYTES), ""),
    **dict.fromkeys((Scalar.INT32, Scalar.INT64, Scalar.FLOAT, Scalar.DOUBLE), 0),
    Scalar.BOOL: False,
}
"""The values that are the same as none in a field without presence."""

Int32: TypeAlias = Annotated[int, Scalar.INT32]
Int64: TypeAlias = Annotated[int | str, Scalar.INT64]
Float: TypeAlias = Annotated[float, Scalar.FLOAT]
Double: TypeAlias = Annotated[float, Scalar.DOUBLE]
Bytes: TypeAlias = Annotated[str, Scalar.BYTES]
Duration: TypeAlias = Annotated[str, Scalar.DURATION]
Timestamp: TypeAlias = Annotated[str, Scalar.TIMESTAMP]
Struct: TypeAlias = Annotated[dict[str, Any], Scalar.STRUCT]
Value: TypeAlias = Annotated[Any, Scalar.VALUE]
Opaque: TypeAlias = Annotated[Any, Scalar.OPAQUE]


def language_tag(tag: str) -> str:
    """A language code with the case that BCP 47 recommends: `EN-us` → `en-US`, `zh-hant` → `zh-Hant`."""
    language, *rest = tag.split("-")
    styles = {2: str.upper, 4: str.title}
    return "-".join([language.lower(), *(styles.get(len(part), str.lower)(part) for part in rest)])
