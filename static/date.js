// A calendar for date fields, in the page's language and digits. The field itself is text and serves without it.
// Arrows move by days and weeks, Home and End within the week, Page Up and Down by months, with Shift by years.
"use strict";

(() => {
  const day = 86_400_000;
  let open = null; // { box, field, button, at: the day in focus }

  const digits = (s) => (document.documentElement.dataset.digits === "arab" ? s.replace(/\d/g, (d) => "٠١٢٣٤٥٦٧٨٩"[d]) : s);
  const iso = (date) => date.toISOString().slice(0, 10);

  /** The day that was typed, in digits of any kind; null if it is none. */
  function read(text) {
    const plain = text
      .replace(/[٠-٩]/g, (d) => String(d.charCodeAt(0) - 0x660))
      .replace(/[۰-۹]/g, (d) => String(d.charCodeAt(0) - 0x6f0));
    const [, y, m, d] = /^\D*(\d{4})[-/.‐-― ]+(\d{1,2})[-/.‐-― ]+(\d{1,2})\D*$/.exec(plain) ?? [];
    const date = new Date(Date.UTC(Number(y), Number(m) - 1, Number(d)));
    return y >= "1900" && y < "3000" && date.getUTCMonth() === m - 1 && date.getUTCDate() === Number(d) ? date : null;
  }

  function element(name, attributes, ...content) {
    const e = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    e.append(...content);
    return e;
  }

  /** The month of a date, moved by some months; a day that it lacks becomes its last. */
  function months(date, n) {
    const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + n, 1);
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + n + 1, 0)).getUTCDate();
    return new Date(first + (Math.min(date.getUTCDate(), last) - 1) * day);
  }

  function draw() {
    const { box, field, at } = open;
    const { months: names, first, today, tDays, tShort, tNext, tBefore, tTitle } = box.dataset;
    const [full, short] = [tDays.split("|"), tShort.split("|")];
    const week = [...Array(7).keys()].map((i) => (i + Number(first)) % 7);
    const month = names.split("|")[at.getUTCMonth()] + " " + digits(String(at.getUTCFullYear()));
    const start = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
    const chosen = read(field.value);
    const head = element("tr", {}, ...week.map((d) => element("th", { scope: "col", abbr: full[d] }, short[d])));
    const rows = [];
    for (let t = start - ((start.getUTCDay() - Number(first) + 7) % 7) * day; rows.length < 6; ) {
      const row = element("tr", {});
      for (let i = 0; i < 7; i++, t += day) {
        const date = new Date(t);
        const here = date.getUTCMonth() === at.getUTCMonth();
        const cell = element("td", { "aria-selected": String(iso(date) === (chosen && iso(chosen))) });
        if (here) {
          const button = element("button", { type: "button", "data-day": iso(date), tabindex: iso(date) === iso(at) ? "0" : "-1" });
          button.append(digits(String(date.getUTCDate())));
          button.setAttribute("aria-label", `${full[date.getUTCDay()]}, ${digits(String(date.getUTCDate()))} ${month}`.replace(", ", document.documentElement.lang === "ar" ? "، " : ", "));
          if (iso(date) === today) button.setAttribute("aria-current", "date");
          cell.append(button);
        }
        row.append(cell);
      }
      if (row.querySelector("button")) rows.push(row);
      else if (rows.length) break;
    }
    const turn = (by, label, sign) => element("button", { type: "button", class: "btn btn-small btn-quiet", "data-turn": by, "aria-label": label, title: label }, sign);
    const caption = element("p", { "aria-live": "polite", id: field.id + "-month" }, month);
    const grid = element("table", { role: "grid", "aria-labelledby": caption.id }, element("thead", {}, head), element("tbody", {}, ...rows));
    const bar = element("div", { class: "calendar-bar" }, turn(-1, tBefore, "‹"), caption, turn(1, tNext, "›"));
    let calendar = box.querySelector(".calendar");
    if (!calendar) {
      calendar = element("div", { class: "calendar", role: "dialog", "aria-label": tTitle });
      box.append(calendar);
    }
    const turned = document.activeElement?.dataset?.turn;
    calendar.replaceChildren(bar, grid);
    (turned && calendar.querySelector(`[data-turn="${turned}"]`) || calendar.querySelector("[data-day][tabindex='0']")).focus({ preventScroll: true });
    const [place, own] = [calendar.getBoundingClientRect(), box.getBoundingClientRect()];
    const rtl = document.documentElement.dir === "rtl";
    calendar.classList.toggle("is-back", rtl ? own.right - place.width < 0 : own.left + place.width > document.documentElement.clientWidth);
  }

  function close(back) {
    if (!open) return;
    const { box, button } = open;
    open = null;
    box.querySelector(".calendar")?.remove();
    button.setAttribute("aria-expanded", "false");
    if (back) button.focus();
  }

  function show(button) {
    const box = button.closest("[data-date]");
    const field = box.querySelector("input");
    close(false);
    open = { box, field, button, at: read(field.value) ?? read(box.dataset.today) };
    button.setAttribute("aria-expanded", "true");
    draw();
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-date-open]");
    if (button) return open?.button === button ? close(true) : show(button);
    if (!open) return;
    if (!event.target.isConnected || !open.box.contains(event.target)) return event.target.isConnected ? close(false) : undefined;
    const turn = event.target.closest("[data-turn]");
    if (turn) {
      open.at = months(open.at, Number(turn.dataset.turn));
      return draw();
    }
    const chosen = event.target.closest("[data-day]");
    if (!chosen) return;
    const { field } = open;
    field.value = digits(chosen.dataset.day);
    field.removeAttribute("aria-invalid");
    close(true);
    for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
  });

  document.addEventListener("keydown", (event) => {
    if (!open || !open.box.contains(event.target)) return;
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      return close(true);
    }
    if (!event.target.matches("[data-day]") || event.ctrlKey || event.metaKey || event.altKey) return;
    const { at, box } = open;
    const side = document.documentElement.dir === "rtl" ? -1 : 1;
    const inWeek = (at.getUTCDay() - Number(box.dataset.first) + 7) % 7;
    const to = {
      ArrowRight: () => new Date(+at + side * day),
      ArrowLeft: () => new Date(+at - side * day),
      ArrowDown: () => new Date(+at + 7 * day),
      ArrowUp: () => new Date(+at - 7 * day),
      Home: () => new Date(+at - inWeek * day),
      End: () => new Date(+at + (6 - inWeek) * day),
      PageDown: () => months(at, event.shiftKey ? 12 : 1),
      PageUp: () => months(at, event.shiftKey ? -12 : -1),
    }[event.key]?.();
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    open.at = to;
    draw();
  }, true);

  // who tabs on past the calendar leaves it
  document.addEventListener("focusin", (event) => open && !open.box.contains(event.target) && close(false));

  // what is no day is marked where it stands; the list says it in words
  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-date] input")) return;
    if (event.target.value.trim() && !read(event.target.value)) event.target.setAttribute("aria-invalid", "true");
    else event.target.removeAttribute("aria-invalid");
  });
})();
