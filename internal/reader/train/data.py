"""Rows of rows.py as token ids, in batches of like length."""
import hashlib
import json
import os
import random

import numpy as np
import torch
from tokenizers import Tokenizer

MOST_TOKENS = 256   # of a pair
MOST_CLAIM = 128    # of a claim; the product leaves a longer one unjudged


def tokenizer(path):
    t = Tokenizer.from_file(path)
    t.no_padding()
    t.no_truncation()
    return t


class Rows:
    """All passages of the rows of a file, one after another: passage p is ids[start[p]:start[p + 1]], of row row[p]."""

    def __init__(self, path, tok):
        with open(path, "rb") as f:
            digest = hashlib.sha256(f.read() + tok.to_str().encode() + b"%d %d" % (MOST_TOKENS, MOST_CLAIM)).hexdigest()
        kept = path + ".tokens.npz"  # tokenising takes minutes
        if not (os.path.exists(kept) and self.restore(kept, digest)):
            self.tokenise(path, tok)
            np.savez(kept + ".new.npz", digest=digest, ids=self.ids, first=self.first, row=self.row, start=self.start, rows=json.dumps(self.rows))
            os.replace(kept + ".new.npz", kept)
        self.length = np.diff(self.start)
        self.of = np.searchsorted(self.row, np.arange(len(self.rows) + 1))  # row r has the passages of[r]:of[r + 1]

    def restore(self, path, digest):
        with np.load(path) as f:
            if str(f["digest"]) != digest:
                return False
            self.ids, self.first, self.row, self.start = (f[k] for k in ("ids", "first", "row", "start"))
            self.rows = json.loads(str(f["rows"]))
        return True

    def tokenise(self, path, tok):
        self.rows = []
        ids, types, self.row, start = [], [], [], [0]
        with open(path, encoding="utf-8") as f:
            lines = f.readlines()
        for at in range(0, len(lines), 2048):
            part = [json.loads(line) for line in lines[at:at + 2048]]
            claims = tok.encode_batch([r["claim"] for r in part], add_special_tokens=False)
            passages = iter(tok.encode_batch([p for r in part for p in r["passages"]], add_special_tokens=False))
            cls, sep = tok.token_to_id("[CLS]"), tok.token_to_id("[SEP]")
            for r, c in zip(part, claims):
                claim = c.ids[:MOST_CLAIM]
                for _ in r["passages"]:
                    a = [cls] + next(passages).ids[:MOST_TOKENS - 3 - len(claim)] + [sep]
                    ids.append(np.array(a + claim + [sep], dtype=np.uint16))
                    types.append(len(a))
                    self.row.append(len(self.rows))
                    start.append(start[-1] + len(ids[-1]))
                r.pop("passages")
                r.pop("claim")
                self.rows.append(r)
        self.ids, self.first, self.row = np.concatenate(ids), np.array(types), np.array(self.row)
        self.start = np.array(start)

    def batches(self, passages, seed):
        """Lists of rows with about so many passages, of like length, in an order that depends on the seed alone."""
        rng = random.Random(seed)
        order = list(range(len(self.rows)))
        rng.shuffle(order)
        longest = np.maximum.reduceat(self.length, self.of[:-1])
        out = []
        for at in range(0, len(order), passages * 50):
            chunk = sorted(order[at:at + passages * 50], key=lambda r: longest[r])
            batch, n = [], 0
            for r in chunk:
                k = self.of[r + 1] - self.of[r]
                if batch and n + k > passages:
                    out.append(batch)
                    batch, n = [], 0
                batch.append(r)
                n += k
            out.append(batch)
        rng.shuffle(out)
        return out

    def tensors(self, rows):
        """ids, types, mask of the passages of rows, and for each passage its row's place in the list."""
        ps = [p for r in rows for p in range(self.of[r], self.of[r + 1])]
        place = [i for i, r in enumerate(rows) for _ in range(self.of[r], self.of[r + 1])]
        n = int(self.length[ps].max())
        ids, types = np.zeros((len(ps), n), np.int64), np.zeros((len(ps), n), np.int64)
        mask = np.zeros((len(ps), n), bool)
        for i, p in enumerate(ps):
            k = self.length[p]
            ids[i, :k], mask[i, :k] = self.ids[self.start[p]:self.start[p + 1]], True
            types[i, self.first[p]:k] = 1
        return torch.from_numpy(ids), torch.from_numpy(types), torch.from_numpy(mask), torch.tensor(place), ps
