"""A base that knows Arabic words too: an English model, its vocabulary and embeddings enlarged.

    python3 bilingual.py --eval ../../../../shared/eval --base DIR/NAME [--model FILE.pt] --out DIR/NAME2 [--show 30]

Writes DIR/NAME2.json, the tokenizer, and DIR/NAME2.pt, weights under published names, for train.py --base. The English
pieces keep their ids; the Arabic ones come after them. The embedding of an Arabic piece is that of the English pieces
which stand for it in parallel sentences (IBM model 1, both ways). With --model the layers, the head and the English
embeddings are those of a reader that was trained.
"""
import argparse
import json
import os
import re
import unicodedata
import zlib

import numpy as np
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.trainers import WordPieceTrainer

import parallel
import sets
from data import tokenizer
from model import published

ARABIC = "\u0600-\u06ff"
TIMES = {"ms_dynamics_ar_ops": 0.5}  # half of all words are of one product's manual
PASSES = 6        # of IBM model 1
LONGEST = 50      # pieces of a sentence that is aligned
SEEN = 3          # sentences that a piece stands in, at least, for its alignment to count
BEST = 4          # English pieces that an Arabic one is made of, at most
LEAST = 0.15      # of the best one's weight
BEFORE = "وال بال فال كال ولل وب ول لل ال و ف ب ك ل".split()  # what is written together with the word that follows
AFTER = "اتها اته ياته هما هم ها نا كم ات ون ين ان ية ته تها ه ة ي ت ا".split()


def plain(s):
    """A text as the tokenizer reads it: without vowel signs, hamza and madda, Arabic words only."""
    s = "".join(c for c in unicodedata.normalize("NFD", s) if unicodedata.category(c) != "Mn")
    return " ".join(re.findall(f"[{ARABIC}]+", s))


def arabic_texts(folder):
    """The Arabic that may be learned from."""
    for t in sets.read(os.path.join(folder, "more/texts_ar.jsonl.gz")):
        if hash_share(t["text"]) < TIMES.get(t["source"], 1):
            yield t["text"]
    for p in parallel.pairs(folder):
        yield p["ar"]
    for s in sets.LEARN:
        if s.startswith("more/ar/") or s == "train/wojood_ar":
            for r in sets.rows_of(folder, s):
                yield r["claim"]
                yield from (e["text"] for e in r["evidence"])


def hash_share(s):
    return zlib.crc32(s.encode()) / 2**32


def learned_pieces(texts, most):
    """Arabic pieces, the most frequent first."""
    t = Tokenizer(WordPiece(unk_token="[UNK]"))
    t.normalizer, t.pre_tokenizer = BertNormalizer(), BertPreTokenizer()
    t.train_from_iterator(sorted({plain(s) for s in texts}), WordPieceTrainer(vocab_size=most, special_tokens=["[UNK]"], min_frequency=3, show_progress=False))
    pieces = t.get_vocab()
    return [p for p in sorted(pieces, key=pieces.get) if re.fullmatch(f"(?:##)?[{ARABIC}]+", p)]


def joined(path, pieces):
    """The published tokenizer with more pieces."""
    with open(path, encoding="utf-8") as f:
        t = json.load(f)
    have = t["model"]["vocab"]
    for p in pieces:
        have.setdefault(p, len(have))
    return t


def cells(pairs, tok):
    """(sentence, Arabic piece, English piece) of all pairs, each once."""
    out = []
    ar = tok.encode_batch([p["ar"] for p in pairs], add_special_tokens=False)
    en = tok.encode_batch([p["en"] for p in pairs], add_special_tokens=False)
    for i, (a, e) in enumerate(zip(ar, en)):
        a, e = np.unique(a.ids), np.unique(e.ids)
        if 0 < len(a) <= LONGEST and 0 < len(e) <= LONGEST:
            out.append(np.stack([np.full(len(a) * len(e), i), np.repeat(a, len(e)), np.tile(e, len(a))]))
    return np.concatenate(out, 1)


def translations(sentence, of, into, pieces):
    """p(into | of) of each cell's couple by IBM model 1, the couples, and where each cell's couple is."""
    couples, where = np.unique(of.astype(np.int64) * pieces + into, return_inverse=True)
    _, word = np.unique(sentence.astype(np.int64) * pieces + into, return_inverse=True)
    of_couple = couples // pieces
    p = np.ones(len(couples))
    for _ in range(PASSES):
        share = p[where]
        share /= np.bincount(word, share)[word]
        p = np.bincount(where, share)
        p /= np.bincount(of_couple, p)[of_couple]
    return couples, p


def aligned(pairs, tok, first):
    """{Arabic piece: ([English pieces], weights)} for pieces of at least SEEN sentences."""
    n = tok.get_vocab_size()
    s, a, e = cells(pairs, tok)
    letter = np.array([bool(re.search(r"[a-z]", tok.id_to_token(i))) for i in range(n)])
    keep = (a >= first) & (e < first)
    s, a, e = s[keep], a[keep], e[keep]
    forth, p = translations(s, a, e, n)
    back, q = translations(s, e, a, n)
    turned = (back % n) * n + back // n
    order = np.argsort(turned)
    score = p * q[order]  # both ways: neither a rare word that takes all, nor "the", which goes with everything
    ar, en = forth // n, forth % n
    score = np.where(letter[en], score, 0)
    seen = np.bincount(np.unique(s * n + a) % n, minlength=n)
    out = {}
    for piece, begin, end in zip(*spans(ar)):
        if seen[piece] < SEEN:
            continue
        best = begin + np.argsort(-score[begin:end], kind="stable")[:BEST]
        best = best[score[best] >= max(LEAST * score[best[0]], 1e-9)]
        if len(best):
            out[int(piece)] = en[best], score[best] / score[best].sum(), seen[piece]
    return out


def spans(sorted_values):
    values, begin = np.unique(sorted_values, return_index=True)
    return values, begin, np.append(begin[1:], len(sorted_values))


def stems(word):
    """What may be left of a written word without what is written together with it, the longest first."""
    begins = [word] + [word[len(b):] for b in BEFORE if word.startswith(b)]
    out = {w[:len(w) - len(a)] + more for w in begins for a in AFTER if w.endswith(a) for more in ("", "ة")} | set(begins[1:])
    return sorted((w for w in out if len(w) >= 3), key=lambda w: (-len(w), w))


def embeddings(table, tok, first, found):
    """Embeddings of all pieces, and how each new one was found."""
    n = tok.get_vocab_size()
    out = np.concatenate([table, np.zeros((n - first, table.shape[1]), np.float32)])
    usual = float(np.median(np.linalg.norm(table[1000:first], axis=1)))
    scaled = lambda v: v * (usual / max(1e-6, np.linalg.norm(v)))
    how, ids = {}, tok.get_vocab()
    for piece, (en, w, _) in found.items():
        out[piece], how[piece] = scaled(w @ table[en]), "aligned"
    for piece in range(first, n):
        word = tok.id_to_token(piece)
        if piece in how or word.startswith("##"):
            continue
        near = [ids[w] for w in stems(word) if how.get(ids.get(w)) == "aligned"]
        if near:
            out[piece], how[piece] = out[near[0]], "stem"
    known = np.array(sorted(p for p in how if how[p] == "aligned"))
    centre = out[known].mean(0)
    rng = np.random.default_rng(17)
    for piece in range(first, n):
        if piece not in how:  # near the middle of all: nothing is known of it
            out[piece], how[piece] = scaled(centre + rng.normal(0, centre.std(), table.shape[1])).astype(np.float32), "unknown"
    return out, how


def show(out, tok, first, found, how, some):
    """The nearest English pieces of Arabic words, as embedded."""
    unit = out / np.linalg.norm(out, axis=1, keepdims=True)
    words = [p for p in sorted(found, key=lambda p: -found[p][2]) if len(tok.id_to_token(p)) >= 4 and not tok.id_to_token(p).startswith("##")]
    rng = np.random.default_rng(3)
    for p in rng.choice(words[:6000], some, replace=False):
        near = np.argsort(-(unit[1000:first] @ unit[p]))[:5] + 1000
        print(f"{tok.id_to_token(int(p))} ({found[p][2]}):", ", ".join(tok.id_to_token(int(i)) for i in near))


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("--eval", required=True)
    a.add_argument("--base", required=True)
    a.add_argument("--model")
    a.add_argument("--out", required=True)
    a.add_argument("--pieces", type=int, default=20000)
    a.add_argument("--show", type=int, default=0)
    args = a.parse_args()
    torch.set_num_threads(1)
    kept = args.out + ".json"
    if not os.path.exists(kept):
        with open(kept, "w", encoding="utf-8") as f:
            json.dump(joined(args.base + ".json", learned_pieces(arabic_texts(args.eval), args.pieces)), f, ensure_ascii=False)
    tok = tokenizer(kept)
    weights = torch.load(args.base + ".pt")
    weights = {k.removeprefix("bert.").removeprefix("model."): v.float() for k, v in weights.items()}
    if args.model:
        weights |= published(torch.load(args.model))
    name = "embeddings.word_embeddings.weight"
    first = len(weights[name])
    pairs = {(p["en"].lower(), p["ar"]): p for p in parallel.pairs(args.eval)}
    found = aligned([pairs[k] for k in sorted(pairs)], tok, first)
    out, how = embeddings(weights[name].numpy(), tok, first, found)
    weights[name] = torch.from_numpy(out)
    torch.save(weights, args.out + ".pt")
    print(len(pairs), "parallel pairs;", tok.get_vocab_size() - first, "new pieces:", {h: list(how.values()).count(h) for h in ("aligned", "stem", "unknown")})
    if args.show:
        show(out, tok, first, found, how, args.show)


if __name__ == "__main__":
    main()
