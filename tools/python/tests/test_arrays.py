"""Arrays that a program accepts, and the errors for others."""

import unittest

import ml_dtypes
import numpy as np
import tessera

ADD = """
func.func @add(%a: tensor<2x3xTYPE>, %b: tensor<2x3xTYPE>) -> tensor<2x3xTYPE> {
  %0 = "ttir.add"(%a, %b) : (tensor<2x3xTYPE>, tensor<2x3xTYPE>) -> tensor<2x3xTYPE>
  return %0 : tensor<2x3xTYPE>
}
"""


def compile_add(element_type):
    return tessera.compile_ttir(ADD.replace("TYPE", element_type), target="mncore")


class Arrays(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.add = compile_add("f32")
        cls.one = np.ones((2, 3), np.float32)

    def check(self, exception, text, *args):
        with self.assertRaises(exception) as raised:
            self.add(*args)
        self.assertEqual(str(raised.exception), text)

    def test_shape(self):
        text = "argument 1: expected shape (2, 3), found (3, 2)"
        self.check(ValueError, text, self.one, np.ones((3, 2), np.float32))
        text = "argument 0: expected shape (2, 3), found ()"
        self.check(ValueError, text, np.float32(1), self.one)

    def test_dtype(self):
        text = "argument 0: expected dtype float32, found float64"
        self.check(ValueError, text, np.ones((2, 3)), self.one)
        text = "argument 0: expected dtype float32, found bfloat16"
        self.check(ValueError, text, self.one.astype(ml_dtypes.bfloat16), self.one)

    def test_byte_order(self):
        text = (
            "argument 0: expected native byte order, found dtype '>f4'; convert with "
            ".astype('float32')"
        )
        self.check(ValueError, text, self.one.astype(">f4"), self.one)

    def test_contiguity(self):
        text = (
            "argument 0: expected a C-contiguous array, found strides (4, 8); convert with "
            "numpy.ascontiguousarray"
        )
        self.check(ValueError, text, np.ones((3, 2), np.float32).T, self.one)

    def test_not_an_array(self):
        text = "argument 0: expected an array of shape (2, 3) and dtype float32, found 'list'"
        self.check(TypeError, text, [[1, 2, 3], [4, 5, 6]], self.one)

    def test_number_of_arguments(self):
        text = "add takes 2 arguments (argument 0, argument 1), found 1"
        self.check(TypeError, text, self.one)
        with self.assertRaises(IndexError) as raised:
            self.add.bind(2, self.one)
        self.assertEqual(str(raised.exception), "add has 2 arguments; 2 is none of them")

    def test_results_are_writable(self):
        result = self.add(self.one, self.one)
        result += 1
        np.testing.assert_array_equal(result, 3 * self.one)

    def test_arguments_are_not_changed(self):
        array = self.one.copy()
        bound = self.add.bind(1, array)
        array[:] = 7
        np.testing.assert_array_equal(bound(self.one), 2 * self.one)

    def test_element_types(self):
        for element_type, dtype in [("bf16", ml_dtypes.bfloat16), ("i32", np.int32)]:
            array = np.arange(6).reshape(2, 3).astype(dtype)
            result = compile_add(element_type)(array, array)
            self.assertEqual(result.dtype, dtype)
            np.testing.assert_array_equal(result, array + array)


if __name__ == "__main__":
    unittest.main()
