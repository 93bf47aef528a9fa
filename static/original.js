// The original PDF beside its text. pdf.js is fetched only when somebody asks
// for the original; without this script the link downloads the file.

const pane = document.getElementById("original");
const link = document.querySelector("a[data-original]");
const canvas = pane.querySelector("canvas");
const at = pane.querySelector("[data-at]");
const [before, behind] = pane.querySelectorAll("button[data-step]");
const remembered = "sanad-original";

let file = null; // the promise of the open document
let page = Number(pane.dataset.page) || 1;
let drawing = null;

const figure = (n) => (pane.dataset.digits === "arab" ? String(n).replace(/\d/g, (d) => "٠١٢٣٤٥٦٧٨٩"[d]) : String(n));

/** Fetches pdf.js and the file, once. */
async function load() {
  const pdfjs = await import(pane.dataset.pdfjs);
  pdfjs.GlobalWorkerOptions.workerSrc = pane.dataset.worker;
  // No WebAssembly, which the page's policy forbids: pdf.js then takes the
  // decoders of JPEG 2000 and JBIG2 that are plain scripts.
  return pdfjs.getDocument({
    url: pane.dataset.src, useWasm: false, wasmUrl: pane.dataset.folder, useSystemFonts: true,
    enableXfa: false, disableRange: true, disableStream: true, stopAtErrors: false,
  }).promise;
}

/** Draws the page, as wide as the pane. */
async function draw() {
  pane.setAttribute("aria-busy", "true");
  try {
    if (!file) at.textContent = pane.dataset.tLoading;
    file ??= load();
    const pdf = await file;
    page = Math.min(Math.max(page, 1), pdf.numPages);
    const sheet = await pdf.getPage(page);
    const width = Math.max(canvas.parentElement.clientWidth, 200) * Math.min(devicePixelRatio || 1, 2);
    const viewport = sheet.getViewport({ scale: width / sheet.getViewport({ scale: 1 }).width });
    drawing?.cancel();
    canvas.width = Math.floor(viewport.width);
    canvas.height = Math.floor(viewport.height);
    drawing = sheet.render({ canvas, viewport });
    await drawing.promise;
    const said = pane.dataset.tPage.replace("#", figure(page)).replace("#", figure(pdf.numPages));
    at.textContent = said;
    canvas.setAttribute("aria-label", said);
    canvas.dataset.drawn = page;
    before.disabled = page <= 1;
    behind.disabled = page >= pdf.numPages;
  } catch (error) {
    if (error?.name === "RenderingCancelledException") return;
    file = null;
    at.textContent = pane.dataset.tFailed;
    console.error(error);
  } finally {
    pane.removeAttribute("aria-busy");
  }
}

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
for (const button of [before, behind]) {
  button.addEventListener("click", () => {
    page += Number(button.dataset.step);
    draw();
  });
}

// Who reads with the original beside goes on so through the passages.
try {
  if (sessionStorage.getItem(remembered)) show(true);
} catch { /* as above */ }
