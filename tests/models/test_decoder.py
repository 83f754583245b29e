"""The decoder on both chips, compared with JAX in f32.

`TESSERA_LONG_TESTS=1` writes 200 characters on both chips, which takes about three minutes on
Tensix and forty on MN-Core 2. Otherwise, it writes a few: the first by prefill, the others by
decode.
"""

import os
import sys
import unittest
from importlib.util import find_spec
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

IS_LONG = os.environ.get("TESSERA_LONG_TESTS") == "1"
COUNTS = {"tensix": 200 if IS_LONG else 6, "mncore": 200 if IS_LONG else 2}


@unittest.skipUnless(find_spec("jax"), "not installed: jax")
class Decoder(unittest.TestCase):
    def check(self, target, count):
        import decoder
        import jax
        import tessera.jax

        parameters, cache = decoder.parameters(), decoder.empty_cache()
        prompt = decoder.encode(decoder.PROMPT)

        def compiled(tokens):
            arguments = (parameters, tokens, np.int32(0), cache)
            step = tessera.jax.compile(decoder.step, *arguments, target=target, parameters=0)
            return step.bind(0, parameters)

        exact = jax.tree_util.Partial(jax.jit(decoder.step), parameters)
        expected = decoder.write(exact, exact, decoder.PROMPT, count)
        found = decoder.write(compiled(prompt), compiled(prompt[:1]), decoder.PROMPT, count)
        for position, characters in enumerate(zip(found, expected, strict=True)):
            self.assertEqual(*characters, f"character {position}")

    def test_text(self):
        for target, count in COUNTS.items():
            with self.subTest(target=target):
                self.check(target, count)


if __name__ == "__main__":
    unittest.main()
