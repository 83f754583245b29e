"""A convolutional classifier of the digits in `tests/data/digits`, in JAX.

Two blocks of convolution, batch normalization, ReLU and max pooling are followed by a linear
layer. `train_cnn.py` makes the weights.
"""

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

DIRECTORY = Path(__file__).parent / "cnn_weights"
DIGITS = Path(__file__).parents[1] / "data" / "digits"

CHANNELS = (1, 16, 32)
CLASSES = 10
EPSILON = 1e-5
# Images from this one on are held out from training.
HELD_OUT_FROM = 1297


def digits():
    """Returns the images, with pixels from 0 to 1, and their labels."""
    images = np.load(DIGITS / "images.npy").reshape(-1, 8, 8, 1) / np.float32(16)
    return images, np.load(DIGITS / "labels.npy")


def parameters():
    """Returns the weights by name."""
    return {path.stem: jnp.asarray(np.load(path)) for path in DIRECTORY.glob("*.npy")}


def convolve(x, kernel):
    """Convolves images with padding that keeps their size."""
    order = ("NHWC", "HWIO", "NHWC")
    return jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=order)


def normalize(x, p, name):
    """Normalizes channels by the statistics of training."""
    scale = p[f"{name}_scale"] * jax.lax.rsqrt(p[f"{name}_variance"] + EPSILON)
    return (x - p[f"{name}_mean"]) * scale + p[f"{name}_bias"]


def pool(x):
    """Returns the maximum of each window of 2 x 2 pixels."""
    window = (1, 2, 2, 1)
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, window, window, "VALID")


def classify(p, images, normalize=normalize):
    """Returns the scores of the digits for each image."""
    x = images
    for block in range(1, len(CHANNELS)):
        x = convolve(x, p[f"block{block}_kernel"])
        x = pool(jax.nn.relu(normalize(x, p, f"block{block}")))
    return x.reshape(x.shape[0], -1) @ p["linear_kernel"] + p["linear_bias"]
