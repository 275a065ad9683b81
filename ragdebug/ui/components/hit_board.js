// Result lists side by side. Text of documents reaches the page through textContent alone.

export default function (component) {
  const board = instance(component.parentElement, build);
  board.send = component.setTriggerValue;
  if (component.data) update(board, component.data);
  return () => {};
}

function build(root) {
  const grid = el("div", "board");
  const frame = el("div", "frame");
  frame.append(grid);
  const board = { root, grid, frame, data: null, shape: "", at: null };
  board.pager = pager(board);
  root.append(board.pager.node, frame);
  grid.addEventListener("scroll", () => page(board), { passive: true });
  new ResizeObserver(() => page(board)).observe(grid);
  grid.addEventListener("keydown", (event) => keyPressed(board, event));
  grid.addEventListener("pointerover", (event) => light(board, event.target.closest(".card")));
  grid.addEventListener("pointerleave", () => light(board, null));
  grid.addEventListener("focusin", (event) => {
    const card = event.target.closest(".card");
    if (!card) return;
    board.at = card.dataset.place;
    rove(board);
    light(board, card);
  });
  return board;
}

function update(board, data) {
  const { selected, grab, ...rest } = data;
  const shape = JSON.stringify(rest);
  board.data = data;
  if (shape !== board.shape) {
    board.shape = shape;
    draw(board);
  }
  showSelected(board, selected);
  if (board.grab !== undefined && grab !== board.grab) {
    (cardAt(board, board.at) ?? cards(board)[0])?.focus({ preventScroll: true });
  }
  board.grab = grab;
}

function draw(board) {
  const { grid, data } = board;
  const focused = board.root.getRootNode().activeElement?.closest?.(".card")?.dataset.place;
  const left = grid.scrollLeft;
  const top = grid.scrollTop;
  const colours = palette(board.root);
  const rows = Math.max(1, ...data.columns.map((c) => (c.pending ? 3 : c.cards.length)));
  grid.style.setProperty("--columns", data.columns.length);
  grid.style.maxHeight = data.height ? `${data.height}px` : "";
  const columns = data.columns.map((column) => {
    const node = el("section", "column");
    node.style.setProperty("--mine", colours[column.colour % colours.length]);
    node.style.gridRow = `span ${rows + 1}`;
    node.append(head(board, column), ...body(board, column, colours));
    return node;
  });
  grid.replaceChildren(...columns);
  grid.scrollLeft = left;
  grid.scrollTop = top;
  page(board);
  rove(board);
  if (focused) cardAt(board, focused)?.focus({ preventScroll: true });
}

// Above lists that are wider than the page: which of them are seen, and the way to the others.
function pager(board) {
  const node = el("nav", "pager");
  node.setAttribute("aria-label", "Lists side by side");
  const said = el("span", "");
  const left = button("", "‹", "Lists to the left", () => turn(board, -1));
  const right = button("", "›", "Lists to the right", () => turn(board, 1));
  node.append(said, left, right);
  return { node, said, left, right };
}

// The columns that are seen whole, as indices; the one that is seen most where none is.
function seen({ grid }) {
  const columns = [...grid.children];
  const from = grid.scrollLeft - 4;
  const to = grid.scrollLeft + grid.clientWidth + 4;
  const whole = columns.flatMap((c, i) =>
    c.offsetLeft >= from && c.offsetLeft + c.offsetWidth <= to ? [i] : [],
  );
  if (whole.length) return [whole[0], whole.at(-1)];
  const first = columns.findIndex((c) => c.offsetLeft + c.offsetWidth / 2 > grid.scrollLeft);
  return [Math.max(0, first), Math.max(0, first)];
}

function page(board) {
  const { grid, frame, pager } = board;
  const most = grid.scrollWidth - grid.clientWidth;
  const wide = most > 4;
  pager.node.hidden = !wide;
  const [first, last] = seen(board);
  const which = first === last ? `list ${first + 1}` : `lists ${first + 1}–${last + 1}`;
  pager.said.textContent = `${which} of ${grid.children.length}`;
  pager.left.disabled = grid.scrollLeft <= 2;
  pager.right.disabled = grid.scrollLeft >= most - 2;
  frame.classList.toggle("more-left", wide && !pager.left.disabled);
  frame.classList.toggle("more-right", wide && !pager.right.disabled);
}

function turn(board, way) {
  const { grid } = board;
  const [first, last] = seen(board);
  const target = way > 0 ? last + 1 : first - (last - first + 1);
  const column = grid.children[Math.min(Math.max(target, 0), grid.children.length - 1)];
  grid.scrollTo({ left: column.offsetLeft - 2 });
}

function head(board, column) {
  const node = el("header", "head");
  const first = el("div", "head-line");
  first.append(el("span", "title", column.title));
  const ask = () => board.send("settings", { column: column.name });
  if (board.data.settings) {
    first.append(button("quiet gear", "⚙\uFE0E", `Settings of ${column.title}`, ask));
  }
  const second = el("div", "head-line facts");
  if (column.subtitle) second.append(el("span", "subtitle", column.subtitle));
  if (column.elapsed) second.append(el("span", "elapsed", column.elapsed));
  if (column.action) {
    second.append(button("quiet action", column.action, `${column.action}: ${column.title}`, ask));
  }
  node.append(first, second);
  if (column.chips.length) {
    const chips = el("div", "chips");
    column.chips.forEach((chip) => chips.append(el("span", "chip", chip)));
    node.append(chips);
  }
  if (column.expected) node.append(el("div", column.missed ? "expected missed" : "expected", column.expected));
  column.notes.forEach((note) => node.append(el("div", "note", note)));
  return node;
}

function body(board, column, colours) {
  if (column.pending) {
    const bars = [0, 1, 2].map(() => {
      const bone = el("div", "bone");
      bone.append(el("i"), el("i"), el("i"));
      return bone;
    });
    bars[0].prepend(el("div", "waiting", column.pending));
    return bars;
  }
  if (column.error || !column.cards.length) {
    const message = el("div", column.error ? "message failed" : "message");
    message.append(el("div", "", column.error || column.empty));
    if (column.errorHint) message.append(el("div", "hint", column.errorHint));
    return [message];
  }
  const list = column.cards.map((card) => cardNode(board, column, card, colours));
  const holder = el("div", "list");
  holder.setAttribute("role", "listbox");
  holder.setAttribute("aria-label", `${column.title}: ${column.cards.length} hits`);
  holder.style.gridRow = `span ${list.length}`;
  holder.append(...list);
  return [holder];
}

function cardNode(board, column, card, colours) {
  const node = el("article", "card");
  node.setAttribute("role", "option");
  node.dataset.place = `${column.name}\u0000${card.id}`;
  node.dataset.passage = card.passage;
  node.onclick = () => {
    if (String(document.getSelection() ?? "")) return; // someone is copying
    pick(board, node);
  };
  const first = el("div", "first");
  first.append(el("span", "rank", card.rank), el("span", "score", card.score), el("span", "kind", card.kind));
  if (card.held > 0) {
    const star = el("span", "star", card.found ? "★" : "☆");
    star.title = `holds ${Math.round(card.held * 100)}% of the expected passage`;
    star.setAttribute("aria-label", star.title);
    first.append(star);
  }
  first.append(moved(card));
  const where = el("div", "where");
  const section = el("span", "section");
  card.section.forEach((part, i) => {
    if (i) section.append(el("span", "arrow", " › "));
    section.append(el("span", i + 1 < card.section.length ? "outer" : "", part));
  });
  const source = el("div", "source");
  source.append(el("bdi", "file", card.source));
  if (card.page) source.append(el("span", "page", card.page));
  where.append(...(card.section.length ? [section] : []), source);
  where.title = [card.section.join(" › "), card.source, card.page].filter(Boolean).join("\n");
  const text = el("div", "text");
  text.dir = "auto";
  if (card.before) text.append("… ");
  appendMarked(text, card.text, card.marks);
  if (card.after) text.append(" …");
  const last = el("div", "last");
  card.elsewhere.forEach((other) => {
    const chip = el("span", other.rank === null ? "standing out" : "standing");
    const dot = el("i");
    dot.style.background = other.colour < 0 ? "var(--quiet)" : colours[other.colour % colours.length];
    chip.append(dot, other.title, el("b", "", other.rank === null ? "–" : other.rank));
    chip.title = `${other.title}: ${other.rank === null ? "not in it" : `rank ${other.rank}`}${
      other.note ? `, ${other.note}` : ""
    }`;
    chip.setAttribute("aria-label", chip.title);
    last.append(chip);
  });
  card.notes.forEach((note) => last.append(el("span", "warning", note)));
  if (card.judged) last.append(el("span", `verdict ${card.judged}`, JUDGED[card.judged]));
  else if (board.data.judging) last.append(judging(board, node));
  node.append(first, where, text, last);
  return node;
}

// Shown on the hit that the pointer or the keyboard is at.
function judging(board, node) {
  const group = el("span", "judging");
  for (const [label, name, answers] of [
    ["✓", "This answers it (y)", true],
    ["✗", "It does not answer (n)", false],
  ]) {
    const one = button("quiet", label, name, (event) => {
      event.stopPropagation();
      judge(board, node, answers);
    });
    one.tabIndex = -1;
    group.append(one);
  }
  return group;
}

function judge(board, card, answers) {
  if (!board.data.judging) return;
  const [column, id] = card.dataset.place.split("\u0000");
  board.at = card.dataset.place;
  board.send("judged", { column, card: id, answers });
}

function moved(card) {
  const node = el("span", "moved");
  if (card.fresh) {
    node.textContent = "new";
    node.title = "not in the column to the left";
  } else if (card.movement) {
    const up = card.movement > 0;
    const places = Math.abs(card.movement);
    node.textContent = `${up ? "▲" : "▼"}${places}`;
    node.classList.add(up ? "up" : "down");
    node.title = `${places} ${up ? "higher" : "lower"} than in the column to the left`;
  } else if (card.movement === 0) {
    node.textContent = "=";
    node.title = "same rank as in the column to the left";
  }
  if (node.title) node.setAttribute("aria-label", node.title);
  return node;
}

function cards(board) {
  return [...board.grid.querySelectorAll(".card")];
}

function cardAt(board, place) {
  return cards(board).find((card) => card.dataset.place === place);
}

function pick(board, card) {
  const [column, id] = card.dataset.place.split("\u0000");
  showSelected(board, [column, id]);
  board.send("picked", { column, card: id });
}

function showSelected(board, [column, id]) {
  const place = `${column}\u0000${id}`;
  for (const card of cards(board)) {
    const is = card.dataset.place === place;
    card.classList.toggle("selected", is);
    card.setAttribute("aria-selected", String(is));
  }
  if (!board.at && id) board.at = place;
  rove(board);
}

// One stop of the Tab key for the whole board; it remembers where it was.
function rove(board) {
  const all = cards(board);
  const here = all.find((card) => card.dataset.place === board.at) ?? all[0];
  all.forEach((card) => (card.tabIndex = card === here ? 0 : -1));
}

function light(board, card) {
  const passage = card?.dataset.passage;
  for (const other of cards(board)) {
    other.classList.toggle("same", Boolean(passage) && other.dataset.passage === passage && other !== card);
  }
}

function keyPressed(board, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const card = event.target.closest(".card");
  if (!card) return;
  const lists = [...board.grid.querySelectorAll(".list")].map((list) => [...list.children]);
  const column = lists.findIndex((list) => list.includes(card));
  const row = lists[column].indexOf(card);
  const go = (c, r) => {
    const list = lists[c];
    const target = list?.[Math.min(r, list.length - 1)];
    if (!target) return;
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  const act = {
    j: () => go(column, row + 1), ArrowDown: () => go(column, row + 1),
    k: () => row > 0 && go(column, row - 1), ArrowUp: () => row > 0 && go(column, row - 1),
    l: () => go(column + 1, row), ArrowRight: () => go(column + 1, row),
    h: () => go(column - 1, row), ArrowLeft: () => go(column - 1, row),
    Home: () => go(column, 0), End: () => go(column, Infinity),
    Enter: () => pick(board, card), " ": () => pick(board, card),
    y: () => judge(board, card, true), n: () => judge(board, card, false),
  }[event.key];
  if (act) {
    event.preventDefault();
    act();
  }
}
