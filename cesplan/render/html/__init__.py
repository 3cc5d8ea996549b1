"""
HTML: one self-contained page for reading in a browser, without network, script, or login.

`page` knows Jinja2 and nothing about plans. `fields`, `plan`, and `outcomes` turn changes, a plan, and an apply
into data for the templates. `report` and `heading` are the parts of every other page, which the `html_report`
of a feature builds. All output goes through autoescape. This package decides only how a page looks, not what it
says.
"""
