"""Two parts of a lesson's rows, drawn at random: on a slow machine a lesson is given in parts.

    python3 parts.py --rows DIR --out A B     write A/train.jsonl, B/train.jsonl and a sixth of the rows kept aside to each
"""
import argparse
import json
import os
import random

# rows of the lesson's own sets and of all others, and the seed, of each part
PARTS = ((8500, 1500, 5), (6500, 1000, 6))


def lines(path):
    with open(path, encoding="utf-8") as f:
        return f.readlines()


def name(row):
    return row["id"] + row["passages"][0][:40]


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("--rows", required=True)
    a.add_argument("--out", nargs=2, required=True)
    args = a.parse_args()
    rows, used = [json.loads(line) for line in lines(os.path.join(args.rows, "train.jsonl"))], set()
    for (own, other, seed), folder in zip(PARTS, args.out):
        rng = random.Random(seed)
        left = [r for r in rows if name(r) not in used]
        written, rest = [r for r in left if r["set"] == "written"], [r for r in left if r["set"] != "written"]
        rng.shuffle(written)
        rng.shuffle(rest)
        part = written[:own] + rest[:other]
        rng.shuffle(part)
        used.update(map(name, part))
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "train.jsonl"), "w", encoding="utf-8") as f:
            f.writelines(json.dumps(r, ensure_ascii=False) + "\n" for r in part)
        with open(os.path.join(folder, "aside.jsonl"), "w", encoding="utf-8") as f:
            f.writelines(lines(os.path.join(args.rows, "aside.jsonl"))[::6])


if __name__ == "__main__":
    main()
