// The evidence column of a ledger: the evidence of the claim in focus, the
// text of its source, or the original. Its links are addresses of the ledger;
// here they change the column and leave the page as it is. Without this script
// they are links.
"use strict";

(() => {
  const bench = document.getElementById("bench");
  const pane = document.getElementById("pane");
  const column = () => document.getElementById("claim-source");
  const stays = ["text", "original"]; // views that go on with the next claim
  const told = ["view", "passage", "document", "chunk", "span", "find"];
  let asked = null; // the tab that was chosen has the focus again

  /** The address of the column of a claim, as a part of the page. */
  function partOf(url) {
    const query = new URLSearchParams([...url.searchParams].filter(([name]) => told.includes(name)));
    return bench.dataset.path + "/claims/" + url.searchParams.get("claim") + (query.size ? "?" + query : "");
  }

  /** Opens what an address of this ledger says: another view of the claim in focus, or another claim. */
  async function go(url, { step = true } = {}) {
    const n = url.searchParams.get("claim");
    const same = n === pane.querySelector(".claim-view")?.dataset.n;
    if (!same && sanad.unsaved(pane) && !confirm(sanad.words("unsaved"))) return;
    url.hash = "";
    if (step && url.href !== location.href) history.pushState({ htmx: true }, "", url);
    const part = same ? { target: "#claim-source", select: "#claim-source", swap: "outerHTML" } : { target: "#pane", swap: "innerHTML" };
    await htmx.ajax("GET", partOf(url), part);
  }

  /**
   * Brings the first word that decides into view where the passage above it is long, the last one too if the verdict stays
   * in view, or the end of a passage of which none does: within the column of evidence or, where the page scrolls, as far
   * as the claim stays in view beside a passage that fits into the window.
   */
  function showDeciding() {
    const quote = column()?.querySelector(".evidence blockquote");
    const words = [".core :is(.d-conflict, .d-differs)", ".core .d", ".quoted"];
    const marks = words.map((w) => [...(quote?.querySelectorAll(w) ?? [])]).find((found) => found.length) ?? [];
    const [decides, last] = [marks[0]?.getClientRects()[0], [...(marks.at(-1)?.getClientRects() ?? [])].at(-1)];
    const at = decides ?? [...(quote?.querySelectorAll(".core") ?? [])].at(-1)?.getBoundingClientRect();
    if (!at) return;
    const box = quote.closest(".bench-case");
    const scrolls = box && getComputedStyle(box).overflowY === "auto";
    const form = scrolls && box.querySelector("form.review");
    const stays = form && getComputedStyle(form).position === "sticky" && form.getBoundingClientRect().top;
    const [top, foot] = scrolls ? [box.getBoundingClientRect().top, box.getBoundingClientRect().bottom] : [0, innerHeight];
    const claim = document.querySelector(".claim-view .claim-text").getBoundingClientRect();
    const verdict = document.querySelector(".claim-view .why-lead")?.getBoundingClientRect() ?? claim;
    const needs = (r) => r.bottom + (decides ? r.height : 0) - Math.min(stays || innerHeight, foot); // with the line below it
    const by = Math.max(needs(at), decides ? Math.min(needs(last), verdict.top - top) : 0);
    if (by <= 0) return;
    if (scrolls) return void (box.scrollTop += decides ? by : Math.min(by, Math.max(0, claim.top - top)));
    if (by < claim.top || (decides && quote.getBoundingClientRect().height > innerHeight)) scrollBy(0, by);
  }

  /** Brings the passage into view within the text, and draws the original. */
  function arrive() {
    const box = column()?.querySelector(".source-box");
    const at = box?.querySelector("#passage") ?? box?.querySelector(".is-current");
    if (at) {
      const outer = box.getBoundingClientRect();
      const long = at.getBoundingClientRect().height > outer.height;
      const inner = ((long && at.querySelector(".conflict, mark")) || at).getBoundingClientRect();
      box.scrollTop += inner.top - outer.top - Math.max(0, outer.height - inner.height) / 3;
    }
    showDeciding();
    const original = column()?.querySelector("#original");
    if (original) import(original.dataset.module).then((module) => module.mount(original).draw());
  }
  /** Asks for the passages nearest to a claim without evidence. */
  function near() {
    const place = column()?.querySelector(".nearest[hx-get]");
    if (place) htmx.trigger(place, "nearest");
  }
  arrive();
  setTimeout(near); // once htmx knows the page
  if (!bench || !pane) return;
  sanad.column = { go, told };

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("#pane #claim-source a[href]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const url = new URL(link.href);
    if (url.pathname !== bench.dataset.path || !url.searchParams.has("claim")) return;
    event.preventDefault();
    asked = link.dataset.key ?? null;
    go(url);
  });

  // The next claim is shown in the view that was chosen.
  document.addEventListener("htmx:config:request", (event) => {
    const { ctx } = event.detail;
    const view = column()?.dataset.view;
    if (ctx.sourceElement.matches("a.open") && stays.includes(view)) ctx.request.action += "?view=" + view;
  });
  document.addEventListener("htmx:before:request", (event) => {
    const { ctx } = event.detail;
    if (ctx.target && ctx.target === column()) ctx.request.headers["HX-Request-Type"] = "partial"; // of which a part is taken
  });
  document.addEventListener("htmx:after:swap", (event) => {
    const { target } = event.detail.ctx;
    if (target !== pane && !target?.matches?.("#claim-source, #claim-view")) return;
    arrive();
    near();
    if (asked) column()?.querySelector(`.view-tabs [data-key="${asked}"]`)?.focus();
    asked = null;
  });
})();
