"""Training on both chips, compared with JAX in f32.

`TESSERA_LONG_TESTS=1` trains for 100 steps on both chips, otherwise for 5 steps on MN-Core 2, whose
model is slower.
"""

import os
import sys
import unittest
from importlib.util import find_spec
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

IS_LONG = os.environ.get("TESSERA_LONG_TESTS") == "1"
STEPS = {"tensix": 100, "mncore": 100 if IS_LONG else 5}
# The greatest differences from JAX: of a loss, relative to it, and of the accuracy.
MOST_ERROR, MOST_DIFFERENCE = 0.01, 0.005


@unittest.skipUnless(find_spec("jax"), "not installed: jax")
class Train(unittest.TestCase):
    def check(self, target, steps):
        import jax
        import tessera.jax
        import train

        exact, expected = train.train(jax.jit(train.update), steps)
        batch = next(train.batches(1))
        compiled = tessera.jax.compile(train.update, train.initial(), *batch, target=target)
        losses, found = train.train(compiled, steps)
        np.testing.assert_allclose(losses, exact, rtol=MOST_ERROR)
        difference = train.accuracy(found) - train.accuracy(expected)
        self.assertLessEqual(abs(difference), MOST_DIFFERENCE)

    def test_steps(self):
        for target, steps in STEPS.items():
            with self.subTest(target=target):
                self.check(target, steps)


if __name__ == "__main__":
    unittest.main()
