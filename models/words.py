"""Words of texts and names, split as the product splits them (`crates/query/src/context/words.rs`)."""

import re

WORD = re.compile(r"[^\W_]+")
PART = re.compile(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[A-Z][0-9]*")
LONGEST = 24


def words(text):
    """The words of a text in lower case: `parseHTTPRequest`, `parse_http_request` give parse, http, request."""
    found = []
    for run in WORD.findall(text):
        if run.isascii():
            for part in PART.findall(run):
                if 2 <= len(part) <= LONGEST:
                    found.append(part.lower())
    return found


class Pieces:
    """A word is itself if the table has it, else the longest pieces of it that the table has, from the left."""

    def __init__(self, table):
        self.number = {piece: number for number, piece in enumerate(table)}
        self.longest = max(map(len, table))
        self.known = {}

    def of(self, word):
        if word not in self.known:
            self.known[word] = self.split(word)
        return self.known[word]

    def split(self, word):
        if word in self.number:
            return [self.number[word]]
        found, at = [], 0
        while at < len(word):
            for end in range(min(len(word), at + self.longest), at + 1, -1):
                if word[at:end] in self.number:
                    found.append(self.number[word[at:end]])
                    at = end
                    break
            else:
                at += 1
        return found
