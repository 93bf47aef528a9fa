"""What readers say of rows.

    python3 score.py --base DIR/NAME --model A.pt B.pt --rows DIR/train.jsonl --out TEACHER.npy    logits for train.py --teacher
    python3 score.py --base DIR/NAME --model A.pt --pairs PAIRS.jsonl --out LOGITS.jsonl           {set, id, group, label, logits}

The logits of several models are averaged.
"""
import argparse
import json
import os
import tempfile

import numpy as np
import torch

from data import Rows, tokenizer
from model import Reader


def load(file):
    """A trained reader."""
    state = torch.load(file)
    vocabulary, width = state["word.weight"].shape
    layers = 1 + max(int(k.split(".")[1]) for k in state if k.startswith("layers."))
    m = Reader(vocabulary, width, layers, width // 32, state["layers.0.f1.weight"].shape[0])
    m.load_state_dict(state)
    return m.eval()


def logits(models, rows, bf16):
    out = np.zeros((len(rows.length), 3), np.float32)
    order = sorted(range(len(rows.rows)), key=lambda r: rows.length[rows.of[r]])
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, enabled=bf16):
        for at in range(0, len(order), 64):
            ids, types, mask, _, ps = rows.tensors(order[at:at + 64])
            out[ps] = sum(m(ids, types, mask).float() for m in models).numpy() / len(models)
    return out


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("--base", required=True)
    a.add_argument("--model", nargs="+", required=True)
    a.add_argument("--rows")
    a.add_argument("--pairs")
    a.add_argument("--out", required=True)
    a.add_argument("--threads", type=int, default=2)
    a.add_argument("--bf16", action="store_true")
    args = a.parse_args()
    torch.set_num_threads(args.threads)
    tok, models = tokenizer(args.base + ".json"), [load(file) for file in args.model]
    if args.rows:
        np.save(args.out, logits(models, Rows(args.rows, tok), args.bf16).astype(np.float16))
        return
    with open(args.pairs, encoding="utf-8") as f:
        pairs = [json.loads(line) for line in f]
    read = [p for p in pairs if p["windows"]]
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "pairs.jsonl")
        with open(name, "w", encoding="utf-8") as f:
            for p in read:
                f.write(json.dumps({"claim": p["claim"], "passages": p["windows"]}) + "\n")
        rows = Rows(name, tok)
    found = logits(models, rows, args.bf16)
    at = {id(p): i for i, p in enumerate(read)}
    with open(args.out, "w", encoding="utf-8") as f:
        for p in pairs:
            i = at.get(id(p))
            mine = found[rows.of[i]:rows.of[i + 1]].round(4).tolist() if i is not None else []
            f.write(json.dumps({k: p[k] for k in ("set", "id", "group", "lang", "label", "binary")} | {"logits": mine}) + "\n")


if __name__ == "__main__":
    main()
