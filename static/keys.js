// One-key commands: j k Enter c o m 1 2 3 4 n x u f / ? and g s, g n. They rest while somebody
// types, while a dialog is open, and when the reader has switched them off.
"use strict";

(() => {
  const help = document.getElementById("help");
  const setting = document.getElementById("use-keys");
  const off = "sanad-keys-off";
  let afterG = false;
  let pending = null;
  let underway = null; // the request of a review, until the page shows what came of it
  const onward = "sanad-onward";

  if (setting) {
    setting.checked = !localStorage.getItem(off);
    setting.addEventListener("change", () => (setting.checked ? localStorage.removeItem(off) : localStorage.setItem(off, "1")));
  }
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("[data-help]")) return;
    event.target.closest("details")?.removeAttribute("open");
    help?.showModal();
  });

  const rowInFocus = () => document.activeElement?.closest?.("tr.row") ?? document.querySelector("tr.row:has(a.open[aria-current])");

  function move(step) {
    const rows = [...document.querySelectorAll("tr.row")];
    const now = rows.indexOf(rowInFocus());
    // the first press goes to the claim that is shown, the next ones on from it
    const onward = document.activeElement?.closest?.("tr.row, #pane") ? step : 0;
    go(rows[now < 0 ? 0 : Math.min(Math.max(now + onward, 0), rows.length - 1)]);
  }

  /** Puts the focus on a row, where the reader sees it. */
  function go(next) {
    const link = next?.querySelector("a.open, th a");
    link?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: "nearest" });
  }

  Object.assign(window.sanad, { row: rowInFocus, go });

  /** Goes to the next claim that waits for the reader's decision: below n, else from the top, else on the next page. */
  function awaiting(n) {
    const rows = [...document.querySelectorAll("tr.row[data-awaits]")].filter((row) => row.id !== "claim-" + n);
    const number = (row) => Number(row.id.slice("claim-".length));
    const next = rows.find((row) => number(row) > n);
    const page = document.querySelector("#ledger .pager a[rel=next]");
    const to = next ?? (page ? null : rows[0]);
    if (to?.checkVisibility()) return go(to);
    if (to) return to.querySelector("a.open").click(); // the claim covers the list: the next one takes its place
    if (!page) return finish();
    sessionStorage.setItem(onward, "1");
    location.assign(page.href);
  }
  window.sanad.advance = awaiting;

  /** Goes to the end of the list: what is left, the next session, closing this one. */
  function finish() {
    sanad.toast(sanad.words("all-settled"));
    const end = document.getElementById("list-end");
    if (end && !end.checkVisibility()) document.querySelector("[data-sheet-close]")?.click();
    end?.scrollIntoView({ block: "nearest" });
    (end?.querySelector("button, a") ?? end)?.focus();
  }
  if (sessionStorage.getItem(onward)) {
    sessionStorage.removeItem(onward);
    awaiting(0);
  }

  /** Takes back what was done last: the newest message's, else what the page or the open claim offers, else says why not. */
  function undo() {
    const offers = [...document.querySelectorAll("[data-undo]")];
    const offer = offers.findLast((button) => button.closest("#toasts")) ?? offers[0];
    if (offer) offer.click();
    else sanad.toast(document.querySelector("[data-no-undo]")?.textContent);
  }

  /** Runs action on the form of the row in focus, opening its claim first if need be; verdict is a number in its list. */
  function review(action, verdict = 0) {
    if (underway) return; // one at a time: the next claim is not there yet
    const row = rowInFocus();
    const view = document.querySelector(".claim-view");
    if (row && row.id !== "claim-" + view?.dataset.n) {
      if (action !== "confirm") pending = [action, verdict]; // nobody confirms what is not shown yet
      row.querySelector("a.open")?.click();
      return;
    }
    const form = document.querySelector("form.review");
    if (form && view.closest("#pane") && !form.matches("[data-htmx-powered]")) {
      // just swapped in: sent now, it would leave the page
      requestAnimationFrame(() => form.isConnected && review(action, verdict));
      return;
    }
    const choice = form?.querySelector(`input[name=action][value=${action}]:not(:disabled)`);
    if (!choice) {
      if (form && action === "confirm") sanad.toast(sanad.words("no-verdict"));
      return;
    }
    choice.checked = true;
    reason(form);
    if (action === "confirm") return form.requestSubmit();
    form.scrollIntoView({ block: "nearest" });
    if (action === "comment") return form.querySelector("textarea").focus();
    const select = form.querySelector("select[name=verdict]");
    if (verdict) select.selectedIndex = verdict; // after "choose one"
    (verdict ? form.querySelector("textarea[name=reason]") : select).focus();
  }
  /** Goes to the field of a comment: of the claim, or of the page, such as that of a pack. */
  function comment() {
    const field = document.querySelector("textarea#comment");
    if (!field) return review("comment");
    field.scrollIntoView({ block: "nearest" });
    field.focus();
  }

  /** Says in the field for the reason whether the chosen action needs one. */
  function reason(form) {
    const area = form?.querySelector("textarea[name=reason]");
    const needed = form?.querySelector("input[name=action]:checked:is([value=override], [value=not_a_claim])");
    if (area) area.placeholder = needed ? area.dataset.reasonNeeded : area.dataset.reason;
  }
  document.addEventListener("change", ({ target }) => target.matches("form.review input[name=action]") && reason(target.form));
  // Who opens the quiet actions by a key goes on among them: Tab alone leads to the chosen one of all.
  document.addEventListener("click", ({ target }) => {
    const more = target.closest?.(".more-actions > summary")?.parentElement;
    if (more && !more.open) setTimeout(() => more.querySelector("input:not(:disabled)")?.focus());
  });
  // Confirm and override go on to the next claim, by key or by button.
  document.addEventListener(
    "submit",
    ({ target: form }) => {
      if (form.matches("form.review")) sanad.onward = ["confirm", "override"].includes(new FormData(form).get("action"));
    },
    true,
  );
  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    if (ctx.sourceElement.matches("form.review, form.undo")) underway = ctx;
  });
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (ctx === underway) underway = null;
  });
  document.addEventListener("sanad:opened", () => {
    const waiting = pending;
    pending = null;
    if (waiting) review(...waiting);
  });

  /** Opens the filters, at the first of them. */
  function filters() {
    const menu = document.querySelector("details.more-filters");
    if (!menu) return;
    menu.open = true;
    menu.querySelector("select").focus();
  }

  const commands = {
    j: () => move(1),
    k: () => move(-1),
    c: () => review("confirm"),
    o: () => review("override"),
    m: comment,
    ...Object.fromEntries([1, 2, 3, 4].map((n) => [n, () => review("override", n)])),
    // the claim that is shown counts as the next one until somebody goes to it
    n: () => awaiting(Number(rowInFocus()?.id.slice("claim-".length) ?? 0) - (document.activeElement?.closest?.("tr.row, #pane") ? 0 : 1)),
    x: () => window.sanad.pick?.(rowInFocus()),
    u: undo,
    f: () => filters(),
    "/": () => (document.getElementById("f-q") ? document.getElementById("f-q").focus() : sanad.palette?.()),
    "?": () => help?.showModal(),
  };

  /** The key as the Latin keyboard names it, also when it types Arabic. */
  function keyOf(event) {
    if (event.key.length === 1 && event.key.charCodeAt(0) < 128) return event.key.toLowerCase();
    if (event.code === "Slash") return event.shiftKey ? "?" : "/";
    if (/^(Digit|Numpad)[1-4]$/.test(event.code)) return event.code.at(-1);
    return event.code.startsWith("Key") ? event.code.slice(3).toLowerCase() : "";
  }

  /** Whether a press is a command: nobody types, no dialog is open, and the commands are on. */
  window.sanad.keysOn = (event) =>
    !event.defaultPrevented &&
    !event.isComposing &&
    !localStorage.getItem(off) &&
    !document.querySelector("dialog[open]") &&
    !event.target.closest?.("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]");

  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches?.("form:has([data-mentions]) :is(textarea, select, input)")) {
      event.preventDefault();
      event.target.form.requestSubmit();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || !window.sanad.keysOn(event)) return;
    const key = keyOf(event);
    const places = { s: "/sessions", n: "/next?after=" + (location.pathname.split("/")[2] ?? "") };
    if (afterG && places[key]) {
      event.preventDefault();
      location.assign(places[key]);
      return;
    }
    afterG = key === "g";
    if (!commands[key]) return;
    event.preventDefault();
    commands[key]();
  });
})();
