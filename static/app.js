// What every page shares: announcements, failed requests, copying,
// menus, and a guard for text not yet sent. All of it is an addition:
// each page works without it. Words come from data-t-* attributes of <body>.
"use strict";

window.sanad = {
  /** Says text on screen and to a screen reader, in place of what was said before; but what can be undone stays, with the
   * text after it. What went wrong stays until it is sent away. */
  toast(text, wrong = false) {
    const shelf = document.getElementById("toasts");
    if (!shelf || !text) return;
    const item = document.createElement("p");
    item.className = wrong ? "toast is-wrong" : "toast";
    item.dir = "auto";
    const words = document.createElement("span");
    words.textContent = text;
    const away = document.createElement("button");
    Object.assign(away, { type: "button", className: "btn btn-small btn-quiet", textContent: "×" });
    away.dataset.dismiss = "";
    away.setAttribute("aria-label", sanad.words("dismiss"));
    item.append(words, away);
    const undo = wrong ? null : shelf.querySelector(".toast:has(form)");
    if (!undo) return shelf.replaceChildren(item);
    const also = undo.querySelector(".also") ?? undo.querySelector("p, span").appendChild(document.createElement("span"));
    Object.assign(also, { className: "also", textContent: " " + text });
  },
  /** The translated words called name, as the server wrote them. */
  words(name) {
    return document.body.getAttribute("data-t-" + name) ?? "";
  },
  /** Whether a form inside root, other than but, holds text that was not stored. That of a review is empty when all is. */
  unsaved(root = document, but = null) {
    return [...root.querySelectorAll('form[data-guard] :is(textarea, input[type="text"]:not([autocomplete="one-time-code"]))')].some(
      (field) => field.form !== but && field.value !== (field.form.matches(".review") ? "" : field.defaultValue),
    );
  },
};

// Swapped pages bring no code: htmx 4 has no allowEval and allowScriptTags, so both are switched off here. Nothing of ours
// has hx-on, js: values or filters of triggers; the scripts of a page run when the browser itself reads it.
if (window.htmx) {
  const refused = function () {
    throw new Error("htmx may not run code from attributes");
  };
  htmx.registerExtension("no-code", {
    init: (api) =>
      api.initSecurity(
        { createHTML: (html) => html.replace(/<(\/?)script\b/gi, "<$1template"), createScript: () => "" },
        refused,
        refused,
      ),
  });
}

// Toasts leave by themselves, whoever put them there, unless they are being read or say what went wrong. They make room for
// themselves at the end of the page (components.css), so that what was in use is scrolled out from under them.
new MutationObserver((changes) => {
  for (const toast of changes.flatMap((change) => [...change.addedNodes])) {
    if (toast.nodeType !== Node.ELEMENT_NODE) continue;
    const [shown, used] = [toast.parentElement, document.activeElement].map((e) => e?.getBoundingClientRect());
    if (used && document.activeElement !== document.body && used.bottom > shown.top && used.left < shown.right && used.right > shown.left) {
      scrollBy({ top: Math.min(used.bottom - shown.top + 16, Math.max(0, used.top)) });
    }
    if (toast.matches(".is-wrong")) continue;
    const undo = toast.querySelector("form");
    document.querySelector(".bench-answer a.claim[aria-current]")?.scrollIntoView({ block: "nearest" }); // the answer ends above it
    const leave = () => (toast.matches(":hover, :focus-within") ? setTimeout(leave, 2000) : toast.remove());
    setTimeout(leave, undo ? 20_000 : 8000);
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
    sanad.toast(sanad.words("failed"), true);
  }
});
document.addEventListener("htmx:error", () => sanad.toast(sanad.words("offline"), true));
document.addEventListener("htmx:before:request", (event) => event.detail.ctx.target?.setAttribute?.("aria-busy", "true"));
document.addEventListener("htmx:finally:request", (event) => event.detail.ctx.target?.removeAttribute?.("aria-busy"));

// ── text not yet sent ──────────────────────────────────────────────────────

let sending = null; // the form: what others of the page hold would be lost
document.addEventListener("submit", (event) => (sending = event.target.matches("form[data-guard]") ? event.target : null));
document.addEventListener("htmx:finally:request", () => (sending = null));
document.addEventListener("sanad:unsent", () => (sending = null));
window.addEventListener("beforeunload", (event) => {
  if (sanad.unsaved(document, sending)) event.preventDefault();
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
    sending = null;
    sanad.toast(sanad.words("offline"), true);
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
    const exact = source.matches("pre");
    await navigator.clipboard.writeText(exact ? source.textContent : source.textContent.replace(/\s+/g, " ").trim());
    sanad.toast(button.dataset.copied ?? sanad.words("copied"));
  } catch {
    source.closest("details")?.setAttribute("open", "");
    getSelection().selectAllChildren(source);
    sanad.toast(button.dataset.selected ?? sanad.words("selected"));
  }
});

// ── forms ──────────────────────────────────────────────────────────────────

document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-select-all]")) return;
  for (const box of document.querySelectorAll(`input[form="${event.target.dataset.selectAll}"]`)) box.checked = event.target.checked;
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
// The places of the header and the tabs scroll in their line where it is short: the present one is in sight.
for (const here of document.querySelectorAll(":is(.top nav, .tabs) [aria-current]")) {
  if (!here.checkVisibility()) continue; // the same place in the closed menu
  const scrolls = here.closest(".tabs, .top ul");
  const [at, line] = [here, scrolls].map((e) => e.getBoundingClientRect());
  scrolls.scrollLeft += Math.min(0, at.left - line.left - 24) + Math.max(0, at.right - line.right + 24);
}
if (!location.hash) document.querySelector(".cited.is-current")?.scrollIntoView({ block: "center" });
addEventListener("load", () => {
  // A chunk may be longer than the window: the words that decide are in view, unless who comes back had left them.
  const passage = document.querySelector(".reader .is-current .passage")?.getBoundingClientRect();
  const how = performance.getEntriesByType("navigation")[0]?.type;
  if (passage && how === "navigate" && (passage.top < 0 || passage.top > innerHeight * 0.8)) scrollBy(0, passage.top - innerHeight / 3);
});

// ── a login that ended ─────────────────────────────────────────────────────

// An open page loses its text when its login ends (rule SEC-4): it asks now and then, when it is looked at again, and when
// another tab of this browser comes to the login page. While a login lasts, the login page answers with a redirect; asking
// does not prolong it. Without an answer the page is emptied after the half hour that a login lasts without a request.
const [lasts, ended] = [30 * 60_000, "sanad-ended"];
if (document.querySelector("form[action='/logout']")) {
  let known = Date.now();
  const ask = async () => {
    const answer = await fetch("/login", { method: "HEAD", redirect: "manual", cache: "no-store" }).catch(() => null);
    if (answer?.type === "opaqueredirect") known = Date.now();
    else if (answer?.status === 200 || Date.now() - known > lasts) {
      document.body.replaceChildren();
      sessionStorage.clear();
      location.replace("/login?" + new URLSearchParams({ next: location.pathname + location.search }));
    }
  };
  setInterval(ask, lasts / 6);
  addEventListener("storage", (event) => event.key === ended && ask());
  // Back may show a page as it was left: it must not outlive its login, nor what was changed in this tab since.
  const changed = "sanad-changed";
  const change = () => sessionStorage.setItem(changed, Date.now());
  addEventListener("submit", (event) => event.target.method === "post" && change());
  addEventListener("htmx:before:request", (event) => event.detail.ctx.request.method !== "GET" && change());
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    if (Number(sessionStorage.getItem(changed)) > performance.timeOrigin) location.reload();
    else ask();
  });
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && ask());
} else if (location.pathname === "/login") {
  localStorage.setItem(ended, "1"); // other tabs see that it changes
  localStorage.removeItem(ended);
  localStorage.removeItem("sanad-opened");
  sessionStorage.clear(); // which list was open, and where its columns stood
}

// A notification that leads somewhere is read; without this script it has a button.
for (const kind of ["click", "auxclick"]) {
  document.addEventListener(kind, (e) => {
    const link = e.target.closest?.("a[data-read]");
    if (link) navigator.sendBeacon(link.dataset.read);
  });
}

// ── what is loaded when it is first used ───────────────────────────────────

// Names after an @ (mention.js).
document.addEventListener("focusin", (event) => {
  const { mentions } = event.target.dataset ?? {};
  if (mentions) import(mentions).catch(() => {}); // the list is not needed to write
});

// The command palette (palette.js). Its dialog opens at once, so that nothing typed meanwhile is a command of the page.
const palette = document.getElementById("palette");
if (palette) {
  const place = location.pathname.match(/^\/(sessions|packs|documents)\/[\w-]+/)?.[0];
  if (place && !place.endsWith("/new")) {
    // addresses only: what they are called, and whether they may be read, the server says
    const known = (localStorage.getItem("sanad-opened") ?? "").split(",").filter((path) => path && path !== place);
    localStorage.setItem("sanad-opened", [place, ...known].slice(0, 10).join(","));
  }
  sanad.showPalette = () => {
    for (const menu of document.querySelectorAll("details.menu[open]")) menu.open = false;
    palette.showModal();
  };
  // until its script is there, which puts its own in this one's place
  sanad.palette = () => {
    if (palette.open) return palette.close();
    delete palette.dataset.go;
    palette.querySelector("input").value = "";
    sanad.showPalette();
    import(palette.dataset.src).catch(() => {
      palette.close();
      sanad.toast(sanad.words("offline"), true);
    });
  };
  palette.addEventListener("submit", (event) => {
    event.preventDefault();
    palette.dataset.go = "yes";
  });
  document.addEventListener("click", (event) => {
    const way = event.target.closest?.("a[data-palette]");
    if (!way || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    sanad.palette();
  });
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.isComposing) return;
    // the letter where the keyboard types Latin, the place of the key where it types Arabic
    const latin = event.key.length === 1 && event.key.charCodeAt(0) < 128;
    if (latin ? event.key.toLowerCase() !== "k" : event.code !== "KeyK") return;
    event.preventDefault();
    sanad.palette();
  });
}
// which of the two keys opens it is known here only
if (/Mac|iPhone|iPad/.test(navigator.platform)) for (const key of document.querySelectorAll("[data-mod]")) key.textContent = "⌘";
