"""Write cesplan/model/specs.json from the models. Run it after every change of a model."""

from cesplan.model.derive import compiled_table
from cesplan.model.spec import COMPILED

if __name__ == "__main__":
    COMPILED.write_text(compiled_table(), encoding="utf-8")
