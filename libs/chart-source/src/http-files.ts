import { answerError, placeOfUrl, readBody, type HttpTransport } from "@landscaper/oci";
import { findRepositoryCredential, type RepositoryCredential } from "./repository-credentials.ts";
import { invalidSource } from "./chart-source-error.ts";

export interface FileRequest {
  readonly credentials: readonly RepositoryCredential[];
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** The bytes of a file on the web, with the credentials that match its URL. Throws LandscaperError that names it without query. */
export async function fetchFile(transport: HttpTransport, url: URL, request: FileRequest): Promise<Uint8Array> {
  const { credentials, limit, signal } = request;
  const credential = findRepositoryCredential(credentials, url);
  const headers = credential?.authorization === undefined ? {} : { authorization: credential.authorization };
  const answer = await transport.send({ method: "GET", url, headers, ca: credential?.ca, signal });
  const place = placeOfUrl(url);
  if (answer.status !== 200) {
    const hasCredential = credential?.authorization !== undefined;
    throw await answerError(answer, { url, hasCredential, from: credential?.from });
  }
  return await readBody(answer, { limit, place, signal });
}

/** Throws LandscaperError for what is no http URL, and for user and password in it, which would end in a status. */
export function parseFileUrl(text: string, where: string): URL {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw invalidSource(`${where}: expected a URL with https:// or http://${describeFound(url)}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw invalidSource(
      `${where}: expected a URL without user and password, found one of host ${url.host}; remove them, and set credentials in the Context`,
    );
  }
  return url;
}

/** Schemes that users write by mistake. Other texts are not shown: they may be secret. */
const otherSchemes: ReadonlySet<string> = new Set(["file:", "ftp:", "git:", "oci:", "s3:", "ssh:"]);

function describeFound(url: URL | null): string {
  if (url === null || !otherSchemes.has(url.protocol)) return "";
  const found = `, found ${url.protocol}//${url.host}`;
  return url.protocol === "oci:" ? `${found}; for an OCI registry, use chart.ref` : found;
}
