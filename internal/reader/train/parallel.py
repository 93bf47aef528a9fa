"""Rows that cross languages: a sentence of one, a claim in the other, kept or changed by the programs of edits.py.

    python3 parallel.py --eval ../../../../shared/eval --out DIR [--rows 20000]    write DIR/learn/parallel.jsonl

They teach a bilingual reader that an Arabic sentence and its English one say the same. Only sources
that people translated, sentence by sentence, are used.
"""
import argparse
import json
import os
import random
import re

import edits
import sets

SENTENCES = {"ntrex", "tatoeba", "xquad", "tunisian_constitution", "sdg", "opensource_guide", "ms_project_operations", "wikipedia_app"}
RARE = 40  # sentences that a word stands in, at most, for it to make two of them look alike


def pairs(folder):
    """The parallel sentences that may be learned from."""
    return [p for p in sets.read(os.path.join(folder, "more/parallel.jsonl.gz")) if p["source"] not in sets.PARALLEL_LEFT_OUT]


def sentence(s):
    return 4 <= len(s.split()) <= 45 and not re.search(r"[?؟|*_`\[\]<>{}#%]|\$\d|https?:", s)


def unlike(of, i, places, rng):
    """Another pair that shares a rare English word with pair i, but not most of its words."""
    mine = set(re.findall(r"[a-z]{4,}", of[i]["en"].lower()))
    near = sorted({j for w in mine if len(places[w]) <= RARE for j in places[w] if j != i})
    near = [j for j in near if len(mine & set(re.findall(r"[a-z]{4,}", of[j]["en"].lower()))) <= len(mine) / 2]
    return of[rng.choice(near)] if near else None


def make(of, rng):
    places = {}
    for i, p in enumerate(of):
        for w in set(re.findall(r"[a-z]{4,}", p["en"].lower())):
            places.setdefault(w, []).append(i)
    rows = []

    def add(i, kind, claim, lang, passage, label):
        rows.append({"id": f"parallel/{of[i]['source']}/{i}/{lang}/{kind}", "dataset": "parallel", "claim": claim, "lang": lang, "gold": passage,
                     "evidence": [{"doc": of[i]["source"], "text": passage}], "label": edits.N if label == edits.NOT else label, "binary": label == edits.NOT})
    for i, p in enumerate(of):
        for lang, other in (("en", "ar"), ("ar", "en")):
            made = [c for c in edits.changes(p[lang], [], lang, rng)]
            changed = [c for c in made if c[0] != "same"]
            same = [c for c in made if c[0] == "same"]
            add(i, "kept", p[lang], lang, p[other], edits.S)
            for kind, claim, label in rng.sample(changed, min(2, len(changed))) + (same if rng.random() < 0.5 else []):
                add(i, kind, claim, lang, p[other], label)
            if rng.random() < 0.4:
                q = unlike(of, i, places, rng)
                if q:
                    add(i, "other", q[lang], lang, p[other], edits.N)
    return rows


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("--eval", required=True)
    args.add_argument("--out", required=True)
    args.add_argument("--rows", type=int, default=20000)
    args.add_argument("--seed", type=int, default=13)
    args = args.parse_args()
    rng = random.Random(args.seed)
    of = [p for p in pairs(args.eval) if p["source"] in SENTENCES and sentence(p["en"]) and sentence(p["ar"])]
    rng.shuffle(of)
    taken = sets.taken(args.eval)
    rows = [r for r in make(of, rng) if not sets.keys(r) & taken][:args.rows]
    with open(os.path.join(args.out, "learn", "parallel.jsonl"), "w", encoding="utf-8") as f:
        for r in rows:
            f.write(json.dumps(r, ensure_ascii=False) + "\n")
    counts = {}
    for r in rows:
        k = r["lang"], r["id"].split("/")[-1], r["label"] + (" binary" if r["binary"] else "")
        counts[k] = counts.get(k, 0) + 1
    print(len(rows), "rows of", len(of), "pairs;", {" ".join(k): counts[k] for k in sorted(counts)})


if __name__ == "__main__":
    main()
