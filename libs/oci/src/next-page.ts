import { ociError } from "./oci-error.ts";
import { placeOf } from "./transport.ts";

/** The URL of `rel="next"` of a Link header, which must stay with the registry (RFC 8288). */
export function nextPage(link: string | undefined, current: URL): URL | undefined {
  if (link === undefined) return undefined;
  const next = [...link.matchAll(/<([^>]*)>([^<]*)/g)].find(([, , parameters = ""]) =>
    /;\s*rel\s*=\s*"?(?:[^",;]*\s)?next(?:\s|"|,|;|$)/i.test(parameters),
  );
  if (next === undefined) return undefined;
  const url = URL.parse(next[1] ?? "", current.href);
  if (url !== null && url.origin === current.origin) return url;
  const message = `${placeOf(current)}: the link to the next page leaves the registry`;
  throw ociError({ reason: "InvalidRegistryAnswer", message });
}
