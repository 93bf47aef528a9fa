// Word counts of the memo while it is written: UAX #29 words with a letter or
// digit; references such as [E1] and Markdown's signs don't count, as on the
// server (rule P-8), whose count stands there without this.
"use strict";

(() => {
  const form = document.querySelector("form[data-words]");
  if (!form || !Intl.Segmenter) return;
  const arabic = form.dataset.digits === "arab";
  const figure = (n) => (arabic ? String(n).replace(/\d/g, (d) => "٠١٢٣٤٥٦٧٨٩"[d]) : String(n));

  function count(text, lang) {
    const bare = text
      .replace(/\[E[0-9]{1,4}\]/g, " ")
      .replace(/^[ \t>]*[0-9]{1,9}[.)](?:[ \t]|$)/gm, " ")
      .replace(/\]\([^()\s]*(?:\s+"[^"]*")?\)/g, "] ")
      .replace(/\*|~~|`/g, "")
      .replace(/(^|[^\p{L}\p{N}_])_+|_+([^\p{L}\p{N}_]|$)/gu, "$1 $2")
      .replace(/\\([!-/:-@[-`{-~])/g, "$1");
    let n = 0;
    for (const piece of new Intl.Segmenter(lang, { granularity: "word" }).segment(bare)) {
      if (/[\p{L}\p{N}]/u.test(piece.segment)) n++;
    }
    return n;
  }

  for (const shown of form.querySelectorAll("[data-count]")) {
    const field = document.getElementById(shown.dataset.count);
    const most = Number(shown.closest("[data-most]").dataset.most);
    field.addEventListener("input", () => {
      const n = count(field.value, field.lang);
      shown.textContent = form.dataset.words.replace("#", figure(n)).replace("#", figure(most));
      shown.classList.toggle("is-over", n > most);
    });
  }
})();
