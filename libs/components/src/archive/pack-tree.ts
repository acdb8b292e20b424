import { pack } from "tar-stream";

type Files = AsyncIterable<readonly [path: string, content: Uint8Array]> | Iterable<readonly [string, Uint8Array]>;

/** The files as tar, without times and owners: equal files give equal bytes. */
export async function* packTree(files: Files): AsyncGenerator<Uint8Array> {
  const tar = pack();
  const writing = (async (): Promise<void> => {
    for await (const [name, content] of files) tar.entry({ name, mtime: new Date(0) }, Buffer.from(content));
    tar.finalize();
  })().catch((error: unknown) => tar.destroy(error instanceof Error ? error : new Error(String(error))));
  // tar-stream's chunks.
  for await (const part of tar) yield part as Buffer;
  await writing;
}
