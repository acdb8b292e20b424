import { describeIgnoredField, findIgnoredFields } from "@landscaper/api";
import { isObject } from "@landscaper/oci";
import { invalidSource } from "./chart-source-error.ts";

/** What proves who we are to a Helm repository. `authorization` is secret. */
export interface RepositoryCredential {
  readonly url: URL;
  /** The header, Basic. */
  readonly authorization?: string | undefined;
  /** PEM; trusted for this host only. */
  readonly ca?: string | undefined;
  /** Where it was read, for messages. */
  readonly from?: string | undefined;
}

const defaultSecretKey = "authHeader";

/**
 * Reads `configurations.helmChartRepoCredentials` of a Context (ocm.md §9): `auths[] {url, customCAData, authHeader | secretRef {name,
 * key}}`. `readSecret` gives the text of a key of a Secret of the Context's namespace. Throws LandscaperError that names the field, never
 * a value.
 */
export async function parseRepositoryCredentials(
  configuration: unknown,
  options: { readonly where: string; readonly readSecret: (name: string, key: string) => Promise<string> },
): Promise<RepositoryCredential[]> {
  if (configuration === undefined || configuration === null) return [];
  const { where } = options;
  const { auths } = isObject(configuration) ? configuration : {};
  if (auths === undefined || auths === null) return [];
  if (!Array.isArray(auths)) throw invalidSource(`${where}.auths: expected a list`);
  return await Promise.all(
    auths.map(async (auth: unknown, index) => await readAuth(auth, { ...options, where: `${where}.auths[${index}]` })),
  );
}

/** The fields of `helmChartRepoCredentials`. */
const repositoriesSchema = {
  properties: {
    auths: {
      items: {
        properties: {
          url: {},
          customCAData: {},
          authHeader: {},
          secretRef: { properties: { name: {}, key: {} } },
        },
      },
    },
  },
};

/** What `parseRepositoryCredentials` passes over, one sentence each; without values. */
export function warnOfRepositoryCredentials(configuration: unknown, where: string): readonly string[] {
  if (configuration !== undefined && configuration !== null && !isObject(configuration)) {
    return [`${where}: expected an object with auths; it is passed over`];
  }
  return findIgnoredFields(repositoriesSchema, configuration).map(
    (field) => `${where}: ${describeIgnoredField(field)}`,
  );
}

async function readAuth(
  auth: unknown,
  { where, readSecret }: { where: string; readSecret: (name: string, key: string) => Promise<string> },
): Promise<RepositoryCredential> {
  if (!isObject(auth)) throw invalidSource(`${where}: expected an object`);
  const { url, customCAData, authHeader, secretRef } = auth;
  const parsed = typeof url === "string" ? URL.parse(withScheme(url)) : null;
  if (parsed === null) throw invalidSource(`${where}.url: expected a URL`);
  const ca = customCAData === undefined ? undefined : readAuthority(customCAData, `${where}.customCAData`);
  if (isText(authHeader) && isObject(secretRef)) {
    throw invalidSource(`${where}: expected one of authHeader and secretRef, found both`);
  }
  const header = isObject(secretRef)
    ? await readHeader(secretRef, { where: `${where}.secretRef`, readSecret })
    : authHeader;
  if (!isText(header)) return { url: parsed, ...(ca === undefined ? {} : { ca }) };
  const authorization = header.trim();
  if (!/^Basic [A-Za-z0-9+/=]+$/i.test(authorization)) {
    const place = isObject(secretRef) ? `${where}.secretRef` : `${where}.authHeader`;
    throw invalidSource(`${place}: expected "Basic " and base64 of user:password, found something else`);
  }
  return { url: parsed, authorization, from: where, ...(ca === undefined ? {} : { ca }) };
}

async function readHeader(
  { name, key = defaultSecretKey }: Record<string, unknown>,
  { where, readSecret }: { where: string; readSecret: (name: string, key: string) => Promise<string> },
): Promise<string> {
  if (!isText(name)) throw invalidSource(`${where}.name: expected a text`);
  if (!isText(key)) throw invalidSource(`${where}.key: expected a text`);
  return await readSecret(name, key);
}

/** PEM, or base64 of it. */
function readAuthority(value: unknown, where: string): string {
  const text = isText(value) ? value : "";
  const pem = text.includes("-----BEGIN ") ? text : Buffer.from(text, "base64").toString("utf8");
  if (pem.includes("-----BEGIN CERTIFICATE-----")) return pem;
  throw invalidSource(`${where}: expected a certificate as PEM or base64 of it`);
}

/** `https://` where no scheme is given. */
export function withScheme(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `https://${url}`;
}

/** That of the same scheme, host and port with the longest path that the URL lies below. */
export function findRepositoryCredential(
  credentials: readonly RepositoryCredential[],
  url: URL,
): RepositoryCredential | undefined {
  return credentials
    .filter((credential) => credential.url.origin === url.origin && liesBelow(url.pathname, credential.url.pathname))
    .toSorted((a, b) => b.url.pathname.length - a.url.pathname.length)[0];
}

function liesBelow(path: string, parent: string): boolean {
  const folder = parent.replace(/\/+$/, "");
  return path === folder || path.startsWith(`${folder}/`);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
