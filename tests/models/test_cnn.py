"""The convolutional classifier on both chips, compared with JAX in f32.

`TESSERA_LONG_TESTS=1` classifies all images; otherwise 50 of those held out from training.
"""

import os
import sys
import unittest
from importlib.util import find_spec
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

IS_LONG = os.environ.get("TESSERA_LONG_TESTS") == "1"
BATCH = 50
LEAST_ACCURACY = 0.97
# The greatest error of a score, relative to the greatest score.
MOST_ERROR = {"tensix": 0.01, "mncore": 1e-4}


@unittest.skipUnless(find_spec("jax"), "not installed: jax")
class Cnn(unittest.TestCase):
    def check(self, target, first, count):
        """Classifies `count` images from image `first` on."""
        import cnn
        import jax
        import tessera.jax

        parameters = cnn.parameters()
        images, labels = (array[first : first + count] for array in cnn.digits())
        exact = np.asarray(jax.jit(cnn.classify)(parameters, images))
        compiled = tessera.jax.compile(
            cnn.classify, parameters, images[:BATCH], target=target, parameters=0
        )
        compiled = compiled.bind(0, parameters)
        # The last batch is filled up with the first images.
        starts = range(0, count, BATCH)
        filled = np.concatenate([images, images[:BATCH]])
        found = np.concatenate([compiled(filled[i : i + BATCH]) for i in starts])[:count]
        self.assertLess(np.abs(found - exact).max(), MOST_ERROR[target] * np.abs(exact).max())
        self.assertEqual(found.argmax(1).tolist(), exact.argmax(1).tolist())
        self.assertGreaterEqual((found.argmax(1) == labels).mean(), LEAST_ACCURACY)

    def test_some_images(self):
        import cnn

        for target in MOST_ERROR:
            with self.subTest(target=target):
                self.check(target, cnn.HELD_OUT_FROM, BATCH)

    @unittest.skipUnless(IS_LONG, "TESSERA_LONG_TESTS is not 1")
    def test_all_images(self):
        import cnn

        for target in MOST_ERROR:
            for first, end in ((0, cnn.HELD_OUT_FROM), (cnn.HELD_OUT_FROM, 1797)):
                with self.subTest(target=target, first=first):
                    self.check(target, first, end - first)


if __name__ == "__main__":
    unittest.main()
