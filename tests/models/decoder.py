"""A character-level decoder in JAX: one million parameters that write in the style of sonnets.

The architecture is Llama's (Touvron et al., 2023): RMSNorm, rotary positions, grouped-query
attention, SwiGLU. `train_decoder.py` makes the weights.

`step` is prefill and decode: it takes the tokens that follow those in the cache, and returns the
next token and the cache. Prefill is the program for many tokens, decode the program for one.
"""

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

DIRECTORY = Path(__file__).parent / "decoder_weights"

LAYERS, FEATURES, HIDDEN = 4, 128, 512
HEADS, GROUPS, HEAD = 4, 2, 32
CONTEXT = 256
EPSILON = 1e-5
PROMPT = "Shall I compare thee to a summer"

# The shape of each weight of a layer.
LAYER = {
    "attention_norm": (FEATURES,),
    "query": (FEATURES, HEADS * HEAD),
    "key": (FEATURES, GROUPS * HEAD),
    "value": (FEATURES, GROUPS * HEAD),
    "output": (HEADS * HEAD, FEATURES),
    "hidden_norm": (FEATURES,),
    "gate": (FEATURES, HIDDEN),
    "up": (FEATURES, HIDDEN),
    "down": (HIDDEN, FEATURES),
}


def vocabulary():
    """Returns the characters, in the order of their tokens."""
    return DIRECTORY.joinpath("vocabulary.txt").read_text()


def parameters():
    """Returns the weights in f32. The files have f16, one array for all layers."""
    load = {path.stem: np.load(path) for path in DIRECTORY.glob("*.npy")}
    load = {name: jnp.asarray(array, jnp.float32) for name, array in load.items()}
    layers = [{name: load[name][layer] for name in LAYER} for layer in range(LAYERS)]
    return {"embedding": load["embedding"], "norm": load["norm"], "layers": layers}


def empty_cache():
    """Returns the keys and the values of each layer before the first token."""
    empty = jnp.zeros((GROUPS, CONTEXT, HEAD), jnp.float32)
    return [(empty, empty) for _ in range(LAYERS)]


def rms_norm(x, weight):
    return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + EPSILON) * weight


def rotary_tables():
    """Returns the cosine and the sine of each position's angles."""
    frequencies = 10000.0 ** (-np.arange(0, HEAD, 2) / HEAD)
    angles = np.arange(CONTEXT)[:, None] * frequencies
    return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)


def heads(x, count):
    """Splits the features of each token into heads, which become the first dimension."""
    return x.reshape(-1, count, HEAD).swapaxes(0, 1)


def rotate(x, cos, sin):
    """Rotates the halves of each head by the angles of its position."""
    first, second = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)


def attend(q, keys, values, mask):
    """Attends from `q` to the cache; `HEADS // GROUPS` heads share keys and values."""
    q = q.reshape(GROUPS, HEADS // GROUPS, -1, HEAD)
    scores = jnp.einsum("ghtd,gsd->ghts", q, keys) / HEAD**0.5
    weights = jax.nn.softmax(jnp.where(mask, scores, -1e9), axis=-1)
    y = jnp.einsum("ghts,gsd->ghtd", weights, values)
    return y.reshape(HEADS, -1, HEAD).swapaxes(0, 1).reshape(-1, HEADS * HEAD)


def logits(p, tokens, position, cache):
    """Returns the scores of the characters after each token, and the cache.

    The first token is at `position`.
    """
    count = tokens.shape[0]
    rows = [jax.lax.dynamic_slice_in_dim(table, position, count) for table in rotary_tables()]
    mask = jnp.arange(CONTEXT) <= position + jnp.arange(count)[:, None]
    x = p["embedding"].at[tokens].get(mode="clip")
    stored = []
    for layer, (keys, values) in zip(p["layers"], cache):
        y = rms_norm(x, layer["attention_norm"])
        q = rotate(heads(y @ layer["query"], HEADS), *rows)
        k = rotate(heads(y @ layer["key"], GROUPS), *rows)
        v = heads(y @ layer["value"], GROUPS)
        keys = jax.lax.dynamic_update_slice_in_dim(keys, k, position, axis=1)
        values = jax.lax.dynamic_update_slice_in_dim(values, v, position, axis=1)
        stored.append((keys, values))
        x = x + attend(q, keys, values, mask) @ layer["output"]
        y = rms_norm(x, layer["hidden_norm"])
        x = x + (jax.nn.silu(y @ layer["gate"]) * (y @ layer["up"])) @ layer["down"]
    return rms_norm(x, p["norm"]) @ p["embedding"].T, stored


def step(p, tokens, position, cache):
    """Returns the most likely next token and the cache."""
    scores, cache = logits(p, tokens, position, cache)
    return jnp.argmax(scores[-1:], axis=-1).astype(jnp.int32), cache


def encode(text):
    characters = vocabulary()
    return np.array([characters.index(character) for character in text], np.int32)


def write(prefill, decode, prompt, count):
    """Yields `count` characters that follow the prompt.

    `prefill` and `decode` are `step` with the parameters, for the prompt and for one token.
    """
    characters = vocabulary()
    token, cache = prefill(encode(prompt), np.int32(0), empty_cache())
    for position in range(len(prompt), len(prompt) + count):
        yield characters[int(token[0])]
        if position + 1 < len(prompt) + count:
            token, cache = decode(np.asarray(token), np.int32(position), cache)
