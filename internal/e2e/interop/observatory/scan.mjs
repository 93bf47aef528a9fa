// Scores addresses of one server as the MDN HTTP Observatory does: its own retriever, tests and grader, in the order of
// its scanner/index.js, which knows no port, path or login. Reads {host, httpsPort, pages: [{path, cookie}]} as the first
// line of standard input and answers one line, a list with the score of each page and where its redirects ended.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import readline from "node:readline";

// The list of preloaded hosts is fetched by an install script, and those do not run here. No host of a test is in it.
const home = path.dirname(createRequire(import.meta.url).resolve("@mdn/mdn-http-observatory/package.json"));
const preloaded = path.join(home, "conf", "hsts-preload.json");
if (!fs.existsSync(preloaded)) fs.writeFileSync(preloaded, "{}");

const { retrieve } = await import("@mdn/mdn-http-observatory/src/retriever/retriever.js");
const { ALL_TESTS } = await import("@mdn/mdn-http-observatory/src/constants.js");
const { MINIMUM_SCORE_FOR_EXTRA_CREDIT } = await import("@mdn/mdn-http-observatory/src/grader/charts.js");
const { getGradeForScore, getScoreModifier } = await import("@mdn/mdn-http-observatory/src/grader/grader.js");

async function score({ host, httpsPort }, { path, cookie }) {
  const headers = ["Accept: text/html"];
  if (cookie) headers.push("Cookie: " + cookie);
  // port 9 answers nobody: there is no plain HTTP
  const found = await retrieve(host, { httpsPort, httpPort: 9, path, headers });
  const page = found.responses.auto;
  if (!page) throw new Error(path + ": no answer");
  const results = ALL_TESTS.map((test) => test(found));
  const modifiers = results.map((r) => getScoreModifier(r.result));
  const minus = modifiers.filter((m) => m < 0).reduce((a, b) => a + b, 100);
  const all = modifiers.reduce((a, b) => a + b, 100);
  const final = getGradeForScore(minus >= MINIMUM_SCORE_FOR_EXTRA_CREDIT ? all : minus);
  return {
    at: new URL(page.config.url).pathname, status: page.status, score: final.score, grade: final.grade,
    verified: page.verified, failed: results.filter((r) => !r.pass).map((r) => r.result),
    passed: results.filter((r) => r.pass).map((r) => r.result),
  };
}

const lines = readline.createInterface({ input: process.stdin });
lines.once("line", async (line) => {
  const config = JSON.parse(line);
  const answers = [];
  for (const page of config.pages) answers.push(await score(config, page));
  console.log(JSON.stringify(answers));
});
lines.once("close", () => process.exit(0));
