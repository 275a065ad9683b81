// What a person does in the document view: keys, picking, marking, finding, turning pages.

function keyPressed(view, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) {
    if ((event.ctrlKey || event.metaKey) && event.key === "f") {
      event.preventDefault();
      view.find.focus();
    }
    return;
  }
  const act = {
    Enter: () => enter(view),
    Escape: () => clearSelection(view),
    "/": () => view.find.focus(),
    n: () => match(view, 1),
    N: () => match(view, -1),
    "]": () => nextChunk(view, 1),
    "[": () => nextChunk(view, -1),
  }[event.key];
  if (act) {
    event.preventDefault();
    act();
  }
}

function enter(view) {
  const range = selectedRange(view.text);
  if (!range) return;
  if (range[0] === range[1]) pickAt(view, range[0]);
  else takeMark(view);
}

// The chunk at a position; where two overlap, the one that is not selected yet, later one first.
function pickAt(view, position) {
  const here = view.data.chunks.filter(([, start, end]) => start <= position && position < end);
  const chosen = here.filter(([id]) => id !== view.data.selected).at(-1);
  if (chosen) view.send("picked", { chunk: chosen[0] });
}

function takeMark(view) {
  const range = selectedRange(view.text);
  if (!range || range[0] === range[1] || !view.data.markLabel) return;
  view.send("marked", { start: range[0], end: range[1] });
  clearSelection(view);
}

function selectionChanged(view) {
  if (!view.data?.markLabel) return;
  const range = view.text.matches(":focus-within, :focus") ? selectedRange(view.text) : null;
  const text = range ? view.data.text.slice(range[0] - view.data.base, range[1] - view.data.base) : "";
  view.taker.hidden = !text.trim();
  if (!text.trim()) return;
  const flat = text.replace(/\s+/g, " ").trim();
  const characters = [...text.trim()];
  const short = characters.length > 60 ? `${[...flat].slice(0, 48).join("")}…` : flat;
  const label = el("span", "quote");
  appendText(label, short);
  view.taken.replaceChildren(
    label, el("span", "count", `${characters.length.toLocaleString()} characters`)
  );
}

function select(view, start, end, focus = false) {
  const own = view.text.getRootNode().getSelection?.() ?? document.getSelection();
  if (!own || (!focus && !view.text.matches(":focus"))) return;
  own.setBaseAndExtent(...place(view.drawn, start), ...place(view.drawn, end));
}

function clearSelection(view) {
  const own = view.text.getRootNode().getSelection?.() ?? document.getSelection();
  own?.collapseToStart?.();
  view.taker.hidden = true;
}

function ask(view, kind, message) {
  view.send("ask", { kind, ...message });
}

function search(view) {
  if (view.find.value === view.data.find.query) return;
  ask(view, "find", { query: view.find.value, at: topPosition(view) });
}

function match(view, step) {
  if (view.data.find.count) ask(view, "step", { step, at: topPosition(view) });
}

function turn(view, step) {
  ask(view, "sheet", { number: (view.sheet || 1) + step });
}

// Within the window the browser scrolls by itself.
function nextChunk(view, step) {
  const at = topPosition(view);
  const starts = view.data.chunks.map((c) => c[1]).filter((s) => (step > 0 ? s > at + 1 : s < at - 1));
  const target = step > 0 ? starts[0] : starts.at(-1);
  if (target !== undefined && target >= view.data.base) reveal(view, target);
  else ask(view, "chunk", { step, at });
}

function reveal(view, position) {
  const top = view.pane.getBoundingClientRect().top;
  view.pane.scrollTop += rectAt(view.drawn, position).top - top - 4;
  select(view, position, position);
}

function jump(view, position) {
  const { base, text } = view.data;
  if (position >= base && position < base + text.length) reveal(view, position);
  else ask(view, "at", { at: position });
}
