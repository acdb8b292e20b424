import { blueprintError } from "../blueprint-error.ts";

/** The keys on the way to the place of a fragment, with or without a slash after `#`. Throws LandscaperError for damaged percent-encoding. */
export function keysOf(ref: string, path: string): readonly string[] {
  let pointer: string;
  try {
    pointer = decodeURIComponent(ref.slice(ref.indexOf("#") + 1));
  } catch {
    throw refError(ref, path, "expected percent-encoded UTF-8 after #");
  }
  return pointer
    .replace(/^\//, "")
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The reference to the place of these keys. */
export function refTo(keys: readonly string[]): string {
  const parts = keys.map((key) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1")));
  return `#/${parts.join("/")}`;
}

/** The error of a reference that is not valid. `path` begins the message. */
export function refError(ref: string, path: string, problem: string): Error {
  return blueprintError("InvalidInput", `${path}: the schema is not valid: $ref: ${problem}, found ${ref}`);
}
