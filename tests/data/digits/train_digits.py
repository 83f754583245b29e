"""Trains the digit classifier of the demo and writes its data set and weights beside this file.

    python3 -m venv /tmp/digits && /tmp/digits/bin/pip install numpy==2.4.6 scikit-learn==1.9.1
    /tmp/digits/bin/python tests/data/digits/train_digits.py

The classifier is `linear(relu(linear(pixels, w1, b1)), w2, b2)`, 64 -> 64 -> 10, trained on the first 1,297
of the 1,797 images; the last 500 are held out. Every number written is a bfloat16 (stored as float32), so that
a device that computes in bfloat16 starts from exactly these values. The seed is fixed; another version of numpy,
scikit-learn or BLAS may still differ in last bits, which is why the results are committed.
"""

from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.neural_network import MLPClassifier

TRAINED_ON = 1297
HIDDEN = 64
LARGEST_PIXEL = 16
SEED = 20261121


def to_bfloat16(values):
    """Rounds finite values to the nearest bfloat16, ties to even, kept in float32."""
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return rounded.astype(np.uint32).view(np.float32)


def train(pixels, labels):
    """Gives (w1, b1, w2, b2) for unscaled pixels; the scale to 0..1 is a power of two, and goes into w1."""
    network = MLPClassifier(
        hidden_layer_sizes=(HIDDEN,),
        activation="relu",
        alpha=1e-2,
        max_iter=400,
        random_state=SEED,
    )
    network.fit(pixels / LARGEST_PIXEL, labels)
    (w1, w2), (b1, b2) = network.coefs_, network.intercepts_
    return w1 / LARGEST_PIXEL, b1[np.newaxis, :], w2, b2[np.newaxis, :]


def main():
    digits = load_digits()
    pixels, labels = digits.data, digits.target.astype(np.int32)
    weights = [to_bfloat16(w) for w in train(pixels[:TRAINED_ON], labels[:TRAINED_ON])]

    here = Path(__file__).parent
    for name, array in zip(["w1", "b1", "w2", "b2"], weights):
        np.save(here / f"{name}.npy", array)
    np.save(here / "images.npy", to_bfloat16(pixels))
    np.save(here / "labels.npy", labels)

    w1, b1, w2, b2 = weights
    hidden = np.maximum(pixels @ w1 + b1, 0)
    right = np.argmax(hidden @ w2 + b2, axis=1) == labels
    for name, part in [("all", right), ("held out", right[TRAINED_ON:])]:
        print(f"{name}: accuracy {part.mean():.4f} ({part.sum()}/{part.size})")


if __name__ == "__main__":
    main()
