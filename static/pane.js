// The evidence pane of the ledger. Beside the table it follows the row in
// focus; on a narrow screen it stands in place under the opened row. It is one
// element, moved, so that there is never a second copy of a form.
"use strict";

(() => {
  const pane = document.getElementById("pane");
  if (!pane) return;
  const home = pane.parentElement;
  const wide = matchMedia("(min-width: 1100px), print");
  let following = 0;
  let byKeyboard = false;

  const linkOf = (n) => document.querySelector(`#claim-${CSS.escape(n)} a.open`);
  const openClaim = () => pane.querySelector(".claim-view")?.dataset.n;

  /** Marks the opened claim in table and answer, and puts the pane where it belongs. */
  function place() {
    const n = openClaim();
    for (const link of document.querySelectorAll("a.open[aria-current], a.claim[aria-current]")) link.removeAttribute("aria-current");
    for (const link of document.querySelectorAll(`a.claim[data-n="${CSS.escape(n ?? "")}"]`)) link.setAttribute("aria-current", "true");
    const link = n && !pane.hidden ? linkOf(n) : null;
    link?.setAttribute("aria-current", "true");
    const row = link?.closest("tr");
    const under = document.querySelector("tr.detail");
    if (wide.matches || !row) {
      if (pane.parentElement !== home) home.append(pane);
      under?.remove();
    } else if (row.nextElementSibling !== under || !under) {
      const detail = under ?? document.createElement("tr");
      if (!under) {
        detail.className = "detail";
        detail.insertCell().colSpan = row.cells.length;
      }
      row.after(detail);
      detail.cells[0].append(pane);
    }
  }

  /** Gives the opened claim's place in the answer the verdict that it has now. */
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

  wide.addEventListener("change", () => {
    pane.hidden = false;
    place();
  });

  // A row is opened by its link; a click elsewhere in the row counts as one.
  document.addEventListener("click", (event) => {
    const row = event.target.closest?.("tr.row");
    if (!row || event.target.closest("a, button, input, label") || !getSelection().isCollapsed) return;
    row.querySelector("a.open")?.click();
  });

  // On a narrow screen the opened row closes again.
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a.open[aria-current]");
    if (!link || wide.matches || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (sanad.unsaved(pane) && !confirm(sanad.words("unsaved"))) return;
    pane.hidden = true;
    place();
    link.focus();
  }, true);

  // A claim in the answer leads to its row, if the filter shows it.
  document.addEventListener("click", (event) => {
    const claim = event.target.closest?.("a.claim[data-n]");
    const link = claim && linkOf(claim.dataset.n);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // a place of its own in the history, so that Back leads to where the answer was read
    location.hash = link.closest("tr").id;
    link.scrollIntoView({ block: "center" });
    link.focus({ preventScroll: true });
    link.click();
  });

  // Beside the table the pane follows the focus, unless words would be lost.
  document.addEventListener("focusin", (event) => {
    clearTimeout(following);
    const link = event.target.closest?.("a.open");
    if (!link || !wide.matches || link.hasAttribute("aria-current") || sanad.unsaved(pane)) return;
    following = setTimeout(() => link.dispatchEvent(new CustomEvent("open-claim")), 120);
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
  });

  // A swap of the table must not take the pane with it.
  document.addEventListener("htmx:before:swap", (event) => {
    if (event.detail.tasks.some(({ target }) => target instanceof Element && target !== pane && target.contains(pane))) home.append(pane);
  });

  document.addEventListener("htmx:after:swap", (event) => {
    const source = event.detail.ctx.sourceElement;
    const opened = event.detail.ctx.target === pane;
    if (opened) pane.hidden = false;
    place();
    if (opened && wide.matches) pane.scrollTop = 0;
    if (opened && byKeyboard) pane.querySelector(".claim-text")?.focus();
    byKeyboard = false;
    if (!opened && (source.matches(".claim-view, form.review, form.undo") || source.closest(".claim-view"))) {
      mark();
      const wrong = pane.querySelector("[aria-invalid=true], .claim-view > [role=alert]");
      const onward = sanad.onward && !wrong;
      sanad.onward = false;
      (wrong ?? linkOf(openClaim() ?? "") ?? pane.querySelector(".claim-text"))?.focus();
      if (onward) sanad.advance?.(Number(openClaim())); // confirmed by key: on to the next one
    }
    if (opened) document.dispatchEvent(new CustomEvent("sanad:opened"));
  });

  // Escape goes back from the pane to the row it belongs to.
  pane.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) linkOf(openClaim() ?? "")?.focus();
  });

  place();
})();
