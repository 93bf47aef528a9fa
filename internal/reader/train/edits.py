"""Rows made from sentences of public texts: kept, said otherwise, or changed by program.

    python3 edits.py --eval ../../../../shared/eval --out DIR [--rows 16000] [--lang en]    write DIR/learn/edits_LANG.jsonl

Each row's evidence is the whole passage, so that the product's own code finds the window. An edit whose outcome is sure
has its label; where it is sure only that the claim does not follow (a condition left out, a name exchanged), the row is
`binary`. None of the sentences, frames or names is taken from shared/eval/pairs.
"""
import argparse
import json
import os
import random
import re

import sets

S, C, N, NOT = "supported", "contradicted", "not_found", "binary"

# (pattern, what it becomes, label), by phenomenon. The first match of a pattern in the sentence is replaced.
WORDS_EN = {
    "negation": [
        (r"\b(is|are|was|were|will|can|could|should|must|does|do|did|has been|have been)\b(?! not|n't)", r"\1 not", C),
        (r"\b(is|are|was|were|will|can|could|should|does|do|did) not\b", r"\1", C),
        (r"\bcannot\b", "can", C), (r"\bwithout\b", "with", C), (r"\bnever\b", "always", C), (r"\bno longer\b", "still", C),
        (r"\b(un)(able|available|likely|necessary|limited|changed|authori[sz]ed)\b", r"\2", C),
    ],
    "quantifier": [
        (r"\b(A|a)ll\b(?! (?:of )?(?:the )?(?:rights|time))", r"\1lmost no", C), (r"\b(E|e)very\b", r"Not \1very", C),
        (r"\bmost\b(?= [a-z]+s\b)", "all", NOT), (r"\b(S|s)ome\b(?= [a-z]+s\b)", "all", NOT), (r"\bmany\b", "all", NOT),
        (r"\boften\b", "always", NOT), (r"\bsometimes\b", "always", NOT), (r"\busually\b", "in every case", NOT),
        (r"\ball\b(?= [a-z]+s\b)", "some", S), (r"\balways\b", "sometimes", NOT), (r"\bboth\b", "neither", C),
        (r"\bat least\b", "at most", C), (r"\bmore than\b", "less than", C), (r"\bup to\b", "more than", C),
        (r"\bfewer than\b", "more than", C), (r"\bhigher\b", "lower", C), (r"\bincreas(e|es|ed)\b", r"decreas\1", C),
        (r"\bonly\b", "not only", C), (r"\bbefore\b", "after", C), (r"\bafter\b", "before", C), (r"\bfirst\b", "last", C),
    ],
    "modality": [
        (r"\bmust\b(?! not)", "may", NOT), (r"\bshould\b(?! not)", "must", NOT), (r"\bmay\b(?! not)", "must", NOT),
        (r"\bcan\b(?! not)", "has to", NOT), (r"\bmust\b(?! not)", "need not", C), (r"\bwill\b(?! not)", "might", NOT),
        (r"\bmight\b", "will", NOT), (r"\bplans? to\b", "has already begun to", NOT), (r"\bhelps?\b", "refuses to help", C),
        (r"\brequired\b", "optional", C), (r"\boptional\b", "required", C), (r"\ballowed\b", "forbidden", C),
        (r"\brecommends?\b", "advises against", C), (r"\bagree[sd]?\b", "refused", C), (r"\binclud(es|ed|e)\b", r"exclud\1", C),
    ],
    "condition": [
        (r"^(?:If|When|Unless|Once|Where|Provided that) [^,]{8,90}, (?:then )?", "", NOT),
        (r",? (?:if|unless|provided that|as long as|only when) [^,.;]{8,90}(?=[.;]?$)", "", NOT),
        (r" subject to [^,.;]{6,60}", "", NOT), (r",? in case of [^,.;]{6,60}", "", NOT),
    ],
    "exception": [
        (r",? (?:except|except for|other than|apart from|excluding) [^,.;]{4,70}", "", NOT),
        (r"\bunless otherwise [a-z]+ [^,.;]{0,30},? ?", "", NOT),
    ],
}

# Ways to say the same. The label stays.
SAME_EN = [
    (r"\bmust\b(?! not)", "has to"), (r"\bmay\b(?! not| be)", "is permitted to"), (r"\bcannot\b", "is unable to"), (r"\bin order to\b", "to"),
    (r"\bapproximately\b", "about"), (r"\bprior to\b", "before"), (r"\bbefore\b", "prior to"), (r"\bbegins?\b", "starts"),
    (r"\bpurchase[sd]?\b", "buy"), (r"\brequires?\b", "calls for"), (r"\bassists?\b", "helps"), (r"\bsuch as\b", "like"),
    (r"\bhowever,? ", ""), (r"^(?:However|In addition|Additionally|Also|For example|Therefore|Furthermore), ", ""),
    (r" \([^()]{3,60}\)", ""), (r", (?:which|who) [^,.;]{8,90}(?=[.]?$)", ""), (r"\bis not\b", "isn't"), (r"\bdo not\b", "don't"),
    (r"\bat least\b", "no less than"), (r"\bmore than\b", "over"), (r"\bevery year\b", "each year"), (r"\bobtain\b", "get"),
    (r"\butili[sz]e\b", "use"), (r"\bmodify\b", "change"), (r"\bnumerous\b", "many"), (r"\bpermitted\b", "allowed"),
    (r"\b(\d{1,2}) (January|February|March|April|May|June|July|August|September|October|November|December) (\d{4})\b", r"\2 \1, \3"),
]

NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
MONTHS = "January February March April May June July August September October November December".split()

WORDS_AR = {
    "negation": [
        (r"\bيمكن\b", "لا يمكن", C), (r"\bلا يمكن\b", "يمكن", C), (r"\bيجب\b", "لا يجب", C), (r"\bلا (?=ي|ت)", "", C),
        (r"\bيتم\b", "لا يتم", C), (r"\bكان\b", "لم يكن", C), (r"\bبدون\b", "مع", C),
    ],
    "quantifier": [
        (r"\bجميع\b", "بعض", S), (r"\bبعض\b", "جميع", NOT), (r"\bأكثر من\b", "أقل من", C), (r"\bأقل من\b", "أكثر من", C),
        (r"\bقبل\b", "بعد", C), (r"\bبعد\b", "قبل", C), (r"\bفقط\b", "وغيره", NOT), (r"\bأول\b", "آخر", C),
    ],
    "modality": [(r"\bيجب\b", "يجوز", NOT), (r"\bقد\b(?= ي)", "لا بد أن", NOT), (r"\bمطلوب\b", "اختياري", C)],
    "condition": [(r"^إذا [^،]{8,90}، ", "", NOT)],
    "exception": [(r"،? باستثناء [^،.]{4,70}", "", NOT)],
}
SAME_AR = [(r"\bمن أجل\b", "لـ"), (r"\bبالإضافة إلى ذلك،? ", ""), (r"\bومع ذلك،? ", ""), (r" \([^()]{3,60}\)", ""), (r"\bلدى\b", "عند")]

FIGURE = re.compile(r"(?<![\w.,/-])\d{1,4}(?![\w,/-]|\.\d)")
NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][a-z]{2,}(?: [A-Z][a-z]+)*\b")
UNFIT = re.compile(r"^(?:It|He|She|They|This|These|That|Those|Such|We|You|Its|Their|هو|هي|هذا|هذه|ذلك|وهو|وهي)\b|[?؟|*_`\[\]<>{}#]|https?:")


def number(s, rng):
    """The sentence with another number."""
    found = list(FIGURE.finditer(s))
    if found:
        m = rng.choice(found)
        v = int(m.group())
        step = rng.choice([1, 2, 3, 4]) if 1800 < v < 2100 else rng.choice([1, 2, 3, 5, 10, 15, max(1, v // 2)])
        n = v + step if rng.random() < 0.5 or v <= step else v - step
        return s[:m.start()] + str(n) + s[m.end():]
    found = [m for m in re.finditer(r"\b[a-z]+\b", s) if m.group() in NUMBER_WORDS[2:]]
    if found:
        m = rng.choice(found)
        return s[:m.start()] + rng.choice([w for w in NUMBER_WORDS[2:] if w != m.group()]) + s[m.end():]
    return None


def figure_in_words(s, rng):
    """The sentence with a small number in words, or the other way round."""
    m = next((m for m in FIGURE.finditer(s) if int(m.group()) in range(2, 13)), None)
    return s[:m.start()] + NUMBER_WORDS[int(m.group())] + s[m.end():] if m else None


def date(s, rng):
    """The sentence with another month."""
    found = [m for m in re.finditer(r"\b[A-Z][a-z]+\b", s) if m.group() in MONTHS and m.group() != "May"]
    if not found:
        return None
    m = rng.choice(found)
    return s[:m.start()] + rng.choice([x for x in MONTHS if x != m.group()]) + s[m.end():]


def roles(s, rng):
    """The sentence with two of its names exchanged."""
    found = [m for m in NAME.finditer(s)]
    if len(found) < 2 or found[0].group() == found[1].group() or re.search(r"\b(?:and|or|,)\s*$", s[found[0].end():found[1].start()]):
        return None
    a, b = found[:2]
    return s[:a.start()] + b.group() + s[a.end():b.start()] + a.group() + s[b.end():]


def name(s, rng, others):
    """The sentence with a name of another sentence."""
    found = list(NAME.finditer(s))
    others = [o for o in others if o not in s]
    if not found or not others:
        return None
    m = rng.choice(found)
    return s[:m.start()] + rng.choice(others) + s[m.end():]


def sentences(passage):
    out = []
    for block in re.split(r"\n\s*\n|\n(?=[-•*#\d])", passage):
        for s in re.split(r"(?<=[.!?؟])\s+(?=[\"'A-Z0-9\u0600-\u06ff(])", block.strip()):
            out.append(re.sub(r"\s+", " ", s.strip(" -•\n")))
    return out


def changes(s, others, lang, rng):
    """All (phenomenon, claim, label) that programs make of a sentence."""
    out = []
    words, same = (WORDS_EN, SAME_EN) if lang == "en" else (WORDS_AR, SAME_AR)
    for kind, patterns in words.items():
        for pattern, into, label in patterns:
            e = re.sub(pattern, into, s, count=1)
            if e != s:
                out.append((kind, e, label))
    for kind, e, label in (("number", number(s, rng), C), ("date", date(s, rng), C), ("role", roles(s, rng), NOT),
                           ("name", name(s, rng, others), NOT)):
        if e and e != s and (lang == "en" or kind == "number"):
            out.append((kind, e, label))
    said = s
    for pattern, into in rng.sample(same, len(same)):
        said = re.sub(pattern, into, said, count=1)
    if lang == "en" and rng.random() < 0.5:
        said = figure_in_words(said, rng) or said
    if said != s:
        out.append(("same", said, S))
    return [(k, e[:1].upper() + e[1:], label) for k, e, label in out]


def make(texts, lang, most, rng):
    rows, used = [], {}
    for n, t in enumerate(texts):
        fit = [s for s in sentences(t["text"]) if 6 <= len(s.split()) <= 45 and not UNFIT.search(s)]
        if len(fit) < 2:
            continue
        for s in rng.sample(fit, min(3, len(fit))):
            others = [m.group() for o in fit if o != s for m in NAME.finditer(o)]
            made = changes(s, others, lang, rng)
            rare = lambda c: (used.get(c[0], 0) + rng.random() * 50, c)  # phenomena that are rare first
            chosen = sorted((c for c in made if c[0] != "same"), key=rare)[:2] + [c for c in made if c[0] == "same"]
            if not chosen:
                continue
            chosen.append(("kept", s, S))
            for kind, claim, label in chosen:
                used[kind] = used.get(kind, 0) + 1
                rows.append({"id": f"edits_{lang}/{t['source']}/{n}/{len(rows)}/{kind}", "dataset": "edits_" + lang, "claim": claim,
                             "evidence": [{"doc": t["source"], "text": t["text"]}], "lang": lang,
                             "label": N if label == NOT else label, "binary": label == NOT, "gold": s})
        if len(rows) >= most:
            break
    return rows, used


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("--eval", required=True)
    args.add_argument("--out", required=True)
    args.add_argument("--rows", type=int, default=16000)
    args.add_argument("--lang", default="en")
    args.add_argument("--seed", type=int, default=7)
    args = args.parse_args()
    rng = random.Random(args.seed)
    texts = [t for t in sets.read(os.path.join(args.eval, f"more/texts_{args.lang}.jsonl.gz")) if t["source"] not in sets.TEXTS_LEFT_OUT]
    rng.shuffle(texts)
    rows, used = make(texts, args.lang, args.rows, rng)
    lists, _ = sets.load(args.eval)
    taken = set().union(*(sets.keys(r) for name in ("calibrate", "measure") for of in lists[name].values() for r in of))
    kept = [r for r in rows if not sets.keys(r) & taken]
    with open(os.path.join(args.out, "learn", f"edits_{args.lang}.jsonl"), "w", encoding="utf-8") as f:
        for r in kept:
            f.write(json.dumps(r, ensure_ascii=False) + "\n")
    print(len(kept), "rows,", len(rows) - len(kept), "left out;", dict(sorted(used.items())))


if __name__ == "__main__":
    main()
