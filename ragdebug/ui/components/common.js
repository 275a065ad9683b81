// Small helpers of all components. Text only ever reaches the page through textContent.

function el(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined && text !== null) node.textContent = String(text);
  return node;
}

function button(className, text, label, onClick) {
  const node = el("button", className, text);
  node.type = "button";
  if (label) {
    node.title = label;
    node.setAttribute("aria-label", label);
  }
  node.onclick = onClick;
  return node;
}

// One record for each mounted component, so that reruns update what is there.
const mounted = new WeakMap();

function instance(parentElement, create) {
  const root = parentElement.querySelector(".root");
  let found = mounted.get(root);
  if (!found) {
    found = create(root);
    mounted.set(root, found);
    // The app has one-letter shortcuts of its own; they must not fire while someone types here.
    root.addEventListener("keydown", (event) => event.stopPropagation());
  }
  return found;
}

// What is known of a passage.
const JUDGED = { yes: "✓ answers", part: "◐ a part of the answer", no: "✗ does not answer" };

// Colours of vector, BM25, hybrid, reranked and further lists, from the theme.
function palette(root) {
  const value = getComputedStyle(root).getPropertyValue("--st-chart-categorical-colors");
  const colours = value.split(",").map((c) => c.trim()).filter(Boolean);
  return colours.length ? colours : ["currentColor"];
}

// Characters that reorder or hide text. Each is shown by name and kept from acting on the rest.
const HIDDEN = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\u0000-\u0008\u000b-\u001f\u007f]/;
const HIDDEN_NAMES = {
  0xad: "SHY", 0x200b: "ZWSP", 0x200e: "LRM", 0x200f: "RLM", 0x202a: "LRE", 0x202b: "RLE",
  0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO", 0x2060: "WJ", 0x2066: "LRI", 0x2067: "RLI",
  0x2068: "FSI", 0x2069: "PDI", 0xfeff: "BOM",
};

// Text nodes for a piece of text, with hidden characters wrapped. `each` sees every text node.
function appendText(parent, text, each) {
  let from = 0;
  for (let i = 0; i <= text.length; i++) {
    const hidden = i < text.length && HIDDEN.test(text[i]);
    if (i < text.length && !hidden) continue;
    if (i > from) {
      const node = document.createTextNode(text.slice(from, i));
      parent.append(node);
      if (each) each(node, from);
    }
    if (hidden) {
      const code = text.charCodeAt(i);
      const wrap = el("bdi", "hidden-char");
      wrap.dataset.name = HIDDEN_NAMES[code] ?? "U+" + code.toString(16).toUpperCase().padStart(4, "0");
      const node = document.createTextNode(text[i]);
      wrap.append(node);
      parent.append(wrap);
      if (each) each(node, i);
    }
    from = i + 1;
  }
}

// Text with marked ranges, as [start, end, class]; ranges may overlap.
function appendMarked(parent, text, marks) {
  const cuts = new Set([0, text.length]);
  for (const [start, end] of marks) {
    cuts.add(Math.max(0, Math.min(start, text.length)));
    cuts.add(Math.max(0, Math.min(end, text.length)));
  }
  const places = [...cuts].sort((a, b) => a - b);
  for (let i = 0; i + 1 < places.length; i++) {
    const [from, to] = [places[i], places[i + 1]];
    const classes = new Set();
    for (const [start, end, name] of marks) if (start <= from && to <= end) classes.add(name);
    if (classes.size) {
      const mark = el("mark", [...classes].join(" "));
      appendText(mark, text.slice(from, to));
      parent.append(mark);
    } else appendText(parent, text.slice(from, to));
  }
}
