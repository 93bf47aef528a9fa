// A pack's sheets: signing and returning open over the pack, at the end side. Each is the page of its own address, so
// without this it simply is that page. A refused form comes back into the sheet, with what was typed.
"use strict";

(() => {
  let dialog;

  /** Shows the sheet of a page; false if the page has none. */
  function show(html) {
    const deed = new DOMParser().parseFromString(html, "text/html").getElementById("deed");
    if (!deed) return false;
    if (!dialog) {
      dialog = document.createElement("dialog");
      dialog.className = "side";
      dialog.setAttribute("aria-labelledby", "deed-h");
      dialog.addEventListener("click", clicked);
      dialog.addEventListener("submit", send);
      document.body.append(dialog);
    }
    dialog.replaceChildren(document.importNode(deed, true));
    if (!dialog.open) dialog.showModal();
    const fault = dialog.querySelector("[aria-invalid], [role=alert]");
    if (fault?.matches("input, textarea")) fault.focus();
    else fault?.scrollIntoView({ block: "nearest" });
    return true;
  }

  /** Follows a link of the sheet: away from it, or to a place of the page beneath. */
  function clicked(event) {
    const link = event.target.closest("a[href]");
    if (event.target === dialog) {
      const box = dialog.getBoundingClientRect();
      const inside = event.clientX >= box.left && event.clientX <= box.right;
      if (!inside && !sanad.unsaved(dialog)) dialog.close();
    } else if (link?.matches("[data-close]")) {
      event.preventDefault();
      dialog.close();
    } else if (link && link.pathname === location.pathname && !link.search) {
      event.preventDefault();
      dialog.close();
      location.hash = link.hash;
    }
  }

  async function send(event) {
    event.preventDefault();
    const form = event.target;
    if (form.ariaBusy === "true") return;
    form.ariaBusy = "true";
    try {
      const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
      if (answer.redirected) {
        location.assign(answer.url);
        return;
      }
      document.dispatchEvent(new Event("sanad:unsent"));
      if (!show(await answer.text())) sanad.toast(sanad.words("failed"), true);
    } catch {
      document.dispatchEvent(new Event("sanad:unsent"));
      sanad.toast(sanad.words("offline"), true);
    } finally {
      form.ariaBusy = "false";
    }
  }

  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("a[data-sheet]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    try {
      const answer = await fetch(link.href, { cache: "no-store" });
      if (answer.redirected || !answer.ok || !show(await answer.text())) location.assign(link.href);
    } catch {
      sanad.toast(sanad.words("offline"), true);
    }
  });
})();
