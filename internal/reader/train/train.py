"""Fine-tuning: a base and rows → a reader.

    python3 train.py --base DIR/NAME --rows DIR --out FILE.pt [--epochs 2] [--teacher LOGITS.npy] [--model FILE.pt] …

It goes on where FILE.pt.state stands, with the same bits as if it had never stopped: weights, optimizer, order and
dropout. The state is written every few minutes, at the end, and when --minutes are over. With --teacher (score.py) it
distils: the student learns the teacher's logits beside the labels.
"""
import argparse
import hashlib
import json
import math
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

from data import Rows, tokenizer
from model import from_published

SMOOTHING = 0.05


def row_losses(logits, place, y, binary):
    """The loss of each row. Where not_found means only "not supported", the two other classes count as one.

    A row that supports or contradicts need only do so in one passage, which is not known: its loss is that of a mixture
    of its passages. One that does neither does so in all of them.
    """
    logp = F.log_softmax(logits, -1)
    yp, bp = y[place], binary[place]
    exact = F.cross_entropy(logits, yp, reduction="none", label_smoothing=SMOOTHING)
    rest = torch.logsumexp(logp[:, 1:], -1)
    joined = -((1 - SMOOTHING) * torch.where(yp == 0, logp[:, 0], rest) + SMOOTHING * torch.where(yp == 0, rest, logp[:, 0]))
    each = torch.where(bp, joined, exact)
    n = torch.zeros(len(y)).index_add(0, place, torch.ones(len(place)))
    mean = torch.zeros(len(y)).index_add(0, place, each) / n
    mixed = -torch.log(torch.zeros(len(y)).index_add(0, place, torch.exp(-each)) / n)
    return torch.where(y == 2, mean, mixed)


def auroc(scores, yes):
    order = np.argsort(scores, kind="stable")
    ranks = np.empty(len(scores))
    s = np.asarray(scores)[order]
    at = 0
    while at < len(s):
        end = at
        while end < len(s) and s[end] == s[at]:
            end += 1
        ranks[order[at:end]] = (at + end - 1) / 2
        at = end
    yes = np.asarray(yes, bool)
    n1, n0 = yes.sum(), (~yes).sum()
    return (ranks[yes].sum() - n1 * (n1 - 1) / 2) / (n1 * n0) if n1 and n0 else float("nan")


def evaluate(m, rows, bf16):
    """{set: (rows, share right, AUROC of support)} and the mean of the AUROCs."""
    m.eval()
    got = {}
    order = sorted(range(len(rows.rows)), key=lambda r: rows.length[rows.of[r]])
    with torch.no_grad():
        for at in range(0, len(order), 48):
            part = order[at:at + 48]
            ids, types, mask, place, _ = rows.tensors(part)
            with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
                p = m(ids, types, mask).float().softmax(-1)
            for i, r in enumerate(part):
                mine = p[place == i]
                s, c, n = mine[:, 0].max().item(), mine[:, 1].max().item(), mine[:, 2].min().item()
                row = rows.rows[r]
                said = 0 if s >= max(c, n) else 1 if c >= n else 2
                right = (said == 0) == (row["y"] == 0) if row["binary"] else said == row["y"]
                got.setdefault(row["set"], []).append((right, s, row["y"] == 0))
    m.train()
    out = {k: (len(v), float(np.mean([x[0] for x in v])), float(auroc([x[1] for x in v], [x[2] for x in v]))) for k, v in sorted(got.items())}
    return out, float(np.nanmean([v[2] for v in out.values()]))


def save(value, path):
    """Writes a file whole: one that is there is never half a file."""
    torch.save(value, path + ".new")
    os.replace(path + ".new", path)


def arguments():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("--base", required=True, help="DIR/NAME of bases.py")
    a.add_argument("--rows", required=True, help="folder of rows.py")
    a.add_argument("--out", required=True)
    a.add_argument("--model", help="a trained reader to go on from, of the same base")
    a.add_argument("--layers", type=int, default=6)
    a.add_argument("--still", type=int, default=0, help="the embeddings and so many of the lowest layers are left as they are")
    a.add_argument("--epochs", type=float, default=2)
    a.add_argument("--rate", type=float, default=8e-5)
    a.add_argument("--batch", type=int, default=32, help="passages")
    a.add_argument("--teacher", help="logits of score.py for the passages of train.jsonl")
    a.add_argument("--trust", type=float, default=0.7, help="weight of the teacher against the labels")
    a.add_argument("--warmth", type=float, default=2.0, help="temperature of distillation")
    a.add_argument("--threads", type=int, default=2)
    a.add_argument("--seed", type=int, default=7)
    a.add_argument("--bf16", action="store_true")
    a.add_argument("--save", type=float, default=8, help="minutes between two states on disk")
    a.add_argument("--look", type=int, default=1500, help="steps between two evaluations")
    a.add_argument("--minutes", type=float, default=math.inf, help="stop after so long; run again to go on")
    a.add_argument("--steps", type=int, help="stop after so many steps of all")
    return a.parse_args()


def main():
    args = arguments()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    tok = tokenizer(args.base + ".json")
    rows, aside = (Rows(os.path.join(args.rows, n + ".jsonl"), tok) for n in ("train", "aside"))
    print(len(rows.rows), "rows with", len(rows.length), "passages,", len(aside.rows), "aside; tokens of a pair: median",
          int(np.median(rows.length)), "of ten the longest", int(np.quantile(rows.length, 0.9)), flush=True)
    teacher = None
    if args.teacher:
        teacher = torch.from_numpy(np.load(args.teacher).astype(np.float32))
        if len(teacher) != len(rows.length):
            raise SystemExit("the teacher's logits are of other rows")
    m = from_published(torch.load(args.base + ".pt"), args.layers)
    if args.model:
        m.load_state_dict(torch.load(args.model))
    order = [b for e in range(math.ceil(args.epochs)) for b in rows.batches(args.batch, args.seed * 1000 + e)]
    order = order[:round(len(order) * args.epochs / math.ceil(args.epochs))]
    if args.still:
        for name, p in m.named_parameters():
            p.requires_grad_(name.startswith(("pool.", "head.")) or name.startswith("layers.") and int(name.split(".")[1]) >= args.still)
    learned = [p for p in m.parameters() if p.requires_grad]
    big = [p for p in learned if p.dim() > 1]
    small = [p for p in learned if p.dim() < 2]
    opt = torch.optim.AdamW([{"params": big, "weight_decay": 0.01}, {"params": small, "weight_decay": 0.0}], args.rate, betas=(0.9, 0.98),
                            fused=True)
    key = hashlib.sha256(json.dumps([vars(args)[k] for k in ("layers", "still", "epochs", "rate", "batch", "seed", "bf16", "trust", "warmth")]
                                    + [args.teacher is not None, args.model, len(order)]).encode() + rows.ids.tobytes()).hexdigest()
    step, loss_shown = 0, None
    if os.path.exists(args.out + ".state"):
        state = torch.load(args.out + ".state")
        if state["key"] != key:
            raise SystemExit(args.out + ".state was made with other rows or settings")
        m.load_state_dict(state["model"])
        opt.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
        step, loss_shown = state["step"], state["loss"]
        print("goes on at step", step, flush=True)

    def keep():
        save({"key": key, "model": m.state_dict(), "optimizer": opt.state_dict(), "random": torch.get_rng_state(),
              "step": step, "loss": loss_shown}, args.out + ".state")

    began, kept, cpu, seen = time.time(), time.time(), time.process_time(), 0
    end = min(len(order), args.steps or len(order))
    warm = max(1, int(0.06 * len(order)))
    m.train()
    while step < end:
        batch = order[step]
        ids, types, mask, place, ps = rows.tensors(batch)
        y, binary = (torch.tensor([rows.rows[r][k] for r in batch]) for k in ("y", "binary"))
        weight = torch.tensor([rows.rows[r]["weight"] for r in batch])
        for g in opt.param_groups:
            g["lr"] = args.rate * min((step + 1) / warm, max(0.01, (len(order) - step) / (len(order) - warm)))
        with torch.autocast("cpu", torch.bfloat16, enabled=args.bf16):
            logits = m(ids, types, mask)
        logits = logits.float()
        loss = (row_losses(logits, place, y, binary) * weight).mean()
        if teacher is not None:
            t = args.warmth
            told = F.kl_div(F.log_softmax(logits / t, -1), F.log_softmax(teacher[ps] / t, -1), log_target=True, reduction="batchmean") * t * t
            loss = (1 - args.trust) * loss + args.trust * told
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        opt.step()
        step += 1
        seen += len(batch)
        loss_shown = loss.item() if loss_shown is None else 0.98 * loss_shown + 0.02 * loss.item()
        if step % 100 == 0 or step == end:
            wall, used = time.time() - began, time.process_time() - cpu
            print(f"{step}/{len(order)} loss {loss_shown:.3f}, {seen / wall:.1f} rows/s, {seen / used:.1f} rows per CPU second, {wall / 60:.0f} min", flush=True)
        over = time.time() - began > args.minutes * 60
        if step == end or over or time.time() - kept > args.save * 60:
            keep()
            kept = time.time()
        if step % args.look == 0 or step == end or over:
            sets, mean = evaluate(m, aside, args.bf16)
            print(json.dumps({"step": step, "mean_auroc": round(mean, 4), "sets": {k: [n, round(a, 3), round(u, 3)] for k, (n, a, u) in sets.items()}}), flush=True)
        if over:
            break
    if step == len(order):
        save(m.state_dict(), args.out)
        print("done:", args.out, flush=True)


if __name__ == "__main__":
    main()
