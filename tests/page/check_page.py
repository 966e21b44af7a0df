#!/usr/bin/env python3
"""Opens pages of `gtune report` in headless Chromium: no messages in the console, no requests, no
sideways scrolling on a phone or a wide screen, tables that sort and filter, dark colours, a PDF,
and no violation that axe finds. Prints a line for each page; exits with 1 if a check failed.
Usage: check_page.py --gtune PROGRAM --axe axe.min.js [--screenshots FOLDER]"""

import argparse
import base64
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHIPPED = os.path.join(ROOT, "db", "shipped.db")
HOSTILE = "</script><img src=x onerror=\"document.title='owned'\"><svg onload=alert(1)>'&\u2028"
MOST_SECONDS = 2
MOST_BYTES = 5_000_000


class Pages:
    """Makes the pages in a folder of its own."""

    def __init__(self, gtune, folder):
        self.gtune = gtune
        self.folder = folder

    def run(self, *arguments):
        environment = dict(os.environ, GTUNE_DB=os.path.join(self.folder, "unused.db"),
                           GTUNE_CACHE=os.path.join(self.folder, "cache"))
        done = subprocess.run([self.gtune, *arguments], env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"gtune {' '.join(arguments)}: {done.stderr}")

    def path(self, name):
        return os.path.join(self.folder, name)

    def tuned(self):
        """The page that a tuning run writes at its end."""
        self.run("sgemm", "--M", "4096", "--device", "replay", "--db", self.path("replay.db"), "--quiet",
                 "--report", self.path("tuned.html"))

    def reported(self, name, *arguments):
        self.run("report", *arguments, "-o", self.path(name + ".html"))

    def add_lines(self, file, own_file):
        """Source lines of every final and baseline, as --profile lines stores them on a GPU."""
        profile = {
            "period_cycles": 1024, "launches": 1, "samples": 4000, "dropped": 0,
            "files": [own_file], "functions": ["sgemm"], "names": ["LDS.128", "long_scoreboard", "LDS"],
            "lines": [{"file": 0, "line": line, "function": 0, "stalls": [1, 1000], "opcodes": [2, 1000],
                       "instructions": 1, "hottest": [[16 * line, 0, 1000, 1]]} for line in (20, 21, 22, 40)]}
        with sqlite3.connect(file) as database:
            database.execute("INSERT OR REPLACE INTO line_profile SELECT id, 4000, '', ? FROM measurement "
                             "WHERE status = 'ok' AND phase <> 'search'", (json.dumps(profile),))
        database.close()

    def lines(self):
        file = self.path("lines.db")
        shutil.copy(self.path("replay.db"), file)
        self.add_lines(file, "sgemm_plain.cuh")
        self.reported("lines", "sgemm", "--db", file)

    def hostile(self):
        """The replayed run with names that try to leave their element."""
        file = self.path("hostile.db")
        shutil.copy(self.path("replay.db"), file)
        with sqlite3.connect(file) as database:
            facts = database.execute("SELECT id, facts FROM device").fetchall()
            for row, text in facts:
                changed = dict(json.loads(text), name=HOSTILE)
                database.execute("UPDATE device SET name = ?, facts = ? WHERE id = ?",
                                 (HOSTILE, json.dumps(changed), row))
            database.execute("UPDATE measurement SET label = label || ? WHERE phase = 'baseline'", (HOSTILE,))
            database.execute("UPDATE measurement SET status = 'launch_error', reason = ? "
                             "WHERE id % 7 = 0 AND phase = 'search'", (HOSTILE,))
        database.close()
        self.add_lines(file, HOSTILE)
        named = self.path("<img src=x onerror=alert(1)>.db")
        os.rename(file, named)
        self.reported("hostile", "sgemm", "--db", named)

    def large(self):
        """50,000 measurements of one problem, each of another configuration, up to 1.5 times the best."""
        file = self.path("large.db")
        shutil.copy(self.path("replay.db"), file)
        with sqlite3.connect(file) as database:
            columns = [row[1] for row in database.execute("PRAGMA table_info(measurement)") if row[1] != "id"]
            last = database.execute("SELECT max(id) FROM config").fetchone()[0]
            best, config = database.execute("SELECT id, config_id FROM measurement WHERE phase = 'search' AND "
                                            "status = 'ok' ORDER BY median_ms LIMIT 1").fetchone()
            values = ", ".join(f"{last} + number" if c == "config_id" else
                               "median_ms * (1 + number * 1e-5)" if c == "median_ms" else c for c in columns)
            numbers = ("WITH RECURSIVE n(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM n WHERE number < "
                       "(SELECT 50000 - count(*) FROM measurement)) ")
            database.execute(
                f"INSERT INTO config {numbers} SELECT {last} + number, kernel, json_set(params, "
                f"'$.BM', 1000 + number % 250, '$.BN', 1000 + number / 250) "
                f"FROM n, config WHERE id = {config}")
            database.execute(
                f"INSERT INTO measurement ({', '.join(columns)}) {numbers} SELECT {values} FROM n, measurement "
                f"WHERE id = {best}")
        database.close()
        self.reported("large", "sgemm", "--db", file)


class Browser:
    def __init__(self):
        options = Options()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.binary_location = shutil.which("chromium") or shutil.which("chromium-browser")
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self.driver.set_script_timeout(60)

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def resize(self, width, height=1000):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def prefer(self, scheme):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                    {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def open(self, file):
        """Opens a page and returns how many seconds it took until it was laid out."""
        self.driver.get("about:blank")
        self.driver.get_log("performance")
        self.driver.get_log("browser")
        began = time.monotonic()
        self.driver.get("file://" + file.replace("<", "%3C").replace(">", "%3E"))
        self.script("return document.body.offsetHeight")
        return time.monotonic() - began

    def requests(self):
        urls = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                urls.append(message["params"]["request"]["url"])
        return urls

    def messages(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def draw(self):
        """Scrolls to each chart of an open problem, as charts are drawn when they come near."""
        self.driver.execute_async_script("""
            const done = arguments[arguments.length - 1];
            const boxes = Array.from(document.querySelectorAll('[data-draw]'));
            const next = () => {
              const box = boxes.shift();
              if (!box) { scrollTo(0, 0); return done(); }
              box.scrollIntoView();
              requestAnimationFrame(() => requestAnimationFrame(next));
            };
            next();""")

    def screenshot(self, file):
        image = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
        with open(file, "wb") as out:
            out.write(base64.b64decode(image["data"]))


class Check:
    """Collects what is wrong with one page."""

    def __init__(self, browser, axe):
        self.browser = browser
        self.axe = axe
        self.wrong = []

    def expect(self, holds, what):
        if not holds:
            self.wrong.append(what)

    def quiet(self, file):
        urls = [url for url in self.browser.requests() if not url.startswith("data:")]
        self.expect(len(urls) == 1 and urls[0].startswith("file://"), f"requests: {urls}")
        messages = self.browser.messages()
        self.expect(not messages, f"console: {messages[:3]}")

    def fits(self):
        for width in (400, 1600):
            self.browser.resize(width)
            wide = self.browser.script("return document.documentElement.scrollWidth")
            self.expect(wide <= width, f"{wide} pixels wide in a window of {width}")

    def sorts_and_filters(self):
        """Uses the first table of all configurations."""
        found = self.browser.script("""
            const box = document.querySelector('[data-draw=configurations]');
            if (!box) return null;
            const rows = () => Array.from(box.querySelectorAll('tbody tr'));
            const column = Array.from(box.querySelectorAll('th')).findIndex(
                (th) => th.textContent.startsWith('registers'));
            const values = () => rows().map((row) => Number(row.cells[column].textContent)).filter(Number.isFinite);
            const heading = box.querySelectorAll('th')[column];
            heading.querySelector('button').click();
            const up = values(), upSort = heading.getAttribute('aria-sort');
            heading.querySelector('button').click();
            const down = values(), downSort = heading.getAttribute('aria-sort');
            const input = box.querySelector('input');
            const before = rows().length;
            input.value = 'zzz-nothing';
            input.dispatchEvent(new Event('input'));
            const none = rows().length;
            input.value = '';
            input.dispatchEvent(new Event('input'));
            const again = rows().length;
            const more = box.querySelector('.more');
            const offered = !more.hidden;
            if (offered) more.click();
            return {up, down, upSort, downSort, before, none, again, offered, all: rows().length};""")
        if found is None:
            self.expect(False, "no table of configurations")
            return
        self.expect(found["up"] == sorted(found["up"]) and found["upSort"] == "ascending", "sorting up")
        self.expect(found["down"] == sorted(found["down"], reverse=True) and found["downSort"] == "descending",
                    "sorting down")
        self.expect(found["none"] == 0 and found["again"] == found["before"] > 0, f"filtering: {found['none']}")
        self.expect(not found["offered"] or found["all"] > found["before"], "showing all rows")

    def sorts_absent_last(self):
        """In each table of the document that has absent values."""
        wrong = self.browser.script("""
            const wrong = [];
            for (const table of document.querySelectorAll('table')) {
              if (!table.tHead || table.tBodies.length !== 1) continue;
              const rows = table.tBodies[0].rows;
              Array.from(table.tHead.rows[0].cells).forEach((heading, column) => {
                const button = heading.querySelector('button');
                const absent = () => Array.from(rows, (row) => row.cells[column].dataset.value === 'null');
                if (!button || !absent().includes(true)) return;
                for (const direction of ['up', 'down']) {
                  button.click();
                  if (absent().join().includes('true,false')) wrong.push(heading.textContent + ' ' + direction);
                }
              });
            }
            return wrong;""")
        self.expect(not wrong, f"absent values are not last: {wrong}")

    def draws_the_search(self):
        """Round ticks, the best above the lowest of them, and few configurations on the upper edge."""
        for ticks, edge, dots in self.browser.script("""
            return Array.from(document.querySelectorAll('[data-draw=search] svg.chart'), (svg) => {
              const ticks = Array.from(svg.querySelectorAll('text'), (text) => text.textContent);
              const heights = Array.from(svg.querySelector('.dots').getAttribute('d').matchAll(/ ([0-9.]+)h0/g),
                                         (found) => Number(found[1]));
              return [ticks.filter((text) => /^[0-9]/.test(text)),
                      heights.filter((y) => y <= 12).length, heights.length];
            });"""):
            wrong = [tick for tick in ticks if len(tick.replace(".", "").strip("0")) > 3]
            self.expect(not wrong, f"ticks of the search: {wrong}")
            self.expect(4 * edge <= dots + 4, f"{edge} of {dots} configurations on the edge of the search")

    def times_are_first(self):
        """In the tables that the script has drawn."""
        first = self.browser.script("""
            return Array.from(document.querySelectorAll('[data-draw=configurations] .controls ~ .scroll table'),
                              (table) => table.querySelector('th').textContent);""")
        self.expect(all(each.startswith("time") for each in first), f"first columns: {set(first)}")

    def flat_pairs_have_no_map(self):
        wrong = self.browser.script("""
            return Array.from(document.querySelectorAll('[data-draw=pairs] table.heat')).filter((table) => {
              const texts = Array.from(table.querySelectorAll('.cell'), (cell) => Number(cell.textContent));
              const values = texts.filter(Number.isFinite);
              return Math.max(...values) < 1.019 * Math.min(...values);
            }).length;""")
        self.expect(wrong == 0, f"{wrong} maps of pairs with hardly different values")

    def chooses(self):
        """Chooses another parameter for the map of pairs, and time for the search."""
        changed = self.browser.script("""
            return ['pairs', 'search'].map((kind) => {
              const box = document.querySelector(`[data-draw=${kind}]`);
              const select = box && box.querySelector('select');
              if (!select) return true;
              const before = box.textContent + box.innerHTML.length;
              select.selectedIndex = select.options.length - 1;
              select.dispatchEvent(new Event('change'));
              return before !== box.textContent + box.innerHTML.length;
            });""")
        self.expect(all(changed), f"choosing changes nothing: {changed}")

    def dark(self):
        colours = []
        for scheme in ("dark", "light"):
            self.browser.prefer(scheme)
            colours.append(self.browser.script("return getComputedStyle(document.body).backgroundColor"))
        self.expect(colours[0] != colours[1], f"dark: {colours}")

    def prints(self):
        pdf = base64.b64decode(self.browser.driver.execute_cdp_cmd("Page.printToPDF", {})["data"])
        self.expect(pdf.startswith(b"%PDF") and len(pdf) > 20_000, f"a PDF of {len(pdf)} bytes")

    def accessible(self):
        for scheme in ("light", "dark"):
            self.browser.prefer(scheme)
            self.browser.script(self.axe)
            rules = {} if scheme == "light" else {"runOnly": ["color-contrast"]}
            violations = self.browser.driver.execute_async_script(
                "const done = arguments[arguments.length - 1];"
                "axe.run(arguments[0]).then((result) => done(result.violations.map("
                "  (v) => v.id + ': ' + v.nodes.slice(0, 2).map((n) => n.html.slice(0, 120)).join(' | '))))"
                "  .catch((error) => done([String(error)]));", rules)
            self.expect(not violations, f"axe, {scheme}: {violations}")
        self.browser.prefer("light")

    def harmless(self):
        found = self.browser.script(
            "return {images: document.querySelectorAll('img').length, scripts: document.scripts.length,"
            " title: document.title, handlers: document.querySelectorAll('[onerror],[onload],[onclick]').length}")
        self.expect(found["images"] == 0 and found["handlers"] == 0 and found["scripts"] == 2
                    and "owned" not in found["title"], f"hostile names: {found}")


def check_page(browser, axe, file, screenshots):
    name = os.path.splitext(os.path.basename(file))[0]
    check = Check(browser, axe)
    browser.resize(1600)
    browser.prefer("light")
    seconds = browser.open(file)
    size = os.path.getsize(file)
    check.expect(seconds < MOST_SECONDS, f"opened in {seconds:.1f} s")
    check.expect(size < MOST_BYTES, f"{size} bytes")
    browser.draw()
    check.dark()
    if name in ("tuned", "sweep", "lines"):  # the slow checks, once for each kind of page
        check.accessible()
        check.prints()
    check.fits()
    check.sorts_and_filters()
    check.sorts_absent_last()
    check.times_are_first()
    check.draws_the_search()
    check.flat_pairs_have_no_map()
    check.chooses()
    check.harmless()
    check.quiet(file)
    if screenshots:
        for width, scheme in ((400, "light"), (1600, "light"), (1600, "dark")):
            browser.resize(width, 1400)
            browser.prefer(scheme)
            browser.script("scrollTo(0, 0)")
            browser.screenshot(os.path.join(screenshots, f"{name}-{width}-{scheme}.png"))
    print(f"{name:10} {size / 1e6:6.2f} MB  opened in {seconds:.2f} s  " +
          ("ok" if not check.wrong else "FAILED"))
    for each in check.wrong:
        print("    " + each)
    return not check.wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gtune", required=True)
    parser.add_argument("--axe", required=True)
    parser.add_argument("--screenshots")
    options = parser.parse_args()
    if options.screenshots:
        os.makedirs(options.screenshots, exist_ok=True)
    with open(options.axe, encoding="utf-8") as source:
        axe = source.read()
    with tempfile.TemporaryDirectory() as folder:
        pages = Pages(os.path.abspath(options.gtune), folder)
        pages.tuned()
        pages.reported("shipped", "--db", SHIPPED)
        pages.reported("sweep", "transpose", "--db", SHIPPED)
        pages.lines()
        pages.hostile()
        pages.large()
        browser = Browser()
        try:
            good = [check_page(browser, axe, pages.path(name + ".html"), options.screenshots)
                    for name in ("tuned", "shipped", "sweep", "lines", "hostile", "large")]
        finally:
            browser.driver.quit()
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
