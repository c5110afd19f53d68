"use strict";

/**
 * The curve of the landlord's chance of winning: one line for each seat, as it saw the game.
 *
 * draw(points, length, ply) takes points {index, seat, win, label, review, made}; a mistake falls to what it left.
 * onJump gets the ply after the move that was clicked.
 */
class ChanceChart {
  static HEIGHT = 128;
  static MARGIN = { left: 40, right: 8, top: 8, bottom: 8 };

  constructor(root, onJump) {
    this.root = root;
    this.onJump = onJump;
  }

  draw(points, length, ply, label) {
    const { left, right, top, bottom } = ChanceChart.MARGIN;
    const width = Math.max(200, this.root.clientWidth - 28);
    const x = (index) => left + ((width - left - right) * index) / Math.max(1, length - 1);
    const y = (win) => top + (ChanceChart.HEIGHT - top - bottom) * (1 - win);
    const svg = this._node("svg", { viewBox: `0 0 ${width} ${ChanceChart.HEIGHT}`, role: "img", "aria-label": label });
    for (const win of [0, 0.5, 1]) {
      svg.append(this._node("line", { class: "grid", x1: left, x2: width - right, y1: y(win), y2: y(win) }));
      const text = this._node("text", { class: "grid-text", x: left - 6, y: y(win) + 4, "text-anchor": "end" });
      text.textContent = Words.percent(win, 0);
      svg.append(text);
    }
    for (const seat of [2, 1, 0]) this._line(svg, points.filter((point) => point.seat === seat), seat, x, y);
    if (ply) svg.append(this._node("line", { class: "now", x1: x(ply - 1), x2: x(ply - 1), y1: top - 4, y2: ChanceChart.HEIGHT - bottom + 4 }));
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * width;
      const index = Math.round(((at - left) / (width - left - right)) * Math.max(1, length - 1));
      this.onJump(Math.min(length, Math.max(0, index) + 1));
    });
    this.root.replaceChildren(svg);
  }

  _line(svg, points, seat, x, y) {
    if (!points.length) return;
    const path = points.map((point) => `${x(point.index).toFixed(1)},${y(point.win).toFixed(1)}`).join(" ");
    svg.append(this._node("polyline", { class: "line line-" + seat, points: path }));
    for (const point of points) {
      if (point.made !== null) this._mistake(svg, point, x, y);
      const dot = this._node("circle", { class: "dot-" + seat, cx: x(point.index), cy: y(point.win), r: 3 });
      const title = this._node("title", {});
      title.textContent = point.label;
      dot.append(title);
      svg.append(dot);
    }
  }

  _mistake(svg, { index, win, made, review, label }, x, y) {
    const mark = "chart-mark--" + review.mark;
    svg.append(this._node("line", { class: "fall " + mark, x1: x(index), x2: x(index), y1: y(win), y2: y(made) }));
    const end = this._node("path", { class: `${mark}${review.proved ? " chart-mark--proved" : ""}`, d: `M${x(index)},${y(made) - 5} l5,5 -5,5 -5,-5z` });
    const title = this._node("title", {});
    title.textContent = `${label}: ${Reviews.markText(review)}`;
    end.append(title);
    svg.append(end);
  }

  _node(tag, attributes) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    return node;
  }
}
