// How far an import is, while one watches. Without this file the page renews
// itself; when the import has ended, or the line breaks, it is read again.
"use strict";

(() => {
  const job = document.querySelector("[data-job]");
  if (!job) return;
  const part = (name) => job.querySelector("[data-job-" + name + "]");
  const source = new EventSource(job.getAttribute("data-job"));
  const again = (after) => {
    source.close();
    setTimeout(() => location.reload(), after);
  };
  const judged = async () => {
    const html = await (await fetch(location.href)).text();
    const fresh = new DOMParser().parseFromString(html, "text/html").querySelector("[data-job-judged]");
    if (fresh) part("judged").replaceWith(document.adoptNode(fresh));
  };
  source.onmessage = (event) => {
    const now = JSON.parse(event.data);
    if (!now.open) return again(0);
    part("percent").textContent = now.percent_text;
    part("step").textContent = now.step;
    if (part("counted").textContent !== now.counted) judged().catch(() => {});
    part("counted").textContent = now.counted;
    part("warning").textContent = now.warning;
    part("warning").hidden = !now.warning;
    job.querySelector("progress").value = now.percent;
  };
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) again(5000);
  };
})();
