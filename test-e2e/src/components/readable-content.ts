import { gunzipSync } from "node:zlib";
import { readTree } from "@landscaper/components";

/** Text of a file, or texts of the files of an archive by name. */
export type ReadableContent = string | Readonly<Record<string, string>>;

/** Returns stored content without its packing. Of a packed artifact, these are the files of its layers. */
export async function readableContent(bytes: Buffer): Promise<ReadableContent> {
  const plain = isZipped(bytes) ? gunzipSync(bytes) : bytes;
  if (plain.subarray(257, 262).toString() !== "ustar") return plain.toString();
  const files = await readFiles(plain);
  if (!files.has("oci-layout")) return textsOf(files);
  const layers = [...files.values()].filter(isZipped);
  return Object.assign({}, ...(await Promise.all(layers.map(async (layer) => textsOf(await readFiles(layer))))));
}

function isZipped(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function readFiles(bytes: Uint8Array): Promise<ReadonlyMap<string, Uint8Array>> {
  const stream = async function* (): AsyncGenerator<Uint8Array> {
    yield bytes;
  };
  return await readTree(stream(), { where: "content" });
}

function textsOf(files: ReadonlyMap<string, Uint8Array>): Record<string, string> {
  return Object.fromEntries([...files].map(([name, content]) => [name, Buffer.from(content).toString()]));
}
