"""Rows made from sentences of public texts: kept, said otherwise, or changed by program.

    python3 edits.py --eval ../../../../shared/eval --out DIR [--rows 22000] [--lang en]    write DIR/learn/edits_LANG.jsonl

Each row's evidence is the whole passage, so that the product's own code finds the window. An edit whose outcome is sure
has its label; where it is sure only that the claim does not follow (a condition left out, a name exchanged), the row is
`binary`. None of the sentences, frames or names is taken from shared/eval/pairs.
"""
import argparse
import json
import os
import random
import re

import edits_ar as ar
import sets

S, C, N, NOT = "supported", "contradicted", "not_found", "binary"

# (pattern, what it becomes, label), by phenomenon. The first match of a pattern in the sentence is replaced.
CLAUSE = "if|when|that|who|which|where|because|whether|unless|until|than|how|what|why|while|although|once|before|after|as"
MAIN = r"^((?:(?!(?i:\b(?:" + CLAUSE + r"|not|no|nobody|nothing|never|neither|only)\b))[^,;:(\"“])*?"  # before any clause and without a negation
PLAIN = r"^((?:(?!(?i:\b(?:" + CLAUSE + r"|nobody|nothing|never)\b))[^,;:(\"“])*?"
WORDS_EN = {
    "negation": [
        (MAIN + r"\b(?:is|are|was|were|will|could|should)) (?!(?:you|I|we|they)\b)(?!(?:not|no|also|only|still|just|never|neither)\b)", r"\1 not ", C),
        (MAIN + r"\b(?:is|are|was|were|could|should)) (?!(?:not|no|also|only|still|just|never|neither)\b)", r"\1n't ", C),
        (MAIN + r")\bcan (?!(?:not|also|only|still|just|never)\b)", r"\1cannot ", C),
        (MAIN + r"\b[a-z]+) (provide|require|allow|include|contain|offer|support|cover|use|produce|affect|need|create|protect|own|accept)s ", r"\1 does not \2 ", C),
        (PLAIN + r"\b(?:is|are|was|were|will|can|could|should)) not\b(?! only)", r"\1", C), (PLAIN + r"\b(?:is|are|was|were|could|should))n['’]t\b(?! only)", r"\1", C),
        (PLAIN + r"\bdo(?:es)?) not (?=[a-z]+\b)", r"\1 ", C), (PLAIN + r"\bdo(?:es)?)n['’]t (?=[a-z]+\b)", r"\1 ", C), (PLAIN + r"\b)can(?:not|['’]t)\b", r"\1can", C), (r"\bno longer\b", "still", C),
        (r"\b(is|are|was|were) un(able|available|likely|necessary|changed|authori[sz]ed)\b", r"\1 \2", C),
    ],
    "quantifier": [
        (r"^All (?=[a-z]+s (?:are|can|must|have|will|were)\b)", "Not all ", C), (r"^Every (?=[a-z]+ [a-z]+s\b)", "Not every ", C), (r"^(No|None of the) (?=[a-z]+s\b)", "Some ", C),
        (r"^(?:Most|Many|Some|A few|Several) (?=[a-z]+s\b)", "All ", NOT), (r"\b(?:most|some) (?=of the [a-z]+s\b)", "all ", NOT), (r"\bmost (?=[a-z]+s\b)", "all ", NOT),
        (r"^(?:Most|Many|Some|Several) (?=[a-z]+s\b)", "No ", C),
        (r"\b(?:often|sometimes|usually|typically|generally)\b", "always", NOT), (r"\balways\b", "never", C), (r"\boften\b", "rarely", C),
        (r"\bat least (?=\d|one|two|three|four|five|ten)", "at most ", C), (r"\bmore than (?=\d|one|two|half|a )", "less than ", C), (r"\bup to (?=\d)", "more than ", C),
        (r"\b(?:fewer|less) than (?=\d|half)", "more than ", C), (r"\bhigher\b", "lower", C), (r"\bincreas(e|es|ed|ing)\b", r"decreas\1", C), (r"\b(is|are|was|were) larger\b", r"\1 smaller", C),
        (r"\bbefore (?=the |you |a |any |\d)", "after ", C), (r"\bafter (?=the |you |a |\d)", "before ", C), (r"\bthe first\b(?! time| step)", "the last", C),
        (r"\bearly (?=in|\d)", "late ", C), (r"\blate (?=in|\d)", "early ", C),
    ],
    "modality": [
        (r"\bmust\b(?! not)", "may", NOT), (r"\bshould\b(?! not)", "must", NOT), (r"\bmay\b(?! not| be| have)", "must", NOT), (r"\bmust\b(?! not)", "need not", C),
        (r"\b(?:might|may|could) (?=be\b|have\b)", "will certainly ", NOT), (r"\b(?:plans?|hopes?|intends?) to\b", "has already begun to", NOT),
        (r"\b(is|are) required to\b", r"\1 not required to", C), (r"\b(is|are) optional\b", r"\1 mandatory", C), (r"\b(is|are) allowed\b", r"\1 forbidden", C),
        (r"\b(is|are) prohibited\b", r"\1 allowed", C), (r"\bagree[sd]? to (?=[a-z]+\b)", "refused to ", C), (r"\bincludes\b", "excludes", C), (r"\bprobably\b", "certainly", NOT),
        (r"\b(?:reportedly|allegedly) ", "", NOT), (r"\bappears? to be\b", "is proven to be", NOT),
    ],
    "condition": [
        (r"^(?:If|Unless|Once|Provided that) [^,]{8,90}, (?:then )?", "", NOT),
        (r",? (?:if|unless|provided that|as long as|only when) [^,.;]{8,90}(?=[.;]?$)", "", NOT),
        (r" subject to [^,.;]{6,60}", "", NOT), (r",? in case of [^,.;]{6,60}", "", NOT),
    ],
    "exception": [(r",? (?:except for|except|with the exception of|apart from|excluding) [^,.;]{4,70}", "", NOT), (r",? unless otherwise [a-z]+ [^,.;]{0,30}(?=[.;]?$)", "", NOT)],
    "hearsay": [
        (r"^(?:According to|In the opinion of) (?![^,]*(?:census|data|figures|statistics|law))[^,]{4,60}, ", "", NOT), (r"^[A-Z][^,.;“\"]{3,60} (?:claim|claims|claimed|argue|argues|argued|believe|believes|believed|allege|alleged|suggest|suggested) that ", "", NOT),
        (r", (?:critics|opponents|supporters|officials|experts|scientists|he|she|they) (?:say|said|claim|claimed|argue|argued|believe)(?=\.$)", "", NOT),
    ],
}

# Ways to say the same. The label stays.
SAME_EN = [(r"\b" + a + r"\b", b) for a, b in (line.split(" = ") for line in """
in order to = to
approximately = about
prior to = before
begins = starts
begin = start
began = started
purchases = buys
purchase = buy
requires = calls for
assistance = help
assist = help
assists = helps
such as = like
at least = no less than
more than = over
every year = each year
annually = every year
obtain = get
utili[sz]e = use
utili[sz]es = uses
modify = change
numerous = many
permitted = allowed
sufficient = enough
individuals = people
additional = further
immediately = at once
frequently = often
regarding = about
concerning = about
receives = gets
ensure = make sure
ensures = makes sure
currently = at present
due to = because of
despite = in spite of
although = even though
is able to = can
are able to = can
has the ability to = can
the majority of = most of
for example = for instance
enormous = huge
quickly = rapidly
demonstrates = shows
large = big
difficult = hard
terminates = ends
terminate = end
commence = start
inform = tell
attempt to = try to
attempted to = tried to
wish to = want to
is located in = lies in
is situated in = lies in
is composed of = consists of
was founded = was established
was established = was founded
created = made
however, = 
""".strip("\n").split("\n"))] + [
    (r"^(?:However|In addition|Additionally|Also|For example|Therefore|Furthermore|Moreover|As a result|In fact), ", ""),
    (r" \([^()]{3,60}\)", ""), (r", (?:which|who) [^,.;]{8,90}(?=[.]?$)", ""), (r"\bis not\b", "isn't"), (r"\bdo not\b", "don't"), (r"\bwill not\b", "won't"), (r"\bcannot\b", "can't"),
    (r"\bisn['’]t\b", "is not"), (r"\bdon['’]t\b", "do not"), (r"\bcan['’]t\b", "cannot"),
    (r"\b(\d{1,2}) (January|February|March|April|May|June|July|August|September|October|November|December) (\d{4})\b", r"\2 \1, \3"),
    (r"\b(January|February|March|April|May|June|July|August|September|October|November|December) (\d{1,2}), (\d{4})\b", r"\2 \1 \3"),
    (r"(\d)%", r"\1 percent"), (r"(\d) per ?cent\b", r"\1%"),
]
# Sentences of two clauses whose order may be turned round.
TURNED = [(re.compile(r"^(If|When|Because|Although|While|After|Before|Unless|Once) ([a-z][^,]{10,90}), ([a-z][^,;:?]{10,90})\.$"), lambda m: f"{m[3]} {m[1].lower()} {m[2]}."),
          (re.compile(r"^([A-Z][^,;:?]{10,90}) (if|when|because|although|before|after|unless|once) ([a-z][^,;:?]{10,90})\.$"), lambda m: f"{m[2].capitalize()} {m[3]}, {m[1][:1].lower() if not m[1][1:2].isupper() and m[1].split()[0] in COMMON else m[1][:1]}{m[1][1:]}.")]
COMMON = set("The A An You We They It This These Those Users People Your Our Their Some Many Most All Each Every No If In At".split())

NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
MONTHS = "January February March April May June July August September October November December".split()

FIGURE = re.compile(r"(?<![\w.,/:§#-])\d{1,4}(?![\w,/:-]|\.\d| ?[(\"“])")
NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][a-z]{2,}(?: [A-Z][a-z]+)*\b")
UNFIT = re.compile(r"^(?:It|He|She|They|This|These|That|Those|Such|We|You|Its|Their)\b|[?؟|*_`\[\]<>{}#]|https?:")


LISTED = re.compile(r"\s*(?:,|,?\s*(?:and|or|&)|–|-|/)\s*(?:the\s+)?(?:\w+\s+)?")  # between two names of a list: their order says nothing
# What no edit may leave behind.
FAULTY = re.compile(r"\bnot not\b|\bnot (?:no|any longer)\b|\b(\w+) \1\b|\s[,.;]|\bno (?:the|our|a)\b|^(?:And|Or|Then)\b")
NO_NAMES = COMMON | set("What When How Why Where Who But And So For On To He She I That As By With After Before While Now Then There Here Not".split())
# Sources whose capital letters are buttons and products.
SCREENS = {"ms_project_operations", "ms_edgeai", "ms_security_101", "ms_dynamics_ar_ops", "ms_dynamics_ar_hr"}


CUT = re.compile(r"^(?:\d|[a-z(]|Note|Tip|See|For more information)")  # a list's item, half a sentence
MOST_OF_A_SOURCE = 1500


def number(s, rng):
    """The sentence with another number."""
    found = [m for m in FIGURE.finditer(s) if not re.search(r"\b(?!(?:In|By|Of|From|On|At|Since|About|Over|For|The|%s)\b)[A-Z]\w* $" % "|".join(MONTHS), s[:m.start()])]
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
    m = next((m for m in FIGURE.finditer(s) if int(m.group()) in range(2, 13) and not re.match(r" ?(?:%|per|to |–|-)", s[m.end():])), None)
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
    found = [m for m in found if m.group() not in NO_NAMES]
    if len(found) < 2 or found[0].group() == found[1].group() or LISTED.fullmatch(s[found[0].end():found[1].start()]):
        return None
    a, b = found[:2]
    return s[:a.start()] + b.group() + s[a.end():b.start()] + a.group() + s[b.end():]


def name(s, rng, others):
    """The sentence with a name of another sentence."""
    found = list(NAME.finditer(s))
    found = [m for m in found if m.group() not in NO_NAMES and s[m.start() - 1:m.start()] not in "“‘\"'"]
    others = [o for o in others if o not in s and o not in NO_NAMES]
    if not found or not others:
        return None
    m = rng.choice(found)
    return s[:m.start()] + rng.choice(others) + s[m.end():]


def sentences(passage):
    out = []
    for block in passage.split("\n"):
        for s in re.split(r"(?<=[.!?؟])\s+(?=[\"'A-Z0-9\u0600-\u06ff(])", block.strip()):
            out.append(re.sub(r"\s+", " ", s.strip(" -•\n")))
    return out


def document(text):
    """A passage as a document has it: its first line a heading where it is one, a paragraph a line."""
    first, *rest = [line.strip() for line in text.split("\n") if line.strip()]
    title = rest and len(first) <= 90 and not re.search(r"[.!?:;,؟؛،]$", first)
    out = ["# " + re.sub(r"^#+ *", "", first)] if title else [first]
    for line in rest:
        item = re.search(r"[;,؛،]$|; and$|; or$", line) or line.startswith(("- ", "* ", "• "))
        out.append("- " + line.lstrip("-*• ") if item else line)
    return re.sub(r"(\n- [^\n]*)\n(?=\n- )", r"\1", "\n\n".join(out))


def number_ar(s, rng):
    """The sentence with another number, in the figures that it has."""
    found = [m for m in FIGURE.finditer(s) if m.group().isdecimal() and "بين" not in s[max(0, m.start() - 25):m.start()]]
    if found:
        m = rng.choice(found)
        v = int(m.group())
        step = rng.choice([1, 2, 3, 4]) if 1800 < v < 2100 else rng.choice([1, 2, 3, 5, 10, 15, max(1, v // 2)])
        n = str(v + step if rng.random() < 0.5 or v <= step else v - step)
        zero = ord(m.group()[0]) - int(m.group()[0])
        return s[:m.start()] + "".join(chr(zero + int(d)) for d in n) + s[m.end():]
    return one_of(s, rng, ar.NUMBER_WORDS)


def one_of(s, rng, lists):
    """The sentence with one word of a list exchanged for another one of it, None if it has none."""
    found = [(m, of) for of in lists for m in re.finditer(ar.B + "(?:" + "|".join(of) + ")" + ar.E, s)]
    if not found:
        return None
    m, of = rng.choice(found)
    return s[:m.start()] + rng.choice([w for w in of if w != m.group() and w not in s] or [m.group()]) + s[m.end():]


def changes_en(s, others, rng):
    """(phenomenon, claim, label) of what programs change in an English sentence, and the sentence said otherwise."""
    out = worded(s, WORDS_EN)
    for kind, e, label in (("number", number(s, rng), C), ("date", date(s, rng), C), ("role", roles(s, rng), NOT), ("name", name(s, rng, others), NOT)):
        if e and e != s:
            out.append((kind, e, label))
    said = said_otherwise(s, SAME_EN, TURNED, 0.8, rng)
    if rng.random() < 0.5:
        said = figure_in_words(said, rng) or said
    return out + [("same", said, S)], FAULTY


def changes_ar(s, others, rng):
    """The same of an Arabic sentence."""
    out = [c for c in ar.denials(s) if c[1] != s] + worded(s, ar.WORDS)
    for kind, e, label in (("number", number_ar(s, rng), C), ("date", one_of(s, rng, [ar.MONTHS, ar.MONTHS_EAST]), C), ("name", one_of(s, rng, ar.PLACES), NOT)):
        if e and e != s:
            out.append((kind, e, label))
    return out + [("same", said_otherwise(s, ar.SAME, ar.TURNED, 0.5, rng), S)], ar.FAULTY


def worded(s, words):
    out = []
    for kind, patterns in words.items():
        for pattern, into, label in patterns:
            e = re.sub(pattern, into, s, count=1)
            if e != s:
                out.append((kind, e, label))
    return out


def said_otherwise(s, same, turned, often, rng):
    said = s
    for pattern, into in rng.sample(same, len(same)):
        if re.sub(pattern, into, s, count=1) != s:  # only what stood there: no change is undone
            said = re.sub(pattern, into, said, count=1)
    for pattern, into in turned:
        m = pattern.search(said)
        if m and rng.random() < often:
            return into(m)
    return said


LANGUAGES = {"en": (changes_en, UNFIT), "ar": (changes_ar, re.compile(ar.UNFIT.pattern + "|" + UNFIT.pattern))}


def changes(s, others, lang, rng):
    """All (phenomenon, claim, label) that programs make of a sentence."""
    out, faulty = LANGUAGES[lang][0](s, others, rng)
    return [(k, e[:1].upper() + e[1:], label) for k, e, label in out
            if e != s and len(e.split()) >= 5 and not faulty.search(e) and e.count("(") == e.count(")")]


def make(texts, lang, most, rng):
    rows, used = [], {}
    for n, t in enumerate(texts):
        fit = [s for s in sentences(t["text"]) if 6 <= len(s.split()) <= 45 and s[-1:] in ".。" and not LANGUAGES[lang][1].search(s) and not CUT.search(s)]
        if len(fit) < 2:
            continue
        text = document(t["text"])
        for s in rng.sample(fit, min(4, len(fit))):
            others = [m.group() for o in fit if o != s for m in NAME.finditer(o)]
            made = changes(s, others, lang, rng)
            if t["source"] in SCREENS:
                made = [c for c in made if c[0] not in ("name", "role", "number", "date")]
            rare = lambda c: (used.get((c[0], c[2]), 0) + rng.random() * 50, c)  # phenomena that are rare first
            chosen = sorted((c for c in made if c[0] != "same"), key=rare)[:2] + [c for c in made if c[0] == "same"]
            if not chosen:
                continue
            if rng.random() < 0.5:
                chosen.append(("kept", s, S))
            for kind, claim, label in chosen:
                used[kind, label] = used.get((kind, label), 0) + 1
                rows.append({"id": f"edits_{lang}/{t['source']}/{n}/{len(rows)}/{kind}", "dataset": "edits_" + lang, "claim": claim,
                             "evidence": [{"doc": t["source"], "text": text}], "lang": lang,
                             "label": N if label == NOT else label, "binary": label == NOT, "gold": s})
        if len(rows) >= most:
            break
    return rows, used


def texts(folder, lang, rng):
    """The texts that may be learned from, in an order in which no source has more than its share at the beginning."""
    by = {}
    for t in sets.read(os.path.join(folder, f"more/texts_{lang}.jsonl.gz")):
        if t["source"] not in sets.TEXTS_LEFT_OUT:
            by.setdefault(t["source"], []).append(t)
    placed = []
    for source in sorted(by):
        of = by[source]
        rng.shuffle(of)
        step = 1 / min(len(of), MOST_OF_A_SOURCE)
        placed += [(i * step + rng.random() * step, source, i, t) for i, t in enumerate(of)]
    return [t for _, _, _, t in sorted(placed, key=lambda p: p[:3])]


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("--eval", required=True)
    args.add_argument("--out", required=True)
    args.add_argument("--rows", type=int, default=22000)
    args.add_argument("--lang", default="en")
    args.add_argument("--seed", type=int, default=7)
    args = args.parse_args()
    rng = random.Random(args.seed)
    rows, used = make(texts(args.eval, args.lang, rng), args.lang, args.rows, rng)
    taken = sets.taken(args.eval)
    kept = [r for r in rows if not sets.keys(r) & taken]
    with open(os.path.join(args.out, "learn", f"edits_{args.lang}.jsonl"), "w", encoding="utf-8") as f:
        for r in kept:
            f.write(json.dumps(r, ensure_ascii=False) + "\n")
    print(len(kept), "rows,", len(rows) - len(kept), "left out;", {f"{k} {v}": used[k, v] for k, v in sorted(used)})


if __name__ == "__main__":
    main()
