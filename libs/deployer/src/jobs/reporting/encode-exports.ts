import { LandscaperError } from "@landscaper/api";

/** What the entries of a Secret hold together, in bytes; more can never be written. */
const maxSecretBytes = 1024 * 1024;

/** Exported values as a Secret holds them: base64 of JSON. Throws LandscaperError for more than it holds. */
export function encodeExports(exports: Readonly<Record<string, unknown>>): string {
  const bytes = Buffer.from(JSON.stringify(exports), "utf8");
  if (bytes.length <= maxSecretBytes) return bytes.toString("base64");
  throw new LandscaperError({
    message: `exports: they are ${bytes.length} bytes of JSON, expected at most ${maxSecretBytes}: they are kept in a Secret`,
    reason: "ObjectTooLarge",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "export less, or split it over several deploy items",
    retry: "never",
  });
}
