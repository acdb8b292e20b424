import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { LandscaperError } from "@landscaper/api";

/** What the operator has for one host. PEM; `key` is secret. */
export interface HostCertificates {
  /** Authorities that are trusted for the host beside the usual ones. */
  readonly ca?: string;
  /** Certificate of the client, with those of its authorities, and its key. */
  readonly client?: { readonly cert: string; readonly key: string };
}

/** The certificates for `HOST[:PORT]`; undefined when there are none. */
export type FindCertificates = (host: string) => Promise<HostCertificates | undefined>;

/**
 * Certificates of a folder in the layout of docker's `certs.d`: in `HOST[:PORT]/` authorities `*.crt` and the client's `*.cert` with its `*.key`
 * (docs/reference/components.md#certificates). Read each time, as they are renewed in place. Throws LandscaperError that names host and file, never what is in
 * it.
 */
export function certificatesIn(folder: string): FindCertificates {
  return async (host) => await readCertificates(join(folder, host), host);
}

async function readCertificates(folder: string, host: string): Promise<HostCertificates | undefined> {
  // Hosts are what users write.
  if (!/^[\w.:[\]-]+$/.test(host) || /^\.+$/.test(host)) return undefined;
  const names = (await listFolder(folder, host)).toSorted();
  const read = async (name: string): Promise<string> => await readText(folder, name, host);
  const authorities = await Promise.all(names.filter((name) => name.endsWith(".crt")).map(read));
  const [cert, second] = names.filter((name) => name.endsWith(".cert"));
  if (second !== undefined) throw invalid(host, `expected one client certificate, found ${cert} and ${second}`);
  const ca = authorities.length === 0 ? {} : { ca: authorities.join("\n") };
  if (cert === undefined) return authorities.length === 0 ? undefined : ca;
  const key = cert.replace(/cert$/, "key");
  if (!names.includes(key)) throw invalid(host, `${cert} has no ${key}`);
  return { ...ca, client: { cert: await read(cert), key: await read(key) } };
}

async function listFolder(folder: string, host: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw invalid(host, "the folder cannot be read", error);
  }
}

async function readText(folder: string, name: string, host: string): Promise<string> {
  const text = await readFile(join(folder, name), "utf8").catch((error: unknown) => {
    throw invalid(host, `${name} cannot be read`, error);
  });
  if (text.includes("-----BEGIN ")) return text;
  throw invalid(host, `${name}: expected PEM`);
}

/** The operator may correct it at any time. */
function invalid(host: string, problem: string, cause?: unknown): LandscaperError {
  return new LandscaperError({
    message: `certificates of the service for ${host}: ${problem}`,
    reason: "InvalidConfiguration",
    hint: "ask the operator to correct the folder that certificatesPath names",
    cause,
  });
}
