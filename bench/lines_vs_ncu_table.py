"""For bench/lines_vs_ncu.sh: the five lines with the most samples in both.

Usage: lines_vs_ncu_table.py TITLE LINES.json NCU.csv (of --page source --print-source cuda,sass)
"""
import csv
import json
import os
import sys

MOST = 5


def place_of(row):
    return os.path.basename(row["file"]), row["line"]


def ours_of(path):
    """Share of the samples by (file, line), the line of each instruction by its offset, and the number of samples."""
    with open(path) as file:
        explained = json.load(file)["explanations"][0]
    shares = {}
    for line in explained["lines"]:
        shares[place_of(line)] = shares.get(place_of(line), 0) + line["share"]
    lines = {each["offset"]: place_of(each) for each in explained["instructions"]}
    return shares, lines, explained["samples"]


def theirs_of(path, shares, lines):
    """The same of ncu, which counts an instruction of inlined code at the line of every call that it is inlined at, too.
    Here it counts once: at gtune's line if that is among them, else at the one where gtune has the most samples."""
    places, samples = {}, {}
    file, place, columns = "", None, None
    with open(path, newline="") as stream:
        for row in csv.reader(stream):
            if row[:1] == ["File Path"]:  # a block for each file, whose header has two columns "Source"
                file, columns = os.path.basename(row[1]), None
            elif row[:1] == ["Line No"]:
                columns = row.index("Address"), row.index("# Samples")
            elif columns and len(row) > max(columns):
                address, count = row[columns[0]], row[columns[1]]
                if row[0].isdigit():
                    place = file, int(row[0])
                elif address.startswith("0x"):
                    places.setdefault(int(address, 16), []).append(place)
                    samples[int(address, 16)] = int(count)
    start = min(places)
    counts = {}
    for address, candidates in places.items():
        line = lines.get(address - start)
        if line not in candidates:
            line = max(candidates, key=lambda each: shares.get(each, 0))
        counts[line] = counts.get(line, 0) + samples[address]
    total = sum(samples.values())
    return {line: count / total for line, count in counts.items()}, total


def first(shares):
    return sorted(shares, key=lambda place: -shares[place])[:MOST]


def main():
    title, ours_path, theirs_path = sys.argv[1:]
    ours, lines, our_samples = ours_of(ours_path)
    theirs, their_samples = theirs_of(theirs_path, ours, lines)
    common = len(set(first(ours)) & set(first(theirs)))
    print(f"\n{title}: {common} of {min(MOST, len(theirs))} the same; {our_samples} samples, ncu {their_samples}")
    print(f"  {'line':28} {'gtune':>7} {'ncu':>7}")
    for place in dict.fromkeys(first(theirs) + first(ours)):
        shown = [f"{100 * of.get(place, 0):6.1f}%" for of in (ours, theirs)]
        print(f"  {place[0] + ':' + str(place[1]):28} {shown[0]} {shown[1]}")


main()
