"""Codes of files, fields, references, and variables: CES001 to CES039, collected from one file per subject."""

from cesplan.config.codes.exports import EXPORT_CODES
from cesplan.config.codes.fields import FIELD_CODES
from cesplan.config.codes.files import FILE_CODES
from cesplan.config.codes.references import REFERENCE_CODES
from cesplan.config.codes.variables import VARIABLE_CODES
from cesplan.domain.diagnostic import Code

STRUCTURE_CODES: tuple[Code, ...] = (
    *FILE_CODES,
    *FIELD_CODES,
    *REFERENCE_CODES,
    *VARIABLE_CODES,
    *EXPORT_CODES,
)
