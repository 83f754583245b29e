"""Examples: doctests of the package, and the cells of the page `docs/python.md`."""

import contextlib
import doctest
import importlib
import io
import linecache
import pkgutil
import re
import unittest
from pathlib import Path

import tessera

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

PAGE = Path(__file__).parents[3] / "docs" / "python.md"

CELL = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
"""A cell and the output below it, if any."""


class Examples(unittest.TestCase):
    def test_docstrings(self):
        attempted = 0
        for module in pkgutil.iter_modules(tessera.__path__):
            if module.name == "_native":
                continue
            with self.subTest(module.name):
                try:
                    imported = importlib.import_module(f"tessera.{module.name}")
                except ImportError as error:
                    self.assertIn(error.name, ("torch", "torchax"))
                    continue
                result = doctest.testmod(imported, optionflags=FLAGS)
                self.assertEqual(result.failed, 0)
                attempted += result.attempted
        self.assertGreater(attempted, 30)

    def test_page(self):
        checker, names = doctest.OutputChecker(), {"__name__": "page"}
        text = PAGE.read_text()
        cells = list(CELL.finditer(text))
        self.assertGreater(len(cells), 8)
        for cell in cells:
            line = text.count("\n", 0, cell.start()) + 2
            with self.subTest(line=line), contextlib.redirect_stdout(io.StringIO()) as output:
                source, expected = cell[1], cell[2] or ""
                file = f"{PAGE}, line {line}"
                # Diagnostics show lines of the cell.
                linecache.cache[file] = (len(source), None, source.splitlines(True), file)
                exec(compile(source, file, "exec"), names)
                found = output.getvalue()
                same = checker.check_output(expected, found, FLAGS)
                self.assertTrue(same, f"{file}: expected\n{expected}\nfound\n{found}")


if __name__ == "__main__":
    unittest.main()
