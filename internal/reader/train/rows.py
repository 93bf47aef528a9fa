"""Pairs of the judge's windows → rows to learn from, and rows kept aside.

    python3 rows.py --pairs PAIRS.jsonl… --out DIR [--seed 7] [--rest 0.2]     write DIR/train.jsonl and DIR/aside.jsonl

A row is {set, id, claim, passages, y, binary, weight}; y is 0 supports, 1 contradicts, 2 neither. A row with several
passages is true of one of them if it supports or contradicts, and of each if it does neither (train.py). Groups (rows
that share a claim or a text) are never divided between the two files. With --rest a later lesson is made: that share of
all rows, and those of LESSON, --times each.
"""
import argparse
import hashlib
import json
import os
import random
import re

LABELS = {"supported": 0, "contradicted": 1, "not_found": 2}

# The most rows of a set. A set that is not here gives all of its rows.
CAPS = {"infotabs": 9000, "tabfact": 0, "med": 1200, "dnc": 4500, "fnc": 1500, "help_conj": 1500, "edits_kept": 2000}

# What a row of a set counts. Sets near the product count more, constructed and noisy ones less.
WEIGHTS = {"gensearch": 2.0, "summedits": 2.0, "bump": 2.0, "contract_nli": 2.0, "begin": 1.3, "fever_sym": 1.3, "evinf": 0.7,
           "infotabs": 0.7, "med": 0.7, "fnc": 0.5, "help_conj": 0.7, "xsum_faith": 0.8, "entailment_bank": 0.7}

# Sets whose claims may need all sentences of their evidence: only rows whose evidence is one window are used.
WHOLE = {"entailment_bank", "folio", "feverous", "fever_dev"}

# What a later lesson is about.
LESSON = {"written", "written_ar"}

PASSAGES = 3       # the most passages of a row
ASIDE = 50         # one group in so many is kept aside
ASIDE_MOST = 150   # rows of a set
LARGE = 300        # rows of a group that is never kept aside
OTHERS = 14000     # rows made of other windows of the same document

# Sets of single sentences: the share DRESSED of them is put among sentences of other texts, under a heading or both, as
# a window of a document has them.
BARE = {"mnli", "snli", "new_protocols", "negnli", "fever_dev", "fever_sym", "feverous", "breaking_nli", "dnc"}
DRESSED = 0.25

# Sets without rows of neither: so many claims are given the passage of another row that looks most like it.
LIKE = {"fever_dev": 3000, "feverous": 700, "fever_sym": 150}
LIKE_WEIGHT = 0.7


def words(s):
    return {w for w in re.findall(r"[^\W_]{3,}", s.lower())}


def share(claim, passage):
    c = words(claim)
    return len(c & words(passage)) / max(1, len(c))


def aside(group):
    return int(hashlib.sha256(group.encode()).hexdigest(), 16) % ASIDE == 0


def kind(p):
    """The set that a pair is capped with: kept sentences are many."""
    return "edits_kept" if p["set"].startswith("edits") and p["id"].endswith("/kept") else p["set"]


def row(p, passages, y, binary):
    return {"set": p["set"], "id": p["id"], "group": p["group"], "claim": p["claim"], "passages": passages, "y": y, "binary": binary,
            "weight": WEIGHTS.get(p["set"], 1.0)}


def made(p, rng):
    """The rows of a pair: its own, and perhaps one of a window that says nothing of the claim."""
    if not p["windows"] or p["texts"] > 1 and len(p["windows"]) > 1:
        return None, None  # the claim may need two documents
    if p["set"] in WHOLE and len(p["windows"]) > 1:
        return None, None
    y = LABELS[p["label"]]
    passages = p["windows"][:PASSAGES]
    if p.get("gold"):  # it is known what it is about
        passages = [w for w in p["windows"] if " ".join(p["gold"].split()) in " ".join(w.split())][:1]
        if not passages and p["set"] in LESSON:
            passages = p["windows"][:PASSAGES]  # several sentences: one of the windows will do
        if not passages:
            return None, None
    own = row(p, passages, y, p["binary"])
    other = None
    if y != 2 and len(p["windows"]) > PASSAGES:
        best = share(p["claim"], p["windows"][0])
        rest = [w for w in p["windows"][PASSAGES:] if share(p["claim"], w) <= best / 2 and not (p.get("gold") and p["gold"] in w)]
        if rest:
            other = row(p, [rng.choice(rest)], 2, False)
    elif y != 2 and p.get("gold"):
        rest = [w for w in p["windows"] if p["gold"] not in w and share(p["claim"], w) <= 0.5]
        if rest:
            other = row(p, [rng.choice(rest)], 2, False)
    return own, other


class Clothes:
    """Sentences and headings of public texts, from the pairs of edits.py."""

    def __init__(self, pairs):
        self.near, self.headings = [], []
        for p in pairs:
            gold = p.get("gold", "")
            if p["set"] != "edits_en" or not p["windows"] or not 6 <= len(gold.split()) <= 28:
                continue
            self.near.append(gold)
            at = p["windows"][0].find(gold)
            if 4 < at < 70 and p["windows"][0][at - 2:at] == ": ":
                self.headings.append(p["windows"][0][:at])
        self.near, self.headings = sorted(set(self.near)), sorted(set(self.headings))

    def dress(self, passage, rng):
        before, after = rng.choice([(0, 0), (0, 1), (1, 0), (1, 0), (1, 1), (0, 2), (2, 0)])
        passage = passage if passage[-1:] in ".!?\"" else passage + "."
        parts = rng.sample(self.near, before) + [passage] + rng.sample(self.near, after)
        heading = rng.choice(self.headings) if rng.random() < 0.5 or len(parts) == 1 else ""
        return heading + " ".join(parts)


def look_alikes(rows, most, rng):
    """Claims with a passage of another row that shares rare words with them."""
    holds = {}
    for i, r in enumerate(rows):
        for w in words(r["passages"][0]):
            holds.setdefault(w, []).append(i)
    out = []
    for r in rng.sample(rows, len(rows)):
        near = {}
        for w in words(r["claim"]):
            if len(holds.get(w, ())) <= 200:
                for i in holds.get(w, ()):
                    near[i] = near.get(i, 0) + 1 / len(holds[w])
        near = [i for i in near if rows[i]["group"] != r["group"] and rows[i]["passages"] != r["passages"] and share(r["claim"], rows[i]["passages"][0]) <= 0.6]
        if near:
            other = rows[rng.choice(sorted(near)[:50])]
            out.append(r | {"id": r["id"] + "/like", "passages": other["passages"][:1], "y": 2, "binary": False, "weight": LIKE_WEIGHT})
        if len(out) == most:
            break
    return out


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("--pairs", nargs="+", required=True)
    args.add_argument("--out", required=True)
    args.add_argument("--seed", type=int, default=7)
    args.add_argument("--lang", nargs="+", default=["en"])
    args.add_argument("--rest", type=float)
    args.add_argument("--times", type=int, default=2)
    args = args.parse_args()
    rng = random.Random(args.seed)
    train, kept_aside, others, unread = [], {}, [], 0
    by_kind, size, have = {}, {}, set()
    for file in args.pairs:
        with open(file, encoding="utf-8") as f:
            for line in f:
                p = json.loads(line)
                if p["lang"] not in args.lang or p["id"] in have:
                    continue
                have.add(p["id"])
                size[p["group"]] = size.get(p["group"], 0) + 1
                by_kind.setdefault(kind(p), []).append(p)
    clothes = Clothes(p for pairs in by_kind.values() for p in pairs)
    for name in sorted(by_kind):
        first = len(train)
        if CAPS.get(name) == 0:
            continue
        pairs = by_kind[name]
        rng.shuffle(pairs)
        taken = 0
        for p in pairs:
            own, other = made(p, rng)
            if own is None:
                unread += 1
            elif size[p["group"]] <= LARGE and aside(p["group"]):
                if len(kept_aside.setdefault(name, [])) < ASIDE_MOST:
                    kept_aside[name].append(own)
            elif taken < CAPS.get(name, len(pairs)):
                taken += 1
                train.append(own)
                if other:
                    others.append(other)
        made_here = train[first:]
        if name in LIKE:
            train += look_alikes(made_here, LIKE[name], rng)
        for r in train[first:] if name in BARE and clothes.near else ():
            if rng.random() < DRESSED:
                r["passages"] = [clothes.dress(p, rng) for p in r["passages"]]
    rng.shuffle(others)
    train += others[:OTHERS]
    rng.shuffle(train)
    if args.rest:
        rest = [r for r in train if r["set"] not in LESSON]
        train = rest[:round(len(rest) * args.rest)] + [dict(r) for r in train if r["set"] in LESSON for _ in range(args.times)]
        rng.shuffle(train)
    os.makedirs(args.out, exist_ok=True)
    for name, rows in (("train", train), ("aside", [r for n in sorted(kept_aside) for r in kept_aside[n]])):
        with open(os.path.join(args.out, name + ".jsonl"), "w", encoding="utf-8") as f:
            for r in rows:
                del r["group"]
                f.write(json.dumps(r, ensure_ascii=False) + "\n")
        counts = {}
        for r in rows:
            counts.setdefault(r["set"], [0, 0, 0])[r["y"]] += 1
        print(name, len(rows), "rows,", sum(len(r["passages"]) for r in rows), "passages")
        for s in sorted(counts):
            print("  ", s, counts[s])
    print("others of the same document:", min(OTHERS, len(others)), "of", len(others), "; without a window:", unread)


if __name__ == "__main__":
    main()
