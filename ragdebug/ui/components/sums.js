// A table of numbers that add up. Text reaches the page through textContent alone.

export default function (component) {
  const view = instance(component.parentElement, (root) => {
    const node = el("div", "sums");
    root.append(node);
    return { node, shape: "" };
  });
  const { data } = component;
  if (!data) return;
  const shape = JSON.stringify(data);
  if (shape === view.shape) return;
  view.shape = shape;
  view.node.style.maxHeight = data.height ? `${data.height}px` : "";
  const table = el("table");
  const head = el("tr");
  data.heads.forEach(({ name, help }, i) => {
    const cell = el("th", i < data.words ? "word" : "", name);
    cell.scope = "col";
    if (help) cell.title = help;
    head.append(cell);
  });
  const top = el("thead");
  top.append(head);
  const body = el("tbody");
  data.lines.forEach((line) => body.append(row(data, line.cells, line)));
  table.append(top, body);
  if (data.total.length) {
    const foot = el("tfoot");
    foot.append(row(data, data.total, {}));
    table.append(foot);
  }
  view.node.replaceChildren(table);
}

function row(data, cells, { share = null, quiet = false }) {
  const node = el("tr", quiet ? "quiet" : "");
  cells.forEach((text, i) => {
    const cell = el("td", i < data.words ? "word" : "");
    if (i < data.words) cell.dir = "auto";
    if (i === cells.length - 1 && share !== null) {
      const bar = el("i", share < 0 ? "bar takes" : "bar");
      bar.style.width = `${Math.round(Math.min(1, Math.abs(share)) * 100)}%`;
      cell.append(bar);
    }
    const said = el("span");
    appendText(said, text);
    cell.append(said);
    node.append(cell);
  });
  return node;
}
