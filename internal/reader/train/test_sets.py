"""The lists are disjoint, complete and licensed: EVAL=../../../../shared/eval python3 -m unittest test_sets

With ROWS=DIR the rows that rows.py wrote into DIR are compared too, the way that the reader is shown them.
"""
import glob
import json
import os
import re
import unittest

import sets

EVAL = os.environ.get("EVAL", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../shared/eval"))

# Not a statement of a text: a link below two articles of one newspaper, one in xsum_faith, one in wice.
FOOTERS = {"find all the latest football transfers on our dedicated page"}


class Lists(unittest.TestCase):
    def test_disjoint(self):
        lists, _ = sets.load(EVAL)
        for pair, shared in sets.common(lists).items():
            self.assertFalse(shared, f"{pair} share {sorted(shared)[:3]}")
        for name, of in lists.items():
            for s, rows in of.items():
                self.assertTrue(rows, f"{name}: {s} is empty")

    def test_shared_claim_is_found(self):
        row = {"claim": "The fee is 5 dinars.", "evidence": [{"doc": "d", "text": "A text."}]}
        other = {"claim": "the  fee is 5 dinars", "evidence": [{"doc": "d", "text": "Another one."}]}
        shared = sets.common({"learn": {"a": [row]}, "measure": {"b": [other]}})
        self.assertEqual({("learn", "measure"): {"c the fee is 5 dinars"}}, shared)

    @unittest.skipUnless("ROWS" in os.environ, "ROWS names no folder of rows")
    def test_rows_show_nothing_of_the_other_lists(self):
        claims, texts, sentences = set(), set(), {}
        for k in sets.taken(EVAL):
            kind, text = k.split(" ", 1) if " " in k else (k, "")
            if kind == "c":
                claims.add(text)
            elif kind == "e":
                texts.add(text)
            else:
                sentences.setdefault(" ".join(text.split()[:sets.LONG_SENTENCE]), []).append(text)
        seen, found = set(), []
        for name in ("train", "aside"):
            with open(os.path.join(os.environ["ROWS"], name + ".jsonl"), encoding="utf-8") as f:
                for r in map(json.loads, f):
                    if sets.plain(r["claim"]) in claims:
                        found.append((r["id"], r["claim"]))
                    for passage in r["passages"]:
                        if passage in seen:
                            continue
                        seen.add(passage)
                        text = sets.plain(passage)
                        if text in texts:
                            found.append((r["id"], text))
                        words = text.split()
                        for at in range(len(words) - sets.LONG_SENTENCE + 1):
                            for sentence in sentences.get(" ".join(words[at:at + sets.LONG_SENTENCE]), ()):
                                if sentence not in FOOTERS and f" {sentence} " in f" {text} ":
                                    found.append((r["id"], sentence))
        self.assertGreater(len(seen), 1000)
        self.assertFalse(found, f"{len(found)} of {len(seen)} passages: {found[:40]}")

    def test_every_set_is_in_one_list(self):
        files = [f for folder in ("dev", "train", "pairs", "more/en", "more/ar")
                 for f in glob.glob(os.path.join(EVAL, folder, "*.jsonl*"))]
        names = sorted(os.path.relpath(f, EVAL).split(".")[0] for f in files)
        self.assertEqual(names, sorted(sets.LEARN + sets.CALIBRATE + sets.MEASURE + sets.LEFT_OUT))

    def test_licences(self):
        with open(os.path.join(EVAL, "more/SOURCES.md"), encoding="utf-8") as f:
            fit = dict(re.findall(r"^\| ((?:en|ar)/\w+) \|.*\| (yes|no)[^|]*\|$", f.read(), re.M))
        self.assertGreater(len(fit), 20)
        for s in sets.LEARN:
            if s.startswith("more/"):
                self.assertEqual("yes", fit[s.removeprefix("more/")], s)


if __name__ == "__main__":
    unittest.main()
