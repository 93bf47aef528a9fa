"""Training goes on with the same bits, distils, and its loss falls: python3 -m unittest test_train

With a base made from a seed and 96 rows of three words, so that it takes seconds.
"""
import contextlib
import hashlib
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import torch

import export
import model
import score
import train

HERE = os.path.dirname(os.path.abspath(__file__))
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
WORDS = [a + b for a in "bdfgklmnprst" for b in ("ab", "eb", "ib", "ob")]


def write_base(folder, layers, vocabulary):
    """A base of random weights under published names, and its tokenizer."""
    torch.manual_seed(layers)
    m = model.Reader(len(vocabulary), 64, layers, 2, 96)
    state = {k: v for k, v in model.published(m.state_dict()).items() if k not in model.HEAD}
    torch.save(state, os.path.join(folder, f"base{layers}.pt"))
    tokenizer = {"version": "1.0", "added_tokens": [], "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                                                                      "strip_accents": None, "lowercase": True},
                 "pre_tokenizer": {"type": "BertPreTokenizer"}, "post_processor": None, "decoder": None, "truncation": None, "padding": None,
                 "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
                           "vocab": {w: i for i, w in enumerate(vocabulary)}}}
    with open(os.path.join(folder, f"base{layers}.json"), "w", encoding="utf-8") as f:
        json.dump(tokenizer, f)


def write_rows(folder):
    """Rows whose claim is a word of the passage (supports) or not (neither)."""
    rng = random.Random(5)
    for name, n in (("train", 96), ("aside", 12)):
        with open(os.path.join(folder, name + ".jsonl"), "w", encoding="utf-8") as f:
            for i in range(n):
                words = rng.sample(WORDS, 4)
                f.write(json.dumps({"set": "made", "id": str(i), "claim": words[0], "passages": [" ".join(words[i % 2:i % 2 + 3])], "y": 2 * (i % 2),
                                    "binary": False, "weight": 1.0}) + "\n")


def digest(file):
    h = hashlib.sha256()
    state = torch.load(file)
    for k in sorted(state):
        h.update(state[k].numpy().tobytes())
    return h.hexdigest()


class Training(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        write_rows(cls.folder.name)
        for layers in (2, 3):
            write_base(cls.folder.name, layers, SPECIAL + WORDS)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def train(self, out, *more, layers=2):
        """Runs train.py; returns the losses that it printed."""
        argv = ["train.py", "--base", self.path(f"base{layers}"), "--rows", self.folder.name, "--out", self.path(out), "--layers", str(layers), "--epochs", "10",
                "--batch", "16", "--threads", "1", "--rate", "1e-3", *more]
        said, before = io.StringIO(), sys.argv
        sys.argv = argv
        try:
            with contextlib.redirect_stdout(said):
                train.main()
        finally:
            sys.argv = before
        return [float(x) for x in re.findall(r"loss ([\d.]+),", said.getvalue())]

    def resumed(self, name, *more):
        self.train(name + "-one.pt", *more)
        self.train(name + "-two.pt", *more, "--steps", "30")
        self.assertFalse(os.path.exists(self.path(name + "-two.pt")), "30 steps are not all")
        self.train(name + "-two.pt", *more)
        self.assertEqual(digest(self.path(name + "-one.pt")), digest(self.path(name + "-two.pt")))

    def test_goes_on_with_the_same_bits(self):
        self.resumed("float")
        self.resumed("bf16", "--bf16")
        self.assertNotEqual(digest(self.path("float-one.pt")), digest(self.path("bf16-one.pt")))

    def test_a_state_of_other_settings_is_refused(self):
        self.train("other.pt", "--steps", "1")
        with self.assertRaisesRegex(SystemExit, "other rows or settings"):
            self.train("other.pt", "--seed", "8")

    def test_distils_from_a_deeper_teacher(self):
        self.train("teacher.pt", layers=3)
        args = ["--base", self.path("base3"), "--model", self.path("teacher.pt"), "--rows", self.path("train.jsonl"), "--out", self.path("teacher.npy"), "--threads", "1"]
        subprocess.run([sys.executable, os.path.join(HERE, "score.py"), *args], check=True)
        self.assertEqual((96, 3), np.load(self.path("teacher.npy")).shape)
        early = self.train("student-early.pt", "--teacher", self.path("teacher.npy"), "--steps", "3")
        late = self.train("student.pt", "--teacher", self.path("teacher.npy"))
        self.assertLess(late[-1], early[-1])
        self.resumed("student", "--teacher", self.path("teacher.npy"))

    def test_a_trained_reader_is_a_base(self):
        self.train("again.pt", "--steps", "60")
        state = torch.load(self.path("again.pt"))
        m = model.from_published(model.published(state), 2)
        self.assertTrue(all(torch.equal(v, state[k]) for k, v in m.state_dict().items()))

    def test_exports_the_same_bytes(self):
        self.train("exported.pt")
        tensors = {k: v.numpy() for k, v in score.load(self.path("exported.pt")).state_dict().items()}
        pieces = "".join(w + "\n" for w in SPECIAL + WORDS)
        self.assertEqual(export.export(tensors, pieces), export.export(tensors, pieces))


if __name__ == "__main__":
    unittest.main()
