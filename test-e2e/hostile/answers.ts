// Ways to answer a request that hurt a client which trusts the server. What is huge is made while it is sent: it takes neither memory nor time here.
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Answer } from "./hostile-server.ts";

/** Reads the request and never answers. */
export const neverAnswers: Answer = () => undefined;

/** Sends the head, then one byte of the body from time to time, for ever. */
export function drips(everyMs: number): Answer {
  return async (_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    while (!response.destroyed) {
      response.write(" ");
      await sleep(everyMs);
    }
  };
}

/** A text of any size: `opening`, then `filler` again and again up to the size, then `closing`. */
export interface LargeText {
  /** Of the whole text, about. */
  readonly bytes: number;
  readonly opening?: string;
  /** A short text, or one that depends on how many came before it. Default: a space. */
  readonly filler?: string | ((index: number) => string);
  readonly closing?: string;
}

export interface AnswerHead {
  readonly status?: number;
  /** Default: application/json. */
  readonly contentType?: string;
}

const chunkBytes = 1024 * 1024;

/** Each call of the result makes the text once more; what is the same each time is made once. */
function chunksOf({ bytes, opening = "", filler = " ", closing = "" }: LargeText): () => Generator<Buffer> {
  const [head, tail] = [Buffer.from(opening), Buffer.from(closing)];
  const unit = typeof filler === "string" ? filler : " ";
  const repeated = Buffer.from(unit.repeat(Math.max(1, Math.floor(chunkBytes / unit.length))));
  return function* chunks() {
    yield head;
    if (typeof filler !== "function") {
      for (let sent = 0; sent < bytes; sent += repeated.length) yield repeated;
    } else {
      for (let sent = 0, index = 0; sent < bytes;) {
        let text = "";
        while (text.length < chunkBytes && sent + text.length < bytes) text += filler(index++);
        sent += text.length;
        yield Buffer.from(text);
      }
    }
    yield tail;
  };
}

function answerWith(chunks: () => Iterable<Buffer>, headers: Readonly<Record<string, string>>, status = 200): Answer {
  return async (_request, response) => {
    response.writeHead(status, headers);
    await pipeline(Readable.from(chunks()), response);
  };
}

/** A whole, correct answer of any size. */
export function floods(text: LargeText, { status, contentType = "application/json" }: AnswerHead = {}): Answer {
  return answerWith(chunksOf(text), { "content-type": contentType }, status);
}

/** The same in gzip, a thousand times smaller on the wire when the filler is a text. */
export function bombs(text: LargeText, { status, contentType = "application/json" }: AnswerHead = {}): Answer {
  const chunks = chunksOf(text);
  // A gzip file may have many members; equal ones are made once.
  const known = new Map<Buffer, Buffer>();
  function* members(): Generator<Buffer> {
    for (const chunk of chunks()) {
      const member = known.get(chunk) ?? gzipSync(chunk);
      if (typeof text.filler !== "function") known.set(chunk, member);
      yield member;
    }
  }
  return answerWith(members, { "content-type": contentType, "content-encoding": "gzip" }, status);
}

/** Promises so many bytes, sends fewer, and keeps the connection. */
export function liesAboutLength(promisedBytes: number, body: string): Answer {
  return (_request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": `${promisedBytes}` });
    response.write(body);
  };
}

/** Sends the client to another place, with every credential that it may bring. */
export function redirects(location: string | ((path: string) => string), status = 307): Answer {
  return ({ url = "/" }, response) => {
    response.writeHead(status, { location: typeof location === "string" ? location : location(url) });
    response.end();
  };
}

/** Answers as the first path that the request's path starts with says, with 404 otherwise. */
export function byPath(answers: Readonly<Record<string, Answer>>): Answer {
  return (request, response) => {
    const path = Object.keys(answers).find((prefix) => (request.url ?? "").startsWith(prefix));
    const answer = path === undefined ? undefined : answers[path];
    if (answer !== undefined) return answer(request, response);
    response.writeHead(404).end();
    return undefined;
  };
}

/** The index of a chart repository with entries `chart-0`, `chart-1`, ... of one version each. */
export function largeIndex(bytes: number): LargeText {
  return {
    bytes,
    opening: "apiVersion: v1\nentries:\n",
    filler: (index) =>
      `  chart-${index}:\n  - apiVersion: v2\n    name: chart-${index}\n    version: 1.0.0\n    description: ${"chart ".repeat(20)}\n    urls: [chart-${index}-1.0.0.tgz]\n`,
    closing: 'generated: "2026-01-01T00:00:00Z"\n',
  };
}

/** A list as an API server answers it, of ConfigMaps with little in them. */
export function largeList(bytes: number): LargeText {
  return {
    bytes,
    opening: '{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[',
    filler: (index) => `{"metadata":{"name":"map-${index}","namespace":"default"},"data":{"key":"value"}},`,
    closing: '{"metadata":{"name":"last","namespace":"default"}}]}',
  };
}
