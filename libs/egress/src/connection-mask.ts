import { mapTexts, mapTextsAtOnce, redactOpaque } from "@landscaper/api";

/** What a connection knows that nobody else may learn. */
export interface ConnectionSecrets {
  /** Tokens, passwords, keys, certificates, values of headers. */
  readonly values: readonly (string | undefined)[];
  /** User, password and query of these are secret. */
  readonly urls?: readonly (string | undefined)[] | undefined;
}

/** The parts of a token that are worth something without the others. */
const minTokenPart = 16;

/** All texts to mask for a connection. */
export function connectionSecrets({ values, urls = [] }: ConnectionSecrets): readonly string[] {
  const fromUrls = urls.flatMap((url) => urlSecrets(url));
  const given = [...values, ...fromUrls].filter((value): value is string => value !== undefined && value !== "");
  const parts = given.flatMap((value) => value.split(/[.\s]/).filter((part) => part.length >= minTokenPart));
  return [...new Set([...given, ...parts])];
}

/** Masks the secrets of a connection in a text that came from its other end, in every form that redactOpaque knows. */
export function maskConnection(text: string, secrets: readonly string[]): string {
  return secrets.length === 0 ? text : (redactOpaque([text], secrets)[0] ?? "");
}

/** The same for all texts of a JSON value, those of keys too. */
export function maskConnectionIn<T>(value: T, secrets: readonly string[]): T {
  if (secrets.length === 0) return value;
  return mapTextsAtOnce(
    value,
    (texts) => redactOpaque(texts, secrets),
    (whole, change) => mapTexts(whole, change, { changeKey: change }),
  );
}

function urlSecrets(text: string | undefined): readonly string[] {
  const url = text === undefined ? null : URL.parse(text);
  if (url === null) return [];
  const { username, password, search, searchParams } = url;
  const decoded = [username, password].map((part) => decode(part));
  const pair = password === "" ? [] : [Buffer.from(decoded.join(":")).toString("base64")];
  return [username, password, ...decoded, ...pair, search.slice(1), ...searchParams.values()];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
