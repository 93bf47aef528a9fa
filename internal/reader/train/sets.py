"""The three lists of sets (Learn, Calibrate, Measure), and the rows of each.

    python3 sets.py --eval ../../../../shared/eval --out DIR    write DIR/learn/*.jsonl and DIR/calibrate/*.jsonl
    python3 sets.py --eval ../../../../shared/eval --check      count what the lists have in common

A set is in Learn only if SOURCES.md of the evaluation marks it as fit. A row of Learn that shares its claim, a text of
its evidence or a long sentence of it with Calibrate or Measure is left out; so is one of Calibrate that shares one with
Measure. The rows are written as the product would be given them: tables as Markdown tables.
"""
import argparse
import gzip
import hashlib
import json
import os
import re
import unicodedata

LEARN = """
dev/contract_nli dev/fever_sym
train/gensearch train/summedits train/bump train/xsum_faith train/begin train/evinf
train/negnli train/med train/breaking_nli train/wojood_ar
more/en/new_protocols more/en/mnli more/en/snli more/en/folio more/en/help_conj more/en/dnc more/en/feverous
more/en/infotabs more/en/tabfact more/en/fnc more/en/entailment_bank more/en/fever_dev more/en/qa_en
more/ar/arbte more/ar/qa_ar_human
""".split()

CALIBRATE = """
dev/wice dev/factcheck_bench dev/fm2 dev/ans_ar train/diasumfact train/fm2_more train/ans_more
""".split()

MEASURE = "dev/ragtruth_qa dev/factscore_bio pairs/dev".split()

# Of no list: no licence, or a non-commercial one.
LEFT_OUT = """
more/en/lingnli more/en/rte more/en/rte_xml more/en/control more/en/monli more/en/cb more/en/covidfact more/en/qags
more/en/politihop more/ar/arnli more/ar/qa_ar_aaqad more/ar/qa_ar_pairs
""".split()

# Sources of texts_en and texts_ar whose licence is not known.
TEXTS_LEFT_OUT = {"basecamp_handbook", "madetech_handbook"}

# Sources of parallel that are not used: without a known licence, and catalogues under GPL, LGPL or AGPL. What is learned from
# the latter might be called derived from them; nothing that is shipped should need that question answered.
PARALLEL_LEFT_OUT = {"rasaif", "quran", "primero"} | {"odoo", "wordpress", "mediawiki", "erpnext", "cinnamon", "vlc", "nextcloud"}

LONG_SENTENCE = 10  # words from which a sentence that two sets have is no accident


def path(folder, name):
    """The file of a set, compressed or not."""
    for ending in (".jsonl", ".jsonl.gz"):
        p = os.path.join(folder, name + ending)
        if os.path.exists(p):
            return p
    raise FileNotFoundError(os.path.join(folder, name))


def read(p):
    with (gzip.open(p, "rt", encoding="utf-8") if p.endswith(".gz") else open(p, encoding="utf-8")) as f:
        return [json.loads(line) for line in f if line.strip()]


def rows_of(folder, name):
    """The rows of a set that its licence allows."""
    rows = [r for r in read(path(folder, name)) if not r.get("nc")]
    if name == "train/negnli":  # its third part repeats texts of RTE, which have no formal licence
        rows = [r for r in rows if not r["id"].startswith("negnli/RTE")]
    return rows


def plain(s):
    """A text as it is compared: letters and figures only."""
    s = unicodedata.normalize("NFKC", s).lower()
    return " ".join(re.findall(r"[^\W_]+", s))


def keys(row):
    """What two rows must not have in common: the claim, a text, a long sentence of a text."""
    out = {"c " + plain(row["claim"])}
    for e in row["evidence"]:
        out.add("e " + plain(e["text"]))
        for sentence in re.split(r"[.!?؟\n]+", e["text"]):
            words = plain(sentence)
            if words.count(" ") + 1 >= LONG_SENTENCE:
                out.add("s " + words)
    return out


def taken(folder):
    """What no row that is made may have: the keys of Calibrate and Measure."""
    return set().union(*(keys(r) for s in CALIBRATE + MEASURE for r in rows_of(folder, s)))


def load(folder):
    """{list: {set: rows}}, disjoint, and how many rows of each set were left out for that."""
    lists = {"learn": LEARN, "calibrate": CALIBRATE, "measure": MEASURE}
    out = {name: {s: rows_of(folder, s) for s in sets} for name, sets in lists.items()}
    taken, dropped = set(), {}
    for name in ("measure", "calibrate", "learn"):
        mine = set()
        for s, rows in out[name].items():
            kept = []
            for r in rows:
                k = keys(r)
                if k & taken:
                    dropped[s] = dropped.get(s, 0) + 1
                else:
                    mine |= k
                    kept.append(r)
            out[name][s] = kept
        taken |= mine
    return out, dropped


def common(lists):
    """The keys that two of the lists have in common."""
    have = {name: set().union(*(keys(r) for rows in sets.values() for r in rows)) for name, sets in lists.items()}
    names = sorted(have)
    return {(a, b): have[a] & have[b] for i, a in enumerate(names) for b in names[i + 1:]}


def half(row):
    """Whether a row is in one of two halves, the same one in each run."""
    return hashlib.sha256(row["id"].encode()).digest()[0] % 2 == 0


def table(title, lines):
    """A Markdown table below its caption."""
    width = max(len(cells) for cells in lines)
    def line(cells):
        cells = [c.strip().replace("|", "\\|") for c in cells] + [""] * (width - len(cells))
        return "| " + " | ".join(cells) + " |"
    return "\n".join([title, "", line(lines[0]), "|" + "---|" * width] + [line(c) for c in lines[1:]])


def as_given(name, row):
    """A row with tables written as a document has them."""
    if name == "more/en/tabfact":
        title, *lines = row["evidence"][0]["text"].splitlines()
        cells = [line.split("|") for line in lines if line.strip()]
        row["evidence"][0]["text"] = table("# " + title, cells)
    if name == "more/en/infotabs":
        title, *lines = row["evidence"][0]["text"].splitlines()
        if half(row):
            cells = [line.split(": ", 1) for line in lines if line.strip()]
            row["evidence"][0]["text"] = table("# " + title, [["", ""]] + cells)
        else:
            row["evidence"][0]["text"] = "# " + title + "\n\n" + "\n\n".join(lines)
    return row


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("--eval", required=True)
    args.add_argument("--out")
    args.add_argument("--check", action="store_true")
    args = args.parse_args()
    lists, dropped = load(args.eval)
    print("left out for what they share:", dropped)
    for pair, shared in common(lists).items():
        print(*pair, "share", len(shared))
    if not args.out:
        return
    for name in ("learn", "calibrate"):
        os.makedirs(os.path.join(args.out, name), exist_ok=True)
        for s, rows in lists[name].items():
            with open(os.path.join(args.out, name, s.split("/")[-1] + ".jsonl"), "w", encoding="utf-8") as f:
                for r in rows:
                    f.write(json.dumps(as_given(s, r), ensure_ascii=False) + "\n")
            print(name, s, len(rows))


if __name__ == "__main__":
    main()
