const PAPER = `
@media print {
  [data-testid="stSidebar"], [data-testid="stHeader"] { display: none !important; }
  [data-testid="stMainBlockContainer"] { padding: 0 0.5rem !important; }
  [data-testid="stPlotlyChart"], [data-testid="stDataFrame"], [data-testid="stAlert"] {
    break-inside: avoid;
  }
}`;

const CHART = '[data-testid="stPlotlyChart"] .svg-container';

/** Let a drawing of fixed size take the width of the paper; gives what takes it back. */
function fit(box) {
  // What was drawn, not the room for it: that may have the width of the paper already.
  const drawn = box.querySelector("svg.main-svg");
  const [width, height] = ["width", "height"].map((name) => Number(drawn?.getAttribute(name)));
  if (!width || !height) return () => {};
  const before = box.getAttribute("style");
  box.style.width = "100%";
  box.style.height = "auto";
  box.style.aspectRatio = `${width} / ${height}`;
  const drawings = [...box.querySelectorAll("svg.main-svg")].map((svg) => {
    const style = svg.getAttribute("style");
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.style.width = "100%";
    svg.style.height = "100%";
    return () => {
      svg.removeAttribute("viewBox");
      svg.setAttribute("style", style ?? "");
    };
  });
  return () => {
    box.setAttribute("style", before ?? "");
    drawings.forEach((back) => back());
  };
}

export default function () {
  let back = [];
  const begin = () => {
    end();
    back = [...document.querySelectorAll(CHART)].map(fit);
  };
  const end = () => {
    back.forEach((one) => one());
    back = [];
  };
  const style = document.createElement("style");
  style.textContent = PAPER;
  document.head.append(style);
  window.addEventListener("beforeprint", begin);
  window.addEventListener("afterprint", end);
  return () => {
    end();
    style.remove();
    window.removeEventListener("beforeprint", begin);
    window.removeEventListener("afterprint", end);
  };
}
