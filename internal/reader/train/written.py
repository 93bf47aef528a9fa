"""Documents and claims that were written for the training → rows.

    python3 written.py --out ROWS     write ROWS/learn/written.jsonl and ROWS/calibrate/written.jsonl

written/*.jsonl holds a document a line: {id, text, claims: [[S|C|N, kind, claim, the sentences that it rests on]]}. Each
eighth document, chosen by its id, is kept whole from what is learned.
"""
import argparse
import glob
import hashlib
import json
import os

LABELS = {"S": "supported", "C": "contradicted", "N": "not_found"}
HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = 8  # one document in so many


def kept(document):
    return int(hashlib.sha256(document.encode()).hexdigest(), 16) % KEPT == 0


def rows(d, lang):
    for i, (label, kind, claim, rests) in enumerate(d["claims"]):
        yield {"id": f"written/{d['id']}/{i}/{kind}", "dataset": "written", "claim": claim, "lang": lang, "label": LABELS[label], "binary": False,
               "evidence": [{"doc": d["id"], "text": d["text"]}]} | ({"gold": rests} if rests and label != "N" else {})


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("--from", dest="folder", default=os.path.join(HERE, "written"))
    a.add_argument("--out", required=True)
    a.add_argument("--lang", default="en", help="ar: of documents in Arabic, as written_ar.jsonl")
    args = a.parse_args()
    out, documents = {"learn": [], "calibrate": []}, 0
    for file in sorted(glob.glob(os.path.join(args.folder, "*.jsonl"))):
        with open(file, encoding="utf-8") as f:
            for line in f:
                d = json.loads(line)
                documents += 1
                out["calibrate" if kept(d["id"]) else "learn"] += rows(d, args.lang)
    for name, rs in out.items():
        os.makedirs(os.path.join(args.out, name), exist_ok=True)
        with open(os.path.join(args.out, name, "written.jsonl" if args.lang == "en" else f"written_{args.lang}.jsonl"), "w", encoding="utf-8") as f:
            for r in rs:
                f.write(json.dumps(r, ensure_ascii=False) + "\n")
    print(documents, "documents;", {n: len(rs) for n, rs in out.items()}, "rows")


if __name__ == "__main__":
    main()
