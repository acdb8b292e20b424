import { promisify } from "node:util";
import { constants, gunzip } from "node:zlib";
import { cleanPath, quote } from "@landscaper/golang";
import { ChartError } from "./chart-error.ts";
import { LoadBudget } from "./load-budget.ts";
import type { ChartFile } from "./chart.ts";
import { withoutByteOrderMark } from "./byte-order-mark.ts";
import { readTar, type TarBytes } from "./read-tar.ts";

/** Headers of an archive's entries, and the zeros that fill its blocks. */
const overheadBytesPerFile = 2048;

/**
 * The files of a packed chart (tar and gzip), without the folder that they are all in. Links and devices are files
 * without content, as Helm has them. Throws ChartError with Helm's message for names that lead out of the chart and for
 * content beyond the budget.
 */
export async function readArchive(data: Uint8Array, budget: LoadBudget = new LoadBudget()): Promise<ChartFile[]> {
  const files: ChartFile[] = [];
  for (const { name, size, isFolder, content } of readTar(await unzip(data, budget))) {
    if (isFolder) continue;
    const path = pathInChart(name);
    budget.takeArchived(name, size);
    const data = content();
    if (data.length < size) throw budget.tooLarge();
    files.push({ name: path, data: withoutByteOrderMark(data) });
  }
  if (files.length === 0) throw new ChartError("no files in chart archive");
  return files;
}

/** Whether the file begins as every packed chart does. */
export function isGzip(data: Uint8Array): boolean {
  return data[0] === 0x1f && data[1] === 0x8b && data[2] === 0x08;
}

async function unzip(data: Uint8Array, budget: LoadBudget): Promise<TarBytes> {
  if (data.length === 0) throw new ChartError("EOF");
  if (data.length < 10) throw new ChartError("unexpected EOF");
  // Not at module level: reading `gunzip` loads zlib.
  const inflate = promisify(gunzip);
  const maxOutputLength = budget.bytesLeft + overheadBytesPerFile * (1 + budget.filesLeft);
  try {
    return { bytes: await inflate(data, { maxOutputLength }), isCut: false };
  } catch (error) {
    if (!hasText(error, "code", "Z_BUF_ERROR")) throw unzipError(error, budget);
  }
  try {
    // What is cut off may be no more than what follows the archive's end.
    const bytes = await inflate(data, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
    return { bytes, isCut: true };
  } catch (error) {
    throw unzipError(error, budget);
  }
}

function unzipError(error: unknown, budget: LoadBudget): ChartError {
  if (hasText(error, "code", "ERR_BUFFER_TOO_LARGE")) return budget.tooLarge();
  return new ChartError(gzipProblem(error), { cause: error });
}

function gzipProblem(error: unknown): string {
  if (hasText(error, "message", "header")) return "gzip: invalid header";
  return hasText(error, "message", " check") ? "gzip: invalid checksum" : "flate: corrupt input";
}

/** Errors of Node.js itself may be of another realm's class. */
function hasText(error: unknown, field: "code" | "message", text: string): boolean {
  const value: unknown = typeof error === "object" && error !== null ? Reflect.get(error, field) : undefined;
  return typeof value === "string" && value.includes(text);
}

/** The name below the folder that an archive's files are in. */
function pathInChart(name: string): string {
  const delimiter = name.includes("\\") ? "\\" : "/";
  const parts = name.split(delimiter);
  const path = parts.slice(1).join("/");
  if (path.startsWith("/")) throw new ChartError("chart illegally contains absolute paths", { file: name });
  const clean = cleanPath(path);
  if (clean === ".") {
    const message = `chart illegally contains content outside the base directory: ${quote(name)}`;
    throw new ChartError(message, { file: name });
  }
  if (clean.startsWith("..")) throw new ChartError("chart illegally references parent directory", { file: name });
  if (/^[a-zA-Z]:\//.test(clean)) throw new ChartError("chart contains illegally named files", { file: name });
  return clean;
}
