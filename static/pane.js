// The workbench of a ledger: answer, claims, and the claim in focus beside
// them. The three follow one another: a sentence, a row or Back and Forward
// choose a claim, and the others move there. Each step is an address that the
// server answers alike. On a narrow screen the claim is a sheet over the list.
"use strict";

(() => {
  const bench = document.getElementById("bench");
  const pane = document.getElementById("pane");
  if (!bench || !pane) return;
  const wide = matchMedia("(min-width: 720px), print");
  const inColumn = ["view", "passage", "document", "chunk", "span", "find"]; // what the evidence column shows of the claim
  let following = 0;
  let follows; // the click by which a row in focus is opened
  let byKeyboard = false;
  let chosen = false; // the claim that is being opened was chosen, not followed
  let restoring = false;
  let arriving = false; // Back has changed the address, and the page does not show it yet
  let listAt = 0; // where the list was when the sheet covered it

  /** Whether the claim covers the list: on a narrow screen, and where its column is hidden until one is chosen. */
  const covers = () => !wide.matches || bench.classList.contains("no-case");
  const linkOf = (n) => document.querySelector(`#claim-${CSS.escape(n)} a.open`);
  const openClaim = () => pane.querySelector(".claim-view")?.dataset.n;
  /** The address without the claim in focus: the list with its filter. */
  const listOf = (address) => {
    const url = new URL(address);
    for (const name of ["claim", "lang", "theme", "digits", ...inColumn]) url.searchParams.delete(name);
    return url.pathname + url.search;
  };
  let list = listOf(location.href);

  /** Brings element into view within the column that scrolls, and moves nothing else. */
  function show(element, column) {
    const box = column && element?.getClientRects().length ? column.getBoundingClientRect() : null;
    if (!box || column.scrollHeight <= column.clientHeight) return;
    const at = element.getBoundingClientRect();
    if (at.top < box.top || at.bottom > box.bottom) column.scrollTop += at.top - box.top - (box.height - Math.min(at.height, box.height)) / 2;
  }

  /** Marks the claim in focus in list and answer, and brings both there. */
  function place() {
    const n = openClaim();
    for (const link of document.querySelectorAll("a.open[aria-current], a.claim[aria-current]")) link.removeAttribute("aria-current");
    if (!n) return;
    const sentences = document.querySelectorAll(`a.claim[data-n="${CSS.escape(n)}"]`);
    for (const sentence of sentences) sentence.setAttribute("aria-current", "true");
    for (const left of document.querySelectorAll("a[data-left]")) {
      const url = new URL(left.href);
      url.searchParams.set("claim", n); // what is left begins where the reader is
      left.href = url;
    }
    show(sentences[0], document.querySelector(".bench-cols .bench-answer"));
    const link = linkOf(n);
    link?.setAttribute("aria-current", "true");
    show(link?.closest("tr"), document.getElementById("results"));
    note();
  }

  /** Keeps the claim in focus and its view in the address, without a step in the history. */
  function note() {
    const n = openClaim();
    const url = new URL(location.href);
    const view = pane.querySelector("#claim-source")?.dataset.view ?? "evidence";
    const same = url.searchParams.get("claim") === n;
    if (!n || arriving || (same && (url.searchParams.get("view") ?? "evidence") === view) || (covers() && !bench.hasAttribute("data-sheet"))) return;
    for (const name of same ? ["view"] : inColumn) url.searchParams.delete(name);
    url.searchParams.set("claim", n);
    if (view !== "evidence") url.searchParams.set("view", view);
    if (url.hash.startsWith("#claim-")) url.hash = "";
    history.replaceState({ htmx: true }, "", url);
  }

  /** Opens or closes the sheet that covers the list on a narrow screen. */
  function sheet(open) {
    if (open === bench.hasAttribute("data-sheet")) return;
    if (open && !wide.matches) listAt = scrollY;
    bench.toggleAttribute("data-sheet", open);
    if (!wide.matches) scrollTo(0, open ? 0 : listAt);
  }

  /** Gives the claim's place in the answer the verdict that it has now. */
  function mark() {
    const view = pane.querySelector(".claim-view");
    const tone = [...(view?.classList ?? [])].find((name) => name.startsWith("v-"));
    if (!tone) return;
    for (const link of document.querySelectorAll(`a.claim[data-n="${CSS.escape(view.dataset.n)}"]`)) {
      link.className = "claim " + tone;
      const words = link.querySelector(".vh");
      if (words) words.textContent = view.dataset.mark;
    }
  }

  wide.addEventListener("change", place);

  // A row is opened by its link; a click elsewhere in the row counts as one.
  document.addEventListener("click", (event) => {
    const row = event.target.closest?.("tr.row");
    if (!row || event.target.closest("a, button, input, label") || !getSelection().isCollapsed) return;
    row.querySelector("a.open")?.click();
  });

  // The sheet closes to the list, at the row that it came from.
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("[data-sheet-close]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    close();
  });
  function close() {
    if (sanad.unsaved(pane) && !confirm(sanad.words("unsaved"))) return;
    sheet(false);
    history.pushState({ htmx: true }, "", list);
    linkOf(openClaim() ?? "")?.focus();
  }

  // A sentence of the answer opens its claim, if the filter shows it.
  document.addEventListener("click", (event) => {
    const claim = event.target.closest?.("a.claim[data-n]");
    const link = claim && linkOf(claim.dataset.n);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(link.closest("tr"), document.getElementById("results"));
    link.focus({ preventScroll: true });
    link.click();
  });

  // Beside the list the claim follows the focus, unless words would be lost.
  document.addEventListener("focusin", (event) => {
    clearTimeout(following);
    const link = event.target.closest?.("a.open");
    if (!link || (covers() && !bench.hasAttribute("data-sheet")) || link.hasAttribute("aria-current") || sanad.unsaved(pane)) return;
    follows = new MouseEvent("click", { cancelable: true });
    following = setTimeout(() => link.dispatchEvent(follows), 120);
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("a.open")) return;
    clearTimeout(following);
    byKeyboard = event.detail === 0 && event.isTrusted;
  });

  document.addEventListener("htmx:before:request", (event) => {
    const { ctx } = event.detail;
    if (!ctx.sourceElement.matches("a.open, #toasts form.undo")) return;
    if (sanad.unsaved(pane) && !confirm(sanad.words("unsaved"))) event.preventDefault();
    else if (ctx.sourceElement.matches("a.open")) chosen = ctx.sourceEvent !== follows;
  });

  // ── history ──────────────────────────────────────────────────────────────

  // Choosing a claim is a step to come back to; following the focus is none, and Back itself makes none.
  document.addEventListener("htmx:before:history:update", (event) => {
    const { history: step, sourceElement } = event.detail;
    if (!sourceElement.matches("a.open")) return;
    step.path = sourceElement.pathname + sourceElement.search; // of the page, not of the part that was asked for
    const here = location.pathname + location.search;
    if (restoring || step.path === here) event.preventDefault();
    else if (!chosen) step.type = "replace";
  });
  document.addEventListener("htmx:after:history:push", () => {
    list = listOf(location.href);
    note();
  });
  // Back to another claim of the same list opens it; anything else is loaded.
  addEventListener("popstate", (event) => (arriving = Boolean(event.state?.htmx)));
  document.addEventListener("htmx:before:history:restore", (event) => {
    arriving = false;
    if (listOf(location.href) !== list) return;
    const n = new URL(location.href).searchParams.get("claim");
    event.preventDefault();
    if (!n) return sheet(false);
    restoring = openClaim() !== n;
    if (!restoring) sheet(true);
    sanad.column.go(new URL(location.href), { step: false });
  });

  // Who comes back from a document finds the columns where they were.
  const columns = () => ["#results", ".bench-cols .bench-answer", ".bench-case", ".source-box"].map((s) => document.querySelector(s));
  const memory = () => "sanad-bench:" + listOf(location.href);
  addEventListener("pagehide", () => {
    const at = columns().map((column) => column?.scrollTop ?? 0);
    sessionStorage.setItem(memory(), JSON.stringify({ at, list: listAt, claim: openClaim() }));
    sessionStorage.setItem("sanad-list:" + location.pathname, list);
    sessionStorage.setItem("sanad-claim:" + location.pathname, location.search);
  });
  function recall() {
    const kept = JSON.parse(sessionStorage.getItem(memory()) ?? "null");
    const how = performance.getEntriesByType("navigation")[0]?.type;
    if (!kept || kept.claim !== openClaim() || (how !== "back_forward" && how !== "reload")) return;
    columns().forEach((column, i) => column && (column.scrollTop = kept.at[i]));
    listAt = kept.list;
  }

  // ── what htmx swapped ────────────────────────────────────────────────────

  document.addEventListener("htmx:after:swap", (event) => {
    const source = event.detail.ctx.sourceElement;
    const opened = event.detail.ctx.target === pane;
    if (source.matches(".nearest")) return; // what came later of the same claim
    if (opened && (chosen || restoring)) sheet(true);
    place();
    if (opened) {
      pane.closest(".bench-case").scrollTop = 0;
      restoring = false;
    }
    if (opened && byKeyboard) pane.querySelector(".claim-text")?.focus();
    byKeyboard = false;
    if (!opened && (source.matches(".claim-view, form.review, form.undo") || source.closest(".claim-view"))) {
      mark();
      const wrong = pane.querySelector("[aria-invalid=true], .claim-alerts > [role=alert], #r-a:has(.err)");
      const onward = sanad.onward && !wrong;
      sanad.onward = false;
      (wrong ?? (wide.matches ? linkOf(openClaim() ?? "") : null) ?? pane.querySelector(".claim-text"))?.focus();
      if (onward) sanad.advance?.(Number(openClaim())); // decided: on to the next one
    }
    if (opened) document.dispatchEvent(new CustomEvent("sanad:opened"));
  });

  // Escape goes back from the claim to its row.
  pane.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    if (covers() && bench.hasAttribute("data-sheet")) close();
    else linkOf(openClaim() ?? "")?.focus();
  });

  place();
  document.addEventListener("DOMContentLoaded", recall); // after the other scripts have moved what they move
})();

// A page that leads back to a claim of a ledger leads to the list as it was left, with its filter.
for (const link of document.querySelectorAll("a[data-to-claim]")) {
  const url = new URL(link.href);
  const list = sessionStorage.getItem("sanad-list:" + url.pathname);
  if (!list) continue;
  const to = new URL(list, location.href);
  const n = url.searchParams.get("claim");
  to.searchParams.set("claim", n);
  const left = new URLSearchParams(sessionStorage.getItem("sanad-claim:" + url.pathname) ?? ""); // the claim as it was left
  for (const name of left.get("claim") === n ? ["view", "passage"] : []) if (left.has(name)) to.searchParams.set(name, left.get(name));
  link.href = to.pathname + to.search;
}
