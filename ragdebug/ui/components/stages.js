// Stages as a path. Text reaches the page through textContent alone.

export default function (component) {
  const view = instance(component.parentElement, (root) => {
    const node = el("ol", "stages");
    root.append(node);
    return { node, shape: "" };
  });
  const { data } = component;
  if (!data) return;
  const shape = JSON.stringify(data);
  if (shape === view.shape) return;
  view.shape = shape;
  view.node.replaceChildren(...data.steps.map(step));
}

function step({ label, status, sign, word, known }) {
  const node = el("li", status);
  const mark = el("div", "mark");
  mark.append(el("span", "sign", sign));
  node.append(mark, part("name", label));
  if (word) node.append(part("word", word));
  if (known) node.append(part("known", known));
  return node;
}

function part(name, text) {
  const node = el("div", name);
  appendText(node, text);
  return node;
}
