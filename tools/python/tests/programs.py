"""Functions of JAX that several tests compile, and whose export the golden files hold."""

import jax
import jax.numpy as jnp
import numpy as np

F32 = np.float32
Shape = jax.ShapeDtypeStruct


def mlp(params, x):
    hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
    return jax.nn.softmax(hidden @ params["w2"] + params["b2"])


def mlp_arguments(seed=0):
    """Returns weights and inputs of `mlp`."""
    generator = np.random.default_rng(seed)
    normal = lambda *shape: generator.standard_normal(shape).astype(F32)
    params = {
        "w1": normal(64, 32) / 8,
        "b1": normal(32),
        "w2": normal(32, 10) / 6,
        "b2": normal(10),
    }
    return params, normal(8, 64)


def convolve(x, kernel):
    return jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME")


def normalize(x, scale):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * scale


def attend(q, k, v):
    return jax.nn.softmax(q @ k.T) @ v


def attend_in_groups(q, k, v):
    batch, length, heads, size = q.shape
    grouped = q.reshape(batch, length, k.shape[2], -1, size)
    scores = jnp.einsum("bqhgd,bkhd->bhgqk", grouped, k) / np.sqrt(size)
    scores = jnp.where(jnp.tri(length, k.shape[1], dtype=bool), scores, -jnp.inf)
    weights = jax.nn.softmax(scores)
    return jnp.einsum("bhgqk,bkhd->bqhgd", weights, v).reshape(batch, length, heads * size)


def look_up(table, rows):
    return jnp.take(table, rows, axis=0, mode="clip")


def sum_up(x):
    return jnp.cumsum(x, axis=1), jnp.argmax(x, axis=1), jnp.any(x > 0, axis=1)


PROGRAMS = {
    "mlp": (mlp, mlp_arguments()),
    "convolve": (convolve, (Shape((1, 1, 8, 8), F32), Shape((4, 1, 3, 3), F32))),
    "normalize": (normalize, (Shape((4, 64), jnp.bfloat16), Shape((64,), jnp.bfloat16))),
    "attend": (attend, [Shape((16, 32), F32)] * 3),
    "look_up": (look_up, (Shape((100, 32), F32), Shape((2, 8), np.int32))),
    "sum_up": (sum_up, (Shape((4, 16), F32),)),
}
