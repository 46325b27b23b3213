"use strict";
(() => {
  const SHOWN = 40, PRINTED = 100, LISTED = 8;
  const element = (id) => document.getElementById(id);

  // The data are gzip in base64. Each part is decoded when it is first needed.
  const decoded = new Map();
  const decode = (id) => {
    if (!decoded.has(id)) {
      const bytes = Uint8Array.from(atob(element(`data-${id}`).textContent), (char) => char.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      decoded.set(id, new Response(stream).json());
    }
    return decoded.get(id);
  };

  // Numbers are written as Python writes the first rows.
  const integer = (value) => value.toLocaleString("en-US");
  // Ties, which only multiples of a power of 1/2 are, go to the even digit; toFixed rounds them up.
  const fixed = (value, digits) => {
    const twice = 2 * 10 ** digits * value;
    const goesDown = Number.isInteger(2 ** (digits + 1) * value) && twice % 4 === 1;
    return (goesDown ? (twice - 1) / (2 * 10 ** digits) : value).toFixed(digits);
  };
  const loss = (value) =>
    value >= 1e-4 || value === 0
      ? fixed(value, 6)
      : value.toExponential(2).replace(/e([+-])(\d)$/, "e$10$2");
  const WRITE = { integer, loss, ratio: (value) => fixed(value, 4) };

  // The rank of each name: numbers by value, before text; equal names have the same rank.
  const NUMBER = /^-?\d+(\.\d+)?$/;
  const ranked = new WeakMap();
  const ranks = (texts) => {
    if (ranked.has(texts)) return ranked.get(texts);
    const values = Float64Array.from(texts, (text) => (NUMBER.test(text) ? Number(text) : Infinity));
    const compare = (a, b) =>
      values[a] < values[b] ? -1 : values[a] > values[b] ? 1
        : texts[a] < texts[b] ? -1 : texts[a] > texts[b] ? 1 : 0;
    const order = Uint32Array.from(texts, (_, i) => i).sort(compare), found = new Int32Array(order.length);
    for (let i = 1; i < order.length; i++)
      found[order[i]] = found[order[i - 1]] + (compare(order[i - 1], order[i]) < 0 ? 1 : 0);
    ranked.set(texts, found);
    return found;
  };

  class Table {
    constructor(section) {
      this.section = section;
      this.table = section.querySelector("table");
      this.body = section.querySelector("tbody");
      this.onPaper = section.querySelector(".print");
      this.heads = [...section.querySelectorAll("thead th")];
      this.search = section.querySelector("input");
      this.status = section.querySelector("[role=status]");
      [this.previous, this.next] = section.querySelectorAll(".controls button");
      this.rows = null;
      this.page = 0;
      this.sorted = this.heads.findIndex((head) => head.ariaSort);
      this.descending = true;
      section.querySelector(".controls").hidden = false;
      this.heads.forEach((head, i) =>
        head.querySelector("button").addEventListener("click", () => this.sort(i)));
      this.search.addEventListener("input", () => this.filter());
      this.previous.addEventListener("click", () => this.turn(-1));
      this.next.addEventListener("click", () => this.turn(1));
    }

    async load() {
      if (this.rows !== null) return;
      const [names, data] = await Promise.all([decode("names"), decode(this.section.dataset.table)]);
      if (this.rows !== null) return;
      this.names = { ...names, both: [...names.left, ...names.right, "(outliers)", "(no clusters)"] };
      this.columns = data.columns;
      if (data.units) this.derive(data);
      this.all = Uint32Array.from({ length: data.n_rows }, (_, i) => i);
      this.rows = this.all;
      this.arrange();
    }

    // The similarity and the loss of a cluster follow from its sizes, so they are not in the file.
    derive(data) {
      const by = Object.fromEntries(data.columns.map((column) => [column.key, column]));
      const { own, other, both, factor } = data.formula;
      const [size, match, shared] = ["size", "match_size", "shared"].map((key) => by[key].values);
      by.similarity.values = size.map((n, i) =>
        factor * shared[i] / Math.max(own * n + other * match[i] + both * shared[i], 1));
      by.loss.values = size.map((n, i) => {
        const [perObject, perRow] = data.units[data.unit[i]];
        return (perObject * n + perRow) * (1 - by.similarity.values[i]);
      });
    }

    key(column) {
      if (column.write) return (row) => column.values[row];
      if (column.values) {
        const rank = ranks(column.values);
        return (row) => rank[row];
      }
      const rank = ranks(this.names[column.names]), { codes, pointers } = column;
      if (!pointers) return (row) => (codes[row] < 0 ? -1 : rank[codes[row]]);
      return (row) => (pointers[row] < pointers[row + 1] ? rank[codes[pointers[row]]] : -1);
    }

    arrange() {
      const key = this.key(this.columns[this.sorted]), sign = this.descending ? -1 : 1;
      const before = (a, b) => {
        const one = key(a), other = key(b);
        return one < other ? -sign : one > other ? sign : a - b;
      };
      this.rows = Uint32Array.from(this.rows).sort(before);
    }

    async sort(column) {
      await this.load();
      const numeric = this.heads[column].classList.contains("number");
      this.descending = this.sorted === column ? !this.descending : numeric;
      this.sorted = column;
      this.heads.forEach((head, i) => {
        if (i === column) head.ariaSort = this.descending ? "descending" : "ascending";
        else head.removeAttribute("aria-sort");
      });
      this.arrange();
      this.page = 0;
      this.show();
    }

    async filter() {
      await this.load();
      const text = this.search.value.toLowerCase();
      const tests = this.columns.filter((column) => !column.write).map((column) => {
        if (column.values) return (row) => String(column.values[row]).toLowerCase().includes(text);
        const found = this.names[column.names].map((name) => name.toLowerCase().includes(text));
        const missing = column.missing.toLowerCase().includes(text);
        if (!column.pointers)
          return (row) => (column.codes[row] < 0 ? missing : found[column.codes[row]]);
        return (row) => {
          const [begin, end] = [column.pointers[row], column.pointers[row + 1]];
          for (let i = begin; i < end; i++) if (found[column.codes[i]]) return true;
          return begin === end && missing;
        };
      });
      this.rows = text ? this.all.filter((row) => tests.some((test) => test(row))) : this.all;
      this.arrange();
      this.page = 0;
      this.show();
    }

    async turn(step) {
      await this.load();
      const last = Math.max(0, Math.ceil(this.rows.length / SHOWN) - 1);
      this.page = Math.max(0, Math.min(this.page + step, last));
      this.show();
    }

    show() {
      const first = this.page * SHOWN;
      const rows = this.rows.subarray(first, first + PRINTED);
      this.body.replaceChildren(...Array.from(rows, (row, i) => this.row(row, first + i, i)));
      const n = this.rows.length, last = Math.min(first + SHOWN, n);
      this.status.textContent = this.count(first, last);
      this.table.ariaRowCount = String(n + 1);
      const filter = this.search.value ? `, filtered by '${this.search.value}'` : "";
      this.onPaper.textContent = `On paper: ${this.count(first, first + rows.length)}${filter}.`;
      this.previous.disabled = this.page === 0;
      this.next.disabled = last === n;
    }

    count(first, last) {
      const n = this.rows.length, n_all = this.all.length;
      const part = n === n_all ? "" : ` found among ${integer(n_all)}`;
      return n ? `rows ${integer(first + 1)} to ${integer(last)} of ${integer(n)}${part}` : `no rows${part}`;
    }

    row(row, position, i) {
      const line = document.createElement("tr");
      line.ariaRowIndex = String(position + 2);
      if (i >= SHOWN) line.className = "more";
      this.columns.forEach((column, j) => {
        const cell = line.appendChild(document.createElement(j ? "td" : "th"));
        cell.className = this.heads[j].className;
        if (!j) cell.scope = "row";
        cell.textContent = this.text(column, row);
      });
      return line;
    }

    text(column, row) {
      if (column.write) return WRITE[column.write](column.values[row]);
      if (column.values) return column.values[row];
      const names = this.names[column.names];
      if (!column.pointers) {
        const code = column.codes[row];
        return code < 0 ? column.missing : names[code];
      }
      const [begin, end] = [column.pointers[row], column.pointers[row + 1]];
      const shown = column.codes.slice(begin, Math.min(end, begin + LISTED)).map((code) => names[code]);
      if (end - begin > LISTED) shown.push(`${integer(end - begin - LISTED)} more`);
      return begin < end ? shown.join(", ") : column.missing;
    }
  }

  const tip = element("tip");
  const showTip = (text, x, y) => {
    tip.textContent = text;
    tip.hidden = false;
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(8, Math.min(x + 14, innerWidth - width - 8))}px`;
    tip.style.top = `${y + 18 + height > innerHeight ? Math.max(8, y - height - 12) : y + 18}px`;
  };
  const hideTip = () => { tip.hidden = true; };
  const middle = (mark) => {
    const box = mark.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };

  // Each picture is one stop of the Tab key; the arrow keys lead to the nearest mark.
  const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const nearest = (from, marks, [dx, dy]) => {
    const [x, y] = middle(from);
    let best = null, least = Infinity;
    for (const mark of marks) {
      const [u, v] = middle(mark);
      const along = (u - x) * dx + (v - y) * dy;
      const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
      if (mark !== from && along > 0.5 && along + 3 * aside < least)
        [best, least] = [mark, along + 3 * aside];
    }
    return best;
  };
  for (const picture of document.querySelectorAll("svg.picture")) {
    const marks = [...picture.querySelectorAll("[role=img]")];
    if (marks.length) marks[0].tabIndex = 0;
    picture.addEventListener("pointermove", (event) => {
      const mark = event.target.closest("[role=img]");
      if (mark) showTip(mark.ariaLabel, event.clientX, event.clientY);
      else hideTip();
    });
    picture.addEventListener("pointerleave", hideTip);
    picture.addEventListener("focusin", (event) => {
      const mark = event.target.closest("[role=img]");
      if (mark) showTip(mark.ariaLabel, ...middle(mark));
    });
    picture.addEventListener("focusout", hideTip);
    picture.addEventListener("keydown", (event) => {
      const direction = DIRECTIONS[event.key], from = event.target.closest("[role=img]");
      if (!direction || !from) return;
      event.preventDefault();
      const mark = nearest(from, marks, direction);
      if (!mark) return;
      from.tabIndex = -1;
      mark.tabIndex = 0;
      mark.focus();
    });
  }
  addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });
  addEventListener("scroll", () => {
    const mark = document.activeElement.closest("svg.picture [role=img]");
    if (mark && !tip.hidden) showTip(mark.ariaLabel, ...middle(mark));
  }, { capture: true, passive: true });

  class Overview {
    constructor(canvas, names, data) {
      Object.assign(this, { canvas, names, data });
      this.at = new Map(data.row.map((row, i) => [row * data.n_columns + data.column[i], i]));
      this.chosen = null;
      const point = (event) => {
        const i = this.find(event.offsetX, event.offsetY);
        this.mark(i);
        if (i === null) hideTip();
        else showTip(this.text(i), event.clientX, event.clientY);
      };
      canvas.addEventListener("pointermove", point);
      canvas.addEventListener("click", point);  // a tap moves nothing
      canvas.addEventListener("pointerleave", () => { this.mark(null); hideTip(); });
      canvas.addEventListener("blur", () => { this.mark(null); hideTip(); });
      canvas.addEventListener("focus", () => {
        if (data.row.length && canvas.matches(":focus-visible")) this.visit(0);
      });
      canvas.addEventListener("keydown", (event) => this.step(event));
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
      this.draw();
    }

    get cell() {
      return [this.canvas.width / this.data.n_columns, this.canvas.height / this.data.n_rows];
    }

    draw() {
      const pen = this.canvas.getContext("2d"), [width, height] = this.cell;
      const style = getComputedStyle(document.documentElement);
      pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
      pen.fillStyle = style.getPropertyValue("--heat");
      this.data.similarity.forEach((similarity, i) => {
        pen.globalAlpha = 0.12 + 0.88 * similarity;
        pen.fillRect(this.data.column[i] * width, this.data.row[i] * height,
          Math.max(width, 1), Math.max(height, 1));
      });
      if (this.chosen === null) return;
      pen.globalAlpha = 1;
      pen.strokeStyle = style.getPropertyValue("--c5");
      pen.lineWidth = 2;
      pen.strokeRect(this.data.column[this.chosen] * width - 3,
        this.data.row[this.chosen] * height - 3, width + 6, height + 6);
    }

    // The cell at a point or, if cells are tiny, one that is within four pixels of the screen.
    find(x, y) {
      const box = this.canvas.getBoundingClientRect(), { n_rows, n_columns } = this.data;
      const column = Math.floor(x / box.width * n_columns), row = Math.floor(y / box.height * n_rows);
      const reach = Math.floor(4 * Math.min(n_columns / box.width, n_rows / box.height));
      for (let far = 0; far <= reach; far++)
        for (let u = row - far; u <= row + far; u++)
          for (let v = column - far; v <= column + far; v++) {
            const i = u >= 0 && v >= 0 && v < n_columns ? this.at.get(u * n_columns + v) : undefined;
            if (i !== undefined) return i;
          }
      return null;
    }

    mark(i) {
      if (i === this.chosen) return;
      this.chosen = i;
      this.draw();
    }

    visit(i) {
      this.mark(i);
      const box = this.canvas.getBoundingClientRect();
      showTip(this.text(i), box.x + (this.data.column[i] + 0.5) / this.data.n_columns * box.width,
        box.y + (this.data.row[i] + 0.5) / this.data.n_rows * box.height);
    }

    step(event) {
      const direction = DIRECTIONS[event.key];
      if (!direction) return;
      event.preventDefault();
      const from = this.chosen ?? 0, { row, column } = this.data, [dx, dy] = direction;
      let best = null, least = Infinity;
      for (let i = 0; i < row.length; i++) {
        const u = column[i] - column[from], v = row[i] - row[from];
        const along = u * dx + v * dy, aside = Math.abs(u * dy) + Math.abs(v * dx);
        if (along > 0 && along + 3 * aside < least) [best, least] = [i, along + 3 * aside];
      }
      if (best !== null) this.visit(best);
    }

    text(i) {
      const { left, right, shared, similarity, sides, what } = this.data;
      return `${sides[0]}: ${this.names.left[left[i]]}\n${sides[1]}: ${this.names.right[right[i]]}\n`
        + `${integer(shared[i])} shared, ${what} ${similarity[i].toFixed(4)}`;
    }
  }

  if (!("DecompressionStream" in window)) return;  // the page stays as it is without scripts
  for (const section of document.querySelectorAll("[data-table]")) new Table(section);
  const canvas = document.querySelector("canvas");
  if (canvas)
    Promise.all([decode("names"), decode("overview")]).then(([names, data]) => {
      new Overview(canvas, names, data);
    });
})();
