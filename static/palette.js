// The command palette: a list of pages, commands and whatever has a name. The server finds them (/palette), as far as the
// reader may see them; commands of the page itself are read from it. app.js opens its dialog and loads this script when it is
// first asked for; without scripts the way in is a link to the search.
"use strict";

(() => {
  const wait = 120; // ms without a key press before the server is asked
  const dialog = document.getElementById("palette");
  const field = dialog.querySelector("input");
  const list = dialog.querySelector("[role=listbox]");
  const said = dialog.querySelector("[role=status]");
  let asking = null; // what stops the request under way
  let later = 0;
  let fresh = false; // the list answers what stands in the field
  let go = null; // Enter was pressed before the list was there

  // ── the list ─────────────────────────────────────────────────────────────

  const options = () => [...list.querySelectorAll("[role=option]")];
  const chosen = () => list.querySelector("[aria-selected=true]");

  function choose(option) {
    chosen()?.setAttribute("aria-selected", "false");
    option?.setAttribute("aria-selected", "true");
    if (option) field.setAttribute("aria-activedescendant", option.id);
    else field.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  }

  /** A text as it is compared: without case, diacritics and forms of the same letter. */
  const plain = (s) => s.normalize("NFKD").replace(/[\p{M}ـ]/gu, "").replace(/[أإآٱ]/g, "ا").replace(/ى/g, "ي").replace(/ة/g, "ه").toLowerCase().trim();

  /** The links that this page offers itself, as far as they answer what was typed. */
  function ofThisPage() {
    const words = plain(field.value).split(/\s+/);
    const there = new Set(options().map((option) => option.getAttribute("href")));
    const links = [...document.querySelectorAll("main .actions a.btn[href]")].filter((link) => {
      const [href, text] = [link.getAttribute("href"), plain(link.textContent)];
      return !there.has(href) && there.add(href) && text.length > 3 && words.every((word) => text.includes(word));
    });
    if (!links.length) return;
    const group = document.createElement("div");
    const head = document.createElement("div");
    group.role = "group";
    Object.assign(head, { id: "palette-here", className: "palette-head", role: "presentation", textContent: dialog.dataset.tHere });
    group.setAttribute("aria-labelledby", head.id);
    group.append(head, ...links.slice(0, 6).map((link, i) => option(link, i)));
    const first = list.querySelector("#palette-recent")?.parentElement;
    first ? first.after(group) : list.querySelector("[role=group]").before(group);
  }

  function option(link, i) {
    const it = document.createElement("a");
    const name = document.createElement("span");
    Object.assign(it, { id: "palette-here-" + i, role: "option", tabIndex: -1, href: link.getAttribute("href"), download: link.download });
    if (!link.hasAttribute("download")) it.removeAttribute("download");
    it.setAttribute("aria-selected", "false");
    Object.assign(name, { className: "palette-title", textContent: link.textContent.replace(/\s+/g, " ").trim() });
    it.append(name);
    return it;
  }

  function show(html) {
    const page = new DOMParser().parseFromString(html, "text/html").querySelector("[data-said]");
    list.replaceChildren(...page.children);
    if (!dialog.dataset.bare) ofThisPage();
    list.hidden = false;
    field.setAttribute("aria-expanded", "true");
    said.textContent = page.dataset.said;
    fresh = true;
    choose(options()[0]);
    if (go) run(chosen(), go);
    go = null;
  }

  async function ask() {
    asking?.abort();
    const mine = (asking = new AbortController());
    const query = new URLSearchParams({ q: field.value, at: location.pathname + location.search, opened: localStorage.getItem("sanad-opened") ?? "" });
    try {
      const answer = await fetch("/palette?" + query, {
        headers: { "HX-Request": "true" },
        signal: AbortSignal.any([mine.signal, AbortSignal.timeout(10_000)]),
      });
      if (answer.redirected) return location.assign("/login?" + new URLSearchParams({ next: location.pathname + location.search }));
      const html = await answer.text();
      if (!answer.ok) throw new Error(answer.statusText);
      if (!mine.signal.aborted) show(html);
    } catch {
      if (mine.signal.aborted) return;
      go = null;
      said.textContent = sanad.words("failed-search");
      said.classList.remove("vh");
    }
  }

  function typed() {
    fresh = false;
    said.classList.add("vh");
    asking?.abort();
    clearTimeout(later);
    later = setTimeout(ask, wait);
  }

  // ── opening, closing, going ──────────────────────────────────────────────

  function open() {
    if (dialog.open) return dialog.close();
    field.value = "";
    list.hidden = true;
    list.replaceChildren();
    sanad.showPalette();
    fresh = false;
    ask();
  }

  const commands = {
    next: () => window.sanad.advance && document.querySelector("tr.row") ? window.sanad.advance(0) : false,
    help: () => document.getElementById("help").showModal(),
    print: () => print(),
    leave: () => document.querySelector("form[action='/logout']").requestSubmit(),
  };

  function run(it, event) {
    if (!it) return;
    const { do: command } = it.dataset;
    dialog.close();
    if (command && commands[command] && commands[command]() !== false) return;
    const href = it.getAttribute("href");
    if (!href) return;
    if (event.ctrlKey || event.metaKey) window.open(href, "_blank", "noopener");
    else if (it.hasAttribute("download")) it.cloneNode().click();
    else location.assign(href);
  }

  dialog.addEventListener("close", () => {
    asking?.abort();
    clearTimeout(later);
    go = null;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  });
  field.addEventListener("input", typed);
  dialog.addEventListener("click", (event) => {
    const it = event.target.closest("[role=option]");
    if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
    if (!it || (it.href && (event.ctrlKey || event.metaKey || event.shiftKey))) return;
    event.preventDefault();
    run(it, event);
  });
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const [all, now] = [options(), options().indexOf(chosen())];
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5 };
    if (event.key in steps && all.length && !event.altKey) {
      event.preventDefault();
      const to = now + steps[event.key];
      const single = Math.abs(steps[event.key]) === 1;
      choose(all[single ? (to + all.length) % all.length : Math.max(0, Math.min(all.length - 1, to))]);
    }
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (fresh) return run(chosen(), event);
    go = event; // what was typed last decides, not what is still shown
    clearTimeout(later);
    ask();
  });
  // what was typed, and perhaps sent, while this script was on its way
  if (dialog.open) {
    if (dialog.dataset.go) go = { ctrlKey: false, metaKey: false };
    ask();
  }
  window.sanad.palette = open;
})();
