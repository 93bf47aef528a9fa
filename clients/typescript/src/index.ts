// Sanad's API, version 1, typed: openapi-fetch with the types of openapi.ts, which `make clients` generates.
import createClient, { type Client, type Middleware } from "openapi-fetch";

import type { components, operations, paths } from "./openapi.js";

export type { components, operations, paths } from "./openapi.js";

/** Problem details (RFC 9457), as every error is answered. */
export type ProblemDetails = components["schemas"]["ProblemDetails"];

/** What the server refused. */
export class SanadProblem extends Error {
  constructor(readonly status: number, readonly headers: Headers, readonly problem: Partial<ProblemDetails>) {
    super([status, problem.title, problem.path && problem.path + ":", problem.detail].filter(Boolean).join(" "));
    this.name = "SanadProblem";
  }
}

/** The server did not answer: no connection, or it broke. Whether it had done what was asked is not known. */
export class SanadUnreachable extends Error {
  constructor(readonly method: string, readonly url: string, cause: unknown) {
    super(`${method} ${url}: the server did not answer`, { cause });
    this.name = "SanadUnreachable";
  }
}

export interface Options {
  /** The server, such as https://sanad.example. */
  baseUrl: string;
  /** A token of the API: `sanad token add`. */
  token: string;
  /** How often a call that may be repeated is sent again on 429, on 503 and where the connection broke; 4 by default. */
  retries?: number;
  /** The longest time to wait before that, in milliseconds; 60,000 by default. */
  longestWait?: number;
  fetch?: (request: Request) => Promise<Response>;
  sleep?: (milliseconds: number) => Promise<void>;
}

/**
 * Returns a client. Calls that store something get an Idempotency-Key where none is given, so they may be repeated. What the
 * server refuses is thrown as a SanadProblem, and where none answers a SanadUnreachable; a call that its own signal ended
 * throws what fetch does. Redirects are not followed: the token would go with them.
 */
export function createSanad(options: Options): Client<paths> {
  check(options);
  const client = createClient<paths>({
    baseUrl: options.baseUrl.replace(/\/+$/, ""),
    redirect: "manual",
    headers: { Authorization: "Bearer " + options.token },
    fetch: (request) => repeated(request, options),
  });
  client.use(keys, problems);
  return client;
}

/** Refuses an address or a token that cannot be, without repeating it. */
function check({ baseUrl, token }: Options) {
  if (!/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i.test(baseUrl ?? "")) {
    throw new TypeError("baseUrl: give the server's address, such as https://sanad.example, without user, ? and #");
  }
  if (/\/api\/v1\/*$/i.test(baseUrl)) {
    throw new TypeError("baseUrl ends with /api/v1, which calls add themselves: leave it out");
  }
  if (!/^[!-~]+$/.test(token ?? "")) {
    throw new TypeError("token: give a token, as `sanad token add` prints it, without spaces and line breaks");
  }
}

/** Gives POST, PUT, PATCH and DELETE an Idempotency-Key. Calls that take none ignore it. */
const keys: Middleware = {
  onRequest({ request }) {
    if (request.method !== "GET" && !request.headers.has("Idempotency-Key")) {
      request.headers.set("Idempotency-Key", crypto.randomUUID());
    }
    return request;
  },
};

const problems: Middleware = {
  async onResponse({ response }) {
    if (response.ok || response.status === 304) return undefined;
    let problem: Partial<ProblemDetails> = {};
    try {
      problem = await response.clone().json();
    } catch {
      // no problem details: a proxy answered
    }
    throw new SanadProblem(response.status, response.headers, problem);
  },
};

/** Calls that store something and take no Idempotency-Key, because their answer has a secret: they are never repeated. */
const once = /\/api\/v1\/(account\/tokens|webhooks|webhooks\/[^/]+\/rotate)$/;

async function repeated(request: Request, options: Options): Promise<Response> {
  const send = options.fetch ?? fetch;
  const sleep = options.sleep ?? ((ms: number) => new Promise<void>((done) => setTimeout(done, ms)));
  const longest = options.longestWait ?? 60_000;
  const repeats = request.method !== "POST" || !once.test(new URL(request.url).pathname);
  for (let attempt = 0; ; attempt++) {
    const last = !repeats || attempt >= (options.retries ?? 4);
    let wait = Math.min(1000 * 2 ** attempt, longest);
    try {
      const response = await send(last ? request : request.clone());
      const after = response.headers.get("Retry-After") ?? "";
      if (/^\d+$/.test(after)) wait = 1000 * Number(after);
      if (last || (response.status !== 429 && response.status !== 503) || wait > longest) return response;
      await response.body?.cancel();
    } catch (broken) {
      if (request.signal.aborted) throw broken;
      if (last) throw new SanadUnreachable(request.method, request.url, broken);
    }
    await sleep(wait);
  }
}

/** The parts of a call's form. */
export type FormOf<O extends keyof operations> = operations[O] extends {
  requestBody?: { content: { "multipart/form-data": infer F } };
}
  ? F
  : never;

/** What may be sent for a part: a text or a file where either is taken, and lists of files. */
export type Parts<F> = { [K in keyof F]?: F[K] extends readonly unknown[] | undefined ? readonly File[] : string | File };

/**
 * Makes the body of a call that takes files:
 * `sanad.POST("/api/v1/sessions", formOf<"importSession">({ answer, documents: [new File([bytes], "HR.pdf")] }))`
 */
export function formOf<O extends keyof operations>(parts: Parts<FormOf<O>>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) form.append(name, item as string | Blob);
    }
  }
  return { body: form as unknown as FormOf<O>, bodySerializer: () => form };
}
