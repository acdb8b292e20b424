import { fromYaml } from "@landscaper/goyaml";
import type { Credential, CredentialEntry, Credentials } from "./credential.ts";
import { normalizeHost, trimSlashes } from "./credential.ts";
import { isObject } from "../content/image-manifest.ts";
import { ociError } from "../oci-error.ts";

const configType = /^credentials\.config\.ocm\.software(?:\/v1(?:alpha1)?)?$/;
const registryTypes = new Set(["OCIRegistry", "oci", "OCIImageRegistry", "ociRegistry"]);

/**
 * Reads the key `.ocmcredentialconfig` of a pull secret: a document of type `credentials.config.ocm.software` (ocm.md §9). Other
 * documents and consumers other than OCI registries are passed over with a warning. Throws LandscaperError that names the field.
 * Neither warnings nor errors have a value.
 */
export function parseOcmCredentials(text: string, where: string): Credentials {
  const document = parseDocument(text, where);
  const { type, consumers = [] } = document;
  if (typeof type !== "string" || !configType.test(type)) {
    const found = typeof type === "string" ? "another one" : "none";
    return {
      entries: [],
      warnings: [`${where}: type: expected credentials.config.ocm.software, found ${found}; it is passed over`],
    };
  }
  if (!Array.isArray(consumers)) throw invalid(where, "consumers: expected a list");
  const found = consumers.map((consumer: unknown, index) =>
    readConsumer(consumer, { from: where, where: `${where}: consumers[${index}]` }),
  );
  return {
    entries: found.flatMap(({ entry }) => (entry === undefined ? [] : [entry])),
    warnings: found.flatMap(({ warning }) => (warning === undefined ? [] : [warning])),
  };
}

function parseDocument(text: string, where: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = fromYaml(text);
  } catch {
    // The parser's message would quote the text, which is secret.
    throw invalid(where, "expected YAML, found text that is none");
  }
  if (!isObject(value)) throw invalid(where, "expected an object");
  return value;
}

function readConsumer(
  consumer: unknown,
  { from, where }: { readonly from: string; readonly where: string },
): { entry?: CredentialEntry; warning?: string } {
  const { identity, credentials } = isObject(consumer) ? consumer : {};
  if (!isObject(identity)) throw invalid(where, "identity: expected an object");
  const { type, hostname, port, pathprefix } = identity;
  if (typeof type === "string" && !registryTypes.has(type)) {
    return { warning: `${where}: identity.type: expected an OCI registry, found another type; it is passed over` };
  }
  if (typeof hostname !== "string" || hostname === "") throw invalid(where, "identity.hostname: expected a text");
  const [first] = Array.isArray(credentials) ? (credentials as unknown[]) : [];
  const { properties } = isObject(first) ? first : {};
  if (!isObject(properties)) throw invalid(where, "credentials[0].properties: expected an object");
  const hasPort = typeof port === "number" || (typeof port === "string" && port !== "");
  const host = hasPort ? `${hostname}:${port}` : hostname;
  return {
    entry: {
      host: normalizeHost(host),
      path: typeof pathprefix === "string" ? trimSlashes(pathprefix) : "",
      credential: readProperties(properties),
      from,
    },
  };
}

function readProperties(properties: Record<string, unknown>): Credential {
  const names = ["username", "password", "identityToken", "registryToken", "certificateAuthority"] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = properties[name];
      return typeof value === "string" && value !== "" ? [[name, value]] : [];
    }),
  );
}

function invalid(where: string, problem: string): Error {
  return ociError({ reason: "InvalidRegistryCredentials", message: `${where}: ${problem}` });
}
