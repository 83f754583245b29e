"""Programs of JAX, compared with JAX."""

import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import programs
import tessera.jax

F32 = np.float32
TOLERANCE = {"tensix": 1e-2, "mncore": 1e-3}
"""The greatest error relative to the greatest element; see the golden report for exact bounds."""


class Pair(NamedTuple):
    first: np.ndarray
    second: np.ndarray


def take(table, rows):
    """Returns rows of a table; NaN for those that it does not have."""
    return jnp.take(table, rows, axis=0)


class Values(unittest.TestCase):
    def check(self, function, *args, **options):
        expected, tree = jax.tree.flatten(jax.jit(function)(*args))
        for target in tessera.targets():
            compiled = tessera.jax.compile(function, *args, target=target, **options)
            found, found_tree = jax.tree.flatten(compiled(*args))
            self.assertEqual(found_tree, tree)
            for one, other in zip(found, expected):
                other = np.asarray(other)
                self.assertEqual((one.dtype, one.shape), (other.dtype, other.shape))
                result, one, other = one, one.astype(np.float64), other.astype(np.float64)
                error = np.max(np.abs(one - other)) / max(np.max(np.abs(other)), 1e-30)
                limit = 1e-2 if result.dtype == jnp.bfloat16 else TOLERANCE[target]
                self.assertLessEqual(error, limit, target)
            self.assertTrue(compiled.golden(*args), target)

    def test_mlp(self):
        self.check(programs.mlp, *programs.mlp_arguments())

    def test_options(self):
        self.check(programs.mlp, *programs.mlp_arguments(), fusion="none")

    def test_bf16(self):
        x, scale = (np.arange(n, dtype=F32).astype(jnp.bfloat16) / 64 for n in (256, 64))
        self.check(programs.normalize, x.reshape(4, 64), scale)

    def test_attention(self):
        generator = np.random.default_rng(1)
        normal = lambda *shape: generator.standard_normal(shape).astype(F32)
        attend = jax.nn.dot_product_attention
        q, k, v = normal(2, 40, 4, 32), normal(2, 50, 4, 32), normal(2, 50, 4, 32)
        mask, bias = generator.random((2, 1, 40, 50)) < 0.7, normal(1, 4, 40, 50)
        self.check_attention(lambda *args: attend(*args, scale=0.3), q, k, v, bias, mask)
        half = [normal(2, 40, heads, 32).astype(jnp.bfloat16) for heads in (4, 2, 2)]
        self.check_attention(lambda *args: attend(*args, is_causal=True), *half)
        shared = normal(2, 50, 2, 32), normal(2, 50, 2, 32)
        self.check_attention(programs.attend_in_groups, q, *shared)

    def check_attention(self, function, *args):
        self.check(function, *args)
        compiled = tessera.jax.compile(function, *args, target="tensix")
        products = [one for one in compiled.golden(*args).operations if "matmul" in one.name]
        self.assertEqual(len(products), 1, "one kernel has both products")

    def test_integers_and_booleans(self):
        x = np.random.default_rng(1).standard_normal((4, 16)).astype(F32)
        self.check(lambda x: (jnp.argmax(x, 1), jnp.any(x > 2, 1), x > 0), x)
        self.check(lambda x, mask: jnp.where(mask, x, -x), x, x > 0)
        self.check(
            lambda a, b: a * b - 3, np.arange(6, dtype=np.int32), np.arange(6, dtype=np.int32)
        )

    def test_half(self):
        x = np.arange(-4, 4, dtype=np.float16)
        self.check(lambda x: x * 2, x)

    def test_lookup(self):
        table = np.random.default_rng(2).standard_normal((20, 32)).astype(F32)
        self.check(programs.look_up, table, np.array([[3, 19], [0, 7]], np.int32))

    def test_jax_arrays_and_scalars(self):
        self.check(lambda x, y: x * y, jnp.arange(4.0), jnp.float32(3))
        compiled = tessera.jax.compile(lambda x, y: x * y, jnp.arange(4.0), 3.0, target="mncore")
        np.testing.assert_array_equal(compiled(jnp.arange(4.0).T, 3), [0, 3, 6, 9])
        with self.assertRaisesRegex(ValueError, "y: expected dtype float32, found 'bool'"):
            compiled(jnp.arange(4.0), True)

    def test_constants(self):
        matrix = np.random.default_rng(3).standard_normal((64, 64)).astype(F32)
        self.check(lambda x: x @ matrix, np.ones((4, 64), F32))

    def test_unused_arguments(self):
        self.check(lambda x, unused: x + 1, np.ones(4, F32), np.ones(9, F32))

    def test_containers(self):
        x = np.arange(4, dtype=F32)
        self.check(
            lambda tree: {"b": [tree["a"] + 1, None], "a": (tree["c"][0],)}, {"a": x, "c": [x]}
        )
        self.check(lambda pair: Pair(pair.second + 1, pair.first), Pair(x, x))


class Arguments(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.params, cls.x = programs.mlp_arguments()
        cls.mlp = tessera.jax.compile(programs.mlp, cls.params, cls.x, target="mncore")
        cls.expected = cls.mlp(cls.params, cls.x)

    def test_bound(self):
        bound = self.mlp.bind(0, self.params)
        np.testing.assert_array_equal(bound(self.x), self.expected)
        np.testing.assert_array_equal(bound.bind(1, self.x)(), self.expected)
        self.assertEqual(repr(bound), "<Compiled main(x) for mncore>")
        self.assertTrue(bound.golden(seed=1))

    def test_parameters(self):
        def transform(weights, x):
            return x @ jnp.exp(weights["w"]).T + weights["b"] * 2, weights["b"] + 1

        random = np.random.default_rng(4)
        normal = lambda *shape: random.standard_normal(shape).astype(F32)
        weights = [{"w": normal(32, 64) / 8, "b": normal(32)} for _ in range(2)]
        inputs = [normal(8, 64) for _ in range(2)]
        for target in tessera.targets():
            plain = tessera.jax.compile(transform, weights[0], inputs[0], target=target)
            compiled = tessera.jax.compile(
                transform, weights[0], inputs[0], target=target, parameters=[0]
            )
            self.assertIn("argument_type<parameter>", compiled.ttir)
            bound = [compiled.bind(0, each) for each in weights]
            for _ in range(2):
                for each, program in zip(weights, bound):
                    for x in inputs:
                        for one, other in zip(program(x), plain(each, x)):
                            np.testing.assert_array_equal(one, other)
            self.assertLess(len(bound[0].stats(inputs[0])), len(plain.stats(weights[0], inputs[0])))
            self.assertTrue(bound[0].golden(inputs[0]))
            self.assertEqual(
                len(bound[0].golden(inputs[0]).operations),
                len(plain.golden(weights[0], inputs[0]).operations),
            )
            on_reference = bound[0].on("reference")
            expected = plain.on("reference")(weights[0], inputs[0])
            for one, other in zip(on_reference(inputs[0]), expected):
                np.testing.assert_array_equal(one, other)
            with tempfile.TemporaryDirectory() as folder:
                bound[1].save(f"{folder}/bound")
                loaded = tessera.load(f"{folder}/bound")
                for one, other in zip(loaded(inputs[1]), bound[1](inputs[1])):
                    np.testing.assert_array_equal(one, other)

    def test_parameters_are_arguments(self):
        for parameters in (2, -1, [0, 5]):
            with self.assertRaisesRegex(IndexError, "the function has 2 arguments"):
                tessera.jax.compile(programs.mlp, self.params, self.x, parameters=parameters)
        for parameters in ("params", [0.0], [None]):
            with self.assertRaisesRegex(TypeError, "cannot be interpreted as an integer"):
                tessera.jax.compile(programs.mlp, self.params, self.x, parameters=parameters)

    def test_parameters_are_checked(self):
        compiled = tessera.jax.compile(programs.mlp, self.params, self.x, parameters=0)
        transposed = jax.tree_util.tree_map(lambda array: array.T, self.params)
        with self.assertRaisesRegex(ValueError, "expected shape"):
            compiled.bind(0, transposed)
        with self.assertRaises((TypeError, ValueError)):
            compiled.bind(0, {"other": self.x})
        with self.assertRaisesRegex(IndexError, "main has 2 arguments; 2 is none of them"):
            compiled.bind(2, self.x)

    def test_runs_do_not_influence_each_other(self):
        bound = self.mlp.bind(0, self.params)
        other = np.zeros_like(self.x)
        expected = self.mlp(self.params, other)
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(bound, [self.x, other] * 4))
        for index, result in enumerate(found):
            np.testing.assert_array_equal(result, [self.expected, expected][index % 2])

    def test_saved(self):
        with tempfile.TemporaryDirectory() as folder:
            for compiled, args in [
                (self.mlp, (self.params, self.x)),
                (self.mlp.bind(0, self.params), (self.x,)),
            ]:
                path = Path(folder, "mlp.tessera")
                compiled.save(path)
                loaded = tessera.load(path)
                np.testing.assert_array_equal(loaded(*args), self.expected)
                self.assertEqual(loaded.mlir, self.mlp.mlir)
                self.assertEqual(loaded.ttir, self.mlp.ttir)
            path = Path(folder, "mlp.ttnn")
            path.write_bytes(self.mlp.program)
            flat = [*jax.tree.leaves(self.params), self.x]
            np.testing.assert_array_equal(tessera.load(path)(*flat), self.expected)
            damaged = Path(folder, "damaged")
            for data in (b"", b"PK", b"PK\3\4", self.mlp.program[:-1], b"x" * 100):
                damaged.write_bytes(data)
                with self.assertRaises(ValueError):
                    tessera.load(damaged)

    def test_saving_other_containers(self):
        x = np.ones(4, F32)
        compiled = tessera.jax.compile(lambda pair: pair.first, Pair(x, x), target="mncore")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "pair")
            with self.assertRaisesRegex(TypeError, "cannot be saved"):
                compiled.save(path)
            self.assertFalse(path.exists())

    def test_arguments_of_64_bits(self):
        table, rows = np.arange(12, dtype=F32).reshape(6, 2), np.array([5, 0, -1], np.int64)
        compiled = tessera.jax.compile(take, table, rows, target="mncore")
        for given in (rows, rows.astype(np.int32), jnp.asarray(rows)):
            np.testing.assert_array_equal(compiled(table, given), table[rows])
        with self.assertRaisesRegex(ValueError, "rows: expected integers from -2147483648 to"):
            compiled(table, rows + 2**32)
        with self.assertRaisesRegex(ValueError, "rows: expected dtype int32, found int16"):
            compiled(table, rows.astype(np.int16))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "take")
            compiled.save(path)
            np.testing.assert_array_equal(tessera.load(path)(table, rows), table[rows])

    def test_indices_out_of_range(self):
        table, rows = np.ones((6, 2), F32), np.array([5, 6], np.int32)
        compiled = tessera.jax.compile(take, table, rows, target="mncore")
        np.testing.assert_array_equal(compiled(table, rows), [[1, 1], [np.nan, np.nan]])
        compiled = tessera.jax.compile(lambda *args: -take(*args), table, rows, target="mncore")
        np.testing.assert_array_equal(compiled(table, rows - 1), [[-1, -1], [-1, -1]])
        with self.assertRaisesRegex(tessera.ExecutionError, "is NaN: the chip has no NaN"):
            compiled(table, rows)

    def test_wrong_containers(self):
        w1 = self.params["w1"]
        for params, text in [
            ({**self.params, "w1": w1.T.copy()}, r"params\['w1'\]: expected shape \(64, 32\)"),
            ({**self.params, "w3": w1}, r"params: expected the keys \['b1', 'b2', 'w1', 'w2'\]"),
            ([w1], "params: expected a dict, found 'list'"),
        ]:
            with self.assertRaisesRegex(ValueError, text):
                self.mlp(params, self.x)


class Errors(unittest.TestCase):
    def check(self, function, *expected):
        with self.assertRaises(tessera.CompileError) as raised:
            tessera.jax.compile(function, np.ones(8, F32))
        for text in expected:
            self.assertIn(text, str(raised.exception))
        return raised.exception

    def test_the_python_line_is_shown(self):
        def transform(x):
            return jnp.fft.fft(x).real  # this line

        line = transform.__code__.co_firstlineno + 1
        error = self.check(transform, f"{__file__}:{line}:", "error: ", "# this line\n", "^")
        [place] = [one for one in error.diagnostics if one.file == __file__][:1]
        source = "            return jnp.fft.fft(x).real"
        self.assertEqual(place.column, source.index("jnp") + 1)

    def test_shared_functions(self):
        def transform(x):
            return jnp.sort(x)  # this line

        self.check(
            transform,
            "'stablehlo.sort' op is not supported by 'convert-stablehlo-to-ttir'; sort on the host",
            "# this line\n",
        )

    def test_element_types(self):
        for dtype in (np.int8, np.int16, np.complex64):
            with self.assertRaisesRegex(ValueError, f"x: arrays of {np.dtype(dtype).name} are not"):
                tessera.jax.compile(lambda x: x, np.ones(8, dtype))


if __name__ == "__main__":
    unittest.main()
