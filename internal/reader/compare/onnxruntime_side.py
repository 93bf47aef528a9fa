#!/usr/bin/env python3
"""What compare needs of Python: torch, onnx, onnxruntime.

onnxruntime_side.py export CHECKPOINT TOKENIZER FOLDER writes a model of internal/reader/train/model.py as model.onnx, with operators
that all know, its weights in int8 as int8.onnx (dynamic quantisation, a scale a row), and what hugot reads beside them.
onnxruntime_side.py time FOLDER WORDS SECONDS prints how many pairs a second of processor time onnxruntime scores on one core.
"""
import json
import resource
import shutil
import sys
from pathlib import Path

import numpy as np


def export(checkpoint, tokenizer, folder):
    import onnx
    import torch
    from onnx import TensorProto, helper, numpy_helper
    from onnxruntime.quantization import QuantType, quantize_dynamic

    state = {k: v.float().numpy() for k, v in torch.load(checkpoint, map_location="cpu", weights_only=True).items()}
    width, layers = state["word.weight"].shape[1], 1 + max(int(k.split(".")[1]) for k in state if k.startswith("layers."))
    nodes, constants = [], []

    def constant(name, value):
        constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def op(kind, inputs, output, **attributes):
        nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def norm(x, name):
        return op("LayerNormalization", [x, constant(name + ".gain", state[name + ".weight"]),
                                         constant(name + ".shift", state[name + ".bias"])], name, epsilon=1e-12, axis=-1)

    def linear(x, name):
        product = op("MatMul", [x, constant(name + ".weight", state[name + ".weight"].T)], name + ".product")
        return op("Add", [product, constant(name + ".bias", state[name + ".bias"])], name)

    for name, value in (("zero", [0]), ("one", [1]), ("two", [2]), ("split", [0, 0, -1, 32]), ("whole", [0, 0, width]),
                        ("flat", [-1, width])):
        constant(name, np.array(value, np.int64))
    for name, value in (("scale", 32 ** -0.5), ("half", 0.5), ("unit", 1), ("root", 2 ** -0.5)):
        constant(name, np.array(value, np.float32))
    op("Gather", [constant("words", state["word.weight"]), "input_ids"], "e.word")
    op("Gather", [constant("sides", state["seg.weight"]), "token_type_ids"], "e.side")
    op("Slice", [op("Shape", ["input_ids"], "shape"), "one", "two"], "length")
    op("Slice", [constant("places", state["pos.weight"]), "zero", "length", "zero"], "e.place")
    x = norm(op("Add", [op("Add", ["e.word", "e.side"], "e.both"), "e.place"], "e"), "norm")
    for i in range(layers):
        at = f"layers.{i}."
        heads = {n: op("Transpose", [op("Reshape", [linear(x, at + n), "split"], at + n + ".heads")], at + n + ".turned",
                       perm=[0, 2, 3, 1] if n == "k" else [0, 2, 1, 3]) for n in "qkv"}
        scores = op("Mul", [op("MatMul", [heads["q"], heads["k"]], at + "qk"), "scale"], at + "scores")
        y = op("MatMul", [op("Softmax", [scores], at + "weights", axis=-1), heads["v"]], at + "y")
        y = op("Reshape", [op("Transpose", [y], at + "y.turned", perm=[0, 2, 1, 3]), "whole"], at + "y.whole")
        x = norm(op("Add", [x, linear(y, at + "o")], at + "sum1"), at + "n1")
        h = linear(x, at + "f1")
        erf = op("Add", [op("Erf", [op("Mul", [h, "root"], at + "h.root")], at + "h.erf"), "unit"], at + "h.unit")
        h = op("Mul", [op("Mul", [h, "half"], at + "h.half"), erf], at + "gelu")
        x = norm(op("Add", [x, linear(h, at + "f2")], at + "sum2"), at + "n2")
    first = op("Reshape", [op("Gather", [x, "zero"], "first", axis=1), "flat"], "pooled")
    op("Identity", [linear(op("Tanh", [linear(first, "pool")], "tanh"), "head")], "logits")
    ints = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "length"]) for n in ("input_ids", "token_type_ids")]
    graph = helper.make_graph(nodes, "reader", ints,
                              [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 3])], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(model, folder / "model.onnx")
    quantize_dynamic(folder / "model.onnx", folder / "int8.onnx", weight_type=QuantType.QInt8, per_channel=True,
                     extra_options={"MatMulConstBOnly": True})
    shutil.copy(tokenizer, folder / "tokenizer.json")
    labels = {"0": "supports", "1": "contradicts", "2": "neither"}
    (folder / "config.json").write_text(json.dumps({"id2label": labels, "max_position_embeddings": 512}))


def used():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def time(folder, words, seconds):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(folder / "int8.onnx"), options, providers=["CPUExecutionProvider"])
    pieces = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    ids = np.array([[pieces["[CLS]"], *[pieces["the"]] * words, pieces["[SEP]"]]], np.int64)
    run = lambda: session.run(None, {"input_ids": ids, "token_type_ids": np.zeros_like(ids)})
    run()
    begun, runs = used(), 0
    while used() - begun < seconds:
        run()
        runs += 1
    print(runs / (used() - begun))


if __name__ == "__main__":
    if sys.argv[1] == "export":
        export(*map(Path, sys.argv[2:]))
    else:
        time(Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))
