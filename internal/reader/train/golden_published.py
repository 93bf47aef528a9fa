#!/usr/bin/env python3
"""Writes small models as model hubs publish them, and what published programs make of them.

golden_published.py REPOSITORY. Into internal/reader/published/testdata:
  unigram/tokenizer.json.gz     XLM-R's pipeline: the map of characters of SentencePiece (nmt_nfkc), Metaspace, Unigram, and the
                                pair <s> a </s></s> b </s>; its 3,000 pieces were learned from our own documentation
  wordpiece/tokenizer.json.gz   BERT's pipeline, with the vocabulary of ../testdata/vocabulary.txt
  ids.json.gz                   of the texts of ../testdata/tokens.jsonl.gz: their token ids by each variant of these
  logits.json.gz                logits that torch computes in float32 of 200 pairs by small models of numbers that look random
                                (published/model_test.go makes the same), and how long each pair is

Our texts alone go in; the map of characters is SentencePiece's
(Apache 2.0).
"""

import base64
import gzip
import io
import json
import struct
import sys
from pathlib import Path

import numpy as np
import sentencepiece
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

import golden_tokens

MARKS = ["<s>", "<pad>", "</s>", "<unk>"]


def added(content, number):
    return {"id": number, "content": content, "single_word": False, "lstrip": content == "<mask>", "rstrip": False,
            "normalized": False, "special": True}


def unigram(lines):
    """A tokenizer.json as transformers writes it for XLM-R."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=model, vocab_size=3000, model_type="unigram", character_coverage=0.9995,
        normalization_rule_name="nmt_nfkc", num_threads=1, minloglevel=2, hard_vocab_limit=False)
    processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    pieces = [[processor.id_to_piece(i), processor.get_score(i)] for i in range(3, processor.get_piece_size())]
    vocab = [[mark, 0.0] for mark in MARKS] + pieces + [["<mask>", 0.0]]
    mask = len(vocab) - 1
    special = {mark: {"id": mark, "ids": [i], "tokens": [mark]} for i, mark in enumerate(MARKS) if mark in ("<s>", "</s>")}

    def one(mark):
        return {"SpecialToken": {"id": mark, "type_id": 0}}

    def text(name):
        return {"Sequence": {"id": name, "type_id": 0}}

    return {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [added(mark, i) for i, mark in enumerate(MARKS)] + [added("<mask>", mask)],
        "normalizer": {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(charsmap(model.getvalue())).decode()},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "WhitespaceSplit"}, {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}]},
        "post_processor": {
            "type": "TemplateProcessing", "single": [one("<s>"), text("A"), one("</s>")],
            "pair": [one("<s>"), text("A"), one("</s>"), one("</s>"), text("B"), one("</s>")], "special_tokens": special},
        "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        "model": {"type": "Unigram", "unk_id": 3, "vocab": vocab, "byte_fallback": False},
    }


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def fields(data):
    """Number and value of each field of a message of protocol buffers."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        match key & 7:
            case 0:
                value, at = varint(data, at)
            case 2:
                length, at = varint(data, at)
                value, at = data[at:at + length], at + length
            case 5:
                value, at = data[at:at + 4], at + 4
            case 1:
                value, at = data[at:at + 8], at + 8
        yield key >> 3, value


def charsmap(model):
    """precompiled_charsmap (2) of normalizer_spec (3) of a SentencePiece model."""
    spec = next(value for number, value in fields(model) if number == 3)
    return next(value for number, value in fields(spec) if number == 2)


def wordpiece(pieces):
    ids = {piece: i for i, piece in enumerate(pieces)}
    template = [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                {"SpecialToken": {"id": "[SEP]", "type_id": 0}}]
    return {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [added(mark, ids[mark]) for mark in golden_tokens.SPECIAL],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None,
                       "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing", "single": template,
            "pair": template + [{"Sequence": {"id": "B", "type_id": 1}}, {"SpecialToken": {"id": "[SEP]", "type_id": 1}}],
            "special_tokens": {mark: {"id": mark, "ids": [ids[mark]], "tokens": [mark]} for mark in ("[CLS]", "[SEP]")}},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
                  "vocab": ids},
    }


def variants(uni, word):
    """Name and changed copy of each tokenizer that is compared. tokens_test.go makes the same changes."""
    yield "xlmr", uni
    spaces = json.loads(json.dumps(uni))
    spaces["normalizer"] = {"type": "Sequence", "normalizers": [
        uni["normalizer"], {"type": "Strip", "strip_left": False, "strip_right": True},
        {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"}]}
    spaces["pre_tokenizer"] = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    yield "newer", spaces
    plain = json.loads(json.dumps(uni))
    plain["pre_tokenizer"] = spaces["pre_tokenizer"]
    yield "metaspace", plain
    yield "uncased", word
    for name, changes, most in (("cased", {"lowercase": False}, 100), ("accents", {"strip_accents": False}, 100),
                                ("stripped", {"lowercase": False, "strip_accents": True}, 20),
                                ("ideograms", {"handle_chinese_chars": False}, 100)):
        changed = json.loads(json.dumps(word))
        changed["normalizer"].update(changes)
        changed["model"]["max_input_chars_per_word"] = most
        yield name, changed


def plain(tokenizer):
    """A tokenizer that takes marks in a text for text."""
    copy = json.loads(json.dumps(tokenizer))
    copy["added_tokens"], copy["post_processor"] = [], None
    if copy["model"]["type"] == "Unigram":
        for piece in copy["model"]["vocab"]:
            if piece[0] in MARKS + ["<mask>"]:
                piece[0] = "\U000F0000" + piece[0]  # in no text
    return Tokenizer.from_str(json.dumps(copy))


def random_numbers(name, centre, spread, *shape):
    """As model.set of published/model_test.go: SplitMix64 that begins with the sum of the name's bytes."""
    state = 0
    for byte in name.encode():
        state = (state * 31 + byte) % 2**64
    with np.errstate(over="ignore"):
        z = np.uint64(state) + np.arange(1, int(np.prod(shape)) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    signed = (z >> np.uint64(32)).astype(np.uint32).view(np.int32).astype(np.float32)
    return torch.from_numpy(np.float32(centre) + signed / np.float32(2**31) * np.float32(spread)).reshape(shape)


WIDTH, INNER, LAYERS, HEADS, POSITIONS, PIECES = 64, 96, 2, 2, 130, 3008


class Model:
    """Sequence classification of BERT or of RoBERTa, as transformers computes it."""

    def __init__(self, roberta, epsilon, approximate, classes):
        self.prefix, self.epsilon, self.approximate = "roberta." if roberta else "bert.", epsilon, approximate
        self.roberta, self.classes = roberta, classes

    def norm(self, x, name):
        name = self.prefix + name + ".LayerNorm"
        gain, shift = random_numbers(name + ".weight", 1, 0.2, WIDTH), random_numbers(name + ".bias", 0, 0.2, WIDTH)
        return F.layer_norm(x, (WIDTH,), gain, shift, self.epsilon)

    def dense(self, x, name, rows):
        return F.linear(x, random_numbers(name + ".weight", 0, 0.3, rows, x.shape[-1]), random_numbers(name + ".bias", 0, 0.1, rows))

    def logits(self, ids, segments):
        def table(name, rows, spread):
            return random_numbers(f"{self.prefix}embeddings.{name}_embeddings.weight", 0, spread, rows, WIDTH)

        first = 2 if self.roberta else 0  # positions begin after the id of the padding, 1
        x = (table("word", PIECES, 1)[ids] + table("position", POSITIONS, 0.5)[first:first + len(ids)]
             + table("token_type", 1 if self.roberta else 2, 0.5)[segments])
        x = self.norm(x, "embeddings")
        for i in range(LAYERS):
            layer = f"{self.prefix}encoder.layer.{i}."
            q, k, v = (self.dense(x, f"{layer}attention.self.{n}", WIDTH).view(len(ids), HEADS, -1).transpose(0, 1)
                       for n in ("query", "key", "value"))
            seen = F.scaled_dot_product_attention(q, k, v).transpose(0, 1).reshape(len(ids), WIDTH)
            x = self.norm(x + self.dense(seen, layer + "attention.output.dense", WIDTH), layer[len(self.prefix):] + "attention.output")
            inner = F.gelu(self.dense(x, layer + "intermediate.dense", INNER), approximate=self.approximate)
            x = self.norm(x + self.dense(inner, layer + "output.dense", WIDTH), layer[len(self.prefix):] + "output")
        names = ("classifier.dense", "classifier.out_proj") if self.roberta else ("bert.pooler.dense", "classifier")
        return self.dense(torch.tanh(self.dense(x[:1], names[0], WIDTH)), names[1], self.classes)[0]


def logits(uni, word, texts):
    """Logits of 200 pairs by each model, with the ids that the whole published tokenizer makes."""
    made, plain_texts = {}, [text for text in texts if text.strip() and not any(c in text for c in "<[")]
    for name, tokenizer, model in (("bert", word, Model(False, 1e-12, "none", 3)), ("xlm-roberta", uni, Model(True, 1e-5, "none", 3)),
                                   ("tanh", word, Model(False, 1e-12, "tanh", 2))):
        cut, rows = Tokenizer.from_str(json.dumps(tokenizer)), []
        for index in range(0, len(plain_texts) - 1, 2):
            encoded = cut.encode(plain_texts[index], plain_texts[index + 1])
            if len(encoded.ids) > POSITIONS - 2 or len(rows) == 200:
                continue
            with torch.no_grad():
                values = model.logits(torch.tensor(encoded.ids), torch.tensor(encoded.type_ids)).tolist()
            rows.append({"passage": plain_texts[index], "claim": plain_texts[index + 1], "tokens": len(encoded.ids),
                         "logits": [round(v, 5) for v in values]})
        made[name] = rows
    return made


def dump(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.GzipFile(path, "wb", mtime=0) as file:
        file.write(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def main():
    root = Path(sys.argv[1])
    out = root / "internal/reader/published/testdata"
    lines = golden_tokens.texts(root)
    uni = unigram(lines)
    word = wordpiece((root / "internal/reader/testdata/vocabulary.txt").read_text(encoding="utf-8").splitlines())
    with gzip.open(root / "internal/reader/testdata/tokens.jsonl.gz", "rt", encoding="utf-8") as file:
        texts = [json.loads(line)["text"] for line in file]
    ids = {}
    for name, tokenizer in variants(uni, word):
        cut = plain(tokenizer)
        # only what differs from the ids by the variant that all others are like
        base = ids.get("xlmr" if tokenizer["model"]["type"] == "Unigram" else "uncased")
        made = [cut.encode(text).ids for text in texts]
        ids[name] = made if base is None else {i: row for i, row in enumerate(made) if row != base[i]}
    dump(out / "unigram/tokenizer.json.gz", uni)
    dump(out / "wordpiece/tokenizer.json.gz", word)
    dump(out / "ids.json.gz", ids)
    dump(out / "logits.json.gz", logits(uni, word, texts))
    print({name: len(rows) for name, rows in ids.items()})


if __name__ == "__main__":
    main()
