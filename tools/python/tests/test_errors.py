"""Errors of the compiler and of devices."""

import contextlib
import io
import threading
import time
import unittest

import ml_dtypes
import numpy as np
import tessera

EXP = """
func.func @exp(%x: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %0 = "ttir.exp"(%x) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %0 : tensor<64x64xbf16>
}
"""

# LLVM 19's parser reads through a null pointer here.
CRASH = "scf.for%i=%0to%2step%1{%1=arith.constant 1:index}"


class Compiling(unittest.TestCase):
    def test_text_and_place(self):
        with self.assertRaises(tessera.CompileError) as raised:
            tessera.compile_ttir("func.func @f(", name="f.mlir")
        self.assertEqual(
            str(raised.exception),
            "f.mlir:1:13: error: expected non-function type\nfunc.func @f(\n            ^",
        )
        [diagnostic] = raised.exception.diagnostics
        self.assertEqual(
            (diagnostic.severity, diagnostic.file, diagnostic.line, diagnostic.column),
            ("error", "f.mlir", 1, 13),
        )

    def test_in_this_process(self):
        for isolated in (False, True):
            with self.assertRaisesRegex(tessera.CompileError, "<ttir>:1:1: error: the input is"):
                tessera.compile_ttir("", isolated=isolated)
            self.assertTrue(tessera.compile_ttir(EXP, isolated=isolated).golden())

    def test_crash_of_the_parser(self):
        with self.assertRaises(tessera.CompileError) as raised:
            tessera.compile_ttir(CRASH, name="crash.mlir")
        self.assertRegex(str(raised.exception), "failed .signal SIG[A-Z]+. on this input")

    def test_target_and_options(self):
        for options, exception, text in [
            ({"target": "gpu"}, ValueError, "unknown target 'gpu'; known: tensix, mncore"),
            ({"fusion": "some"}, ValueError, "takes none or epilogue or auto or all, not 'some'"),
            ({"arch": "mncore2"}, ValueError, "takes wormhole_b0 or blackhole, not 'mncore2'"),
            ({"fusing": True}, TypeError, "no option 'fusing'; known: allow_lossy_constants, ar"),
            ({"fusion": 0.5}, TypeError, "'fusion': expected bool, int or str, found 'float'"),
            ({"system_desc_path": "'\""}, ValueError, "cannot contain both kinds of quotes"),
            ({"program": "f"}, ValueError, "no program 'f' that can be run; it has: 'exp'"),
        ]:
            with self.assertRaisesRegex(exception, text):
                tessera.compile_ttir(EXP, **options)

    def test_several_programs(self):
        text = EXP + EXP.replace("exp", "sqrt")
        with self.assertRaisesRegex(ValueError, "several programs, 'exp', 'sqrt'"):
            tessera.compile_ttir(text)
        root = tessera.compile_ttir(text, program="sqrt")
        self.assertEqual(root.name, "sqrt")

    def test_remarks_are_kept(self):
        compiled = tessera.compile_ttir(EXP, print_memory_map=True)
        self.assertTrue(any("@" in one.message for one in compiled.diagnostics))

    def test_warnings(self):
        constant = (
            '%1 = "ttir.constant"() <{value = dense<0.1> : tensor<2xf64>}> : () -> tensor<2xf64>'
        )
        text = EXP.replace("return %0", f"{constant}\n  return %0")
        with self.assertWarnsRegex(tessera.CompileWarning, "warning"):
            tessera.compile_ttir(text)


class Running(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.exp = tessera.compile_ttir(EXP)
        cls.zero = np.zeros((64, 64), ml_dtypes.bfloat16)

    def test_limit_of_steps(self):
        with self.assertRaisesRegex(tessera.ExecutionError, "program 'exp', operation 0 .*limit"):
            self.exp.on("tensix", limit_steps=10)(self.zero)
        self.assertIsInstance(tessera.ExecutionError("x"), RuntimeError)

    def test_devices(self):
        np.testing.assert_array_equal(self.exp.on("reference")(self.zero), self.zero + 1)
        for device, options, exception, text in [
            ("gpu", {}, ValueError, "unknown device 'gpu'; expected reference, interpreter, "),
            ("reference", {"threads": 1}, ValueError, "device 'reference' has no option 'threads"),
            ("tensix", {"threads": 0}, ValueError, "option 'threads' takes a number from 1 to "),
            ("mncore", {}, tessera.ExecutionError, "the group has no kernel for mncore"),
        ]:
            with self.assertRaisesRegex(exception, text):
                self.exp.on(device, **options)(self.zero)
        with self.assertRaisesRegex(ValueError, "'reference' records no statistics; use tensix "):
            self.exp.on("reference").stats(self.zero)

    def test_seeds_and_options(self):
        for options in ({"schedule_seed": 3}, {"threads": 1}, {"padding_canaries": True}):
            result = self.exp.on("tensix", **options)(self.zero)
            np.testing.assert_array_equal(result, self.zero + 1)

    def test_reports(self):
        report = self.exp.golden(self.zero)
        self.assertTrue(report)
        [operation] = report.operations
        self.assertEqual((operation.name, operation.elements), ("exp", 64 * 64))
        self.assertRegex(str(report), "golden: 1 of 1 results are within their bounds$")
        [kernel] = self.exp.stats(self.zero)
        self.assertGreater(kernel["figures"]["cycles"], 0)

    def test_other_threads_run(self):
        """The GIL is released while a program is compiled and run."""
        counted, stop = [0], threading.Event()

        def count():
            while not stop.is_set():
                counted[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        started = time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()):
            while time.perf_counter() - started < 0.5:
                self.exp(self.zero)
        stop.set()
        thread.join()
        self.assertGreater(counted[0], 20)


if __name__ == "__main__":
    unittest.main()
