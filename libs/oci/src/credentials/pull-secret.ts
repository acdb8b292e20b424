import type { Credentials } from "./credential.ts";
import { parseDockerConfig } from "./docker-config.ts";
import { parseOcmCredentials } from "./ocm-credentials.ts";

/** What the keys of a pull secret hold; others are passed over. */
const parsers: Readonly<Record<string, (text: string, where: string) => Credentials>> = {
  ".dockerconfigjson": (text, where) => parseDockerConfig(text, { where }),
  ".dockercfg": (text, where) => parseDockerConfig(text, { where, format: "legacy" }),
  ".ocmcredentialconfig": parseOcmCredentials,
};

/**
 * Reads a pull secret: `data` has base64 by key, `where` names the Secret (docs/reference/components.md#credentials). One without any of the keys gives a warning. Throws
 * LandscaperError that names Secret and key, never a value.
 */
export function parsePullSecret(data: Readonly<Record<string, string>>, where: string): Credentials {
  const found = Object.entries(data).flatMap(([key, encoded]) => {
    const parse = Object.hasOwn(parsers, key) ? parsers[key] : undefined;
    return parse === undefined ? [] : [parse(Buffer.from(encoded, "base64").toString("utf8"), `${where}: ${key}`)];
  });
  if (found.length > 0) return joinCredentials(found);
  const keys = ".dockerconfigjson, .dockercfg and .ocmcredentialconfig";
  return { entries: [], warnings: [`${where}: has none of the keys ${keys}; it is passed over`] };
}

/** In the order of the list, which counts where several are for one place. */
export function joinCredentials(found: readonly Credentials[]): Credentials {
  return {
    entries: found.flatMap(({ entries }) => entries),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}
