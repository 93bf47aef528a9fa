// What every page shares: announcements, failed requests, copying, dropped
// files, menus, and a guard for text not yet sent. All of it is an addition:
// each page works without it. Words come from data-t-* attributes of <body>.
"use strict";

window.sanad = {
  /** Says text on screen and to a screen reader. */
  toast(text) {
    const shelf = document.getElementById("toasts");
    if (!shelf || !text) return;
    const item = document.createElement("p");
    item.className = "toast";
    item.dir = "auto";
    item.textContent = text;
    shelf.append(item);
  },
  /** The translated words called name, as the server wrote them. */
  words(name) {
    return document.body.getAttribute("data-t-" + name) ?? "";
  },
  /** Whether a review form inside root holds text that was not sent. */
  unsaved(root = document) {
    return [...root.querySelectorAll("form[data-guard] textarea")].some((area) => area.value !== area.defaultValue);
  },
};

// Toasts leave by themselves, whoever put them there, unless they are being read.
new MutationObserver((changes) => {
  for (const toast of changes.flatMap((change) => [...change.addedNodes])) {
    if (toast.nodeType !== Node.ELEMENT_NODE) continue;
    if (toast.querySelector("form")) {
      // what can be undone stays until something else can, or the reader sends it away
      for (const old of document.querySelectorAll("#toasts > .toast:has(form)")) if (old !== toast) old.remove();
      continue;
    }
    const leave = () => (toast.matches(":hover, :focus-within") ? setTimeout(leave, 2000) : toast.remove());
    setTimeout(leave, 8000);
  }
}).observe(document.getElementById("toasts") ?? document.createElement("div"), { childList: true });

document.addEventListener("click", (event) => event.target.closest?.("[data-dismiss]")?.closest(".toast")?.remove());
document.addEventListener("htmx:after:swap", (event) => event.detail.ctx.sourceElement.closest?.(".toast")?.remove());

// ── requests ───────────────────────────────────────────────────────────────

// Only a page, a stale form (409) and a form with errors (422) are swapped in;
// anything else is said, and the page stays as it is.
document.addEventListener("htmx:before:swap", (event) => {
  const { ctx } = event.detail;
  const { raw, status } = ctx.response ?? {};
  if (raw?.redirected && new URL(raw.url).pathname === "/login") {
    event.preventDefault();
    location.assign("/login?next=" + encodeURIComponent(location.pathname + location.search));
  } else if (status >= 400 && status !== 409 && status !== 422) {
    event.preventDefault();
    sanad.toast(sanad.words("failed"));
  }
});
document.addEventListener("htmx:error", () => sanad.toast(sanad.words("offline")));
document.addEventListener("htmx:before:request", (event) => event.detail.ctx.target?.setAttribute?.("aria-busy", "true"));
document.addEventListener("htmx:finally:request", (event) => event.detail.ctx.target?.removeAttribute?.("aria-busy"));

// ── text not yet sent ──────────────────────────────────────────────────────

let sending = false;
document.addEventListener("submit", (event) => (sending = event.target.matches("form[data-guard]")));
document.addEventListener("htmx:finally:request", () => (sending = false));
document.addEventListener("sanad:unsent", () => (sending = false));
window.addEventListener("beforeunload", (event) => {
  if (!sending && sanad.unsaved()) event.preventDefault();
});

// A form that holds text goes off only to a server that is there: a browser's own error page would not bring the text back,
// as no page of this app is kept. htmx asks for itself, and says so above.
document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented || !form.matches("form[data-guard]") || form.dataset.asked === "yes") return;
  event.preventDefault();
  if (form.dataset.asked === "now") return;
  form.dataset.asked = "now";
  try {
    await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(10_000) });
    form.dataset.asked = "yes";
    form.requestSubmit(submitter);
  } catch {
    sending = false;
    sanad.toast(sanad.words("offline"));
  } finally {
    delete form.dataset.asked;
  }
});

// ── copy citation ──────────────────────────────────────────────────────────

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  if (!source) return;
  try {
    await navigator.clipboard.writeText(source.textContent.replace(/\s+/g, " ").trim());
    sanad.toast(button.dataset.copied ?? sanad.words("copied"));
  } catch {
    getSelection().selectAllChildren(source);
    sanad.toast(button.dataset.selected ?? sanad.words("selected"));
  }
});

// ── files dropped or chosen ────────────────────────────────────────────────

function listFiles(input) {
  const list = input.closest(".drop")?.querySelector("[data-files]");
  list?.replaceChildren(
    ...[...input.files].map((file) => {
      const item = document.createElement("li");
      item.append(document.createElement("bdi"));
      item.firstChild.textContent = file.name;
      return item;
    }),
  );
}
for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    const place = event.target.closest?.(".drop");
    if (!place) return;
    event.preventDefault();
    place.classList.toggle("is-over", kind === "dragover");
    if (kind !== "drop" || event.dataTransfer.files.length === 0) return;
    const input = place.querySelector("input[type=file]");
    input.files = event.dataTransfer.files;
    listFiles(input);
  });
}
document.addEventListener("change", (event) => {
  if (event.target.matches(".drop input[type=file]")) listFiles(event.target);
  if (event.target.matches("[data-select-all]")) {
    for (const box of document.querySelectorAll(`input[form="${event.target.dataset.selectAll}"]`)) box.checked = event.target.checked;
  }
});

// A form that keeps this page's query takes the one of the address bar, which filters change without a new page.
document.addEventListener("submit", (event) => {
  const form = event.target.closest?.("form[data-keep]");
  if (!form) return;
  for (const old of form.querySelectorAll("input[type=hidden]")) old.remove();
  for (const [name, value] of new URLSearchParams(location.search)) {
    if (name === form.dataset.keep) continue;
    const input = document.createElement("input");
    Object.assign(input, { type: "hidden", name, value });
    form.append(input);
  }
});

// ── menus, and the cited passage of a document ─────────────────────────────

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && event.target.closest?.("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
if (!location.hash) document.querySelector(".cited.is-current")?.scrollIntoView({ block: "center" });
