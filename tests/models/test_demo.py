"""The demo of the models; `TESSERA_LONG_TESTS=1` runs all of it, otherwise a few steps."""

import contextlib
import io
import os
import sys
import unittest
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import demo

IS_LONG = os.environ.get("TESSERA_LONG_TESTS") == "1"


class Demo(unittest.TestCase):
    def show(self, model, counts):
        """Returns what the demo of a model prints."""
        missing = [package for package in demo.PACKAGES[model] if find_spec(package) is None]
        if missing:
            self.skipTest(f"not installed: {', '.join(missing)}")
        with contextlib.redirect_stdout(io.StringIO()) as output:
            demo.SHOW[model](counts)
        return output.getvalue()

    def test_cnn(self):
        text = self.show("cnn", demo.COUNTS["cnn"] if IS_LONG else {"tensix": 20})
        self.assertRegex(text, r"^jax: accuracy [01]\.\d{4} \(")
        self.assertRegex(text, r"\ntensix: accuracy [01]\.\d{4} \(\d+/\d+\), \d+ as JAX, \d+ s\n")

    def test_train(self):
        text = self.show("train", demo.COUNTS["train"] if IS_LONG else {"tensix": 12})
        self.assertRegex(text, r"^step +loss in jax +tensix\n +1 +2\.\d+ +2\.\d+\n +10 ")
        self.assertRegex(text, r"\ntensix: accuracy [01]\.\d+ in jax, [01]\.\d+ here, \d+ s\n")

    @unittest.skipUnless(IS_LONG, "TESSERA_LONG_TESTS is not 1")
    def test_decoder(self):
        text = self.show("decoder", demo.COUNTS["decoder"])
        self.assertIn("\ntensix: 200 of 200 characters as JAX", text)
        self.assertIn("\nmncore: 20 of 20 characters as JAX", text)

    @unittest.skipUnless(IS_LONG, "TESSERA_LONG_TESTS is not 1")
    def test_minilm(self):
        text = self.show("minilm", demo.COUNTS["minilm"])
        self.assertRegex(text, r"\ntensix: least cosine with JAX 0\.99\d+")
        self.assertRegex(text, r"\nmncore: least cosine with JAX 0\.99\d+")

    def test_bar(self):
        progress = demo.Progress(4, "")
        self.assertEqual(progress.text("a"), f"[00:00:00] >{' ' * 29} 0/4 a")
        progress.advance(2, "")
        self.assertEqual(progress.text("b"), f"[00:00:00] {'=' * 15}>{' ' * 14} 2/4 b")
        progress.advance(2, "")
        self.assertEqual(progress.text("c"), f"[00:00:00] {'=' * 30} 4/4 c")


if __name__ == "__main__":
    unittest.main()
