import { blueprintError } from "../blueprint-error.ts";

/** The fragment of a reference without percent-encoding. Throws LandscaperError. */
export function pointerOf(ref: string, path: string): string {
  try {
    return decodeURIComponent(ref.slice(ref.indexOf("#") + 1));
  } catch {
    throw refError(ref, path, "expected percent-encoded UTF-8 after #");
  }
}

/** The key that a part of a JSON Pointer names. */
export function keyOfPart(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The error of a reference that is not valid. `path` begins the message. */
export function refError(ref: string, path: string, problem: string): Error {
  return blueprintError("InvalidInput", `${path}: the schema is not valid: $ref: ${problem}, found ${ref}`);
}
