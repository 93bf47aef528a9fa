#!/usr/bin/env python3
"""Writes what the published tokenizer (Hugging Face tokenizers, pinned in requirements.txt) makes of texts of our own.

golden_tokens.py REPOSITORY. Into internal/reader/testdata:
  codepoints.txt     ranges of code points and what becomes of them within a word: dropped, space, alone, or letter
  vocabulary.txt     a small vocabulary, learned from the documentation and from the Arabic messages
  tokens.jsonl.gz    texts, hostile ones among them, with their token ids and the ranges of code points of these
"""

import glob
import gzip
import json
import random
import sys
from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.trainers import WordPieceTrainer

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def code_points():
    """The class of each code point, in ranges."""
    normalizer, splitter, ranges = BertNormalizer(), BertPreTokenizer(), []
    for c in range(0x110000):
        if 0xD800 <= c < 0xE000:
            continue
        words = [w for w, _ in splitter.pre_tokenize_str(normalizer.normalize_str("a" + chr(c) + "b"))]
        kind = {("ab",): "dropped", ("a", "b"): "space"}.get(tuple(words)) or ("alone" if len(words) == 3 else "letter")
        if ranges and ranges[-1][2] == kind and ranges[-1][1] == c - 1:
            ranges[-1][1] = c
        else:
            ranges.append([c, c, kind])
    return "".join(f"{a:04X} {b:04X} {kind}\n" for a, b, kind in ranges if kind != "letter")


def texts(root):
    """Lines of the documentation, of the messages in Arabic."""
    lines = []
    for path in sorted(glob.glob(str(root / "docs" / "**" / "*.md"), recursive=True)) + [str(root / "README.md")]:
        lines += [line.strip() for line in open(path, encoding="utf-8")]
    for path in sorted(glob.glob(str(root / "internal/words/messages/*.ar.json"))):
        lines += [line.strip() for line in open(path, encoding="utf-8")]
    return sorted({line for line in lines if 20 < len(line) < 240})


BLOCKS = [(0x20, 0x7E), (0x20, 0x7E), (0, 0x20), (0x7F, 0xA0), (0xA0, 0x24F), (0x250, 0x2AF), (0x300, 0x36F), (0x370, 0x3FF),
          (0x400, 0x52F), (0x590, 0x5FF), (0x600, 0x6FF), (0x600, 0x6FF), (0x8A0, 0x8C9), (0x900, 0x97F), (0xE00, 0xE7F),
          (0x1100, 0x11FF), (0x1E00, 0x1EFF), (0x1F00, 0x1FFF), (0x2000, 0x206F), (0x20A0, 0x20FF), (0x2100, 0x214F), (0x2190, 0x22FF),
          (0x3000, 0x30FF), (0x3400, 0x3500), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xE000, 0xE010), (0xF900, 0xFAFF), (0xFB1D, 0xFDFF),
          (0xFE00, 0xFE0F), (0xFE70, 0xFEFF), (0xFF00, 0xFFEF), (0xFFF0, 0xFFFD), (0x10400, 0x1044F), (0x1D15E, 0x1D1FF), (0x1D400, 0x1D7FF),
          (0x1F1E6, 0x1F1FF), (0x1F300, 0x1F6FF), (0x1F900, 0x1F9FF), (0x20000, 0x20100), (0x2F800, 0x2FA1D), (0xE0020, 0xE007F)]


def hostile(choose, lines):
    """A text that mixes scripts, marks, controls and pieces of ordinary lines."""
    parts = []
    for _ in range(choose.randint(1, 8)):
        match choose.randrange(5):
            case 0:
                words = choose.choice(lines).split()
                at = choose.randrange(len(words))
                parts.append(" ".join(words[at:at + choose.randint(1, 5)]))
            case 1:
                low, high = choose.choice(BLOCKS)
                parts.append("".join(chr(choose.randint(low, high)) for _ in range(choose.randint(1, 12))))
            case 2:
                parts.append("".join(chr(choose.randint(*choose.choice(BLOCKS))) for _ in range(choose.randint(1, 8))))
            case 3:
                word = choose.choice(choose.choice(lines).split())
                parts.append("".join(c + chr(choose.choice([0x301, 0x308, 0x327, 0x64B, 0x651, 0x200D, 0xFE0F, 0xAD])) for c in word))
            case 4:
                parts.append(choose.choice(SPECIAL + ["##ing", "[unk]", "don't", "3.5%", "1,000", "x" * choose.choice([99, 100, 101, 130]),
                                                      "\u0130stanbul", "STRASSE\u1E9E", "\u03A3\u0391\u03A3", "e\u0301" * 60, "\ufeffthe", "a\u0000b"]))
    return choose.choice(["", " ", "  ", "\t"]).join(parts)


def main():
    root = Path(sys.argv[1])
    out = root / "internal/reader/testdata"
    lines = texts(root)
    tokenizer = Tokenizer(WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer, tokenizer.pre_tokenizer = BertNormalizer(), BertPreTokenizer()
    tokenizer.train_from_iterator(lines, WordPieceTrainer(vocab_size=3000, special_tokens=SPECIAL, show_progress=False))
    pieces = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    (out / "vocabulary.txt").write_text("".join(piece + "\n" for piece, _ in pieces), encoding="utf-8")
    # without the special tokens: in a text, "[SEP]" is a word
    plain = Tokenizer(WordPiece(dict(pieces), unk_token="[UNK]", max_input_chars_per_word=100))
    plain.normalizer, plain.pre_tokenizer = BertNormalizer(), BertPreTokenizer()
    choose = random.Random(34)
    chosen = choose.sample(lines, 1000) + [hostile(choose, lines) for _ in range(2000)] + ["", " ", "\U0001F600"]
    with gzip.GzipFile(out / "tokens.jsonl.gz", "wb", mtime=0) as file:
        for text in chosen:
            encoded = plain.encode(text)
            spans = [n for span in encoded.offsets for n in span]
            file.write((json.dumps({"text": text, "ids": encoded.ids, "spans": spans}, ensure_ascii=False) + "\n").encode())
    (out / "codepoints.txt").write_text(code_points(), encoding="utf-8")


if __name__ == "__main__":
    main()
