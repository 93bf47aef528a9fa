"""A reader between two of the same shape: each weight SHARE of the way from A to B.

    python3 between.py A.pt B.pt SHARE OUT.pt

A lesson that follows another makes a reader forget; part of the way back it has most of both (Wortsman and others 2022,
"Robust fine-tuning of zero-shot models").
"""
import sys

import torch


def main():
    a, b, share, out = torch.load(sys.argv[1]), torch.load(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
    torch.save({k: a[k] + (b[k] - a[k]) * share for k in a}, out)


if __name__ == "__main__":
    main()
