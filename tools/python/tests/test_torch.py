"""Modules of PyTorch, compared with PyTorch."""

import tempfile
import unittest
from pathlib import Path

import numpy as np
import tessera

try:
    import tessera.torch
    import torch
except ImportError as error:
    raise unittest.SkipTest(f"the extra 'torch' is not installed: {error}") from None


class Modules(unittest.TestCase):
    def test_layers(self):
        torch.manual_seed(0)
        module = torch.nn.Sequential(
            torch.nn.Conv2d(1, 4, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(144, 10)
        ).eval()
        x = torch.randn(2, 1, 8, 8)
        for target in tessera.targets():
            compiled = tessera.torch.compile(module, x, target=target)
            torch.testing.assert_close(compiled(x), module(x).detach(), rtol=0, atol=1e-2)
            self.assertTrue(compiled.golden(x), target)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "module")
            compiled.save(path)
            np.testing.assert_array_equal(tessera.load(path)(x.numpy()), compiled(x).numpy())

    def test_weights_are_parameters(self):
        module = torch.nn.Linear(64, 32).eval()
        x = torch.randn(4, 64)
        compiled = tessera.torch.compile(module, x, target="tensix")
        self.assertEqual(compiled.ttir.count("argument_type<parameter>"), 2)
        torch.testing.assert_close(compiled(x), module(x).detach(), rtol=0, atol=1e-2)
        self.assertEqual(compiled(x).tolist(), compiled(x).tolist())

    def test_embedding(self):
        module = torch.nn.Embedding(20, 8).eval()
        rows = torch.tensor([[3, 0, 19]])
        for target in tessera.targets():
            compiled = tessera.torch.compile(module, rows, target=target)
            torch.testing.assert_close(compiled(rows), module(rows).detach(), rtol=0, atol=0)

    def test_bf16(self):
        module = torch.nn.Linear(8, 4).bfloat16().eval()
        x = torch.ones(2, 8, dtype=torch.bfloat16)
        result = tessera.torch.compile(module, x, target="mncore")(x)
        self.assertEqual(result.dtype, torch.bfloat16)
        torch.testing.assert_close(result, module(x).detach(), rtol=0, atol=1e-2)


if __name__ == "__main__":
    unittest.main()
