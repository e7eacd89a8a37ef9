#!/usr/bin/env python3
"""Trains the word vectors: words and the code that they speak of come to point the same way.

    train.py --data DATA --out DIR [--size 256] [--epochs 24]

A text is the sum of the vectors of its words, each with a weight; code is its name, its path and its body, each a direction,
weighted. A pair must be nearer than the other pairs of its batch; half of the batches are of one repository, where the others
are hardest to tell apart. Repositories in HELD_OUT are never seen and say how good the table is."""

import argparse
import hashlib
import json
import os
import struct
import time

import numpy as np
import torch
import torch.nn.functional as F

HELD_OUT = ("scrapy/scrapy", "mochajs/mocha", "etcd-io/etcd", "composer/composer", "diesel-rs/diesel", "square/okhttp")
FIELDS = ("name", "path", "body")
BATCH, INSIDE = 8192, 2048


class Table(torch.nn.Module):
    def __init__(self, pieces, size, rarity):
        super().__init__()
        self.vectors = torch.nn.Parameter(torch.randn(pieces + 1, size) / size**0.5)
        self.asked = torch.nn.Parameter(rarity.clone().log())
        self.held = torch.nn.Parameter(rarity.clone().log())
        self.fields = torch.nn.Parameter(torch.tensor([1.0, 0.5, 1.0]).log())
        self.sharp = torch.nn.Parameter(torch.tensor(3.0))

    def sum(self, numbers, weights):
        weights = weights[numbers].exp() * (numbers > 0)
        return F.normalize(F.embedding_bag(numbers, self.vectors, per_sample_weights=weights, mode="sum"), dim=1, eps=1e-6)

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
    ap.add_argument("--epochs", type=int, default=24)
    ap.add_argument("--rate", type=float, default=3e-3)
    ap.add_argument("--drop", type=float, default=0.0)
    ap.add_argument("--fixes", type=float, default=1.0, help="the share of the pairs from commits that is used")
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    chance = np.random.default_rng(a.seed)
    pieces = open(os.path.join(a.data, "pieces.txt")).read().split()
    repositories = json.load(open(os.path.join(a.data, "repositories.json")))
    loaded = np.load(os.path.join(a.data, "pairs.npz"))
    gpu = "cuda" if torch.cuda.is_available() else "cpu"
    arrays = {key: torch.from_numpy(loaded[key].astype(np.int32)).to(gpu) for key in ("query", *FIELDS)}
    repo, fix = loaded["repo"], loaded["fix"]
    held = np.isin(repo, [n for n, name in enumerate(repositories) if name in HELD_OUT])
    same = torch.from_numpy(hashes(loaded["query"])).to(gpu)
    train = np.flatnonzero(~held & (~fix | (chance.random(len(fix)) < a.fixes)))
    table = Table(len(pieces), a.size, rarity(loaded["body"], len(pieces)).to(gpu)).to(gpu)
    optimizer = torch.optim.Adam(table.parameters(), lr=a.rate, betas=(0.9, 0.98))
    steps = a.epochs * len(train) // BATCH
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, a.rate, total_steps=steps + 1, pct_start=0.05)
    by_repo = [train[repo[train] == n] for n in range(len(repositories))]
    sizes = np.array([len(rows) if len(rows) >= 256 else 0 for rows in by_repo], float) ** 0.7
    start = time.time()
    for step in range(steps):
        if step % 2:
            batches = [chance.choice(train, BATCH, replace=False)]
        else:
            chosen = chance.choice(len(by_repo), BATCH // INSIDE, p=sizes / sizes.sum())
            batches = [chance.choice(by_repo[n], min(INSIDE, len(by_repo[n])), replace=False) for n in chosen]
        loss = 0
        for rows in batches:
            rows = torch.from_numpy(rows).to(gpu)
            fields = {key: drop(arrays[key][rows], a.drop) for key in arrays}
            scores = table.query(fields["query"]) @ table.code(*(fields[key] for key in FIELDS)).T * table.sharp.exp()
            own = torch.arange(len(rows), device=gpu)
            alike = (same[rows][:, None] == same[rows][None]) & (own[:, None] != own[None])
            scores = scores.masked_fill(alike, -1e9)
            loss = loss + (F.cross_entropy(scores, own) + F.cross_entropy(scores.T, own)) / 2 / len(batches)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 200 == 0 or step == steps - 1:
            print(f"step {step} of {steps}: loss {loss.item():.3f}, {time.time() - start:.0f} s", flush=True)
    print("fields", table.fields.exp().tolist(), "sharp", table.sharp.exp().item())
    with torch.no_grad():
        evaluate(table, arrays, repo, fix, held, repositories, "as trained")
        packed = quantise(table)
        evaluate(table, arrays, repo, fix, held, repositories, "in 8 bits")
    write(a.out, pieces, packed, table)


def drop(numbers, share):
    return numbers if share == 0 else numbers * (torch.rand(numbers.shape, device=numbers.device) >= share)


def hashes(rows):
    return np.array([hash(row.tobytes()) for row in rows])


def rarity(bodies, pieces):
    have = np.bincount(bodies.ravel(), minlength=pieces + 1).astype(float)
    return torch.from_numpy(np.log(1 + len(bodies) / (1 + have))).float().clamp(min=0.05)


def evaluate(table, arrays, repo, fix, held, repositories, when):
    """How early each documented symbol of a repository is found by its sentence; the same for the code of commits; BM25 beside."""
    total = {}
    for n in sorted(set(repo[held])):
        for kind in (False, True):
            rows = np.flatnonzero((repo == n) & (fix == kind))[:4000]
            if len(rows) < 100:
                continue
            rows = torch.from_numpy(rows).to(table.vectors.device)
            query = table.query(arrays["query"][rows])
            near = query @ table.code(*(arrays[key][rows] for key in FIELDS)).T
            plain = bm25(arrays, rows, table.vectors.shape[0])
            both = near / near.std() + plain / plain.std()
            line = []
            for scores in (plain, near, both):
                place = (scores > scores.diagonal()[:, None]).sum(1) + 1
                line += [(1 / place).mean().item(), (place <= 10).float().mean().item()]
            total.setdefault(kind, []).append(line)
            print(when, repositories[n], "commits" if kind else "docs", len(rows), " ".join(f"{x:.3f}" for x in line))
    for kind, lines in total.items():
        print(when, "ALL", "commits" if kind else "docs", "MRR/@10 of bm25, vectors, both:", " ".join(f"{x:.3f}" for x in np.mean(lines, 0)), flush=True)


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


main()
