"""Texts in separate files: which texts, under which names, and whether a file can represent them."""

import re
from collections.abc import Container
from dataclasses import dataclass, field

from cesplan.domain.address import Address
from cesplan.domain.field_path import Segment

_SUFFIXES = {"python": ".py", "yaml": ".openapi.yaml", "markdown": ".md", "text": ".txt"}
_ALWAYS = frozenset({"python", "yaml"})
_LONG = 160
"""From this length, in characters, a text of one line goes to a separate file."""

_OF_APPS = "global"
"""The base name of the texts of an app itself."""

_WORDS = {
    "toolFakeConfig": "fake",
    "transferRules": "transfer",
    "action": "action",
    "evaluationPersonas": "persona",
    "synthesizeSpeechConfigs": "voice",
    "textResponseConfig": "response",
    "rewriterConfig": "rewriter",
    "summarizationConfig": "summary",
    "voicePrompt": "voice",
    "clientCertificateSettings": "certificate",
}
"""The base of a file name for texts below certain fields."""

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")


@dataclass(slots=True)
class Texts:
    """
    The texts of one resource file. Their names begin with `key`. `files` maps names to contents.

    `reserved` are names already used in the same folder.
    """

    key: str
    reserved: Container[str] = ()
    files: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, address: Address, reserved: Container[str]) -> "Texts":
        """The texts of a resource, named after it."""
        return cls(key=_OF_APPS if address.is_app else address.key, reserved=reserved)

    def put(self, text: str, language: str, path: tuple[Segment, ...]) -> str:
        """Add a text and return the name of its file."""
        stem, suffix = ".".join([self.key, *_words(path)]), _SUFFIXES[language]
        number = 1
        while (
            name := f"{stem}{'' if number == 1 else f'-{number}'}{suffix}"
        ) in self.files or name in self.reserved:
            number += 1
        self.files[name] = file_content(text)
        return name


def belongs_in_file(text: str, language: str) -> bool:
    """True if a text of this language belongs in a separate file, and a file can represent it exactly."""
    is_long = language in _ALWAYS or "\n" in text or len(text) > _LONG
    return bool(language) and bool(text) and is_long and fits_file(text)


def fits_file(text: str) -> bool:
    """
    True if a file preserves this text exactly, even after an editor saves it.

    Its line endings must be all `\\n` or all `\\r\\n`, and it must not end in blank lines.
    """
    plain = text.replace("\r\n", "\n")
    if "\r" in plain or _CONTROL.search(plain) or plain.endswith("\n\n") or not plain.strip():
        return False
    return text == plain or text == plain.replace("\n", "\r\n")


def file_content(text: str) -> str:
    """The file content for a text: it gets a final newline, which is not part of the value."""
    return text + ("\r\n" if "\r\n" in text else "\n")


def _words(path: tuple[Segment, ...]) -> list[str]:
    """The words between key and suffix, such as `before-model` for a text below `beforeModelCallbacks`."""
    names = [segment for segment in path if isinstance(segment, str)]
    words = [_callback(name) or _WORDS.get(name, "") for name in names]
    return [word for word in words if word]


def _callback(name: str) -> str:
    moment = re.fullmatch(r"((?:before|after)(?:Agent|Model|Tool))Callbacks?", name)
    return re.sub(r"([A-Z])", lambda found: f"-{found[1].lower()}", moment[1]) if moment else ""
