"""The text that JAX exports, compared with files, so that a change of JAX's output is seen.

`TESSERA_BLESS=1` writes the files. They are those of one version of JAX; with others, only the
version is compared.
"""

import os
import re
import unittest
from pathlib import Path

import jax
import programs
import tessera.jax

FOLDER = Path(__file__).parent / "golden"

VERSION = "0.10.2"
"""The version of JAX that exported the files; the extra `jax` installs it."""


class Exports(unittest.TestCase):
    @unittest.skipUnless(jax.__version__ == VERSION, f"the files are of JAX {VERSION}")
    def test_text(self):
        for name, (function, arguments) in programs.PROGRAMS.items():
            with self.subTest(name):
                found = without_locations(tessera.jax.export(function, *arguments))
                path = FOLDER / f"{name}.mlir"
                if "TESSERA_BLESS" in os.environ:
                    path.write_text(found)
                self.assertEqual(found, path.read_text())

    def test_all_files_are_compared(self):
        names = {path.stem for path in FOLDER.glob("*.mlir")}
        self.assertEqual(names, set(programs.PROGRAMS))

    def test_extra_is_pinned(self):
        project = FOLDER.parent.parent / "pyproject.toml"
        self.assertIn(f'jax = ["jax=={VERSION}"]', project.read_text())


def without_locations(text: str) -> str:
    """Removes locations, which depend on where this repository is."""
    text = re.sub(r"^#loc.*\n", "", text, flags=re.MULTILINE)
    return re.sub(r' loc\((?:[^()"]|"[^"]*"|\([^()]*\))*\)', "", text)


if __name__ == "__main__":
    unittest.main()
