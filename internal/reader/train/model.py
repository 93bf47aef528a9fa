"""The reader in PyTorch: a BERT encoder with three classes over the first token. export.py knows these names."""
import torch
import torch.nn as nn
import torch.nn.functional as F

CLASSES = 3
EPSILON = 1e-12


class Dropout:
    """Dropout that takes its masks from one long list, each at a random place: drawing them anew is a seventh of a step."""
    def __init__(self, share, size=1 << 24):
        keep = torch.rand(size, generator=torch.Generator().manual_seed(1)) >= share
        self.list = keep.to(torch.bfloat16) / (1 - share)

    def __call__(self, x, training):
        if not training:
            return x
        at = torch.randint(len(self.list) - x.numel(), ()).item()
        return x * self.list[at:at + x.numel()].view(x.shape)


class Layer(nn.Module):
    def __init__(self, width, heads, inner, dropout):
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))
        self.n1, self.n2 = nn.LayerNorm(width, EPSILON), nn.LayerNorm(width, EPSILON)
        self.f1, self.f2 = nn.Linear(width, inner), nn.Linear(inner, width)

    def forward(self, x, mask):
        """The layer over x. mask is added to each score: 0 for a token, very little for what is none."""
        rows, length, width = x.shape
        each = width // self.heads
        split = lambda t: t.view(rows, length, self.heads, each).transpose(1, 2).reshape(-1, length, each)
        q, k, v = split(self.q(x) * each**-0.5), split(self.k(x)), split(self.v(x))
        with torch.autocast("cpu", enabled=False):  # or softmax would be computed in float32; this is half of a step's time
            scores = torch.bmm(q, k.transpose(1, 2)).view(rows, self.heads, length, length).add_(mask.to(q.dtype))
            y = torch.bmm(scores.softmax(-1).view(-1, length, length), v)
        y = y.view(rows, self.heads, length, each)
        x = self.n1(x + self.dropout(self.o(y.transpose(1, 2).reshape(rows, length, width)), self.training))
        return self.n2(x + self.dropout(self.f2(F.gelu(self.f1(x))), self.training))


class Reader(nn.Module):
    def __init__(self, vocabulary=30522, width=384, layers=6, heads=12, inner=1536, positions=512, dropout=0.1):
        super().__init__()
        self.word, self.pos, self.seg = nn.Embedding(vocabulary, width), nn.Embedding(positions, width), nn.Embedding(2, width)
        self.norm, self.dropout = nn.LayerNorm(width, EPSILON), Dropout(dropout)
        self.layers = nn.ModuleList(Layer(width, heads, inner, self.dropout) for _ in range(layers))
        self.pool, self.head = nn.Linear(width, width), nn.Linear(width, CLASSES)
        for m in (self.pool, self.head):
            nn.init.normal_(m.weight, std=0.02)
            nn.init.zeros_(m.bias)

    def forward(self, ids, types, mask):
        x = self.word(ids) + self.pos(torch.arange(ids.shape[1])) + self.seg(types)
        x = self.dropout(self.norm(x), self.training)
        mask = torch.zeros(mask.shape).masked_fill(~mask, -1e4)[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask)
        return self.head(self.dropout(torch.tanh(self.pool(x[:, 0])), self.training))


PARTS = {"q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value", "o": "attention.output.dense",
         "n1": "attention.output.LayerNorm", "f1": "intermediate.dense", "f2": "output.dense", "n2": "output.LayerNorm"}


def names(layers):
    """Published names of an encoder's tensors by those of Reader."""
    out = {"word.weight": "embeddings.word_embeddings.weight", "pos.weight": "embeddings.position_embeddings.weight",
           "seg.weight": "embeddings.token_type_embeddings.weight", "norm.weight": "embeddings.LayerNorm.weight",
           "norm.bias": "embeddings.LayerNorm.bias"}
    for i in range(layers):
        for mine, theirs in PARTS.items():
            for w in ("weight", "bias"):
                out[f"layers.{i}.{mine}.{w}"] = f"encoder.layer.{i}.{theirs}.{w}"
    return out


HEAD = {"pool.weight", "pool.bias", "head.weight", "head.bias"}


def published(state):
    """A trained Reader's weights under published names, its pooler and head under its own."""
    to = names(1 + max(int(k.split(".")[1]) for k in state if k.startswith("layers.")))
    return {to.get(k, k): v for k, v in state.items()}


def from_published(weights, layers):
    """A Reader from a published encoder's weights. Its head is new; its pooler too, since these encoders never used one.

    Weights of published(…) bring both.
    """
    weights = {k.removeprefix("bert.").removeprefix("model."): v.float() for k, v in weights.items()}
    width = weights["embeddings.word_embeddings.weight"].shape[1]
    m = Reader(weights["embeddings.word_embeddings.weight"].shape[0], width, layers,
               width // 32, weights["encoder.layer.0.intermediate.dense.weight"].shape[0])
    state = m.state_dict()
    for mine, theirs in (names(layers) | {k: k for k in HEAD if k in weights}).items():
        if state[mine].shape != weights[theirs].shape:
            raise ValueError(f"{theirs}: {tuple(weights[theirs].shape)}, not {tuple(state[mine].shape)}")
        state[mine] = weights[theirs]
    m.load_state_dict(state)
    return m
