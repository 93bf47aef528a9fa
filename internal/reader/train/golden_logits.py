"""What torch says in float32 of pairs, for the Go reader to be compared with (../weights/golden_test.go).

    python3 golden_logits.py --base DIR/NAME --model FILE.pt                     500 pairs of our own words → ../weights/testdata/golden.jsonl.gz
    python3 golden_logits.py --base … --model … --rows ROWS.jsonl --out FILE     the first 2,000 passages of rows, not to be committed
    python3 golden_logits.py --base … --texts FILE --out FILE                    token ids of a file's lines, without a model

Then in the repository's root: go test ./internal/reader/weights, with GOLDEN=FILE and READER=FILE.bin for others than the
shipped ones. The pairs are frames (frames.py) alone, two facts a passage, and sentences of docs/, kept and edited.
"""
import argparse
import glob
import gzip
import hashlib
import json
import os
import random

import torch

import data
import edits
import frames
import score

HERE = os.path.dirname(os.path.abspath(__file__))
PAIRS = 500


def own_pairs():
    """(passage, claim), made of nobody else's words."""
    rng = random.Random(34)
    maker, out = frames.Maker(rng), []
    kinds = [k for k in frames.KINDS if k not in ("table", "listed")]
    while len(out) < PAIRS // 2:
        facts, claims = getattr(maker, rng.choice(kinds))()
        passage = " ".join(frames.sentence(f) for f in facts)
        if rng.random() < 0.5:
            passage += " " + " ".join(frames.sentence(f) for f in getattr(maker, rng.choice(kinds))()[0])
        out.append((passage, frames.sentence(rng.choice(claims)[0])))
    passages = []
    for path in sorted(glob.glob(os.path.join(HERE, "../../../docs/*.md"))):
        with open(path, encoding="utf-8") as f:
            for block in f.read().split("\n\n"):
                kept = [s for s in edits.sentences(block.replace("\n", " ")) if 6 <= len(s.split()) <= 40 and s[-1:] == "." and not edits.UNFIT.search(s)]
                passages += [kept[:3]] if len(kept) > 1 else []
    while len(out) < PAIRS:
        of = rng.choice(passages)
        s = rng.choice(of)
        made = [s] + [c for _, c, _ in edits.changes(s, [], "en", rng)] + [rng.choice(rng.choice(passages))]
        out.append((" ".join(of), rng.choice(made)))
    return out


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("--base", required=True)
    a.add_argument("--model")
    a.add_argument("--rows")
    a.add_argument("--texts")
    a.add_argument("--out", default=os.path.join(HERE, "../weights/testdata/golden.jsonl.gz"))
    args = a.parse_args()
    torch.set_num_threads(1)
    tok = data.tokenizer(args.base + ".json")
    cls, sep = tok.token_to_id("[CLS]"), tok.token_to_id("[SEP]")
    lines = []
    if args.texts:
        with open(args.texts, encoding="utf-8") as f:
            lines = [{"passage": s, "claim": "", "ids": tok.encode(s, add_special_tokens=False).ids} for s in f.read().splitlines()]
    else:
        pairs = own_pairs()
        if args.rows:
            with open(args.rows, encoding="utf-8") as f:
                pairs = [(p, r["claim"]) for r in map(json.loads, f) for p in r["passages"]][:2000]
        m = score.load(args.model)
        for passage, claim in pairs:
            first, second = (tok.encode(s, add_special_tokens=False).ids for s in (passage, claim))
            if len(second) > data.MOST_CLAIM or len(first) + len(second) + 3 > data.MOST_TOKENS:
                continue
            ids = torch.tensor([[cls, *first, sep, *second, sep]])
            types = torch.tensor([[0] * (len(first) + 2) + [1] * (len(second) + 1)])
            with torch.no_grad():
                logits = m(ids, types, torch.ones_like(ids, dtype=torch.bool))[0].tolist()
            lines.append({"passage": passage, "claim": claim, "ids": first, "logits": [round(x, 4) for x in logits]})
    body = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
    os.makedirs(os.path.dirname(os.path.abspath(args.out)), exist_ok=True)
    with gzip.GzipFile(args.out, "wb", mtime=0) as f:
        f.write(body)
    print(len(lines), "lines,", hashlib.sha256(body).hexdigest())


if __name__ == "__main__":
    main()
