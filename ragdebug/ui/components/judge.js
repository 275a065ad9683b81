// Passages to be judged by keys. Text of documents reaches the page through textContent alone.

export default function (component) {
  const view = instance(component.parentElement, build);
  view.send = component.setTriggerValue;
  if (component.data) update(view, component.data);
  return () => {};
}

function build(root) {
  const bar = el("div", "bar");
  const list = el("div", "passages");
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Passages to judge");
  root.append(list, bar);
  const view = { root, bar, list, data: null, shape: "", at: "", choice: null, grab: null, opened: "" };
  root.addEventListener("keydown", (event) => keyPressed(view, event));
  return view;
}

function update(view, data) {
  const shape = JSON.stringify(data);
  if (shape === view.shape) return;
  const before = view.data;
  view.data = data;
  view.shape = shape;
  const ids = data.candidates.map((c) => c.id);
  const judged = (c) => Boolean(c?.judged);
  const had = before?.candidates.find((c) => c.id === view.at);
  const here = data.candidates.find((c) => c.id === view.at);
  const open = data.candidates.find((c) => !judged(c));
  if (!here || data.grab !== view.grab) view.at = (open ?? data.candidates[0])?.id ?? "";
  else if (!judged(had) && judged(here)) view.at = nextOpen(data.candidates, ids.indexOf(view.at));
  if (view.choice && !ids.includes(view.choice.id)) view.choice = null;
  if (data.choosing !== view.opened) {
    view.opened = data.choosing;
    if (ids.includes(data.choosing)) choose(view, data.choosing);
  }
  const hadFocus = view.root.getRootNode().activeElement?.closest?.(".root") === view.root;
  draw(view);
  const grabs = data.grab !== view.grab;
  view.grab = data.grab;
  if (grabs ? data.grab : hadFocus) focusHere(view);
  // The keys of a choice that was asked for elsewhere on the page should be seen as well.
  if (grabs && view.choice) view.root.scrollIntoView({ block: "nearest" });
}

// The first passage after a place that nobody has judged, else the place itself.
function nextOpen(candidates, at) {
  const turned = [...candidates.slice(at + 1), ...candidates.slice(0, at)];
  return (turned.find((c) => !c.judged) ?? candidates[at]).id;
}

function current(view) {
  return view.data.candidates.find((c) => c.id === view.at);
}

function choose(view, id) {
  const c = view.data.candidates.find((one) => one.id === id);
  if (!c || !c.sentences.length) return;
  view.at = id;
  view.choice = { id, first: c.first, last: c.last, target: view.data.target };
}

function draw(view) {
  const { data, list } = view;
  list.style.maxHeight = data.height ? `${data.height}px` : "";
  list.replaceChildren(...data.candidates.map((c) => passageNode(view, c)));
  drawBar(view);
}

function passageNode(view, c) {
  const here = c.id === view.at;
  const choice = view.choice?.id === c.id ? view.choice : null;
  const node = el("article", `passage${here ? " here" : ""}${choice ? " choosing" : ""} ${c.judged}`);
  node.setAttribute("role", "option");
  node.setAttribute("aria-selected", String(here));
  node.dataset.id = c.id;
  node.tabIndex = here ? 0 : -1;
  const head = el("div", "where");
  const name = el("bdi", "section", c.section.length ? c.section.join(" › ") : c.source);
  head.append(name);
  if (c.section.length) head.append(el("bdi", "file", c.source));
  if (c.page) head.append(el("span", "page", c.page));
  if (c.note) head.append(el("span", "why", c.note));
  if (c.judged) {
    head.append(el("span", `verdict ${c.judged}`, JUDGED[c.judged]));
  }
  const text = el("div", "text");
  text.dir = "auto";
  if (choice) sentences(view, c, choice, text);
  else appendMarked(text, c.text, c.marks);
  node.append(head, text);
  node.onclick = () => {
    if (String(document.getSelection() ?? "") || view.choice) return;
    view.at = c.id;
    draw(view);
    focusHere(view);
  };
  return node;
}

function sentences(view, c, choice, text) {
  let at = 0;
  const between = (to) => {
    if (to > at) appendText(text, c.text.slice(at, to));
    at = Math.max(at, to);
  };
  c.sentences.forEach(([start, end], i) => {
    between(start);
    const chosen = choice.first <= i && i <= choice.last;
    const node = el("span", chosen ? "sentence chosen" : "sentence");
    const marks = c.marks.map(([a, b, kind]) => [a - start, b - start, kind]).filter(([a, b]) => b > 0 && a < end - start);
    appendMarked(node, c.text.slice(start, end), marks);
    node.onclick = (event) => {
      event.stopPropagation();
      take(view, event.shiftKey ? Math.min(i, choice.first) : i, event.shiftKey ? Math.max(i, choice.last) : i);
    };
    text.append(node);
    at = Math.max(at, end);
  });
  between(c.text.length);
}

function drawBar(view) {
  const { data, bar, choice } = view;
  const key = (keys, label, act, name, primary) => {
    const node = button(primary ? "act primary" : "act", "", "", act);
    node.append(...keys.map((k) => el("kbd", "", k)), el("span", "", label));
    node.setAttribute("aria-label", name ?? label);
    return node;
  };
  if (!choice) {
    const can = (name) => data.can.includes(name);
    const on = Boolean(current(view));
    bar.replaceChildren(
      ...(on ? [key(["y"], "answers: choose sentences", () => openHere(view), "This answers it", true)] : []),
      ...(on && can("reject") ? [key(["n"], "does not answer", () => reject(view))] : []),
      ...(can("skip") ? [key(["s"], data.skipLabel, () => leave(view, "skip"))] : []),
      ...(can("nothing") ? [key(["0"], "nothing here answers", () => leave(view, "nothing"))] : []),
    );
    if (data.candidates.length > 1) bar.append(el("span", "hint", "j k move"));
    return;
  }
  const count = choice.last - choice.first + 1;
  bar.replaceChildren(
    key(["↵"], count === 1 ? "take this sentence" : `take these ${count} sentences`, () => accept(view), "Take these sentences", true),
    arrows(view, [["←", "narrow the end", 0, -1], ["→", "widen the end", 0, 1]], "end"),
    arrows(view, [["⇧←", "widen the start", -1, 0], ["⇧→", "narrow the start", 1, 0]], "start"),
    arrows(view, [["↑", "move up", -1, -1], ["↓", "move down", 1, 1]], "move"),
    key(["esc"], "leave", () => escape(view), "Leave the choice")
  );
  if (data.targets.length > 1) {
    const counts = data.targets[choice.target];
    bar.append(key(["t"], `counts as ${counts}`, () => nextTarget(view), `Counts as ${counts}; change`));
  }
  const c = current(view);
  const text = c.text.slice(c.sentences[choice.first][0], c.sentences[choice.last][1]);
  const whole = !c.note && c.sentences.length > 1 && count === c.sentences.length;
  if (whole || text.split(/\s+/).length > data.longWords) {
    const why = whole ? "all of the hit" : "long";
    bar.append(el("span", "hint warn", `${why}: such a label favours the chunking that found it`));
  }
}

// What two keys do, as small buttons for those who have no keyboard at hand.
function arrows(view, pairs, label) {
  const group = el("span", "group");
  for (const [sign, name, first, last] of pairs) {
    const one = button("quiet arrow", "", name, () => {
      shift(view, first, last);
      focusHere(view);
    });
    one.append(el("kbd", "", sign));
    group.append(one);
  }
  group.append(el("span", "", label));
  return group;
}

function take(view, first, last) {
  const most = current(view).sentences.length - 1;
  const low = Math.max(0, Math.min(first, most));
  const high = Math.max(0, Math.min(last, most));
  if (low > high) return;
  view.choice.first = low;
  view.choice.last = high;
  draw(view);
  focusHere(view);
}

function shift(view, first, last) {
  const { choice } = view;
  const most = current(view).sentences.length - 1;
  if (first && last && (choice.first + first < 0 || choice.last + last > most)) return;
  take(view, choice.first + first, choice.last + last);
}

function nextTarget(view) {
  view.choice.target = (view.choice.target + 1) % view.data.targets.length;
  draw(view);
  focusHere(view);
}

function openHere(view) {
  choose(view, view.at);
  draw(view);
  focusHere(view);
}

function reject(view) {
  if (current(view)) view.send("rejected", { id: view.at });
}

function accept(view) {
  const { id, first, last, target } = view.choice;
  view.choice = null;
  view.send("answered", { id, first, last, target });
  draw(view);
  focusHere(view);
}

function escape(view) {
  view.choice = null;
  draw(view);
  if (view.data.can.includes("leave")) leave(view, "leave");
  else focusHere(view);
}

function leave(view, how) {
  view.send("left", { how });
}

function move(view, step) {
  const all = view.data.candidates;
  const at = all.findIndex((c) => c.id === view.at) + step;
  if (at < 0 || at >= all.length) return;
  view.at = all[at].id;
  draw(view);
  focusHere(view);
}

function focusHere(view) {
  const node = [...view.list.children].find((one) => one.dataset.id === view.at);
  const target = node ?? view.bar.querySelector("button");
  target?.focus({ preventScroll: true });
  const seen = view.choice ? node?.querySelector(".chosen") : node;
  seen?.scrollIntoView({ block: "nearest" });
}

function keyPressed(view, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.tagName === "BUTTON" && (event.key === "Enter" || event.key === " ")) return;
  const can = (name) => view.data.can.includes(name);
  const deciding = {
    j: () => move(view, 1), ArrowDown: () => move(view, 1),
    k: () => move(view, -1), ArrowUp: () => move(view, -1),
    y: () => openHere(view), Enter: () => openHere(view),
    n: () => can("reject") && reject(view),
    s: () => can("skip") && leave(view, "skip"),
    0: () => can("nothing") && leave(view, "nothing"),
    u: () => can("undo") && leave(view, "undo"),
    U: () => can("redo") && leave(view, "redo"),
    Escape: () => can("leave") && leave(view, "leave"),
  };
  const choosing = {
    ArrowRight: () => (event.shiftKey ? shift(view, 1, 0) : shift(view, 0, 1)),
    ArrowLeft: () => (event.shiftKey ? shift(view, -1, 0) : shift(view, 0, -1)),
    "+": () => shift(view, 0, 1), "-": () => shift(view, 0, -1),
    ArrowDown: () => shift(view, 1, 1), j: () => shift(view, 1, 1),
    ArrowUp: () => shift(view, -1, -1), k: () => shift(view, -1, -1),
    t: () => view.data.targets.length > 1 && nextTarget(view),
    Enter: () => accept(view), y: () => accept(view), Escape: () => escape(view),
  };
  const act = (view.choice ? choosing : deciding)[event.key];
  if (act) {
    event.preventDefault();
    act();
  }
}
