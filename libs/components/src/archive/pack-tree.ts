import { packFiles, type FileToPack } from "./pack-files.ts";
import { streamOf } from "./stream-of.ts";

type Files = AsyncIterable<readonly [path: string, content: Uint8Array]> | Iterable<readonly [string, Uint8Array]>;

/** The files as tar, without times and owners: equal files give equal bytes. */
export function packTree(files: Files): AsyncGenerator<Uint8Array> {
  return packFiles(toPack(files));
}

async function* toPack(files: Files): AsyncGenerator<FileToPack> {
  for await (const [name, bytes] of files) yield { name, size: bytes.length, content: () => streamOf(bytes) };
}
