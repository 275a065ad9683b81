// The window of text: from layers to elements, and from elements back to positions. A position is a
// UTF-16 unit of the whole document. Every node made here knows its range as _start and _end.

// Runs of text between all places where some layer starts or ends.
function segments(data) {
  const limit = data.base + data.text.length;
  const events = [];
  const add = (start, end, kind, value) => {
    const from = Math.max(start, data.base);
    const to = Math.min(end, limit);
    if (to > from) events.push([from, 1, kind, value], [to, -1, kind, value]);
  };
  data.chunks.forEach(([id, start, end, number], i) => add(start, end, "chunk", i));
  data.other.forEach(([id, start, end]) => {
    // A run ends where a chunk of the other chunking starts, so that its rule has a place.
    if (start > data.base && start < limit) events.push([start, 0, "cut"]);
    if (id === data.selected) add(start, end, "selected");
  });
  data.evidence.forEach(([start, end]) => add(start, end, "evidence"));
  data.terms.forEach(([start, end]) => add(start, end, "term"));
  data.found.forEach(([start, end]) => add(start, end, "found"));
  if (data.current) add(data.current[0], data.current[1], "current");
  events.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const counts = { selected: 0, evidence: 0, term: 0, found: 0, current: 0 };
  const chunks = new Set();
  const out = [];
  let at = data.base;
  const flush = (to) => {
    if (to <= at) return;
    const names = ["run"];
    if (chunks.size) {
      const last = Math.max(...chunks);
      names.push(data.chunks[last][3] % 2 ? "odd" : "even");
      if (chunks.size > 1) names.push("overlap");
      for (const i of chunks) if (data.chunks[i][0] === data.selected) names.push("selected");
    } else if (data.chunks.length) names.push("bare");
    for (const name of Object.keys(counts)) if (counts[name]) names.push(name);
    out.push([at, to, names.join(" ")]);
    at = to;
  };
  for (const [place, change, kind, value] of events) {
    flush(place);
    if (kind === "cut") continue;
    if (kind === "chunk") change > 0 ? chunks.add(value) : chunks.delete(value);
    else counts[kind] += change;
  }
  flush(limit);
  return out;
}

function know(node, start, end) {
  node._start = start;
  node._end = end;
  return node;
}

function fixed(tag, className, at) {
  const node = know(el(tag, className), at, at);
  node.contentEditable = "false";
  node.setAttribute("aria-hidden", "true");
  return node;
}

// Fills `host` with lines. Returns { lines, nodes }: line elements, and text nodes in order.
function drawText(host, data) {
  const runs = segments(data);
  const marks = new Map();
  const mark = (at, make) => marks.set(at, [...(marks.get(at) ?? []), make]);
  const inEvidence = (at) => data.evidence.some(([start, end]) => start < at && at < end);
  data.chunks.forEach(([id, start, , number]) =>
    mark(start, () => {
      const cut = fixed("span", "cut" + (inEvidence(start) ? " tears" : ""), start);
      cut.dataset.number = number;
      return cut;
    })
  );
  data.other.forEach(([id, start]) =>
    mark(start, () => fixed("span", "cut other" + (inEvidence(start) ? " tears" : ""), start))
  );
  const pages = new Map(data.pages.map((page) => [page[0], page]));
  const lines = [];
  const nodes = [];
  const fragment = document.createDocumentFragment();
  let run = 0;
  let at = data.base;
  for (const text of data.text.split("\n")) {
    const end = at + text.length;
    const page = pages.get(at);
    if (page) {
      const rule = fixed("div", "page-rule", at);
      rule.dataset.label = pageName(page);
      fragment.append(rule);
      pages.delete(at);
    }
    const line = know(el("div", "line"), at, end);
    line.dir = "auto";
    while (run < runs.length && runs[run][1] <= at) run++;
    for (let r = run; r < runs.length && runs[r][0] < end; r++) {
      const from = Math.max(runs[r][0], at);
      const to = Math.min(runs[r][1], end);
      if (to <= from) continue;
      if (runs[r][0] >= at) for (const make of marks.get(from) ?? []) line.append(make());
      const inside = [...pages.keys()].find((p) => p > at && p >= from && p < to);
      if (inside !== undefined) {
        const tag = fixed("span", "page-tag", inside);
        tag.dataset.label = pageName(pages.get(inside));
        line.append(tag);
        pages.delete(inside);
      }
      const span = know(el("span", runs[r][2]), from, to);
      appendText(span, data.text.slice(from - data.base, to - data.base), (node, offset) => {
        know(node, from + offset, from + offset + node.data.length);
        nodes.push(node);
      });
      for (const wrap of span.querySelectorAll(".hidden-char")) {
        know(wrap, wrap.firstChild._start, wrap.firstChild._end);
      }
      line.append(span);
    }
    if (at === end) line.append(know(el("br"), at, at));
    lines.push(line);
    fragment.append(line);
    at = end + 1;
  }
  host.replaceChildren(fragment);
  know(host, data.base, data.base + data.text.length);
  return { lines, nodes };
}

function pageName([, number, label]) {
  return label && label !== String(number) ? `page ${label} (sheet ${number})` : `page ${number}`;
}

// Index of the last item whose _start is at or before a position.
function lastBefore(items, position) {
  let low = 0;
  let high = items.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (items[middle]._start <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

// DOM place of a position: [node, offset].
function place(drawn, position) {
  const node = drawn.nodes[lastBefore(drawn.nodes, position)];
  const line = drawn.lines[lastBefore(drawn.lines, position)];
  if (!node || node._end < line._start) return [line, 0];
  return [node, Math.max(0, Math.min(position - node._start, node.data.length))];
}

// Position of a DOM place; null when it is not in the text.
function positionOf(host, node, offset) {
  if (!host.contains(node)) return null;
  if (node.nodeType === Node.TEXT_NODE) {
    return node._start === undefined ? null : node._start + offset;
  }
  const child = node.childNodes[offset];
  if (child && child._start !== undefined) return child._start;
  return node._end ?? null;
}

// Rectangle of the character at a position (of its line, where that is empty).
function rectAt(drawn, position) {
  const [node, offset] = place(drawn, position);
  if (node.nodeType === Node.TEXT_NODE) {
    const range = document.createRange();
    range.setStart(node, Math.min(offset, node.data.length - 1));
    range.setEnd(node, Math.min(offset, node.data.length - 1) + 1);
    const rects = range.getClientRects();
    if (rects.length) return rects[0];
  }
  return (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).getBoundingClientRect();
}

// The selection as [start, end] positions, or null. Works in and out of shadow roots.
function selectedRange(host) {
  const root = host.getRootNode();
  const selection = document.getSelection();
  let found = null;
  try {
    const range = selection.getComposedRanges?.({ shadowRoots: [root] })[0];
    if (range) found = [range.startContainer, range.startOffset, range.endContainer, range.endOffset];
  } catch {
    found = null;
  }
  if (!found || !host.contains(found[0])) {
    const own = root.getSelection ? root.getSelection() : selection;
    if (!own || own.rangeCount === 0) return null;
    const range = own.getRangeAt(0);
    found = [range.startContainer, range.startOffset, range.endContainer, range.endOffset];
  }
  const start = positionOf(host, found[0], found[1]);
  const end = positionOf(host, found[2], found[3]);
  return start === null || end === null ? null : [Math.min(start, end), Math.max(start, end)];
}
