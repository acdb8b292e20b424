import { promisify } from "node:util";
import { constants, gunzip } from "node:zlib";
import { cleanPath } from "@landscaper/golang";
import { extract, type Header } from "tar-stream";
import { ChartError } from "./chart-error.ts";
import { LoadBudget } from "./load-budget.ts";
import type { ChartFile } from "./chart.ts";
import { withoutByteOrderMark } from "./byte-order-mark.ts";

const inflate = promisify(gunzip);

/** Headers of an archive's entries, and the zeros that fill its blocks. */
const overheadBytesPerFile = 2048;

/**
 * The files of a packed chart (tar and gzip), without the folder that they are all in. Links and devices are files
 * without content, as Helm has them. Throws ChartError with Helm's message for names that lead out of the chart and for
 * content beyond the budget.
 */
export async function readArchive(data: Uint8Array, budget: LoadBudget = new LoadBudget()): Promise<ChartFile[]> {
  const files: ChartFile[] = [];
  await readTar(await unzip(data, budget), {
    accept: ({ name, size }) => {
      const path = pathInChart(name);
      budget.takeArchived(name, size ?? 0);
      return path;
    },
    add: (name, content) => files.push({ name, data: withoutByteOrderMark(content) }),
  });
  if (files.length === 0) throw new ChartError("no files in chart archive");
  return files;
}

async function unzip(data: Uint8Array, budget: LoadBudget): Promise<Buffer> {
  if (data.length === 0) throw new ChartError("EOF");
  if (data.length < 10) throw new ChartError("unexpected EOF");
  const maxOutputLength = budget.bytesLeft + overheadBytesPerFile * (1 + budget.filesLeft);
  try {
    // What is cut off may be no more than what follows the archive's end.
    return await inflate(data, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    if (hasText(error, "code", "ERR_BUFFER_TOO_LARGE")) throw budget.tooLarge();
    throw new ChartError(gzipProblem(error), { cause: error });
  }
}

function gzipProblem(error: unknown): string {
  if (hasText(error, "message", "header")) return "gzip: invalid header";
  if (hasText(error, "code", "Z_BUF_ERROR")) return "unexpected EOF";
  return hasText(error, "message", " check") ? "gzip: invalid checksum" : "flate: corrupt input";
}

/** Errors of Node.js itself may be of another realm's class. */
function hasText(error: unknown, field: "code" | "message", text: string): boolean {
  const value: unknown = typeof error === "object" && error !== null ? Reflect.get(error, field) : undefined;
  return typeof value === "string" && value.includes(text);
}

interface TarVisitor {
  /** The name of a file whose content is wanted. */
  readonly accept: (header: Header) => string;
  readonly add: (name: string, content: Uint8Array) => void;
}

async function readTar(tar: Uint8Array, { accept, add }: TarVisitor): Promise<void> {
  const entries = extract();
  entries.end(tar);
  try {
    for await (const entry of entries) {
      const { header } = entry;
      if (header.type === "directory") {
        entry.resume();
        continue;
      }
      const name = accept(header);
      const chunks: Uint8Array[] = [];
      for await (const chunk of entry) chunks.push(chunk as Uint8Array); // tar-stream's chunks are those it was given
      add(name, Buffer.concat(chunks));
    }
  } catch (error) {
    if (error instanceof ChartError) throw error;
    const isCut = hasText(error, "message", "Unexpected end of data");
    throw new ChartError(isCut ? "unexpected EOF" : "archive/tar: invalid tar header", { cause: error });
  }
}

/** The name below the folder that an archive's files are in. */
function pathInChart(name: string): string {
  const delimiter = name.includes("\\") ? "\\" : "/";
  const parts = name.split(delimiter);
  const path = parts.slice(1).join("/");
  if (path.startsWith("/")) throw new ChartError("chart illegally contains absolute paths", { file: name });
  const clean = cleanPath(path);
  if (clean === ".") {
    throw new ChartError(`chart illegally contains content outside the base directory: "${name}"`, { file: name });
  }
  if (clean.startsWith("..")) throw new ChartError("chart illegally references parent directory", { file: name });
  if (/^[a-zA-Z]:\//.test(clean)) throw new ChartError("chart contains illegally named files", { file: name });
  return clean;
}
