import { isUtf8 } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import { systemErrorCode } from "@landscaper/components";
import { InvocationError } from "./usage-error.ts";

/** Maximum size of a text file. A device such as /dev/zero has no end. */
const maxTextBytes = 64 * 1024 * 1024;

/** Reads the file that a flag names. Throws InvocationError that names the flag. */
export function readTextFile(file: string, flag: string): string {
  const bytes = readBytes(file, flag);
  if (bytes.length > maxTextBytes) {
    throw new InvocationError(
      `${flag}: expected at most ${maxTextBytes} bytes, found more in ${file}. Use a smaller file`,
    );
  }
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new InvocationError(`${flag}: expected text in UTF-8, found other bytes in ${file}. Save the file as UTF-8`);
}

function readBytes(file: string, flag: string): Buffer {
  try {
    return readBeginning(file, maxTextBytes + 1);
  } catch (error) {
    const reason = systemErrorCode(error) ?? "unknown error";
    throw new InvocationError(`${flag}: cannot read ${file} (${reason}). Correct the path`, { cause: error });
  }
}

/** Returns at most `most` bytes from the beginning of a file or pipe. */
function readBeginning(file: string, most: number): Buffer {
  const descriptor = openSync(file, "r");
  try {
    const parts: Buffer[] = [];
    for (let length = 0; length < most;) {
      const part = Buffer.alloc(Math.min(most - length, 1024 * 1024));
      const read = readSync(descriptor, part);
      if (read === 0) break;
      parts.push(part.subarray(0, read));
      length += read;
    }
    return Buffer.concat(parts);
  } finally {
    closeSync(descriptor);
  }
}
