import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import type { UnstructuredObject } from "@landscaper/api";

/** A secret value that must be seen nowhere, and how to recognise it in any disguise. */
export interface Sentinel {
  /** With characters that YAML, JSON and HTML escape. */
  readonly value: string;
  /** Recognisable part of `value`. It has only letters and digits and begins with a letter, so that unquoted YAML reads it as a string. */
  readonly word: string;
  /** What of the text gives the value away: a piece of it, plain or inside base64 or gzip; undefined when nothing does. */
  readonly findIn: (text: string) => string | undefined;
}

/** Length in characters: short enough to find a truncated value, and long enough not to occur in unrelated text. */
const pieceLength = 10;

function gunzip(bytes: Buffer): string | undefined {
  try {
    return gunzipSync(bytes).toString("latin1");
  } catch {
    return undefined;
  }
}

/** What every base64 run of the text holds; a value inside a larger encoded text may start at any of four places. */
function* decodedTexts(text: string): Generator<string> {
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{16,}={0,2}/g)) {
    for (let offset = 0; offset < 4; offset += 1) {
      const bytes = Buffer.from(run.slice(offset), "base64");
      yield bytes.toString("latin1");
      if (bytes[0] === 0x1f && bytes[1] === 0x8b) yield gunzip(bytes) ?? "";
    }
  }
}

/** Returns all pieces of a secret by which `createRecognizer` finds it. A secret shorter than a piece is its only piece. */
function piecesOf(secret: string): readonly string[] {
  return Array.from({ length: Math.max(1, secret.length - pieceLength + 1) }, (_, at) =>
    secret.slice(at, at + pieceLength),
  );
}

/** Recognises `secret` (letters and digits) by any piece of it. */
export function createRecognizer(secret: string): (text: string) => string | undefined {
  const pieces = piecesOf(secret);
  const findPlain = (text: string): string | undefined => pieces.find((piece) => text.includes(piece));
  return (text) => {
    const plain = findPlain(text);
    if (plain !== undefined) return plain;
    for (const decoded of decodedTexts(text)) {
      const found = findPlain(decoded);
      if (found !== undefined) return `${found} (encoded)`;
    }
    return undefined;
  };
}

/**
 * Returns a function that makes sentinels. No two of its sentinels share a piece, so that a found piece identifies one sentinel. The function repeats `draw`
 * until the text has only new pieces. `draw` must return at least ten random letters and digits.
 */
export function createSentinelSource(draw: () => string): () => Sentinel {
  const used = new Set<string>();
  return () => {
    let secret = draw();
    while (piecesOf(secret).some((piece) => used.has(piece))) secret = draw();
    for (const piece of piecesOf(secret)) used.add(piece);
    const word = `sentinel${secret}`;
    return { value: `top "${word}" <&>`, word, findIn: createRecognizer(secret) };
  };
}

/** Makes a sentinel that shares no recognisable piece with any other sentinel of this process. */
export const createSentinel = createSentinelSource(() => randomBytes(16).toString("hex"));

/** The Secret "sentinel" whose entry "value" holds it, as imports read it. */
export function sentinelSecret({ value }: Sentinel): UnstructuredObject {
  const data = { value: Buffer.from(JSON.stringify(value)).toString("base64") };
  return { apiVersion: "v1", kind: "Secret", metadata: { name: "sentinel" }, data };
}
