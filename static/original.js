// The original PDF, beside its text on the page of a document and in the
// evidence column of a ledger. pdf.js is fetched only when somebody asks for
// the original; without this script a link downloads the file. The words of
// the passage are looked for in the page's text, and marked where they stand.

const files = new Map(); // the promise of each open document, by its address

/** Fetches pdf.js and the file, once. */
async function load(pane) {
  const pdfjs = await import(pane.dataset.pdfjs);
  pdfjs.GlobalWorkerOptions.workerSrc = pane.dataset.worker;
  // No WebAssembly, which the page's policy forbids: pdf.js then takes the
  // decoders of JPEG 2000 and JBIG2 that are plain scripts.
  return pdfjs.getDocument({
    url: pane.dataset.src, useWasm: false, wasmUrl: pane.dataset.folder, useSystemFonts: true,
    enableXfa: false, disableRange: true, disableStream: true, stopAtErrors: false,
  }).promise;
}

// ── the passage on the page ────────────────────────────────────────────────

const searched = 40; // pages that are searched for the passage where its own lacks it
const piece = 12; // letters that a part of a passage has at least, to be recognised
const enough = 0.4; // share of the passage's letters that must stand on a page

/** The letters and digits of words, without marks and forms that differ between a PDF and its text. */
const letters = (words) =>
  [...words.normalize("NFKD").toLowerCase()].filter((c) => /[\p{L}\p{N}]/u.test(c)).map((c) => ({ ى: "ي", ة: "ه" })[c] ?? c);

/** The pieces of a line in reading order: a PDF may have those of an Arabic line from left to right, a letter each. */
function ordered(line) {
  const letter = (item, dir) => item.dir === dir && /\p{L}/u.test(item.str);
  if (line.filter((item) => letter(item, "rtl")).length <= line.length / 3) return line;
  const out = [];
  let foreign = []; // a run of another direction
  for (const item of line.toSorted((a, b) => b.transform[4] - a.transform[4])) {
    if (letter(item, "ltr")) {
      foreign.unshift(item);
      continue;
    }
    out.push(...foreign.splice(0), item);
  }
  return out.concat(foreign);
}

/** The letters of a page in reading order, each with its item and the place in it. */
async function textOf(sheet) {
  const lines = [];
  for (const item of (await sheet.getTextContent()).items) {
    if (!item.str) continue;
    const last = lines.at(-1)?.[0].transform;
    if (last && Math.abs(last[5] - item.transform[5]) < Math.abs(last[3] || 1) * 0.4) lines.at(-1).push(item);
    else lines.push([item]);
  }
  const out = [];
  for (const item of lines.flatMap(ordered)) {
    const chars = [...item.str];
    chars.forEach((c, i) => letters(c).forEach((letter) => out.push({ letter, item, from: i / chars.length, to: (i + 1) / chars.length })));
  }
  return out;
}

/** The places of the passage among a page's letters: all of it in a row, else the parts of it that stand closest together. */
function placesOf(passage, page) {
  const text = page.map((p) => p.letter).join("");
  const whole = text.indexOf(passage.join(""));
  if (!passage.length) return [];
  if (whole >= 0) return page.slice(whole, whole + passage.length);
  const hits = new Set();
  for (let i = 0; i + piece <= passage.length; i += piece / 2) {
    const part = passage.slice(i, i + piece).join("");
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) for (let k = 0; k < piece; k++) hits.add(at + k);
  }
  const found = [...hits].sort((a, b) => a - b);
  const span = passage.length * 1.5;
  let [from, to] = [0, 0];
  for (let i = 0, j = 0; i < found.length; i++) {
    while (j < found.length && found[j] < found[i] + span) j++;
    if (j - i > to - from) [from, to] = [i, j];
  }
  return to - from >= passage.length * enough ? found.slice(from, to).map((i) => page[i]) : [];
}

/** The rectangles of letters, in shares of the page; those of one item in a row are one. */
function boxesOf(places, viewport) {
  const out = [];
  for (const { item, from, to } of places) {
    const last = out.at(-1);
    if (last?.item === item && Math.abs(last.to - from) < 0.15) last.to = Math.max(last.to, to);
    else out.push({ item, from, to });
  }
  return out.map(({ item, from, to }) => {
    const [a, b, c, d, e, f] = item.transform;
    const [start, end] = item.dir === "rtl" ? [1 - to, 1 - from] : [from, to];
    const along = Math.hypot(a, b) || 1;
    const [ux, uy] = [(a / along) * item.width, (b / along) * item.width];
    const corners = [start, end].flatMap((s) => [-0.2, 0.85].map((h) => viewport.convertToViewportPoint(e + ux * s + c * h, f + uy * s + d * h)));
    const [xs, ys] = [corners.map((p) => p[0]), corners.map((p) => p[1])];
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    return { left: left / viewport.width, top: top / viewport.height, width: (Math.max(...xs) - left) / viewport.width, height: (Math.max(...ys) - top) / viewport.height };
  });
}

// ── the pane ───────────────────────────────────────────────────────────────

/** Makes a section of the page draw its PDF. */
export function mount(pane) {
  const canvas = pane.querySelector("canvas");
  const at = pane.querySelector("[data-at]");
  const said = pane.querySelector("[data-said]");
  const [before, behind] = pane.querySelectorAll("button[data-step]");
  const passage = letters(pane.dataset.words ?? "");
  let page = Number(pane.dataset.page) || 1;
  let drawing = null;
  let sought = passage.length === 0;

  const figure = (n) => (pane.dataset.digits === "arab" ? String(n).replace(/\d/g, (d) => "٠١٢٣٤٥٦٧٨٩"[d]) : String(n));

  /** Turns to the page that has the passage: the one that is named, else one beside it, else one of the first. */
  async function seek(pdf) {
    sought = true;
    const order = new Set([page, page + 1, page - 1, ...Array.from({ length: searched }, (_, i) => i + 1)]);
    for (const n of order) {
      if (n < 1 || n > pdf.numPages) continue;
      if (placesOf(passage, await textOf(await pdf.getPage(n))).length) return (page = n);
    }
  }

  /** Marks the passage on the page that is drawn, and says whether it is there. */
  async function mark(sheet, viewport) {
    const shelf = canvas.parentElement;
    for (const old of shelf.querySelectorAll(".hit")) old.remove();
    if (!passage.length) return;
    const text = await textOf(sheet);
    const boxes = boxesOf(placesOf(passage, text), viewport);
    for (const box of boxes) {
      const hit = document.createElement("span");
      hit.className = "hit";
      for (const [name, share] of Object.entries(box)) hit.style[name] = share * 100 + "%";
      shelf.append(hit);
    }
    said.textContent = boxes.length ? pane.dataset.tMarked : text.length ? pane.dataset.tNotThere : pane.dataset.tNoText;
    const [first, view] = [shelf.querySelector(".hit"), shelf.parentElement];
    if (!first) return;
    view.scrollTop = first.offsetTop - view.clientHeight / 3;
    const column = pane.closest(".bench-case"); // which then shows the page as large as it is
    if (column) column.scrollTop += pane.getBoundingClientRect().top - column.getBoundingClientRect().top;
  }

  /** Draws the page, as wide as the pane. */
  async function draw() {
    pane.setAttribute("aria-busy", "true");
    const src = pane.dataset.src;
    try {
      if (!files.has(src)) {
        at.textContent = pane.dataset.tLoading;
        files.set(src, load(pane));
      }
      const pdf = await files.get(src);
      page = Math.min(Math.max(page, 1), pdf.numPages);
      if (!sought) await seek(pdf);
      const sheet = await pdf.getPage(page);
      const width = Math.max(canvas.parentElement.clientWidth, 200) * Math.min(devicePixelRatio || 1, 2);
      const viewport = sheet.getViewport({ scale: width / sheet.getViewport({ scale: 1 }).width });
      drawing?.cancel();
      canvas.width = Math.floor(viewport.width);
      canvas.height = Math.floor(viewport.height);
      drawing = sheet.render({ canvas, viewport });
      await drawing.promise;
      const where = pane.dataset.tPage.replace("#", figure(page)).replace("#", figure(pdf.numPages));
      at.textContent = where;
      canvas.setAttribute("aria-label", where);
      await mark(sheet, viewport);
      canvas.dataset.drawn = page;
      before.disabled = page <= 1;
      behind.disabled = page >= pdf.numPages;
    } catch (error) {
      if (error?.name === "RenderingCancelledException") return;
      files.delete(src);
      at.textContent = pane.dataset.tFailed;
      console.error(error);
    } finally {
      pane.removeAttribute("aria-busy");
    }
  }

  for (const button of [before, behind]) {
    button.addEventListener("click", () => {
      page += Number(button.dataset.step);
      draw();
    });
  }
  return { draw };
}

// ── on the page of a document it opens and closes ──────────────────────────

const remembered = "sanad-original";

function openable(link, pane) {
  const { draw } = mount(pane);
  function show(shown) {
    pane.hidden = !shown;
    pane.parentElement.classList.toggle("with-original", shown);
    link.setAttribute("aria-expanded", String(shown));
    try {
      if (shown) sessionStorage.setItem(remembered, "1");
      else sessionStorage.removeItem(remembered);
    } catch { /* a browser that keeps nothing: it is opened again by hand */ }
    if (shown) draw();
  }
  link.setAttribute("role", "button");
  link.setAttribute("aria-controls", pane.id);
  link.setAttribute("aria-expanded", "false");
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(pane.hidden);
  });
  link.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    link.click();
  });
  pane.querySelector("[data-close]").addEventListener("click", () => {
    show(false);
    link.focus();
  });
  // Who reads with the original beside goes on so through the passages.
  try {
    if (sessionStorage.getItem(remembered)) show(true);
  } catch { /* as above */ }
}

const link = document.querySelector("a[data-original]");
if (link) openable(link, document.getElementById("original"));
