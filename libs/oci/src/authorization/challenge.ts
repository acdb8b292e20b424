/** What a registry asks for with a 401. */
export type Challenge =
  | { readonly type: "basic" }
  | { readonly type: "bearer"; readonly realm: string; readonly service?: string | undefined };

const schemePattern = /(?:^|,\s*)(basic|bearer)(?=\s|,|$)/gi;
const parameterPattern = /([a-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi;

/** The strongest challenge of a `WWW-Authenticate` header that we can answer: Bearer before Basic (RFC 9110 §11.6.1). */
export function parseChallenge(header: string | undefined): Challenge | undefined {
  if (header === undefined) return undefined;
  const schemes = [...header.matchAll(schemePattern)].map((match, index, all) => ({
    name: (match[1] ?? "").toLowerCase(),
    parameters: header.slice(match.index + match[0].length, all[index + 1]?.index),
  }));
  const bearer = schemes.find(({ name }) => name === "bearer");
  if (bearer !== undefined) {
    const { realm, service } = parseParameters(bearer.parameters);
    if (realm !== undefined) return { type: "bearer", realm, ...(service === undefined ? {} : { service }) };
  }
  return schemes.some(({ name }) => name === "basic") ? { type: "basic" } : undefined;
}

function parseParameters(text: string): Record<string, string | undefined> {
  return Object.fromEntries(
    [...text.matchAll(parameterPattern)].map(([, name = "", quoted, bare]) => [
      name.toLowerCase(),
      quoted?.replace(/\\(.)/g, "$1") ?? bare,
    ]),
  );
}
