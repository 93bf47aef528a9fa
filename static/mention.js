// Completes names after an @ in a comment, from the list of its form. The list
// is a listbox: arrow keys choose, Enter and Tab take, Escape closes. (A field
// of several lines may not be a combobox.) app.js loads this script when such a
// field is first in focus; without scripts the list is an ordinary choice.
"use strict";

(() => {
  const LONGEST = 60; // characters between the @ and the caret
  let box = null; // the open list, and what it completes
  let made = 0;
  let pressed = false; // a pointer is down: what is below the list stays until its click has arrived

  /** The people whom a field can address. */
  const peopleOf = (field) => [...(field.form?.querySelector("select[data-people]")?.options ?? [])].map((o) => o.value).filter(Boolean);

  const fold = (s) => s.toLocaleLowerCase();

  /** What is typed after the last @ before the caret; null if nothing is being addressed. */
  function typed(field) {
    const before = field.value.slice(0, field.selectionStart);
    const at = before.lastIndexOf("@");
    if (at < 0 || before.length - at > LONGEST || field.selectionStart !== field.selectionEnd) return null;
    if (at > 0 && /[\p{L}\p{M}\p{N}_]/u.test(before[at - 1])) return null;
    const word = before.slice(at + 1);
    return /\n/.test(word) ? null : { at, word };
  }

  function close() {
    if (!box) return;
    box.field.removeAttribute("aria-activedescendant");
    box.field.removeAttribute("aria-controls");
    box.list.remove();
    box = null;
  }

  function choose(i) {
    box.chosen = i;
    [...box.list.children].forEach((o, n) => o.setAttribute("aria-selected", String(n === i)));
    box.list.children[i].scrollIntoView({ block: "nearest" });
    box.field.setAttribute("aria-activedescendant", box.list.children[i].id);
  }

  function take(i) {
    const { field, at, word, names } = box;
    close();
    field.setRangeText(`@${names[i]} `, at, at + 1 + word.length, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
  }

  function option(name, i, id) {
    const o = document.createElement("li");
    o.id = `${id}-${i}`;
    o.role = "option";
    const bdi = document.createElement("bdi");
    bdi.textContent = name;
    o.append(bdi);
    o.addEventListener("pointerdown", (e) => {
      e.preventDefault();
      take(i);
    });
    return o;
  }

  function open(field) {
    close();
    const now = typed(field);
    const all = now ? peopleOf(field) : [];
    const names = all.filter((n) => n.split(/\s+/).some((_, i, words) => fold(words.slice(i).join(" ")).startsWith(fold(now.word)))).slice(0, 8);
    const whole = (name) => [name, ...name.split(" · ")].some((part) => fold(part.trim()) === fold(now.word.trim()));
    if (!names.length || (names.length === 1 && whole(names[0]))) return;
    const list = document.createElement("ul");
    list.className = "mention-list";
    list.role = "listbox";
    list.id = `mentions-${++made}`;
    list.setAttribute("aria-label", field.form.querySelector("select[data-people]").dataset.tList);
    list.append(...names.map((n, i) => option(n, i, list.id)));
    field.after(list);
    field.setAttribute("aria-controls", list.id);
    box = { field, list, names, at: now.at, word: now.word, chosen: 0 };
    choose(0);
  }

  function begin(field) {
    if (!field?.matches?.("textarea[data-mentions]")) return false;
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-haspopup", "listbox");
    return true;
  }

  document.addEventListener("focusin", (e) => begin(e.target));
  document.addEventListener("input", (e) => {
    if (e.target.matches?.("textarea[data-mentions]")) open(e.target);
  });
  document.addEventListener("focusout", () => pressed || close());
  document.addEventListener("pointerdown", () => (pressed = true), true);
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, () => {
      pressed = false;
      setTimeout(() => box && document.activeElement !== box.field && close()); // after the click
    }, true);
  }
  document.addEventListener("keydown", (e) => {
    if (!box || e.target !== box.field) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (step) choose((box.chosen + step + box.names.length) % box.names.length);
    else if (e.key === "Enter" || e.key === "Tab") take(box.chosen);
    else if (e.key === "Escape") close();
    else return;
    e.preventDefault();
    e.stopPropagation();
  }, true);
  if (begin(document.activeElement)) open(document.activeElement); // what was typed while this script was on its way
})();
