"use strict";
/* Steps through the run: buttons, arrow keys, Home and End. No library, no network. */
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const buttons = [...document.querySelectorAll("[data-go]")];
  const where = document.getElementById("where");
  const graph = document.querySelector(".graph");
  const across = (box, item) => {  // a wide graph on a narrow screen: bring the item into view
    const frame = box.getBoundingClientRect(), place = item.getBoundingClientRect();
    if (place.left < frame.left || place.right > frame.right)
      box.scrollLeft += (place.left + place.right - frame.left - frame.right) / 2;
    if (place.top < frame.top || place.bottom > frame.bottom)
      box.scrollTop += (place.top + place.bottom - frame.top - frame.bottom) / 2;
  };
  const start = graph?.querySelector(".initial");
  if (start) across(graph, start);
  if (data.kind === "none" || !where) return;

  const last = data.kind === "steps" ? data.steps.length : data.instants - 1;
  let now = 0;

  /* The page can be opened at a step: report.html#step=4 */
  const wanted = /^#step=(\d+)$/.exec(location.hash);

  const element = (name, kind, text) => {
    const made = document.createElement(name);
    if (kind) made.className = kind;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const unmark = (kind) => document.querySelectorAll("." + kind).forEach((e) => e.classList.remove(kind));
  const within = (box, item) => {  // scroll the box, never the page
    const top = item.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
    if (top < box.scrollTop || top + item.offsetHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = top - box.clientHeight / 2;
  };

  /* Values before step n: the start and the changes of the steps before it. */
  const valuesAt = (n) => {
    const values = new Map(data.start);
    for (const step of data.steps.slice(0, n)) for (const [name, value] of step.c) values.set(name, value);
    return values;
  };

  const list = document.getElementById("steps");
  if (list) {
    data.steps.forEach((step, n) => {
      if (data.leftOut && n === data.gap) list.append(element("li", "gap", `… ${data.leftOut} steps …`));
      const item = element("li");
      item.dataset.n = n;
      item.title = step.t;
      item.append(element("span", "ln", step.l ?? ""), "  ".repeat(Math.min(step.d ?? 0, 8)) + step.t);
      item.addEventListener("click", () => show(n));
      list.append(item);
    });
    if (data.leftOut && data.gap >= data.steps.length) list.append(element("li", "gap", `… ${data.leftOut} steps …`));
  }
  const items = list ? [...list.querySelectorAll("[data-n]")] : [];

  function showStep() {
    const step = data.steps[now], before = data.steps[now - 1];
    const statement = document.getElementById("statement");
    statement.textContent = step ? `next: ${step.t}` : data.ending;
    statement.classList.toggle("end", !step);
    where.textContent = step ? `step ${now} of ${last}` : `end, after ${last} steps`;

    const values = valuesAt(now), earlier = now ? valuesAt(now - 1) : new Map();
    const changed = new Set(before ? before.c.map(([name]) => name) : []);
    const body = document.querySelector("#values tbody");
    const here = step ?? before, depth = here?.d ?? 0;
    const alive = ([name]) => {  // variables of calls that have returned are left out
      const owner = /^(.*)#(\d+): /.exec(name);
      return !owner || changed.has(name) || owner[2] < depth || (Number(owner[2]) === depth && owner[1] === here.fn);
    };
    body.replaceChildren(...[...values].filter(alive).map(([name, value]) => {
      const row = element("tr", changed.has(name) ? "changed" : "");
      const head = element("th", "", name);
      head.scope = "row";
      row.append(head, element("td", "", value), element("td", "", changed.has(name) ? earlier.get(name) ?? "" : ""));
      return row;
    }));
    const first = body.querySelector(".changed");
    if (first) within(body.closest(".scroll"), first);

    unmark("now");
    const current = step ?? before;
    if (current && current.f !== undefined) {
      const line = document.getElementById(`f${current.f}l${current.l}`);
      if (line) { line.classList.add("now"); within(line.closest(".listing"), line); }
    }
    if (items[now]) { items[now].classList.add("now"); within(list, items[now]); }
    unmark("here");
    const edge = current && current.e !== undefined && current.e !== null
      ? document.querySelector(`svg.cfa [data-edge="${current.e}"]`) : null;
    if (edge) { edge.classList.add("here"); across(graph, edge); }
  }

  function showInstant() {
    where.textContent = `instant ${now} of ${last}`;
    unmark("now");
    const cells = document.querySelectorAll(`table.streams [data-i="${now}"]`);
    cells.forEach((cell) => cell.classList.add("now"));
    const box = document.querySelector("div.streams");
    if (cells.length && box) {
      const left = cells[0].offsetLeft;
      if (left < box.scrollLeft + 120 || left + cells[0].offsetWidth > box.scrollLeft + box.clientWidth)
        box.scrollLeft = left - box.clientWidth / 2;
    }
  }

  function show(n) {
    now = Math.max(0, Math.min(last, n));
    for (const button of buttons)
      button.disabled = ["first", "back"].includes(button.dataset.go) ? now === 0 : now === last;
    (data.kind === "steps" ? showStep : showInstant)();
  }

  const go = { first: () => show(0), back: () => show(now - 1), on: () => show(now + 1), last: () => show(last) };
  buttons.forEach((button) => button.addEventListener("click", go[button.dataset.go]));
  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const inList = list && event.target === list;  // elsewhere, up and down scroll the page
    const move = inList && event.key === "ArrowUp" ? "back" : inList && event.key === "ArrowDown" ? "on" : keys[event.key];
    if (!move) return;
    go[move]();
    event.preventDefault();
  });
  show(wanted ? Number(wanted[1]) : data.kind === "steps" ? 0 : last);
})();
