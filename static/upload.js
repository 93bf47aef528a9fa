// Files: which were dropped or chosen, and how far their upload has come. A
// form with large files is sent by this script, with a bar; the answer is then
// the next page as it would be without. Small files, and browsers without
// scripts, go the ordinary way.
"use strict";

// The browser's own words for its button and its list of files are not in the page's language: a button of ours covers
// them, and what was chosen is listed and said.
const manyFiles = 10; // as many names are said
function listFiles(input) {
  const place = input.closest(".drop");
  const [list, said, none] = ["[data-files]", "[data-files-said]", "[data-file-none]"].map((s) => place?.querySelector(s));
  const names = [...input.files].map((file) => file.name);
  if (none) none.hidden = names.length > 0;
  if (said) {
    const more = names.length > manyFiles ? " …" : "";
    const words = names.slice(0, manyFiles).join(said.dataset.comma + " ") + more;
    said.textContent = names.length ? said.dataset.tChosen.replace("#", () => words) : said.dataset.tNone;
  }
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
addEventListener("pageshow", () => {
  for (const input of document.querySelectorAll(".drop input[type=file]")) if (input.files.length) listFiles(input);
});

// Enter finds where somebody searches the library; elsewhere it sends the form, whose first button the search's is.
document.addEventListener("keydown", (event) => {
  const form = event.key === "Enter" && !event.isComposing && event.target.matches("input:not([type=file])") && event.target.form;
  const find = form?.querySelector?.("[data-find] .btn");
  if (!find) return;
  event.preventDefault();
  (event.target.closest("[data-find]") ? find : form.querySelector(".actions .btn")).click();
});
document.addEventListener("change", (event) => {
  if (event.target.matches(".drop input[type=file]")) listFiles(event.target);
});

// ── a large upload ─────────────────────────────────────────────────────────

(() => {
  const large = 1 << 20; // bytes; less is there before a bar could be read
  const step = 10; // percent: how often a screen reader hears of it

  const size = (form) => [...form.querySelectorAll("input[type=file]")].flatMap((i) => [...i.files]).reduce((n, f) => n + f.size, 0);

  document.addEventListener("submit", (event) => {
    const form = event.target;
    const bar = form.querySelector?.("[data-upload]");
    if (!bar || event.defaultPrevented || size(form) < large) return;
    event.preventDefault();
    if (bar.hidden) send(form, bar, event.submitter);
  });

  function send(form, bar, submitter) {
    const line = bar.querySelector("progress");
    const shown = bar.querySelector("[data-upload-at]");
    const heard = form.querySelector("[data-upload-said]");
    const stop = bar.querySelector("[data-upload-stop]");
    const percent = (n) => {
      const text = bar.dataset.digits === "arab" ? String(n).replace(/\d/g, (d) => "٠١٢٣٤٥٦٧٨٩"[d]) + "٪" : "\u2066" + n + "%\u2069";
      return bar.dataset.tSending.replace("#", () => text);
    };
    const say = (text) => (shown.textContent = heard.textContent = text);
    const request = new XMLHttpRequest();
    const body = new FormData(form, submitter); // before anything of the form is switched off
    const buttons = [...form.querySelectorAll("button")].filter((b) => b !== stop && !b.disabled);
    let last = -step;

    const end = (text) => {
      bar.hidden = true;
      for (const b of buttons) b.disabled = false;
      heard.textContent = "";
      sanad.toast(text, true);
      (submitter ?? buttons[0])?.focus();
      document.dispatchEvent(new CustomEvent("sanad:unsent"));
    };
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      const n = Math.min(99, Math.floor((loaded / total) * 100));
      line.value = n;
      shown.textContent = percent(n);
      if (n < last + step) return;
      last = n - (n % step);
      heard.textContent = percent(last);
    });
    request.upload.addEventListener("load", () => {
      there = true;
      line.removeAttribute("value");
      stop.hidden = true; // it is there: what the server does of it now is not taken back by going away
      say(bar.dataset.tReading);
    });
    // what broke off on its way up was not stored; of what is there, only the answer is missing
    let there = false;
    request.addEventListener("error", () => end(there ? bar.dataset.tLost : bar.dataset.tBroken));
    request.addEventListener("abort", () => end(bar.dataset.tStopped));
    request.addEventListener("load", () => {
      const at = new URL(request.responseURL);
      if (at.pathname === "/login") return end(bar.dataset.tSignedOut);
      if (at.href !== form.action) return location.assign(at.href);
      const page = new DOMParser().parseFromString(request.responseText, "text/html");
      if (page.querySelector("main") && (request.status < 300 || holds(page, form))) return swap(page);
      end(said(page));
    });
    stop.onclick = () => request.abort();

    for (const b of buttons) b.disabled = true;
    stop.hidden = false;
    line.value = 0;
    bar.hidden = false;
    say(percent(0));
    request.open("POST", form.action);
    request.setRequestHeader("Accept", "text/html");
    request.send(body);
  }

  /** Whether a page has the form again, with something in each field that something was typed into. */
  function holds(page, form) {
    const filled = [...form.elements].filter((e) => e.matches("textarea, input:not([type=hidden], [type=file])") && e.value.trim());
    return [...page.querySelectorAll("main form")].some(
      (f) => f.getAttribute("action") === form.getAttribute("action") && filled.every((e) => f.elements[e.name]?.value.trim()),
    );
  }

  /** What a page says that would take the form away: too much was sent, this may not be done, something broke there. */
  function said(page) {
    const alerts = page.querySelectorAll("main [role=alert] p");
    const words = alerts.length ? alerts : page.querySelectorAll("main h1, main h1 ~ p[dir]");
    return [...words].map((e) => e.textContent.replace(/\s+/g, " ").trim()).join(": ") || sanad.words("failed");
  }

  /** Puts in what the server answered under the form's own address: the form with what is wrong, or what it noticed. */
  function swap(page) {
    const main = page.querySelector("main");
    document.dispatchEvent(new CustomEvent("sanad:unsent"));
    document.querySelector("main").replaceWith(document.adoptNode(main));
    document.title = page.title;
    scrollTo(0, 0);
    (main.querySelector("[aria-invalid=true]") ?? main.querySelector("h1") ?? main).focus?.();
    if (!main.contains(document.activeElement)) main.focus();
  }
})();
