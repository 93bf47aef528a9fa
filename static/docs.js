"use strict";

// The description of the API: the side list marks the call that is being read, and keeps it in view.

(() => {
  const links = new Map([...document.querySelectorAll(".api-side .api-calls a")].map((a) => [a.hash.slice(1), a]));
  const calls = [...document.querySelectorAll(".api-call")].filter((call) => links.has(call.id));
  if (calls.length === 0) return;
  let marked = null;

  function mark() {
    const line = innerHeight / 4;
    let at = calls[0];
    for (const call of calls) if (call.getBoundingClientRect().top <= line) at = call;
    if (innerHeight + scrollY >= document.documentElement.scrollHeight - 2) {
      const asked = document.getElementById(location.hash.slice(1));
      if (calls.includes(asked)) at = asked;
    }
    const link = links.get(at.id);
    if (link === marked) return;
    marked?.removeAttribute("aria-current");
    link.setAttribute("aria-current", "location");
    marked = link;
    const side = link.closest(".api-side");
    const [a, b] = [link.getBoundingClientRect(), side.getBoundingClientRect()];
    if (a.top < b.top || a.bottom > b.bottom) side.scrollTop += a.top - b.top - side.clientHeight / 3;
  }

  let waits = false;
  addEventListener("scroll", () => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => { waits = false; mark(); });
  }, { passive: true });
  addEventListener("hashchange", mark);
  mark();
})();
