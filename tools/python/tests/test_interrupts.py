"""Ctrl-C ends compilations and runs."""

import os
import signal
import subprocess
import sys
import time
import unittest

PROGRAM = """
import ml_dtypes, numpy as np, tessera

def chain(count, extent):
    tensor = f"tensor<{extent}x{extent}xbf16>"
    products = [
        f'%{i + 1} = "ttir.matmul"(%{i}, %{i}) : ({tensor}, {tensor}) -> {tensor}'
        for i in range(count)
    ]
    body = "\\n".join([*products, f"return %{count} : {tensor}"])
    return f"func.func @chain(%0: {tensor}) -> {tensor} {{ {body} }}"

def run(work):
    print("started", flush=True)
    work()
    print("finished", flush=True)
"""

RUN = """
x = np.zeros((256, 256), ml_dtypes.bfloat16)
compiled = tessera.compile_ttir(chain(400, 256), target="tensix")
run(lambda: compiled(x))
"""

COMPILE = """
run(lambda: tessera.compile_ttir(chain(4000, 32), target="{}", isolated={}))
"""

HANDLER = """
import signal
def handle(*_):
    raise RuntimeError("handled")
signal.signal(signal.SIGUSR1, handle)
"""


class Interrupts(unittest.TestCase):
    def interrupt(self, text, number=signal.SIGINT):
        """Sends a signal to a process that runs a program, and returns its code and errors."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        with subprocess.Popen(
            [sys.executable, "-c", PROGRAM + text],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                self.assertEqual(process.stdout.readline(), "started\n")
                time.sleep(0.5)
                process.send_signal(number)
                sent = time.monotonic()
                output, errors = process.communicate(timeout=60)
            finally:
                process.kill()
        # Machines that run tests are busy; alone, this takes less than a second.
        self.assertLess(time.monotonic() - sent, 10)
        self.assertEqual(output, "")
        return process.returncode, errors

    def test_runs(self):
        code, errors = self.interrupt(RUN)
        self.assertEqual(code, -signal.SIGINT)
        self.assertTrue(errors.endswith("\nKeyboardInterrupt\n"), errors)

    def test_compilations(self):
        for target in ("tensix", "mncore"):
            for isolated in (False, True):
                code, errors = self.interrupt(COMPILE.format(target, isolated))
                self.assertEqual(code, -signal.SIGINT)
                self.assertTrue(errors.endswith("\nKeyboardInterrupt\n"), errors)

    def test_other_signals(self):
        code, errors = self.interrupt(HANDLER + RUN, signal.SIGUSR1)
        self.assertEqual(code, 1)
        self.assertTrue(errors.endswith("\nRuntimeError: handled\n"), errors)


if __name__ == "__main__":
    unittest.main()
