"""The lists are disjoint, complete and licensed: EVAL=../../../../shared/eval python3 -m unittest test_sets"""
import glob
import os
import re
import unittest

import sets

EVAL = os.environ.get("EVAL", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../shared/eval"))


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
