// A short text with marks.

export default function (component) {
  const view = instance(component.parentElement, (root) => {
    const node = el("div", "passage");
    root.append(node);
    return { node, shape: "" };
  });
  const { data } = component;
  const shape = JSON.stringify(data);
  if (shape === view.shape) return;
  view.shape = shape;
  view.node.className = ["passage", ...data.classes].join(" ");
  view.node.style.maxHeight = data.height ? `${data.height}px` : "";
  view.node.dir = "auto";
  view.node.replaceChildren();
  appendMarked(view.node, data.text, data.marks);
}
