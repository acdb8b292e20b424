import { redactTexts, redactTextsInTurns } from "./redaction.ts";
import { joinPath, type JsonPath } from "./sensitive-paths.ts";

/** Where a value holds one of the secrets, as it is or encoded. Takes time linear in the value and the secrets. */
export function findSensitive(value: unknown, secrets: readonly unknown[]): readonly JsonPath[] {
  if (secrets.length === 0) return [];
  const { paths, texts } = textsOf(value);
  // One by one, the secrets would be taken apart again for each text.
  const masked = redactTexts(texts, secrets);
  return paths.filter((_, index) => masked[index] !== texts[index]);
}

/** The same for any number of values; see redactTextsInTurns. */
export async function findSensitiveInTurns(
  value: unknown,
  secrets: readonly unknown[],
  breathe: () => Promise<void>,
): Promise<readonly JsonPath[]> {
  if (secrets.length === 0) return [];
  const { paths, texts } = textsOf(value);
  const masked = await redactTextsInTurns(texts, secrets, breathe);
  return paths.filter((_, index) => masked[index] !== texts[index]);
}

function textsOf(value: unknown): { readonly paths: readonly JsonPath[]; readonly texts: readonly string[] } {
  const paths: JsonPath[] = [];
  const texts: string[] = [];
  collectTexts(value, "", (text, path) => {
    texts.push(text);
    paths.push(path);
  });
  return { paths, texts };
}

function collectTexts(value: unknown, path: JsonPath, found: (text: string, path: JsonPath) => void): void {
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") {
    found(String(value), path);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) collectTexts(member, joinPath(path, key), found);
  }
}
