// The memo of a draft while it is written: the previews, what is wrong with each field and the list of broken rules
// follow the typing, and chips insert references to the evidence. The server makes all of it and stores nothing; without
// this, a button asks for the same page. Fields are never redrawn, so that caret, focus and undo stay.
"use strict";

(() => {
  const form = document.querySelector("form[data-preview]");
  if (!form) return;
  const fields = [...form.querySelectorAll("input[lang], textarea[lang]")];
  const pause = 400; // milliseconds without a key until the server is asked
  let last = form.querySelector("textarea[lang]"); // the field that a reference goes into
  let timer, asking, again, told;

  // ── previews ──

  /** Says what the previews are worth, under their labels. */
  function state(words, old) {
    for (const view of document.querySelectorAll(".memo-preview")) {
      view.classList.toggle("is-old", old);
      if (old) view.title = words;
      else view.removeAttribute("title");
    }
    if (old && told !== words) sanad.toast(words, true); // once, not with every key
    told = old ? words : "";
  }

  /** Puts the parts of an answer in their places; where somebody is in one of them by keyboard, it stays. */
  function place(html) {
    const parts = new DOMParser().parseFromString(html, "text/html").querySelectorAll("[data-live][id]");
    for (const part of parts) {
      const was = document.getElementById(part.id);
      if (!was || was.innerHTML === part.innerHTML) continue;
      if (was.contains(document.activeElement) && was !== document.activeElement) continue;
      was.className = part.className;
      was.replaceChildren(...document.importNode(part, true).childNodes);
    }
    for (const field of fields) {
      const faults = document.getElementById(field.id + "-e");
      if (faults?.querySelector(".err")) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
    }
    return parts.length > 0;
  }

  /** Shows in the preview about the place where the caret is in its field. */
  function follow(field) {
    const view = field.closest(".memo-group")?.querySelector(".memo-preview");
    const room = view ? view.scrollHeight - view.clientHeight : 0;
    if (room > 0 && field.value) view.scrollTop = room * (field.selectionEnd / field.value.length);
  }

  async function ask() {
    clearTimeout(timer);
    if (asking) {
      again = true;
      return;
    }
    asking = true;
    again = false;
    try {
      const answer = await fetch(form.dataset.preview, {
        method: "POST",
        headers: { "HX-Request": "true" },
        body: new URLSearchParams(new FormData(form)),
        signal: AbortSignal.timeout(20_000),
      });
      if (answer.ok && !answer.redirected && place(await answer.text())) {
        state("", false);
        if (fields.includes(document.activeElement)) follow(document.activeElement);
      } else {
        state(await refusal(answer), true);
      }
    } catch {
      state(form.dataset.tOld, true);
    } finally {
      asking = false;
      if (again) ask();
    }
  }

  /** What a refusal says: the page of a text that is too long has the words beside its field. */
  async function refusal(answer) {
    if (answer.status === 413 && !answer.bodyUsed) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const words = page.querySelector("main [role=alert]")?.textContent.trim();
      if (words) return words;
    }
    return form.dataset.tRefused;
  }

  form.addEventListener("input", (event) => {
    if (!fields.includes(event.target)) return;
    clearTimeout(timer);
    timer = setTimeout(ask, pause);
  });
  for (const kind of ["keyup", "click"]) {
    form.addEventListener(kind, (event) => fields.includes(event.target) && follow(event.target));
  }
  form.querySelector("[data-preview-now]")?.addEventListener("click", (event) => {
    event.preventDefault();
    ask();
    document.querySelector(".memo-preview")?.scrollIntoView({ block: "nearest" });
  });
  addEventListener("online", () => told && ask());

  // ── chips ──

  form.addEventListener("focusin", (event) => {
    if (event.target.matches("textarea[lang]")) last = event.target;
  });

  /** Writes into a field at its caret as if it were typed, so that Ctrl+Z takes it back. */
  function insert(field, reference) {
    field.focus({ preventScroll: false });
    const before = field.value.slice(0, field.selectionStart);
    const after = field.value.slice(field.selectionEnd);
    const words = (/[^\s([«"]$/u.test(before) ? " " : "") + reference + (/^[\p{L}\p{N}]/u.test(after) ? " " : "");
    // deprecated, and still the one way that all browsers can undo
    if (!document.execCommand("insertText", false, words)) {
      field.setRangeText(words, field.selectionStart, field.selectionEnd, "end");
      field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText", data: words }));
    }
  }

  document.addEventListener("mousedown", (event) => {
    if (event.target.closest?.("[data-insert]")) event.preventDefault(); // the field keeps focus and caret
  });
  document.addEventListener("click", (event) => {
    const chip = event.target.closest?.("[data-insert]");
    if (!chip) return;
    const bar = chip.closest(".chips");
    insert(bar ? document.getElementById(bar.getAttribute("aria-controls")) : last, chip.dataset.insert);
  });

  /** Chips say whether their field names their source. */
  form.addEventListener("input", ({ target }) => {
    for (const chip of form.querySelectorAll(`.chips[aria-controls="${target.id}"] [data-insert]`)) {
      chip.classList.toggle("is-cited", target.value.includes(chip.dataset.insert));
    }
  });

  // One chip of a row is in the tab order; the arrows go to the others.
  form.addEventListener("keydown", (event) => {
    const bar = event.target.closest?.(".chips");
    if (!bar || event.ctrlKey || event.altKey || event.metaKey) return;
    const all = [...bar.querySelectorAll("[data-insert]")];
    const ahead = document.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
    const back = document.dir === "rtl" ? "ArrowRight" : "ArrowLeft";
    const at = all.indexOf(event.target);
    const to = { [ahead]: at + 1, [back]: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    const next = all[(to + all.length) % all.length];
    for (const chip of all) chip.tabIndex = chip === next ? 0 : -1;
    next.focus();
  });

})();
