"""
HTML: one self-contained page for reading in a browser, without network, script or login.

`page` knows Jinja2 and nothing of plans. `fields` makes data of changes, `plan` of a plan, `outcomes` of an
apply; `report` and `heading` are the parts that every other page is made of, by `html_report` of its feature.
The templates only arrange it. Whatever is shown goes through autoescape. This room must not decide what is
said, only how it looks.
"""
