// The workbench: claims that are chosen for a bulk step, the widths of its
// columns, and what it shows. Without scripts boxes and forms do the same; the
// server keeps the choice in a cookie.
"use strict";

(() => {
  const bench = document.getElementById("bench");
  if (!bench) return;

  // ── claims that are chosen ───────────────────────────────────────────────

  const rows = () => [...document.querySelectorAll("tr.row")];
  const boxOf = (row) => row?.querySelector("input[name=pick]");
  let anchor = null; // the box that a range begins at
  let reached = null; // the row that Shift and an arrow came to
  let origin = 0; // where they began

  /** Says how many are chosen, and offers what can be done with them. */
  function say() {
    const boxes = [...document.querySelectorAll("input[name=pick]")];
    const chosen = boxes.filter((box) => box.checked).length;
    const bar = document.getElementById("bulk-bar");
    const all = bar?.querySelector("[data-select-all]");
    if (!all) return;
    const digits = document.documentElement.dataset.digits === "arab" ? "ar-u-nu-arab" : "en";
    bar.querySelector("[data-chosen]").textContent = chosen.toLocaleString(digits);
    bar.querySelector("button").disabled = chosen === 0;
    bar.toggleAttribute("data-any", chosen > 0);
    Object.assign(all, { checked: chosen > 0 && chosen === boxes.length, indeterminate: chosen > 0 && chosen < boxes.length });
    all.disabled = boxes.length === 0;
  }

  document.addEventListener("click", (event) => {
    const box = event.target.closest?.("input[name=pick]");
    if (!box) return;
    const boxes = [...document.querySelectorAll("input[name=pick]")];
    const [from, to] = [boxes.indexOf(anchor), boxes.indexOf(box)];
    if (event.shiftKey && from >= 0) {
      for (const between of boxes.slice(Math.min(from, to), Math.max(from, to) + 1)) between.checked = box.checked;
    }
    anchor = box;
    say();
  });
  document.addEventListener("mousedown", (event) => {
    if (event.shiftKey && event.target.closest?.(".pick")) event.preventDefault(); // it would mark text
  });
  document.addEventListener("change", (event) => event.target.matches("[data-select-all]") && say());
  document.addEventListener("htmx:after:swap", say);
  addEventListener("pageshow", say);

  /** Chooses the claim of a row, or lets it go; says why it cannot be chosen. */
  sanad.pick = (row) => {
    const box = boxOf(row);
    if (!box) return sanad.toast(row?.querySelector(".pick")?.title ?? "");
    box.checked = !box.checked;
    anchor = box;
    say();
  };

  /** Chooses the row in focus and the next one in a direction; going back lets the last one go. */
  function extend(step) {
    const all = rows();
    const at = all.indexOf(sanad.row());
    const next = all[at + step];
    if (at < 0 || !next) return;
    if (reached !== all[at]) origin = at;
    const back = Math.abs(at + step - origin) < Math.abs(at - origin);
    if (boxOf(all[at])) boxOf(all[at]).checked = !back;
    if (boxOf(next)) boxOf(next).checked = true;
    reached = next;
    say();
    sanad.go(next);
  }
  document.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !event.shiftKey || event.ctrlKey || event.metaKey || event.altKey || !sanad.keysOn(event)) return;
    event.preventDefault();
    extend(step);
  });

  // ── what is shown ────────────────────────────────────────────────────────

  /** Has the server remember a choice; the answer leads back here and is not followed. */
  const keep = (query) => fetch(bench.dataset.path + "?" + query, { redirect: "manual", cache: "no-store" }).catch(() => {});

  const form = document.getElementById("layout");
  form?.addEventListener("change", (event) => {
    const shown = [...form.querySelectorAll("[name=show]")];
    const columns = shown.slice(0, 3);
    if (columns.every((box) => !box.checked)) event.target.checked = true; // something is to be seen
    for (const box of shown) bench.classList.toggle("no-" + box.value, !box.checked);
    bench.classList.toggle("compact", form.elements.density.value === "compact");
    const type = form.elements.typecol.value;
    for (const choice of ["shown", "hidden"]) bench.classList.toggle("type-" + choice, type === choice);
    const chosen = new URLSearchParams({ layout: "set", density: form.elements.density.value, typecol: type });
    for (const box of shown) if (box.checked) chosen.append("show", box.value);
    keep(chosen);
    place();
  });

  // ── widths ───────────────────────────────────────────────────────────────

  const columns = bench.querySelector(".bench-cols");
  const step = 2; // widths.css has a class for each step
  const widths = new Map([...bench.className.matchAll(/\bw([alm])-(\d+)/g)].map(([, name, width]) => [name, Number(width)]));
  const widthOf = (name) => Number.parseFloat(getComputedStyle(bench).getPropertyValue("--w" + name));
  const splits = [...bench.querySelectorAll(".split-of")].map(splitter);

  function splitter({ dataset: { split: name, least, most, label } }) {
    const split = document.createElement("div");
    split.className = "split";
    split.dataset.split = name;
    split.tabIndex = 0;
    split.setAttribute("role", "separator");
    const about = { orientation: "vertical", label, valuemin: least, valuemax: most };
    for (const [key, value] of Object.entries(about)) split.setAttribute("aria-" + key, value);
    columns.append(split);
    return split;
  }

  /** Says the widths as they are; a style sheet of a wider window has others. */
  function place() {
    for (const split of splits) split.setAttribute("aria-valuenow", Math.round(widthOf(split.dataset.split)));
  }

  function set(split, width) {
    const { split: name } = split.dataset;
    const [least, most] = [split.ariaValueMin, split.ariaValueMax].map(Number);
    const to = Math.min(Math.max(Math.round(width / step) * step, least), most);
    widths.set(name, to);
    bench.style.setProperty("--w" + name, to + "%");
    place();
  }
  const save = () => keep(new URLSearchParams([["layout", "widths"], ...widths]));
  const mirrored = () => document.dir === "rtl";

  columns?.addEventListener("pointerdown", (event) => {
    const split = event.target.closest(".split");
    if (!split || event.button !== 0) return;
    event.preventDefault();
    split.focus();
    split.setPointerCapture(event.pointerId);
    const move = ({ clientX }) => {
      const box = columns.getBoundingClientRect();
      const at = ((mirrored() ? box.right - clientX : clientX - box.left) / box.width) * 100;
      set(split, split.dataset.split === "l" ? at - widthOf("a") : at);
    };
    split.addEventListener("pointermove", move);
    split.addEventListener(
      "lostpointercapture",
      () => {
        split.removeEventListener("pointermove", move);
        save();
      },
      { once: true },
    );
  });
  columns?.addEventListener("keydown", (event) => {
    const split = event.target.closest(".split");
    if (!split || event.ctrlKey || event.metaKey || event.altKey) return;
    const wider = mirrored() ? "ArrowLeft" : "ArrowRight";
    const to = {
      [wider]: () => widthOf(split.dataset.split) + step,
      [mirrored() ? "ArrowRight" : "ArrowLeft"]: () => widthOf(split.dataset.split) - step,
      Home: () => 0,
      End: () => 100,
    }[event.key];
    if (!to) return;
    event.preventDefault();
    set(split, to());
    save();
  });
  addEventListener("resize", place);

  place();
  say();
})();
