import { quoteText } from "@landscaper/api";
import { isDigest } from "./content/digest.ts";
import { ociError } from "./oci-error.ts";

/** Where content lies in a registry. */
export interface RepositoryReference {
  /** Host and port as given, lower case; `docker.io` for Docker Hub. */
  readonly host: string;
  /** "http" or "https" when the text said so. */
  readonly scheme?: "http" | "https" | undefined;
  /** Path without slashes at its ends. */
  readonly repository: string;
}

/** A reference to a manifest. With both, the digest decides and the tag is for people. */
export interface ImageReference extends RepositoryReference {
  readonly tag?: string | undefined;
  readonly digest?: string | undefined;
}

export const dockerHub = "docker.io";

const pathPattern = /^[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*)*$/;
const tagPattern = /^\w[\w.-]{0,127}$/;
const hostPattern = /^(?:\[[0-9a-f:]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::\d{1,5})?$/;
const maxRepositoryLength = 255;

/**
 * Reads `[oci://|http://|https://]host[:port]/repository[:tag][@digest]`. Without a host it is Docker Hub's, with `library/` where
 * the repository has one part (ocm.md §8). Throws LandscaperError that names the part that is wrong.
 */
export function parseReference(text: string): ImageReference {
  const { scheme, rest } = splitScheme(text);
  const at = rest.indexOf("@");
  const digest = at < 0 ? undefined : rest.slice(at + 1);
  if (digest !== undefined && !isDigest(digest)) {
    throw invalid(text, `expected a digest such as sha256:<64 hex digits> after "@", found ${quoteText(digest)}`);
  }
  const { host, path } = splitHost(
    at < 0 ? rest : rest.slice(0, at),
    scheme !== undefined || text.startsWith("oci://"),
  );
  const colon = path.indexOf(":");
  const tag = colon < 0 ? undefined : path.slice(colon + 1);
  if (tag !== undefined && !tagPattern.test(tag)) {
    throw invalid(
      text,
      `expected a tag of at most 128 letters, digits, "_", "." and "-" after ":", found ${quoteText(tag)}`,
    );
  }
  const repository = colon < 0 ? path : path.slice(0, colon);
  if (!hostPattern.test(host)) throw invalid(text, `${quoteText(host)} is not a host`);
  if (!pathPattern.test(repository) || repository.length > maxRepositoryLength) {
    const rule = "lower-case letters and digits, separated by one of . _ __ - and /";
    throw invalid(text, `expected a repository of ${rule}, found ${quoteText(repository)}`);
  }
  return {
    host,
    ...(scheme === undefined ? {} : { scheme }),
    repository: host === dockerHub && !repository.includes("/") ? `library/${repository}` : repository,
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  };
}

/** The reference as text, with its scheme where it has one. */
export function formatReference(reference: ImageReference): string {
  const { scheme, host, repository, tag, digest } = reference;
  const prefix = scheme === undefined ? "" : `${scheme}://`;
  return `${prefix}${host}/${repository}${tag === undefined ? "" : `:${tag}`}${digest === undefined ? "" : `@${digest}`}`;
}

function splitScheme(text: string): { scheme: "http" | "https" | undefined; rest: string } {
  const match = /^(oci|https?):\/\//.exec(text);
  if (match === null) {
    if (text.includes("://")) throw invalid(text, `expected oci://, https://, http:// or no scheme`);
    return { scheme: undefined, rest: text };
  }
  const scheme = match[1] === "http" || match[1] === "https" ? match[1] : undefined;
  return { scheme, rest: text.slice(match[0].length) };
}

/** The first part is a host when a scheme stands before it, when it looks like one, or when it is localhost. */
function splitHost(text: string, hasScheme: boolean): { host: string; path: string } {
  const slash = text.indexOf("/");
  const first = (slash < 0 ? "" : text.slice(0, slash)).toLowerCase();
  if (slash < 0 && hasScheme) throw invalid(text, "expected a repository after the host");
  const isHost = hasScheme || first.includes(".") || first.includes(":") || first === "localhost";
  if (!isHost) return { host: dockerHub, path: text };
  const host = first === "index.docker.io" || first === "registry-1.docker.io" ? dockerHub : first;
  return { host, path: text.slice(slash + 1) };
}

function invalid(text: string, problem: string): Error {
  return ociError({ reason: "InvalidReference", message: `reference ${quoteText(withoutUserInfo(text))}: ${problem}` });
}

/** A reference may have a password, with a scheme or without one. */
function withoutUserInfo(text: string): string {
  return text.replace(/^([a-z]+:\/\/)?[^/@]*@(?=[^/]*\/)/i, "$1");
}
