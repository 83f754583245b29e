"""Times the models on both chips, beside `jax.jit` on one thread of the processor.

Prints a row for each model and chip: the time of compilation, the median time of later runs with
bound weights, its ratio to `jax.jit`, and the modelled cycles of a run, a lower bound, with those
of each layer and the part of the chip that bounds most of them. `cargo bench -p tessera-tests
--bench models` runs it; arguments are names of models and chips.
"""

import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

TARGETS = ("tensix", "mncore")
# Runs of each program after the first one.
RUNS = {"jax": 20, "tensix": 3, "mncore": 1}
COLUMNS = "{:>10} {:>10} {:>7} {:>8} {:>10} {:>10}"
ONE_THREAD = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"


def minilm_model(dtype):
    """Returns the encoder of a sentence of 128 tokens, its parameters and its other arguments."""
    import jax.numpy as jnp
    import minilm

    arguments = minilm.tokenize(minilm.SENTENCES[:1], 128)
    return minilm.encode, minilm.parameters(getattr(jnp, dtype)), arguments, minilm.LAYERS


def decoder_model():
    """Returns one step of the decoder, its parameters and its other arguments."""
    import decoder
    import numpy as np

    token = decoder.encode(decoder.PROMPT[:1])
    arguments = (token, np.int32(0), decoder.empty_cache())
    return decoder.step, decoder.parameters(), arguments, decoder.LAYERS


MODELS = {
    "minilm 128 f32": lambda: minilm_model("float32"),
    "minilm 128 bf16": lambda: minilm_model("bfloat16"),
    "decoder, a token": decoder_model,
}


def median_time(run, runs):
    """Returns the median time of runs in seconds, after one that is not timed."""
    run()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def time_jax(name):
    """Prints the time of a model with `jax.jit` on one processor in seconds."""
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
    import jax

    function, parameters, arguments, _ = MODELS[name]()
    jitted = jax.jit(function)
    print(median_time(lambda: jax.block_until_ready(jitted(parameters, *arguments)), RUNS["jax"]))


def jax_seconds(name):
    """Returns the time of a model with `jax.jit` in a process with one thread."""
    process = subprocess.run(
        [sys.executable, __file__, "--jax", name],
        env=os.environ | {"XLA_FLAGS": ONE_THREAD, "JAX_PLATFORMS": "cpu"},
        capture_output=True,
        check=True,
        text=True,
    )
    return float(process.stdout)


def figures(kernel):
    """Returns the modelled cycles of a kernel and the part of the chip that bounds it."""
    if "figures" in kernel:
        return kernel["figures"]["cycles"], kernel["figures"]["bound"]
    is_moving = kernel["mv_share"] > 0.5
    return kernel["cycles"], "transfers" if is_moving else "steps"


def bounds(kernels):
    """Returns the part that bounds most cycles, with its share."""
    cycles = Counter()
    for count, part in map(figures, kernels):
        cycles[part] += count
    part, most = cycles.most_common(1)[0]
    return f"{part} {most / cycles.total():.0%}"


def row(name, target):
    """Returns the figures of a model on a chip, as text."""
    import tessera.jax

    function, parameters, arguments, layers = MODELS[name]()
    start = time.perf_counter()
    compiled = tessera.jax.compile(
        function, parameters, *arguments, target=target, parameters=0
    ).bind(0, parameters)
    compiling = time.perf_counter() - start
    running = median_time(lambda: compiled(*arguments), RUNS[target])
    kernels = compiled.stats(*arguments)
    cycles = sum(count for count, _ in map(figures, kernels))
    cells = (
        f"{compiling:.2f} s",
        f"{running:.3f} s",
        f"{running / jax_seconds(name):.0f}",
        len(kernels),
        cycles,
        cycles // layers,
    )
    return f"{name:<18} {target:<8} {COLUMNS.format(*cells)}  {bounds(kernels)}"


def main(chosen):
    head = COLUMNS.format("compile", "run", "to jax", "kernels", "cycles", "a layer")
    print(f"{'':<27} {head}  bound by", flush=True)
    for name in MODELS:
        for target in TARGETS:
            if all(word in (name, target) for word in chosen):
                print(row(name, target), flush=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--jax", name]:
            time_jax(name)
        case chosen:
            main(chosen)
