#!/usr/bin/env python3
"""Writes a trained model as the file of weights that internal/reader reads (weights.go describes it).

export.py CHECKPOINT VOCABULARY OUT. CHECKPOINT is a torch state dict with the names of model.py; VOCABULARY is a
tokenizer.json as model hubs publish it, or a text file with one piece a line. The same input gives the same bytes.
"""

import hashlib
import io
import json
import struct
import sys
from pathlib import Path

import numpy as np

MAGIC, VERSION = b"SANADRDR", 1
PANEL, QUAD, ALIGN = 32, 4, 64
HEAD_WIDTH = 32  # of the models that are trained here


class Writer:
    """The file from front to back."""

    def __init__(self, tensors):
        self.tensors, self.file = tensors, io.BytesIO()

    def numbers(self, *values):
        self.file.write(struct.pack(f"<{len(values)}I", *values))

    def floats(self, values):
        if not np.all(np.abs(values) < 1e6):
            raise ValueError("a number is not finite or far too large")
        self.file.write(np.ascontiguousarray(values, "<f4").tobytes())

    def align(self):
        self.file.write(bytes(-self.file.tell() % ALIGN))

    def table(self, name):
        self.align()
        scales, ints = quantise(self.tensors[name + ".weight"])
        self.floats(scales)
        self.file.write(ints.tobytes())

    def normal(self, name):
        self.align()
        self.floats(self.tensors[name + ".weight"])
        self.floats(self.tensors[name + ".bias"])

    def matrix(self, *names):
        """Several matrices, one below the other, filled up to whole panels."""
        self.align()
        weights = np.concatenate([self.tensors[name + ".weight"] for name in names])
        bias = np.concatenate([self.tensors[name + ".bias"] for name in names])
        missing = -len(bias) % PANEL
        weights, bias = np.pad(weights, ((0, missing), (0, 0))), np.pad(bias, (0, missing))
        scales, ints = quantise(weights)
        self.floats(scales)
        self.floats(bias)
        self.align()
        rows, columns = ints.shape
        panels = ints.reshape(rows // PANEL, PANEL, columns // QUAD, QUAD).transpose(0, 2, 1, 3)
        self.file.write(np.ascontiguousarray(panels).tobytes())


def quantise(rows):
    """int8 rows, each with its own scale; half to even, as the program rounds."""
    most = np.abs(rows).max(axis=1).astype(np.float32)
    small = most < np.float32(1e-30)
    most = np.where(small, np.float32(1), most)
    inverse = np.where(small, np.float32(0), np.float32(127) / most)
    scales = np.where(small, np.float32(0), most / np.float32(127))
    return scales, np.rint(rows * inverse[:, None]).astype(np.int8)


def vocabulary(path):
    if path.suffix == ".json":
        pieces = json.loads(path.read_text(encoding="utf-8"))["model"]["vocab"]
        return "".join(piece + "\n" for piece in sorted(pieces, key=pieces.get))
    return path.read_text(encoding="utf-8")


def export(tensors, pieces):
    """The bytes of the file. tensors: name of model.py to array."""
    w = Writer({name: np.asarray(t, np.float32) for name, t in tensors.items()})
    layers = 1 + max(int(name.split(".")[1]) for name in tensors if name.startswith("layers."))
    width, inner = w.tensors["word.weight"].shape[1], len(w.tensors["layers.0.f1.bias"])
    encoded = pieces.encode()
    w.file.write(MAGIC)
    w.numbers(VERSION, *(len(w.tensors[t + ".weight"]) for t in ("word", "pos", "seg")), width, layers,
              width // HEAD_WIDTH, inner, len(w.tensors["head.bias"]), len(encoded))
    w.file.write(encoded)
    for table in ("word", "pos", "seg"):
        w.table(table)
    w.normal("norm")
    for i in range(layers):
        layer = f"layers.{i}."
        w.matrix(layer + "q", layer + "k", layer + "v")
        w.matrix(layer + "o")
        w.normal(layer + "n1")
        w.matrix(layer + "f1")
        w.matrix(layer + "f2")
        w.normal(layer + "n2")
    w.matrix("pool")
    w.matrix("head")
    body = w.file.getvalue()
    return body + hashlib.sha256(body).digest()


def main():
    import torch

    checkpoint, pieces, out = map(Path, sys.argv[1:])
    state = torch.load(checkpoint, map_location="cpu", weights_only=True)
    body = export({name: t.float().numpy() for name, t in state.items()}, vocabulary(pieces))
    out.write_bytes(body)
    print(f"{out}: {len(body):,} bytes, digest {body[-32:].hex()}")


if __name__ == "__main__":
    main()
