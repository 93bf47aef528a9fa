"""The embedded weights as a model to go on from: the opposite of export.py.

    python3 restore.py ../weights/reader.bin OUT.pt

Each number is the one that the program computes with, so the model is the shipped one, rounded to int8; a lesson over it
learns the rounding too.
"""
import struct
import sys

import numpy as np
import torch

from export import ALIGN, HEAD_WIDTH, MAGIC, PANEL, QUAD, VERSION, export


class Parts:
    """The file from front to back."""

    def __init__(self, body):
        self.body, self.at = body, 0

    def take(self, kind, *shape):
        count = int(np.prod(shape))
        a = np.frombuffer(self.body, kind, count, self.at).reshape(shape)
        self.at += a.nbytes
        return a

    def align(self):
        self.at += -self.at % ALIGN

    def table(self, rows, columns):
        self.align()
        return self.take("<f4", rows)[:, None] * self.take(np.int8, rows, columns).astype(np.float32)

    def normal(self, width):
        self.align()
        return self.take("<f4", width), self.take("<f4", width)

    def matrix(self, rows, columns):
        """Weights and bias of a matrix without the rows that fill its last panel."""
        self.align()
        full = rows + -rows % PANEL
        scales, bias = self.take("<f4", full), self.take("<f4", full)
        self.align()
        ints = self.take(np.int8, full // PANEL, columns // QUAD, PANEL, QUAD).transpose(0, 2, 1, 3).reshape(full, columns)
        return (scales[:, None] * ints.astype(np.float32))[:rows], bias[:rows]


def restore(body):
    """Tensors by the names of model.py, and the pieces of the vocabulary."""
    p = Parts(body)
    head = len(MAGIC)
    if body[:head] != MAGIC:
        raise SystemExit("not a file of weights")
    version, words, places, segments, width, layers, heads, inner, classes, encoded = struct.unpack_from("<10I", body, head)
    if version != VERSION or heads * HEAD_WIDTH != width:
        raise SystemExit("weights of another shape or version")
    p.at = head + 40
    pieces = p.take(np.uint8, encoded).tobytes().decode()
    t = {"word.weight": p.table(words, width), "pos.weight": p.table(places, width), "seg.weight": p.table(segments, width)}
    t["norm.weight"], t["norm.bias"] = p.normal(width)
    for i in range(layers):
        layer = f"layers.{i}."
        weights, bias = p.matrix(3 * width, width)
        for n, name in enumerate("qkv"):
            t[layer + name + ".weight"], t[layer + name + ".bias"] = weights[n * width:(n + 1) * width], bias[n * width:(n + 1) * width]
        for name, rows, columns in (("o", width, width), ("n1", 0, width), ("f1", inner, width), ("f2", width, inner), ("n2", 0, width)):
            t[layer + name + ".weight"], t[layer + name + ".bias"] = p.matrix(rows, columns) if rows else p.normal(width)
    t["pool.weight"], t["pool.bias"] = p.matrix(width, width)
    t["head.weight"], t["head.bias"] = p.matrix(classes, width)
    return t, pieces


def main():
    with open(sys.argv[1], "rb") as f:
        body = f.read()
    tensors, pieces = restore(body)
    if export(tensors, pieces) != body:
        raise SystemExit("exported again, the weights are not the same")
    torch.save({name: torch.from_numpy(np.array(t)) for name, t in tensors.items()}, sys.argv[2])


if __name__ == "__main__":
    main()
