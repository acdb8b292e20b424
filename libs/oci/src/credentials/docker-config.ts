import { parseJson } from "@landscaper/json";
import type { Credential, CredentialEntry, Credentials } from "./credential.ts";
import { parseServerKey } from "./credential.ts";
import { isObject } from "../content/image-manifest.ts";
import { ociError } from "../oci-error.ts";

/**
 * Reads a docker config file, the content of `.dockerconfigjson` of a pull secret or (`format: "legacy"`) of `.dockercfg`.
 * `where` names Secret and key for messages. Credential helpers are programs and are not run: a warning says so. Throws
 * LandscaperError that names server and field, never a value.
 */
export function parseDockerConfig(
  text: string,
  { where, format = "config" }: { readonly where: string; readonly format?: "config" | "legacy" | undefined },
): Credentials {
  const config = parseConfig(text, where);
  const auths = format === "legacy" ? config : (config["auths"] ?? {});
  if (!isObject(auths)) throw invalid(where, "auths: expected an object with a key for each registry");
  const found = Object.entries(auths).map(([server, value]) => readEntry(server, value, where));
  const helpers = format === "legacy" ? [] : helperWarnings(config, where);
  return {
    entries: found.flatMap(({ entry }) => (entry === undefined ? [] : [entry])),
    warnings: [...found.flatMap(({ warning }) => (warning === undefined ? [] : [warning])), ...helpers],
  };
}

function parseConfig(text: string, where: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    // The parser's message would quote the text, which is secret.
    throw invalid(where, "expected JSON, found text that is none");
  }
  if (!isObject(value)) throw invalid(where, "expected a JSON object");
  return value;
}

interface Found {
  readonly entry?: CredentialEntry;
  readonly warning?: string;
}

function readEntry(server: string, value: unknown, from: string): Found {
  const where = `${from}: auths["${server}"]`;
  const place = parseServerKey(server);
  // A key that is no server may be anything, also a misplaced secret.
  if (place === undefined) return { warning: `${from}: auths: a key is no host and no URL; it is passed over` };
  if (!isObject(value)) throw invalid(where, "expected an object");
  const credential = readCredential(value, where);
  if (credential === undefined) return { warning: `${where}: holds no credentials; it is passed over` };
  return { entry: { ...place, credential, from } };
}

function readCredential(value: Record<string, unknown>, where: string): Credential | undefined {
  const text = (field: string): string | undefined => {
    const found = value[field];
    if (found === undefined || found === null || found === "") return undefined;
    if (typeof found !== "string") throw invalid(where, `${field}: expected a text`);
    return found;
  };
  const identityToken = text("identitytoken");
  const registryToken = text("registrytoken");
  const auth = text("auth");
  const pair = auth === undefined ? { username: text("username"), password: text("password") } : splitAuth(auth, where);
  const { username, password } = pair;
  if (username === undefined && identityToken === undefined && registryToken === undefined) return undefined;
  return {
    ...(username === undefined ? {} : { username, password: password ?? "" }),
    ...(identityToken === undefined ? {} : { identityToken }),
    ...(registryToken === undefined ? {} : { registryToken }),
  };
}

function splitAuth(auth: string, where: string): { username: string; password: string } {
  // Padding with zero bytes is what some writers leave behind.
  const pair = Buffer.from(auth, "base64").toString("utf8").replace(/\0+$/, "");
  const colon = pair.indexOf(":");
  if (colon <= 0) throw invalid(where, "auth: expected base64 of user:password");
  return { username: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

function helperWarnings({ credsStore, credHelpers }: Record<string, unknown>, where: string): string[] {
  const store = typeof credsStore === "string" && credsStore !== "" ? ["credsStore"] : [];
  const helpers = isObject(credHelpers) ? Object.keys(credHelpers).map((server) => `credHelpers["${server}"]`) : [];
  return [...store, ...helpers].map(
    (field) => `${where}: ${field} names a program, which is not run; it is passed over`,
  );
}

function invalid(where: string, problem: string): Error {
  return ociError({ reason: "InvalidRegistryCredentials", message: `${where}: ${problem}` });
}
