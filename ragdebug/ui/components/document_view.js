// Behaviour of the document view: scrolling, paging, finding, picking, marking. The browser holds a
// window of the text and asks for more through the trigger "ask".

const EDGE = 900; // pixels from the end of the window at which more text is asked for
const REST = 350; // milliseconds without turning a page after which the page is told
const PATIENCE = 2000; // milliseconds after which an unanswered request is made again

export default function (component) {
  const view = instance(component.parentElement, build);
  view.send = (name, message) =>
    component.setTriggerValue(name, { ...message, token: view.data.token });
  update(view, component.data);
  return () => view.dispose();
}

function build(root) {
  const view = { root, data: null, drawn: null, shape: "", nonce: 0, waiting: 0, tries: 0 };
  root.classList.add("document");
  const bar = el("div", "bar");
  view.pages = el("div", "group");
  view.page = el("input", "page");
  view.page.setAttribute("aria-label", "Go to page");
  view.page.onkeydown = (e) => {
    if (e.key !== "Enter") return;
    ask(view, "page", { name: view.page.value });
    view.text.focus({ preventScroll: true });
  };
  view.page.onfocus = () => view.page.select();
  view.pageCount = el("span", "count");
  view.pages.append(
    button("quiet", "‹", "Previous page", () => turn(view, -1)),
    el("span", "wide", "page"), view.page, view.pageCount,
    button("quiet", "›", "Next page", () => turn(view, 1))
  );
  view.chunks = el("div", "group");
  view.chunkCount = el("span", "count");
  view.chunks.append(
    button("quiet", "‹", "Previous chunk  [", () => nextChunk(view, -1)),
    view.chunkCount,
    button("quiet", "›", "Next chunk  ]", () => nextChunk(view, 1))
  );
  const finder = el("div", "group finder");
  view.find = el("input", "find");
  view.find.type = "search";
  view.find.placeholder = "Find in text";
  view.find.setAttribute("aria-label", "Find in text");
  view.find.oninput = () => {
    clearTimeout(view.typing);
    view.typing = setTimeout(() => search(view), 300);
  };
  view.find.onkeydown = (e) => {
    if (e.key === "Enter") {
      e.preventDefault();
      if (view.find.value !== view.data.find.query) search(view);
      else ask(view, "step", { step: e.shiftKey ? -1 : 1, at: topPosition(view) });
    } else if (e.key === "Escape") {
      view.find.value = "";
      search(view);
      view.text.focus({ preventScroll: true });
    }
  };
  view.matches = el("span", "count");
  view.matches.setAttribute("role", "status");
  view.previous = button("quiet", "↑", "Previous match  N", () => match(view, -1));
  view.next = button("quiet", "↓", "Next match  n", () => match(view, 1));
  finder.append(view.find, view.matches, view.previous, view.next);
  bar.append(view.pages, view.chunks, finder);

  view.frame = el("div", "frame");
  view.pane = el("div", "pane");
  view.gutter = el("div", "gutter");
  view.gutter.setAttribute("aria-hidden", "true");
  view.text = el("div", "text");
  view.rail = el("div", "rail");
  view.rail.setAttribute("aria-hidden", "true");
  view.railWindow = el("div", "viewport");
  view.pane.append(view.gutter, view.text);
  view.frame.append(view.pane, view.rail);
  view.taker = el("div", "taker");
  view.taker.setAttribute("role", "status");
  view.taker.hidden = true;
  view.taken = el("span", "taken");
  view.take = button("primary", "", "", () => takeMark(view));
  view.taker.append(
    view.taken, view.take,
    button("quiet", "✕", "Leave it  Esc", () => clearSelection(view))
  );
  view.legend = el("div", "legend");
  const shell = el("div", "shell");
  shell.append(bar, view.frame, view.taker, view.legend);
  root.append(shell);
  view.shell = shell;
  editableButUnchangeable(view);
  wire(view);
  return view;
}

// A cursor, selection by keyboard and by screen readers come with an editable element; that nothing
// in it can change is ensured here.
function editableButUnchangeable(view) {
  const { text } = view;
  text.contentEditable = "true";
  text.spellcheck = false;
  text.inputMode = "none";
  text.setAttribute("role", "textbox");
  text.setAttribute("aria-multiline", "true");
  text.setAttribute("aria-readonly", "true");
  text.setAttribute("translate", "no");
  for (const name of ["beforeinput", "paste", "cut", "drop", "dragstart"]) {
    text.addEventListener(name, (event) => event.preventDefault());
  }
  text.addEventListener("compositionend", () => draw(view));
}

function wire(view) {
  view.pane.addEventListener("scroll", () => {
    if (view.frameAsked) return;
    view.frameAsked = requestAnimationFrame(() => {
      view.frameAsked = 0;
      scrolled(view);
    });
  });
  view.text.addEventListener("click", (event) => {
    const range = selectedRange(view.text);
    if (range && range[0] === range[1] && event.detail < 2) pickAt(view, range[0]);
  });
  view.text.addEventListener("keydown", (event) => keyPressed(view, event));
  view.rail.addEventListener("pointerdown", (event) => {
    const box = view.rail.getBoundingClientRect();
    jump(view, Math.round(((event.clientY - box.top) / box.height) * view.data.total));
  });
  const onSelection = () => selectionChanged(view);
  document.addEventListener("selectionchange", onSelection);
  const observer = new ResizeObserver(() => {
    if (!view.drawn) return;
    drawGutter(view);
    follow(view);
    scrolled(view);
  });
  observer.observe(view.text);
  observer.observe(view.pane);
  view.dispose = () => {
    document.removeEventListener("selectionchange", onSelection);
    observer.disconnect();
    clearTimeout(view.typing);
    clearTimeout(view.waiting);
    clearTimeout(view.turning);
  };
}

function update(view, data) {
  if (!data) return;
  const before = view.data;
  view.data = data;
  clearTimeout(view.waiting);
  view.waiting = 0;
  view.shell.style.maxHeight = `${data.height}px`;
  view.text.classList.toggle("mono", data.mono);
  view.text.setAttribute("aria-label", data.label);
  view.take.textContent = data.markLabel;
  const { goto: order, rail, find, ...drawn } = data;
  const shape = JSON.stringify(drawn);
  if (shape !== view.shape) {
    const anchored = before && before.token === data.token ? anchor(view) : null;
    const marked = anchored && selectedRange(view.text);
    view.shape = shape;
    draw(view);
    if (anchored) restore(view, anchored);
    if (marked && view.text.matches(":focus")) select(view, ...marked);
  }
  drawBar(view);
  drawRail(view);
  follow(view);
  scrolled(view);
}

function draw(view) {
  view.drawn = drawText(view.text, view.data);
  drawGutter(view);
  drawLegend(view);
}

// Follows an order to scroll, once, as soon as there is something to measure.
function follow(view) {
  const order = view.data.goto;
  if (!order || order[0] === view.nonce || !view.pane.clientHeight) return;
  const [nonce, start, end] = order;
  view.nonce = nonce;
  const top = rectAt(view.drawn, start).top;
  const bottom = rectAt(view.drawn, Math.max(start, end - 1)).bottom;
  const box = view.pane.getBoundingClientRect();
  const room = Math.max(24, (box.height - (bottom - top)) / 3);
  view.pane.scrollTop += top - box.top - (start === end ? 8 : room);
  select(view, start, start, false);
}

function anchor(view) {
  if (!view.drawn || !view.pane.clientHeight) return null;
  const position = topPosition(view);
  return { position, top: rectAt(view.drawn, position).top };
}

function restore(view, { position, top }) {
  const { base, text } = view.data;
  if (position < base || position > base + text.length) return;
  view.pane.scrollTop += rectAt(view.drawn, position).top - top;
}

// First position whose character is not above the pane.
function topPosition(view) {
  const top = view.pane.getBoundingClientRect().top + 4;
  let low = view.data.base;
  let high = low + view.data.text.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rectAt(view.drawn, middle).bottom <= top) low = middle + 1;
    else high = middle;
  }
  return low;
}

function scrolled(view) {
  const { pane, data, drawn } = view;
  if (!drawn || !pane.clientHeight) return;
  const at = topPosition(view);
  const page = data.pages.filter((p) => p[0] <= at + 1).at(-1);
  if (page && !view.page.matches(":focus")) view.page.value = page[2] || page[1];
  tellPage(view, page ? page[1] : 0);
  const last = data.chunks.filter((c) => c[1] <= at + 1).at(-1) ?? data.chunks[0];
  view.chunkCount.textContent = last
    ? `chunk ${last[3].toLocaleString()} of ${data.chunkCount.toLocaleString()}`
    : `${data.chunkCount.toLocaleString()} chunks`;
  const shown = (pane.clientHeight / Math.max(1, pane.scrollHeight)) * data.text.length;
  view.railWindow.style.top = `${(100 * at) / Math.max(1, data.total)}%`;
  view.railWindow.style.height = `${(100 * shown) / Math.max(1, data.total)}%`;
  view.rail.hidden = data.text.length === data.total && pane.scrollHeight <= pane.clientHeight + 1;
  const above = data.base > 0 && pane.scrollTop < EDGE;
  const below =
    data.base + data.text.length < data.total &&
    pane.scrollHeight - pane.scrollTop - pane.clientHeight < EDGE;
  const request = `${data.base} ${at}`;
  if (request !== view.request) view.tries = 0;
  if ((above || below) && !view.waiting && view.tries < 3) {
    view.request = request;
    view.tries += 1;
    view.waiting = setTimeout(() => {
      view.waiting = 0;
      scrolled(view);
    }, PATIENCE);
    ask(view, "window", { at });
  }
}

// Says which page reading has come to, once it rests there: a picture beside the text follows.
function tellPage(view, sheet) {
  const before = view.sheet;
  const known = view.sheetOf === view.data.token;
  view.sheet = sheet;
  view.sheetOf = view.data.token;
  if (!view.data.tellPage || !known || before === sheet) return;
  clearTimeout(view.turning);
  view.turning = setTimeout(() => view.send("turned", { number: view.sheet }), REST);
}

function drawBar(view) {
  const { data } = view;
  view.pages.hidden = !data.pageCount;
  view.pageCount.textContent = `of ${data.pageCount.toLocaleString()}`;
  view.chunks.hidden = !data.chunkCount;
  const { query, count, index, more } = data.find;
  if (!view.find.matches(":focus")) view.find.value = query;
  view.matches.textContent = !query
    ? ""
    : count
      ? `${(index + 1).toLocaleString()} of ${count.toLocaleString()}${more ? "+" : ""}`
      : "not found";
  view.matches.classList.toggle("none", Boolean(query) && !count);
  view.previous.hidden = view.next.hidden = !query;
  view.previous.disabled = view.next.disabled = !count;
}

function drawRail(view) {
  const { rail } = view.data;
  const marks = [];
  const strip = (className, from, to) => {
    const node = el("div", className);
    node.style.top = `${100 * from}%`;
    node.style.height = `${100 * (to - from)}%`;
    marks.push(node);
  };
  rail.found.forEach((at) => strip("found", at, at));
  rail.evidence.forEach(([from, to]) => strip("evidence", from, to));
  if (rail.selected) strip("selected", ...rail.selected);
  view.rail.replaceChildren(view.railWindow, ...marks);
}

// Bars beside the text: odd and even chunks in lanes of their own, so that overlaps stand side by
// side.
function drawGutter(view) {
  const { data, drawn, gutter, pane } = view;
  const groups = [data.chunks, data.other].filter((list) => list.length);
  gutter.style.width = `${groups.length * 38}px`;
  view.text.style.marginLeft = groups.length ? `${groups.length * 38 + 6}px` : "0";
  if (!pane.clientHeight) return;
  const origin = pane.getBoundingClientRect().top - pane.scrollTop;
  const limit = data.base + data.text.length;
  const bars = [];
  groups.forEach((list, group) => {
    let free = -1;
    for (const [id, start, end, number, note] of list) {
      const top = rectAt(drawn, Math.max(start, data.base)).top - origin;
      const bottom = rectAt(drawn, Math.min(end, limit) - 1).bottom - origin;
      const bar = el("div", "chunk-bar");
      bar.classList.add(number % 2 ? "odd" : "even", list === data.other ? "other" : "main");
      if (id === data.selected) bar.classList.add("selected");
      bar.style.top = `${top + 1}px`;
      bar.style.height = `${Math.max(4, bottom - top - 2)}px`;
      bar.style.left = `${group * 38 + 26 + (number % 2 ? 0 : 6)}px`;
      bar.title = `${number}${note ? ` · ${note}` : ""}`;
      bar.onclick = () => view.send("picked", { chunk: id });
      bars.push(bar);
      if (top >= free) {
        const label = el("div", "chunk-number", number);
        label.style.top = `${top}px`;
        label.style.left = `${group * 38}px`;
        if (id === data.selected) label.classList.add("selected");
        label.onclick = bar.onclick;
        bars.push(label);
        free = top + 15;
      }
    }
  });
  gutter.replaceChildren(...bars);
}

function drawLegend(view) {
  const { data } = view;
  const entries = [];
  const entry = (className, text) => {
    const item = el("span", "entry");
    item.append(el("span", `swatch ${className}`), el("span", "", text));
    entries.push(item);
  };
  if (data.chunks.length) {
    entry("chunks", data.titles[0] || "chunks");
    const overlaps = data.chunks.some((chunk, i) => i && chunk[1] < data.chunks[i - 1][2]);
    if (overlaps) entry("overlap", "overlap");
  }
  if (data.other.length) entry("other", data.titles[1] || "other chunking");
  if (data.evidence.length || data.rail.evidence.length) entry("evidence", "expected passage");
  if (data.terms.length) entry("term", "query terms");
  const chunks = data.chunks.length > 0;
  const keys = [
    chunks && "click or Enter: chunk",
    data.markLabel && "drag or Shift+arrows: mark",
    "/ find",
    chunks && "[ ] chunks",
  ].filter(Boolean);
  view.legend.replaceChildren(...entries, el("span", "keys", keys.join("  ·  ")));
}
