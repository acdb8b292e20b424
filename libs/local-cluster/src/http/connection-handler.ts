import type { IncomingMessage, ServerResponse } from "node:http";
import type { Answer, LineWriter, StreamAnswer } from "./answer.ts";
import { warningHeaders } from "./warning-headers.ts";

/** More unsent bytes than this and a watch is cut: its client does not read. */
const maxBufferedBytes = 64 * 1024 * 1024;

/** Reads a request's body; undefined when it is larger than `limitBytes`. Rejects when the client goes away first. */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    // no encoding is set, so that chunks are buffers
    size += chunk.length;
    if (size <= limitBytes) chunks.push(chunk);
  }
  if (size > limitBytes) return undefined;
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
}

export function writeAnswer(response: ServerResponse, answer: Answer): void {
  const { code, body, contentType = "application/json", warnings = [], headers = {} } = answer;
  const all: Record<string, string | number | string[]> = {
    ...headers,
    "Content-Type": contentType,
    "Cache-Control": "no-cache, private",
    "Content-Length": Buffer.byteLength(body),
  };
  if (warnings.length > 0) all["Warning"] = [...warningHeaders(warnings)];
  response.writeHead(code, all);
  response.end(body);
}

/** Keeps `response` open for a watch; the returned function cuts it. */
export function writeStream(response: ServerResponse, answer: StreamAnswer): () => void {
  const { contentType = "application/json", warnings = [] } = answer;
  const warningsHeader = warnings.length > 0 ? { Warning: [...warningHeaders(warnings)] } : {};
  response.writeHead(200, { "Content-Type": contentType, "Cache-Control": "no-cache, private", ...warningsHeader });
  response.flushHeaders();
  let over = false;
  let stop = (): void => undefined;
  const finish = (): void => {
    if (over) return;
    over = true;
    stop();
  };
  const writer: LineWriter = {
    write: (line) => {
      if (over) return;
      response.write(line);
      if (response.writableLength > maxBufferedBytes) response.destroy();
    },
    end: () => {
      if (over) return;
      finish();
      response.end();
    },
  };
  response.once("close", finish);
  stop = answer.start(writer);
  if (over) stop();
  return () => {
    finish();
    response.destroy();
  };
}
