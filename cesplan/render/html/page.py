"""
Pages: templates filled with data, everything escaped, under a policy that allows no loading. The page contains
only its own style: the content security policy allows that style by its digest and forbids all other loading,
scripts, forms, and frames (https://www.w3.org/TR/CSP3/). Untrusted names and texts are shown with every control
character visible, so they cannot reorder the text around them.
"""

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from cesplan import __version__
from cesplan.render.page import printable

_TEMPLATES = Path(__file__).with_name("templates")


def rendered(template: str | Path, **data: Any) -> str:
    """
    The page of a template, ended by a line feed.

    `template` is the name of a template in this package, or the path of a template in a feature, which extends
    and imports those of this package.
    """
    style = _style()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    # The style is our own, in a raw text element of HTML: its bytes must be exactly those of the digest.
    page = _template(template).render(style=Markup(style), policy=policy, version=__version__, **data)
    return page if page.endswith("\n") else f"{page}\n"


def anchor(number: int, series: str = "r") -> str:
    """The name of an anchor on a page; made from a number, because a name could be any text."""
    return f"{series}{number}"


@cache
def _template(template: str | Path) -> Template:
    if isinstance(template, Path):
        return _environment().from_string(template.read_text(encoding="utf-8"))
    return _environment().get_template(template)


@cache
def _style() -> str:
    return (_TEMPLATES / "style.css").read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.filters["lines"] = lambda text: str(text).split("\n")
    return environment


def _shown(value: Any) -> Any:
    """A text in which characters that hide or reorder text are visible; our own markup is unchanged."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return "\n".join(map(printable, value.split("\n")))
