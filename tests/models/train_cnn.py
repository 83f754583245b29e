"""Trains the convolutional classifier and writes its weights into `cnn_weights`.

    python tests/models/train_cnn.py

It takes a minute or two. The seed is fixed; another version of JAX or another processor may still
give other last bits, which is why the results are committed.
"""

import cnn
import jax
import jax.numpy as jnp
import numpy as np

SEED = 20261124
EPOCHS, BATCH = 120, 64
RATE, DECAY, SMOOTHING = 3e-3, 1e-3, 0.1
# The share of the running statistics that a batch replaces.
MOMENTUM = 0.1


def initial(rng):
    """Returns weights with the variances of He et al. (2015)."""
    p = {}
    for block, (before, after) in enumerate(zip(cnn.CHANNELS, cnn.CHANNELS[1:]), 1):
        name = f"block{block}"
        kernel = rng.standard_normal((3, 3, before, after)) * (2 / (9 * before)) ** 0.5
        ones, zeros = np.ones(after), np.zeros(after)
        p |= {f"{name}_kernel": kernel, f"{name}_scale": ones, f"{name}_bias": zeros}
        p |= {f"{name}_mean": zeros, f"{name}_variance": ones}
    features = 4 * cnn.CHANNELS[-1]
    p["linear_kernel"] = rng.standard_normal((features, cnn.CLASSES)) * features**-0.5
    p["linear_bias"] = np.zeros(cnn.CLASSES)
    return {name: jnp.asarray(array, jnp.float32) for name, array in p.items()}


def loss(p, images, labels):
    """Returns the smoothed cross-entropy, and the running statistics after this batch."""
    statistics = {}

    def normalize(x, p, name):
        mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
        for key, value in (("mean", mean), ("variance", variance)):
            old = p[f"{name}_{key}"]
            statistics[f"{name}_{key}"] = old + MOMENTUM * (value - old)
        return cnn.normalize(x, {**p, f"{name}_mean": mean, f"{name}_variance": variance}, name)

    logarithms = jax.nn.log_softmax(cnn.classify(p, images, normalize))
    right = jax.nn.one_hot(labels, cnn.CLASSES) * (1 - SMOOTHING) + SMOOTHING / cnn.CLASSES
    return -(logarithms * right).sum(-1).mean(), statistics


@jax.jit
def update(p, moments, images, labels, step, rate):
    """Applies a step of AdamW (Loshchilov and Hutter, 2019)."""
    gradients, statistics = jax.grad(loss, has_aux=True)(p, images, labels)
    new, first, second = {}, {}, {}
    for name, g in gradients.items():
        first[name] = 0.9 * moments[0][name] + 0.1 * g
        second[name] = 0.999 * moments[1][name] + 0.001 * g * g
        m, v = first[name] / (1 - 0.9**step), second[name] / (1 - 0.999**step)
        decay = DECAY * p[name] if name.endswith("kernel") else 0
        new[name] = p[name] - rate * (m / (jnp.sqrt(v) + 1e-8) + decay)
    return {**new, **statistics}, (first, second)


def distort(rng, images):
    """Moves, turns, scales and shears each image a little, with bilinear interpolation."""
    count = len(images)
    turn, shear = rng.normal(0, 0.12, count), rng.normal(0, 0.15, count)
    scale = rng.normal(1, 0.1, (2, count))
    move = rng.normal(0, 0.4, (2, count))
    y, x = np.mgrid[:8, :8] - 3.5
    y, x = y.ravel()[:, None], x.ravel()[:, None]
    rows = (np.cos(turn) * y - np.sin(turn) * x) * scale[0] + move[0] + 3.5
    columns = (np.sin(turn) * y + np.cos(turn) * x + shear * y) * scale[1] + move[1] + 3.5
    padded = np.pad(images[..., 0], ((0, 0), (1, 2), (1, 2)))
    rows, columns = np.clip(rows + 1, 0, 8.999), np.clip(columns + 1, 0, 8.999)
    top, left = rows.astype(int), columns.astype(int)
    below, right = rows - top, columns - left
    image = np.arange(count)
    found = sum(
        padded[image, top + i, left + j]
        * (below if i else 1 - below)
        * (right if j else 1 - right)
        for i in (0, 1)
        for j in (0, 1)
    )
    return found.T.reshape(images.shape).astype(np.float32)


def accuracy(p, images, labels):
    return (np.asarray(jax.jit(cnn.classify)(p, images)).argmax(1) == labels).mean()


def main():
    rng = np.random.default_rng(SEED)
    images, labels = cnn.digits()
    p = initial(rng)
    moments = [{name: jnp.zeros_like(w) for name, w in p.items()}] * 2
    step, steps = 0, EPOCHS * (cnn.HELD_OUT_FROM // BATCH)
    for epoch in range(EPOCHS):
        order = rng.permutation(cnn.HELD_OUT_FROM)
        for batch in np.split(order[: len(order) // BATCH * BATCH], len(order) // BATCH):
            step += 1
            rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
            distorted = distort(rng, images[batch])
            p, moments = update(p, moments, distorted, labels[batch], step, rate)
        if epoch % 10 == 9:
            held_out = slice(cnn.HELD_OUT_FROM, None)
            print(
                f"epoch {epoch + 1}: accuracy {accuracy(p, images, labels):.4f}, "
                f"held out {accuracy(p, images[held_out], labels[held_out]):.4f}",
                flush=True,
            )
    cnn.DIRECTORY.mkdir(exist_ok=True)
    for name, array in p.items():
        np.save(cnn.DIRECTORY / f"{name}.npy", np.asarray(array))


if __name__ == "__main__":
    main()
