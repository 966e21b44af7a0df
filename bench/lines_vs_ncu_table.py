"""For bench/lines_vs_ncu.sh: the five lines with the most samples in both.

Usage: lines_vs_ncu_table.py TITLE LINES.json NCU.csv (of --page source --print-source cuda,sass)
"""
import csv
import json
import os
import sys

MOST = 5


def ours_of(path):
    """Share of the samples by (file, line), and the number of samples."""
    with open(path) as file:
        explained = json.load(file)["explanations"][0]
    shares = {}
    for line in explained["lines"]:
        place = os.path.basename(line["file"]), line["line"]
        shares[place] = shares.get(place, 0) + line["share"]
    return shares, explained["samples"]


def theirs_of(path):
    """The same of ncu: a block for each file, whose header has two columns "Source"."""
    samples = {}
    file, column = "", None
    with open(path, newline="") as stream:
        for row in csv.reader(stream):
            if row[:1] == ["File Path"]:
                file, column = os.path.basename(row[1]), None
            elif row[:1] == ["Line No"]:
                column = row.index("# Samples")
            elif column is not None and len(row) > column and row[0].isdigit() and row[column].isdigit():
                place = file, int(row[0])
                samples[place] = samples.get(place, 0) + int(row[column])
    total = sum(samples.values())
    return {place: count / total for place, count in samples.items()}, total


def first(shares):
    return sorted(shares, key=lambda place: -shares[place])[:MOST]


def main():
    title, ours_path, theirs_path = sys.argv[1:]
    ours, our_samples = ours_of(ours_path)
    theirs, their_samples = theirs_of(theirs_path)
    common = len(set(first(ours)) & set(first(theirs)))
    print(f"\n{title}: {common} of {min(MOST, len(theirs))} the same; {our_samples} samples, ncu {their_samples}")
    print(f"  {'line':28} {'gtune':>7} {'ncu':>7}")
    for place in dict.fromkeys(first(theirs) + first(ours)):
        shown = [f"{100 * of.get(place, 0):6.1f}%" for of in (ours, theirs)]
        print(f"  {place[0] + ':' + str(place[1]):28} {shown[0]} {shown[1]}")


main()
