// A text with weighed parts. Text of documents reaches the page through textContent alone.

export default function (component) {
  const view = instance(component.parentElement, (root) => {
    const node = el("div", "weighed");
    root.append(node);
    return { root, node, shape: "" };
  });
  view.send = component.setTriggerValue;
  const { data } = component;
  if (!data) return;
  const shape = JSON.stringify(data);
  if (shape === view.shape) return;
  view.shape = shape;
  draw(view, data);
}

function draw(view, data) {
  const { node } = view;
  const focused = view.root.getRootNode().activeElement?.dataset?.part;
  const { scrollTop } = node;
  node.style.maxHeight = data.height ? `${data.height}px` : "";
  node.dir = "auto";
  node.replaceChildren();
  const length = data.text.length;
  const end = data.end ?? length;
  const cuts = [0, length, end, ...data.parts.flatMap((part) => [part.start, part.end])];
  const places = [...new Set(cuts)].sort((a, b) => a - b);
  let next = 0;
  for (let i = 0; i + 1 < places.length; i++) {
    const [from, to] = [places[i], places[i + 1]];
    if (from === end && data.end !== null) node.append(border(data));
    while (next < data.parts.length && data.parts[next].end <= from) next++;
    const part = data.parts[next];
    if (part && part.start <= from) node.append(partNode(view, data, next, from, to, to === Math.min(part.end, end)));
    else node.append(plain(data, from, to, from < end ? "between" : "unread"));
  }
  node.scrollTop = scrollTop;
  if (focused !== undefined) node.querySelector(`[data-part="${focused}"]`)?.focus({ preventScroll: true });
}

function plain(data, from, to, name) {
  const node = el("span", name);
  const marks = data.evidence
    .filter(([a, b]) => a < to && b > from)
    .map(([a, b, kind]) => [a - from, b - from, kind]);
  appendMarked(node, data.text.slice(from, to), marks);
  return node;
}

function partNode(view, data, at, from, to, last) {
  const part = data.parts[at];
  if (from >= (data.end ?? Infinity)) return plain(data, from, to, "unread");
  const node = plain(data, from, to, "part");
  if (part.quiet) node.classList.add("quiet");
  if (at === data.picked) node.classList.add("picked");
  if (part.share === null) {
    node.classList.add("unknown");
    return node;
  }
  node.classList.add(part.share < 0 ? "takes" : "adds");
  node.style.setProperty("--share", `${Math.round(Math.abs(part.share) * 100)}%`);
  const effect = part.share < 0 ? "lower" : "higher";
  node.title = `${part.said}: the score is ${effect} with it${data.picking ? ". Click for its words." : ""}`;
  if (data.picking) {
    node.tabIndex = 0;
    node.dataset.part = at;
    node.setAttribute("role", "button");
    const pick = () => view.send("picked", { part: at === data.picked ? -1 : at });
    node.onclick = () => {
      if (!String(document.getSelection() ?? "")) pick();
    };
    node.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      pick();
    };
  }
  if (data.numbers && last) return numbered(node, part);
  return node;
}

// The number stands before a line end that belongs to the part.
function numbered(node, part) {
  const number = el("span", "number", part.said);
  const tail = node.lastChild;
  const blank = tail?.nodeType === Node.TEXT_NODE ? tail.data.match(/\s*$/)[0] : "";
  if (blank) {
    tail.data = tail.data.slice(0, tail.data.length - blank.length);
    node.append(number, document.createTextNode(blank));
  } else node.append(number);
  return node;
}

function border(data) {
  return el("span", "border", data.endLabel);
}
