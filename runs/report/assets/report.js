"use strict";
// All text goes into the page as text nodes: nothing here parses HTML.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const S = data.strings;
  const OUTCOME = { well_formed: "well formed", not_well_formed: "not well formed", unsupported: "unsupported", no_output: "no output" };
  const DECIDED = new Set(["observed", "not_applicable", "generation_failure"]);
  const STEP = 50;

  const el = (tag, attrs = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attrs)) {
      if (name === "class") node.className = value;
      else if (name === "onclick") node.addEventListener("click", value);
      else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
    }
    for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
    return node;
  };
  const num = (v, digits = 3) => (v === null || v === undefined ? "–" : v.toFixed(digits));
  const metricIndex = new Map(data.metrics.map(([name], i) => [name, i]));
  const metricLabel = new Map(data.metrics);
  const byTask = data.tasks.map(() => []);
  for (const c of data.candidates) byTask[c[0]].push(c);

  const tasks = data.tasks.map(([name, requirement, signature, cells], i) => ({
    i, name: S[name], requirement: S[requirement], signature: S[signature], cells,
    hay: null,
  }));
  const hay = (t) => {
    if (t.hay === null) t.hay = [t.name, t.requirement, ...byTask[t.i].map((c) => S[c[5]])].join("\n").toLowerCase();
    return t.hay;
  };

  const $ = (id) => document.getElementById(id);
  const state = { sort: "name", down: false, limit: STEP, open: new Set() };
  const metric = () => metricIndex.get($("metric").value);
  const valueOf = (t, arm) => (t.cells[arm] ? t.cells[arm][1][metric()] : null);
  const spread = (t) => {
    const known = data.arms.map((_, a) => valueOf(t, a)).filter((v) => v !== null);
    return known.length > 1 ? Math.max(...known) - Math.min(...known) : null;
  };

  const fits = (t) => {
    const wanted = $("search").value.trim().toLowerCase();
    if (wanted && !hay(t).includes(wanted)) return false;
    const kind = $("outcome").value;
    if (!kind) return true;
    const arm = $("arm").value;
    const cells = arm === "" ? t.cells : [t.cells[Number(arm)]];
    return cells.some((cell) => {
      if (!cell) return kind === "missing";
      const [outcomes, means, undecided] = cell;
      const at = data.outcomes.indexOf(kind);
      if (at >= 0) return outcomes[at] > 0;
      if (kind === "undecided") return undecided > 0;
      const of = (name) => (metricIndex.has(name) ? means[metricIndex.get(name)] : null);
      if (kind === "weak") return of("verifier_grade") === 1 && ["R-", "R_rej"].some((m) => of(m) !== null && of(m) < 1);
      if (kind === "below") return means[metric()] !== null && means[metric()] < 1;
      return false;
    });
  };

  const key = (t) => {
    if (state.sort === "name") return t.name;
    if (state.sort === "spread") return spread(t);
    return valueOf(t, Number(state.sort));
  };
  const compare = (a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === y) return a.name < b.name ? -1 : 1;
    if (x === null) return 1; // what has no value stands last either way
    if (y === null) return -1;
    return (x < y ? -1 : 1) * (state.down ? -1 : 1);
  };

  const armCell = (t, a) => {
    const cell = t.cells[a];
    if (!cell) return el("td", { "data-label": data.arms[a] }, "–");
    const value = valueOf(t, a);
    const [outcomes, , undecided] = cell;
    const box = el("div", {}, el("span", { class: "num" }, num(value)));
    if (value !== null) {
      const fill = el("i");
      fill.style.width = `${Math.round(value * 100)}%`;
      box.append(el("span", { class: "meter" }, fill));
    }
    outcomes.forEach((n, k) => {
      if (n && k > 0) box.append(el("span", { class: "flag bad" }, `${n} ${OUTCOME[data.outcomes[k]]}`));
    });
    if (undecided) box.append(el("span", { class: "flag open-mark" }, `${undecided} open`));
    return el("td", { "data-label": data.arms[a] }, box);
  };

  const row = (t) => {
    const open = state.open.has(t.i);
    const button = el("button", { type: "button", "aria-expanded": String(open), onclick: () => toggle(t) }, t.name);
    const line = el("tr", { class: open ? "open" : "" }, el("td", { class: "name block", "data-label": "" }, button));
    data.arms.forEach((_, a) => line.append(armCell(t, a)));
    line.append(el("td", { "data-label": "spread", class: "num" }, num(spread(t))));
    return line;
  };
  const toggle = (t) => {
    if (state.open.has(t.i)) state.open.delete(t.i);
    else state.open.add(t.i);
    render();
  };

  const render = () => {
    const found = tasks.filter(fits).sort(compare);
    const body = $("tasks-body");
    body.replaceChildren();
    for (const t of found.slice(0, state.limit)) {
      body.append(row(t));
      if (state.open.has(t.i)) {
        body.append(el("tr", { class: "open" }, el("td", { colspan: data.arms.length + 2, class: "block", "data-label": "" }, detail(t))));
      }
    }
    $("found").textContent = `${found.length} of ${tasks.length} tasks`;
    const left = found.length - Math.min(found.length, state.limit);
    $("more").hidden = left <= 0;
    $("more").textContent = `Show ${Math.min(STEP, left)} more of ${left}`;
    for (const th of document.querySelectorAll("#tasks-table thead th")) {
      const mine = th.dataset.key === state.sort;
      th.setAttribute("aria-sort", mine ? (state.down ? "descending" : "ascending") : "none");
    }
  };

  const mark = (c) => {
    const grade = c[10].find((e) => S[e[0]] === "verifier_grade");
    if (c[4] !== 0) return ["bad", "✗"];
    if (c[10].some((e) => !DECIDED.has(S[e[1]]))) return ["open-mark", "?"];
    const low = c[10].some((e) => ["verifier_grade", "R+", "R-", "R_req", "R_rej"].includes(S[e[0]]) && e[2] !== null && e[2] < 1);
    return low ? ["bad", grade && grade[2] === 1 ? "△" : "✗"] : ["good", "✓"];
  };

  const chosen = new Map();
  const detail = (t) => {
    const box = el("div", { class: "detail" });
    if (t.signature) box.append(el("code", {}, t.signature));
    if (t.requirement) box.append(el("p", { class: "requirement" }, t.requirement));
    const mine = byTask[t.i];
    if (!mine.length) {
      box.append(el("p", { class: "soft" }, "No candidate of this task is in the page; the run folder has them (specgen show)."));
      return box;
    }
    const picker = el("div", { class: "picker", role: "group", "aria-label": "Candidates" });
    const place = el("div");
    const show = (k) => {
      chosen.set(t.i, k);
      [...picker.children].forEach((b, i) => b.setAttribute("aria-pressed", String(i === k)));
      place.replaceChildren(candidate(mine[k]));
    };
    mine.forEach((c, k) => {
      const [tone, sign] = mark(c);
      const label = [data.arms[c[1]], S[c[2]], mine.some((o) => o[3] > 0) ? `#${c[3]}` : ""].filter(Boolean).join(" · ");
      picker.append(el("button", { type: "button", onclick: () => show(k) }, el("span", { class: tone }, sign), ` ${label}`));
    });
    box.append(picker, place);
    show(chosen.get(t.i) || 0);
    return box;
  };

  const table = (head, rows, cls = "stack") =>
    el("div", { class: "scroll" }, el("table", { class: cls },
      el("thead", {}, el("tr", {}, head.map((h) => el("th", { scope: "col" }, h)))),
      el("tbody", {}, rows.map((cells) => el("tr", {}, cells.map((c, i) => el("td", { "data-label": head[i], class: i === 0 || (typeof c === "object" && c !== null && c.tagName === "CODE") ? "block" : "" }, c)))))));

  const GOOD = (item) => (/^(rejected|forbidden)/.test(item) ? "f" : "h");
  const WORD = { h: "holds", f: "fails", u: "unknown" };

  const candidate = (c) => {
    const [, , , , outcome, text, facts, message, notes, clauses, evidence, checks, judged] = c;
    const [model, tokensIn, tokensOut, cost, calls, simulated, failure] = facts;
    const box = el("div");
    const facts_ = [
      `outcome: ${OUTCOME[data.outcomes[outcome]]}`, S[failure] ? `failure: ${S[failure].replaceAll("_", " ")}` : null,
      S[model] ? `model ${S[model]}${simulated ? " (simulated)" : ""}` : null,
      tokensIn ? `${tokensIn} tokens in, ${tokensOut} out` : null, calls > 1 ? `${calls} calls` : null,
      cost ? `$${cost.toFixed(5)}` : null,
    ];
    box.append(el("p", { class: "small soft" }, facts_.filter(Boolean).join(" · ")));
    if (S[message]) box.append(el("p", { class: "bad" }, S[message]));
    box.append(el("pre", {}, S[text] || "(empty)"));
    for (const n of notes) box.append(el("p", { class: "small soft" }, `note: ${S[n]}`));
    if (clauses.length) box.append(el("h4", {}, "Clauses of the postcondition"), clauseTable(clauses, checks));
    box.append(el("h4", {}, "Evidence"), table(
      ["metric", "value", "status", "interval", "count", "scope", "witness or message"],
      evidence.map(([m, status, value, lower, upper, [a, b, unknown], scope, witness, note]) => [
        el("b", {}, metricLabel.get(S[m]) || S[m]), num(value),
        el("span", { class: DECIDED.has(S[status]) ? "" : "open-mark" }, S[status].replaceAll("_", " ")),
        lower === null || (lower === value && upper === value) ? "" : `[${num(lower)}, ${num(upper)}]`,
        a === null || b === null ? "" : `${a}/${b}${unknown ? `, ${unknown} unknown` : ""}`, S[scope],
        el("code", {}, [S[witness], S[note]].filter(Boolean).join(" — ")),
      ])));
    if (judged.length) {
      box.append(el("h4", {}, "Judge"), table(["item", "verdict", "text", "reason"], judged.map((r) => r.map((x) => S[x]))));
    }
    if (checks.length) {
      const wrong = checks.filter(([item, , o]) => o !== GOOD(S[item])).length;
      const list = el("details", { open: wrong > 0 && checks.length <= 40 });
      list.append(el("summary", {}, `${checks.length} checks, ${wrong} not as they should be`), checkTable(checks));
      box.append(list);
    }
    return box;
  };

  const clauseTable = (clauses, checks) => table(
    ["#", "clause", "known-correct behaviour", "rejected pairs"],
    clauses.map((text, i) => {
      const count = (prefix, letter) => checks.filter(([item, , , letters]) => prefix.test(S[item]) && (S[letters] || "")[i] === letter).length;
      const good = /^(accepted|known)/, bad = /^rejected/;
      const parts = (p, words) => ["h", "f", "u"].map((l) => [count(p, l), words[l]]).filter(([n]) => n).map(([n, w]) => `${n} ${w}`).join(", ") || "–";
      return [String(i + 1), el("code", {}, S[text]),
        el("span", { class: count(good, "f") ? "bad" : "" }, parts(good, { h: "hold", f: "fail", u: "unknown" })),
        parts(bad, { f: "rejected", h: "let through", u: "unknown" })];
    }));

  const checkTable = (checks) => table(
    ["item", "example", "outcome", "failing clauses", "reason"],
    checks.map(([item, shown, o, letters, reason]) => {
      const right = o === GOOD(S[item]);
      const tone = o === "u" ? "open-mark" : right ? "good" : "bad";
      const failing = [...(S[letters] || "")].map((l, i) => (l === "f" ? i + 1 : 0)).filter(Boolean).join(" ");
      return [S[item], el("code", {}, S[shown]), el("span", { class: tone }, `${o === "u" ? "?" : right ? "✓" : "✗"} ${WORD[o]}`), failing, S[reason]];
    }));

  const reset = () => { state.limit = STEP; render(); };
  let timer = 0;
  $("search").addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(reset, 120); });
  for (const id of ["arm", "outcome", "metric"]) $(id).addEventListener("change", reset);
  $("more").addEventListener("click", () => { state.limit += STEP; render(); });
  for (const th of document.querySelectorAll("#tasks-table thead th")) {
    th.querySelector("button").addEventListener("click", () => {
      if (state.sort === th.dataset.key) state.down = !state.down;
      else { state.sort = th.dataset.key; state.down = th.dataset.key === "spread"; }
      render();
    });
  }
  const fromHash = () => {
    const name = decodeURIComponent((location.hash.match(/^#task=(.*)$/) || [])[1] || "");
    const t = tasks.find((x) => x.name === name);
    if (!t) return;
    state.open.add(t.i);
    $("search").value = t.name;
    reset();
    $("tasks").scrollIntoView();
  };
  addEventListener("hashchange", fromHash);
  addEventListener("beforeprint", () => document.querySelectorAll("details.print").forEach((d) => { d.open = true; }));
  render();
  fromHash();
})();
