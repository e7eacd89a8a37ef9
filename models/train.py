#!/usr/bin/env python3
"""Trains the word vectors: words and the code that they speak of come to point the same way.

    train.py --data DATA --out DIR [--size 256] [--epochs 16] [--drop 0.3]

DATA is what `cargo xtask encode` writes. A text is the sum of the vectors of its words, each with a weight; code is its name, its
path and its body, each a direction, weighted. A pair must be nearer than the other pairs of its batch; half of the batches are of
one repository, where the others are hardest to tell apart. Repositories in HELD_OUT are never seen and say how good the table is."""

import argparse
import hashlib
import json
import os
import struct
import time

import numpy as np
import torch
import torch.nn.functional as F

HELD_OUT = ("pydantic/pydantic", "Automattic/mongoose", "gohugoio/hugo", "cakephp/cakephp", "alacritty/alacritty", "square/retrofit")
FIELDS = ("name", "path", "body")
LENGTHS = {"query": 60, "name": 12, "path": 30, "body": 110}
KINDS = ("documentation", "commits", "comments")
BATCH, INSIDE = 8192, 4096


class Table(torch.nn.Module):
    def __init__(self, pieces, size, rarity):
        super().__init__()
        self.vectors = torch.nn.Parameter(torch.randn(pieces + 1, size) / size**0.5)
        self.asked = torch.nn.Parameter(rarity.clone().log())
        self.held = torch.nn.Parameter(rarity.clone().log())
        self.fields = torch.nn.Parameter(torch.tensor([1.0, 0.5, 1.0]).log())
        self.sharp = torch.nn.Parameter(torch.tensor(3.0))

    def sum(self, numbers, weights):
        """As one large product: many times faster than looking words up one by one."""
        have = torch.zeros(len(numbers), len(weights), device=numbers.device).scatter_(1, numbers, 1.0)
        have[:, 0] = 0
        return F.normalize(have @ (self.vectors * weights.exp()[:, None]), dim=1, eps=1e-6)

    def query(self, numbers):
        return self.sum(numbers, self.asked)

    def code(self, *fields):
        parts = [self.sum(numbers, self.held) * weight for numbers, weight in zip(fields, self.fields.exp())]
        return F.normalize(sum(parts), dim=1, eps=1e-6)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--data", required=True)
    ap.add_argument("--out", required=True)
    ap.add_argument("--size", type=int, default=256)
    ap.add_argument("--epochs", type=float, default=16)
    ap.add_argument("--rate", type=float, default=3e-3)
    ap.add_argument("--drop", type=float, default=0.3)
    ap.add_argument("--inside", type=int, default=INSIDE, help="pairs of one repository that are told apart")
    ap.add_argument("--share", type=float, nargs=3, default=(1.0, 1.0, 1.0), help="of each kind of pairs, the share that is used")
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    torch.set_float32_matmul_precision("high")
    chance = np.random.default_rng(a.seed)
    pieces = open(os.path.join(a.data, "pieces.txt")).read().split()
    repositories = json.load(open(os.path.join(a.data, "repositories.json")))
    gpu = "cuda" if torch.cuda.is_available() else "cpu"
    arrays = {key: torch.from_numpy(column(a.data, key)).to(gpu) for key in LENGTHS}
    repo, kind = (np.fromfile(os.path.join(a.data, name), np.uint8) for name in ("repositories", "kinds"))
    held = np.isin(repo, [n for n, name in enumerate(repositories) if name in HELD_OUT])
    same = torch.from_numpy(hashes(arrays["query"].cpu().numpy())).to(gpu)
    train = np.flatnonzero(~held & (chance.random(len(kind)) < np.array(a.share)[kind]))
    table = Table(len(pieces), a.size, rarity(arrays["body"], len(pieces)).to(gpu)).to(gpu)
    optimizer = torch.optim.Adam(table.parameters(), lr=a.rate, betas=(0.9, 0.98))
    steps = int(a.epochs * len(train) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, a.rate, total_steps=steps + 1, pct_start=0.05)
    by_repo = [train[repo[train] == n] for n in range(len(repositories))]
    sizes = np.array([len(rows) if len(rows) >= 256 else 0 for rows in by_repo], float) ** 0.7
    start = time.time()
    for step in range(steps):
        if step % 2:
            batches = [train[chance.integers(0, len(train), BATCH)]]
        else:
            chosen = chance.choice(len(by_repo), BATCH // a.inside, p=sizes / sizes.sum())
            batches = [chance.choice(by_repo[n], min(a.inside, len(by_repo[n])), replace=False) for n in chosen]
        loss = 0
        for rows in batches:
            rows = torch.from_numpy(rows).to(gpu)
            fields = {key: drop(arrays[key][rows].long(), a.drop) for key in arrays}
            scores = table.query(fields["query"]) @ table.code(*(fields[key] for key in FIELDS)).T * table.sharp.exp()
            own = torch.arange(len(rows), device=gpu)
            alike = (same[rows][:, None] == same[rows][None]) & (own[:, None] != own[None])
            scores = scores.masked_fill(alike, -1e9)
            loss = loss + (F.cross_entropy(scores, own) + F.cross_entropy(scores.T, own)) / 2 / len(batches)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 500 == 0 or step == steps - 1:
            print(f"step {step} of {steps}: loss {loss.item():.3f}, {time.time() - start:.0f} s", flush=True)
    print("fields", table.fields.exp().tolist(), "sharp", table.sharp.exp().item())
    with torch.no_grad():
        packed = quantise(table)
        evaluate(table, arrays, repo, kind, held, repositories)
    write(a.out, pieces, packed, table)


def column(data, key):
    """Rows of numbers, filled up with 0: written as distances, low bytes apart from high ones."""
    low, high, lengths = (np.fromfile(os.path.join(data, f"{key}.{part}"), np.uint8) for part in ("low", "high", "lengths"))
    distances = low.astype(np.int64) + (high.astype(np.int64) << 8)
    sums = np.concatenate([[0], np.cumsum(distances)])
    ends = np.cumsum(lengths.astype(np.int64))
    starts = ends - lengths
    numbers = sums[1:] - np.repeat(sums[starts], lengths)
    rows = np.zeros((len(lengths), LENGTHS[key]), np.int32)
    rows[np.repeat(np.arange(len(lengths)), lengths), np.arange(len(numbers)) - np.repeat(starts, lengths)] = numbers
    return rows


def drop(numbers, share):
    return numbers if share == 0 else numbers * (torch.rand(numbers.shape, device=numbers.device) >= share)


def hashes(rows):
    return np.array([hash(row.tobytes()) for row in rows])


def rarity(bodies, pieces):
    have = torch.bincount(bodies.flatten().long(), minlength=pieces + 1).double()
    return torch.log(1 + len(bodies) / (1 + have)).float().clamp(min=0.05)


def evaluate(table, arrays, repo, kind, held, repositories):
    """How early the code of a repository is found by the words that speak of it; BM25 beside."""
    total = {}
    for n in sorted(set(repo[held])):
        for k, name in enumerate(KINDS):
            rows = np.flatnonzero((repo == n) & (kind == k))[:4000]
            if len(rows) < 100:
                continue
            rows = torch.from_numpy(rows).to(table.vectors.device)
            query = table.query(arrays["query"][rows].long())
            near = query @ table.code(*(arrays[key][rows].long() for key in FIELDS)).T
            plain = bm25(arrays, rows, table.vectors.shape[0])
            both = near / near.std() + plain / plain.std()
            line = []
            for scores in (plain, near, both):
                place = (scores > scores.diagonal()[:, None]).sum(1) + 1
                line += [(1 / place).mean().item(), (place <= 10).float().mean().item()]
            total.setdefault(name, []).append(line)
            print(repositories[n], name, len(rows), " ".join(f"{x:.3f}" for x in line))
    for name, lines in total.items():
        print("ALL", name, "MRR/@10 of bm25, vectors, both:", " ".join(f"{x:.3f}" for x in np.mean(lines, 0)), flush=True)


def bm25(arrays, rows, pieces):
    """Words of code once each; names count three times, paths once."""
    have = torch.zeros(len(rows), pieces, device=rows.device)
    for key, times in (("name", 3.0), ("path", 1.0), ("body", 1.0)):
        numbers = arrays[key][rows].long()
        have.scatter_add_(1, numbers, torch.full(numbers.shape, times, device=rows.device))
    have[:, 0] = 0
    length = have.sum(1, keepdim=True)
    having = (have > 0).sum(0)
    telling = torch.log(1 + (len(rows) - having + 0.5) / (having + 0.5))
    have = have * 2.5 / (have + 1.5 * (0.25 + 0.75 * length / length.mean())) * telling
    asked = torch.zeros(len(rows), pieces, device=rows.device)
    asked.scatter_(1, arrays["query"][rows].long(), 1.0)
    asked[:, 0] = 0
    return asked @ have.T


def quantise(table):
    """Rows as whole numbers of 8 bits; their lengths go into the weights. The table becomes what is written."""
    vectors = table.vectors.data
    scale = vectors.abs().amax(1, keepdim=True).clamp(min=1e-9)
    whole = (vectors / scale * 127).round().to(torch.int8)
    table.vectors.data = whole.float()
    for weights in (table.asked, table.held):
        weights.data = weights.data + scale[:, 0].log()
    return whole


def write(out, pieces, whole, table):
    """`words.bin`: pieces, size, three weights of fields; then the two weights of each piece; its numbers; the texts."""
    texts = "\n".join(pieces).encode()
    data = b"CGW1" + struct.pack("<II3f", len(pieces), whole.shape[1], *table.fields.exp().tolist())
    for weights in (table.asked, table.held):
        data += weights.data[1:].exp().float().cpu().numpy().astype("<f4").tobytes()
    data += whole[1:].cpu().numpy().tobytes() + texts
    os.makedirs(out, exist_ok=True)
    open(os.path.join(out, "words.bin"), "wb").write(data)
    print("words.bin", len(data), hashlib.sha256(data).hexdigest())


if __name__ == "__main__":
    main()
