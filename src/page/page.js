"use strict";

// Makes the page's tables sortable, and draws what needs all measurements: the search, the table of
// configurations and the map of two parameters. All texts go into the page as text, never as markup.
(function () {
  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const ROWS_AT_FIRST = 25;
  // Times the best: what a chart of times shows at least and at most. Slower ones lie on its edge.
  const LEAST_SHOWN = 1.25;
  const SLOWEST_SHOWN = 4;
  const FLAT = 1.02;  // times the best: within it, values hardly differ
  const SVG = "http://www.w3.org/2000/svg";

  // Elements

  function element(name, properties, ...children) {
    const made = document.createElement(name);
    Object.assign(made, properties);
    made.append(...children);
    return made;
  }

  function svgElement(name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function choice(label, options, selected, onChange) {
    const select = element("select", {});
    options.forEach((text, i) => select.append(element("option", { value: i, textContent: text })));
    select.value = selected;
    select.addEventListener("change", () => onChange(Number(select.value)));
    return element("label", {}, label, select);
  }

  // Numbers, written as gtune writes them elsewhere

  function significant(value, digits) {
    if (value === 0) return "0";
    const before = Math.floor(Math.log10(Math.abs(value))) + 1;
    return value.toFixed(Math.min(9, Math.max(0, digits - before)));
  }

  function scaled(value, scales, digits) {
    const fitting = scales.find(([size]) => Math.abs(value) >= size) || scales[scales.length - 1];
    return significant(value / fitting[0], digits) + " " + fitting[1];
  }

  const TIMES = [[1000, "s"], [1, "ms"], [1e-3, "us"], [1e-6, "ns"]];
  const timeText = (ms) => scaled(ms, TIMES, 5);

  function percentText(share) {
    if (Math.abs(share) < 0.00005) return "0.00 %";
    return (share >= 0 ? "+" : "") + (100 * share).toFixed(2) + " %";
  }

  // The speed in the unit that the kernel's work asks for; null if the work is not stated.
  function speedOf(problem) {
    const { flops, bytes } = problem;
    const ofMemory = bytes !== null && (flops === null || flops < 4 * bytes);
    if (ofMemory) return { unit: "GB/s", of: (ms) => bytes / ms / 1e6 };
    if (flops !== null) {
      return flops / problem.best / 1e6 >= 100
        ? { unit: "TFLOP/s", of: (ms) => flops / ms / 1e9 }
        : { unit: "GFLOP/s", of: (ms) => flops / ms / 1e6 };
    }
    return null;
  }

  // Data

  // A column of places: an array, or a string with a digit for each row.
  function places(column) {
    if (typeof column !== "string") return column;
    return Array.from(column, (digit) => DIGITS.indexOf(digit));
  }

  function unpack(problem) {
    if (problem.unpacked) return problem;
    for (const name of ["status", "reason", "phase", "counts"]) problem[name] = places(problem[name]);
    problem.config = problem.config.map(places);
    problem.unpacked = true;
    return problem;
  }

  function parameterText(problem, parameter, row) {
    return problem.values[parameter][problem.config[parameter][row]];
  }

  // Tables

  const collator = new Intl.Collator("en", { numeric: true });

  // Absent values come last in both directions.
  function compare(a, b, sign) {
    if (a === null || a === undefined || a === "") return b === null || b === undefined || b === "" ? 0 : 1;
    if (b === null || b === undefined || b === "") return -1;
    return sign * (typeof a === "number" && typeof b === "number" ? a - b : collator.compare(a, b));
  }

  // Puts buttons into headings; sort(column, sign) is called, and aria-sort says what holds.
  function sortable(headings, sort) {
    headings.forEach((heading, column) => {
      if (heading.tagName !== "TH") return;
      const button = element("button", { type: "button" });
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => {
        const down = heading.getAttribute("aria-sort") === "ascending";
        headings.forEach((each) => each.removeAttribute("aria-sort"));
        heading.setAttribute("aria-sort", down ? "descending" : "ascending");
        sort(column, down ? -1 : 1);
      });
    });
  }

  function cellKey(cell) {
    const number = cell.dataset.value;
    if (number === undefined) return cell.textContent;
    return number === "null" ? null : Number(number);
  }

  // A table of the document: with headings, and without groups of rows.
  function enhance(table) {
    const head = table.tHead;
    const body = table.tBodies[0];
    if (!head || table.tBodies.length !== 1 || body.rows.length < 3) return;
    if (table.querySelector("th[scope=rowgroup]")) return;
    sortable(Array.from(head.rows[0].cells), (column, sign) => {
      const rows = Array.from(body.rows);
      rows.sort((a, b) => compare(cellKey(a.cells[column]), cellKey(b.cells[column]), sign));
      body.append(...rows);
    });
  }

  function filterBox(label, onInput) {
    const input = element("input", { type: "search" });
    input.addEventListener("input", () => onInput(input.value.toLowerCase().split(/\s+/).filter(Boolean)));
    return element("label", {}, label, input);
  }

  // A filter over the rows of a long table of the document, and a button that shows all of them.
  function addFilter(box) {
    const table = box.querySelector("table");
    if (!table || table.tBodies[0].rows.length < 8) return;
    const body = table.tBodies[0];
    const texts = new Map(Array.from(body.rows, (row) => [row, row.textContent.toLowerCase()]));
    const count = element("span", {});
    count.setAttribute("role", "status");
    const more = element("button", { type: "button", className: "more" });
    let words = [];
    let most = ROWS_AT_FIRST;
    function show() {
      let matching = 0;
      for (const row of body.rows) {
        const matches = words.every((word) => texts.get(row).includes(word));
        matching += matches ? 1 : 0;
        row.hidden = !matches || matching > most;
      }
      count.textContent = Math.min(most, matching) + " of " + matching;
      more.textContent = "Show all " + matching;
      more.hidden = matching <= most;
    }
    show();
    more.addEventListener("click", () => { most = Infinity; show(); });
    table.addEventListener("click", show);  // after a heading's button has sorted the rows
    window.addEventListener("beforeprint", () => { most = Infinity; show(); });
    const filter = filterBox("Filter", (given) => { words = given; show(); });
    box.prepend(element("div", { className: "controls" }, filter, count));
    box.append(more);
  }

  // All configurations

  function configurationColumns(problem) {
    const speed = speedOf(problem);
    const whole = (value) => (value === null ? "-" : String(Math.round(value)));
    const columns = [];  // times first: a phone shows few
    columns.push({ name: "time", number: true, key: (row) => problem.ms[row], text: timeText });
    columns.push({
      name: "beside the best", number: true, text: percentText,
      key: (row) => (problem.ms[row] === null ? null : problem.ms[row] / problem.best - 1),
    });
    problem.params.forEach((name, parameter) => {
      if (problem.values[parameter].length < 2) return;  // see sharedValues
      columns.push({ name, key: (row) => parameterText(problem, parameter, row) });
    });
    if (speed) {
      columns.push({
        name: speed.unit, number: true, text: (value) => significant(value, 4),
        key: (row) => (problem.ms[row] === null ? null : speed.of(problem.ms[row])),
      });
    }
    columns.push({
      name: "spread", number: true, text: (value) => "+- " + (100 * value).toFixed(2) + " %",
      key: (row) => problem.ms[row] === null || problem.low[row] === null || problem.high[row] === null
        ? null : (problem.high[row] - problem.low[row]) / 2 / problem.ms[row],
    });
    columns.push({ name: "registers", number: true, key: (row) => problem.registers[row], text: whole });
    columns.push({ name: "spilled, B", number: true, key: (row) => problem.spilled[row], text: whole });
    columns.push({ name: "shared, B", number: true, key: (row) => problem.shared[row], text: whole });
    columns.push({ name: "measured in", key: (row) => problem.phases[problem.phase[row]] });
    columns.push({ name: "status", key: (row) => problem.statuses[problem.status[row]] });
    if (problem.reasons.some((reason) => reason !== "")) {
      columns.push({ name: "reason", key: (row) => problem.reasons[problem.reason[row]] });
    }
    return columns;
  }

  // The parameters with one value in all configurations, except those that never exist.
  function sharedValues(problem) {
    return problem.params.map((name, i) => [name, problem.values[i]])
      .filter(([, values]) => values.length === 1 && values[0] !== "-")
      .map(([name, values]) => name + "=" + values[0]).join(", ");
  }

  function cellText(column, row) {
    const key = column.key(row);
    if (key === null || key === undefined) return "-";
    return column.text ? column.text(key) : key;
  }

  function rowElement(columns, row) {
    const made = element("tr", {});
    for (const column of columns) {
      made.append(element("td", { className: column.number ? "number" : "", textContent: cellText(column, row) }));
    }
    return made;
  }

  // "BM=64" matches the parameter's value; other words match anywhere in the row.
  function matcher(problem, columns, words) {
    const tests = words.map((word) => {
      const [name, value] = word.split("=");
      const parameter = problem.params.findIndex((each) => each.toLowerCase() === name);
      if (value && parameter >= 0) return (row) => parameterText(problem, parameter, row).toLowerCase() === value;
      const texts = columns.filter((column) => !column.number);
      return (row) => texts.some((column) => String(column.key(row)).toLowerCase().includes(word));
    });
    return (row) => tests.every((test) => test(row));
  }

  function drawConfigurations(box, problem) {
    unpack(problem);
    const columns = configurationColumns(problem);
    const all = [];
    problem.counts.forEach((counts, row) => { if (counts) all.push(row); });
    const time = columns.findIndex((column) => column.name === "time");
    let order = { column: time, sign: 1 };
    let words = [];
    let most = ROWS_AT_FIRST;

    const headings = columns.map((column) => {
      const heading = element("th", { scope: "col", className: column.number ? "number" : "", textContent: column.name });
      return heading;
    });
    const body = element("tbody", {});
    const table = element("table", {}, element("thead", {}, element("tr", {}, ...headings)), body);
    const scroll = element("div", { className: "scroll", tabIndex: 0 }, table);
    scroll.setAttribute("role", "group");
    scroll.setAttribute("aria-label", "Configurations");
    const count = element("span", {});
    count.setAttribute("role", "status");
    const more = element("button", { type: "button", className: "more" });

    function show() {
      const matches = matcher(problem, columns, words);
      const rows = words.length ? all.filter(matches) : all.slice();
      const key = columns[order.column].key;
      const keys = new Map(rows.map((row) => [row, key(row)]));
      rows.sort((a, b) => compare(keys.get(a), keys.get(b), order.sign) || a - b);
      body.replaceChildren(...rows.slice(0, most).map((row) => rowElement(columns, row)));
      count.textContent = Math.min(most, rows.length).toLocaleString("en") + " of " +
        rows.length.toLocaleString("en") + (words.length ? " that match, " + all.length.toLocaleString("en") + " in all" : "");
      more.textContent = "Show all " + rows.length.toLocaleString("en");
      more.hidden = rows.length <= most;
    }

    sortable(headings, (column, sign) => { order = { column, sign }; show(); });
    headings[time].setAttribute("aria-sort", "ascending");
    more.addEventListener("click", () => { most = Infinity; show(); });
    const filter = filterBox("Filter", (given) => { words = given; most = ROWS_AT_FIRST; show(); });
    const varying = problem.values.findIndex((values) => values.length > 1);
    filter.querySelector("input").placeholder = varying < 0 ? "ok"
      : problem.params[varying] + "=" + problem.values[varying][0] + " ...";
    show();
    const shared = sharedValues(problem);
    box.replaceChildren(element("div", { className: "controls" }, filter, count), scroll, more);
    if (shared) scroll.before(element("p", { className: "note", textContent: "The same in all: " + shared }));
  }

  // Two parameters together

  // Viridis, sampled; light and dark pages use the same.
  const VIRIDIS = [[68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141],
    [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37]];

  function colourOf(share) {
    const at = Math.min(1, Math.max(0, share)) * (VIRIDIS.length - 1);
    const low = Math.min(VIRIDIS.length - 2, Math.floor(at));
    return VIRIDIS[low].map((part, i) => Math.round(part + (at - low) * (VIRIDIS[low + 1][i] - part)));
  }

  function textOn(colour) {
    const light = colour.map((part) => {
      const c = part / 255;
      return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
    });
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2] > 0.179 ? "#000" : "#fff";
  }

  // The best time for each pair of values, over all values of the other parameters.
  function bestOfPairs(problem, down, across) {
    const best = problem.values[down].map(() => problem.values[across].map(() => null));
    problem.counts.forEach((counts, row) => {
      const ms = problem.ms[row];
      if (!counts || ms === null) return;
      const cells = best[problem.config[down][row]];
      const at = problem.config[across][row];
      if (cells[at] === null || ms < cells[at]) cells[at] = ms;
    });
    return best;
  }

  function heatTable(problem, down, across) {
    const best = bestOfPairs(problem, down, across);
    const times = best.flat().filter((ms) => ms !== null);
    const least = times.reduce((a, b) => Math.min(a, b), Infinity);
    const largest = Math.min(times.reduce((a, b) => Math.max(a, b), 0), SLOWEST_SHOWN * least);
    const speed = speedOf(problem);
    const unit = speed ? speed.unit : "ms";
    const names = problem.params[down] + " (down) and " + problem.params[across] + " (across)";
    if (largest < FLAT * least) {
      return [element("p", { textContent: "Each pair of values of " + problem.params[down] + " and " + problem.params[across] +
        " has a configuration within " + (100 * (largest / least - 1)).toFixed(1) + " % of the best." })];
    }
    const head = element("tr", {}, element("td", {}),
      ...problem.values[across].map((text) => element("th", { scope: "col", className: "number", textContent: text })));
    const body = element("tbody", {});
    best.forEach((cells, i) => {
      const row = element("tr", {}, element("th", { scope: "row", textContent: problem.values[down][i] }));
      for (const ms of cells) {
        const cell = element("td", { className: "cell", textContent: ms === null ? "-" : significant(speed ? speed.of(ms) : ms, 4) });
        if (ms !== null) {
          const range = Math.log(largest / least);
          const colour = colourOf(range > 0 ? 1 - Math.log(ms / least) / range : 1);
          cell.style.backgroundColor = "rgb(" + colour.join(",") + ")";
          cell.style.color = textOn(colour);
          cell.title = timeText(ms) + ", " + percentText(ms / problem.best - 1);
          if (ms === least) cell.classList.add("own");
        }
        row.append(cell);
      }
      body.append(row);
    });
    const table = element("table", { className: "heat" },
      element("thead", {}, head), body);
    const scroll = element("div", { className: "scroll", tabIndex: 0 }, table);
    scroll.setAttribute("role", "group");
    scroll.setAttribute("aria-label", "Best " + unit + " for each " + names);
    return [element("p", { className: "note",
      textContent: "Best " + unit + " for each " + names + "; lighter is faster, framed is the best." }), scroll];
  }

  // Begins with the pair that the page shows without scripts.
  function drawPairs(box, problem) {
    unpack(problem);
    const varying = problem.params.map((_, i) => i).filter((i) => problem.values[i].length > 1);
    if (varying.length < 2) return;
    const shown = (box.dataset.pair || "").split(",");
    const first = Math.max(0, varying.findIndex((i) => problem.params[i] === shown[0]));
    let second = varying.findIndex((i) => problem.params[i] === shown[1]);
    if (second < 0) second = first === 0 ? 1 : 0;
    const chosen = { down: first, across: second };
    const names = varying.map((i) => problem.params[i]);
    const place = element("div", {});
    const show = () => place.replaceChildren(...chosen.down === chosen.across
      ? [element("p", { textContent: "Choose two different parameters." })]
      : heatTable(problem, varying[chosen.down], varying[chosen.across]));
    show();
    box.replaceChildren(element("div", { className: "controls" },
      choice("Down", names, chosen.down, (i) => { chosen.down = i; show(); }),
      choice("Across", names, chosen.across, (i) => { chosen.across = i; show(); })), place);
  }

  // The search

  function roundSteps(low, high, most) {
    const rough = (high - low) / most || 1;
    const power = Math.pow(10, Math.floor(Math.log10(rough)));
    const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
    const steps = [];
    for (let at = Math.ceil(low / step - 1e-9) * step; at <= high + 1e-9 * step; at += step) steps.push(at);
    return steps;
  }

  // Round positions from just below low up to high.
  function stepsAround(low, high) {
    const least = Math.log10(low);
    const marks = [];
    for (let power = Math.floor(least); power <= Math.log10(high); ++power) {
      for (const factor of [1, 1.5, 2, 3, 4, 5, 6, 8]) marks.push(factor * Math.pow(10, power));
    }
    const below = marks.filter((at) => at <= low).pop();
    const steps = marks.filter((at) => at >= below && at <= high);
    if (steps.length > 2 && low < 1.3 * below) return steps;
    const width = roundSteps(low, high, 5);
    const step = width.length > 1 ? width[1] - width[0] : high - low;
    return roundSteps(Math.floor(low / step + 1e-9) * step, high, 6);
  }

  // The time that three of four configurations do not exceed, within the limits above.
  function slowestShown(times) {
    const sorted = times.slice().sort((a, b) => a - b);
    const least = sorted[0];
    const most = Math.min(SLOWEST_SHOWN * least, 1.05 * sorted[sorted.length - 1]);
    const usual = 1.1 * sorted[Math.floor(0.75 * (sorted.length - 1))];
    return Math.max(LEAST_SHOWN * least, Math.min(most, usual));
  }

  const plain = (value) => String(Number(value.toPrecision(6)));

  // The places of the axes, in the units of the view box.
  const FRAME = { left: 58, right: 426, top: 12, bottom: 252, width: 440, height: 300 };

  function axes(svg, x, y, xTicks, yTicks, xLabel, yLabel) {
    for (const at of xTicks) {
      svg.append(svgElement("path", { class: "grid", d: "M" + x(at) + " " + FRAME.top + "V" + FRAME.bottom }),
        svgElement("text", { x: x(at), y: FRAME.bottom + 17, "text-anchor": "middle" }, plain(at)));
    }
    for (const { at, text } of yTicks) {
      svg.append(svgElement("path", { class: "grid", d: "M" + FRAME.left + " " + y(at) + "H" + FRAME.right }),
        svgElement("text", { x: FRAME.left - 7, y: y(at) + 4, "text-anchor": "end" }, text));
    }
    svg.append(svgElement("path", { class: "axis", d: "M" + FRAME.left + " " + FRAME.bottom + "H" + FRAME.right }),
      svgElement("text", { x: (FRAME.left + FRAME.right) / 2, y: FRAME.bottom + 40, "text-anchor": "middle" }, xLabel),
      svgElement("text", { transform: "translate(14 " + (FRAME.top + FRAME.bottom) / 2 + ") rotate(-90)", "text-anchor": "middle" }, yLabel));
  }

  function searchRows(problem) {
    const rows = [];
    problem.ms.forEach((_, row) => { if (problem.phases[problem.phase[row]] === "search") rows.push(row); });
    return rows;
  }

  // Every configuration a dot, and the best so far a line; over their number or over time.
  function searchChart(problem, overTime) {
    const rows = searchRows(problem);
    const xs = rows.map((row, i) => (overTime ? problem.seconds[row] : i + 1));
    const times = rows.map((row) => problem.ms[row]).filter((ms) => ms !== null);
    const least = times.reduce((a, b) => Math.min(a, b), Infinity);
    const high = slowestShown(times);
    const [size, unit] = TIMES.find(([each]) => high >= each) || TIMES[3];
    const yTicks = stepsAround(0.99 * least / size, high / size);
    const low = Math.min(yTicks[0] * size, 0.99 * least);
    const xHigh = Math.max(xs[xs.length - 1], 1e-9);
    const round = (value) => Math.round(10 * value) / 10;
    const x = (at) => round(FRAME.left + (FRAME.right - FRAME.left) * at / xHigh);
    const y = (ms) => round(FRAME.bottom - (FRAME.bottom - FRAME.top) * Math.log(Math.min(ms, high) / low) / Math.log(high / low));
    const svg = svgElement("svg", { viewBox: "0 0 " + FRAME.width + " " + FRAME.height, role: "img", class: "chart" });
    axes(svg, x, y, roundSteps(0, xHigh, 6), yTicks.map((at) => ({ at: at * size, text: plain(at) })),
      overTime ? "time of the search, s" : "measurements of the search", "time, " + unit);
    let dots = "", line = "", best = Infinity;
    rows.forEach((row, i) => {
      const ms = problem.ms[row];
      if (ms === null) return;
      dots += "M" + x(xs[i]) + " " + y(ms) + "h0";
      if (ms >= best) return;
      best = ms;
      line += (line ? "H" + x(xs[i]) + "V" : "M" + x(xs[i]) + " ") + y(ms);
    });
    svg.append(svgElement("path", { class: "dots", d: dots }),
      svgElement("path", { class: "best", d: line + "H" + x(xHigh) }));
    const slower = times.filter((ms) => ms > high).length;
    svg.setAttribute("aria-label", rows.length + " measurements of the search; the best so far falls to " +
      timeText(best) + ".");
    if (slower === 0) return [svg];
    return [svg, element("p", { className: "note",
      textContent: "On the upper edge: " + slower + " of " + times.length + ", slower than " + timeText(high) + "." })];
  }

  function drawSearch(box, problem) {
    unpack(problem);
    const plot = box.querySelector(".plot");
    const show = (overTime) => plot.replaceChildren(...searchChart(problem, overTime));
    show(false);
    plot.before(element("div", { className: "controls" },
      choice("Over", ["measurements", "time"], 0, (i) => show(i === 1))));
  }

  // The page

  const DRAW = { search: drawSearch, configurations: drawConfigurations, pairs: drawPairs };
  let problems = null;

  function draw(box) {
    if (!problems) problems = JSON.parse(document.getElementById("data").textContent).problems;
    DRAW[box.dataset.draw](box, problems[Number(box.dataset.problem)]);
  }

  // Draws what comes near the window, and everything before printing.
  function drawLazily(boxes) {
    const waiting = new Set(boxes);
    const take = (box) => { if (waiting.delete(box)) draw(box); };
    const observer = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        observer.unobserve(entry.target);
        take(entry.target);
      }
    }, { rootMargin: "600px" });
    boxes.forEach((box) => observer.observe(box));
    window.addEventListener("beforeprint", () => {
      document.querySelectorAll("details.problem").forEach((each) => { each.open = true; });
      boxes.forEach(take);
    });
  }

  // A link to something within a closed problem opens it.
  function openTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const problem = target && target.closest("details.problem");
    if (!problem || problem.open) return;
    problem.open = true;
    target.scrollIntoView();
  }

  window.addEventListener("hashchange", openTarget);
  openTarget();
  document.querySelectorAll("main table").forEach(enhance);
  document.querySelectorAll(".many").forEach(addFilter);
  drawLazily(Array.from(document.querySelectorAll("[data-draw]")));
})();
