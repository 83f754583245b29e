"""Training of the digit classifier by stochastic gradient descent, in JAX.

`update` is one program: the gradients of the loss and the new parameters. The network is that of
`tests/data/digits`: 64 pixels, 64 hidden features, 10 digits.
"""

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

DIGITS = Path(__file__).parents[1] / "data" / "digits"

FEATURES, HIDDEN, CLASSES = 64, 64, 10
BATCH, RATE, SEED = 64, 0.5, 20261124
# Images from this one on are held out from training.
HELD_OUT_FROM = 1297


def digits():
    """Returns the images, with pixels from 0 to 1, and their labels."""
    return np.load(DIGITS / "images.npy") / np.float32(16), np.load(DIGITS / "labels.npy")


def initial():
    """Returns weights with the variances of He et al. (2015)."""
    rng = np.random.default_rng(SEED)
    weights = {
        "w1": rng.standard_normal((FEATURES, HIDDEN)) * (2 / FEATURES) ** 0.5,
        "b1": np.zeros(HIDDEN),
        "w2": rng.standard_normal((HIDDEN, CLASSES)) * (1 / HIDDEN) ** 0.5,
        "b2": np.zeros(CLASSES),
    }
    return {name: array.astype(np.float32) for name, array in weights.items()}


def batches(count):
    """Yields the images and the labels of each step."""
    images, labels = digits()
    rng = np.random.default_rng(SEED)
    for _ in range(count):
        batch = rng.choice(HELD_OUT_FROM, BATCH, replace=False)
        yield images[batch], labels[batch]


def classify(p, images):
    """Returns the scores of the digits for each image."""
    hidden = jax.nn.relu(images @ p["w1"] + p["b1"])
    return hidden @ p["w2"] + p["b2"]


def loss(p, images, labels):
    """Returns the mean cross-entropy."""
    logarithms = jax.nn.log_softmax(classify(p, images))
    return -(logarithms * jax.nn.one_hot(labels, CLASSES)).sum(-1).mean()


def update(p, images, labels):
    """Returns the loss and the parameters after a step of gradient descent."""
    value, gradients = jax.value_and_grad(loss)(p, images, labels)
    return value, jax.tree.map(lambda w, g: w - RATE * g, p, gradients)


def train(update, count):
    """Returns the loss of each step and the parameters; `update` executes a step."""
    p, losses = initial(), []
    for images, labels in batches(count):
        value, p = update(p, images, labels)
        losses.append(float(value))
    return losses, p


def accuracy(p):
    """Returns the share of the digits that is recognized."""
    images, labels = digits()
    scores = np.asarray(jax.jit(classify)(p, images))
    return (scores.argmax(1) == labels).mean()
