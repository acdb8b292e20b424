import { parseJson } from "@landscaper/json";
import { isObject } from "./content/image-manifest.ts";
import { ociError, type OciReason } from "./oci-error.ts";
import { readBounded } from "./content/read-bounded.ts";
import { placeOf, type TransportAnswer } from "./transport.ts";

/** What was sent along. */
interface SentCredential {
  readonly hasCredential: boolean;
  /** Where it was read. */
  readonly from?: string | undefined;
}

const maxErrorBytes = 64 * 1024;
/** Codes of the Distribution API (opencontainers/distribution-spec) and of Docker's registry; other words of a registry are not quoted. */
const knownCodes = new Set([
  "BLOB_UNKNOWN",
  "BLOB_UPLOAD_INVALID",
  "BLOB_UPLOAD_UNKNOWN",
  "DENIED",
  "DIGEST_INVALID",
  "MANIFEST_BLOB_UNKNOWN",
  "MANIFEST_INVALID",
  "MANIFEST_UNKNOWN",
  "MANIFEST_UNVERIFIED",
  "NAME_INVALID",
  "NAME_UNKNOWN",
  "PAGINATION_NUMBER_INVALID",
  "RANGE_INVALID",
  "SIZE_INVALID",
  "TAG_INVALID",
  "TOOMANYREQUESTS",
  "UNAUTHORIZED",
  "UNAVAILABLE",
  "UNKNOWN",
  "UNSUPPORTED",
]);

/** The error of an answer that is no success, with the known codes that the registry gives. Reads the body. */
export async function answerError(
  answer: TransportAnswer,
  { url, ...sent }: SentCredential & { readonly url: URL },
): Promise<Error> {
  const { status, origin } = answer;
  const codes = await readCodes(answer);
  const place = placeOf(url);
  if (origin !== url.origin) {
    // No credentials were sent there: they are not what is refused.
    const message = `${place}: redirected to ${origin}, which answered ${status}`;
    return ociError({ reason: reasonOf(status), message });
  }
  const message = `${place}: ${statusText(status, sent)}${codes === "" ? "" : `: ${codes}`}`;
  const hint = status === 401 || status === 403 ? hintFor(sent.hasCredential) : undefined;
  return ociError({ reason: reasonOf(status), message, hint });
}

function reasonOf(status: number): OciReason {
  if (status === 401) return "RegistryUnauthorized";
  if (status === 403) return "RegistryForbidden";
  if (status === 404) return "RegistryNotFound";
  return status === 429 || status >= 500 ? "RegistryUnavailable" : "RegistryRefused";
}

function statusText(status: number, sent: SentCredential): string {
  if (status === 401) return unauthorizedText(status, sent);
  if (status === 403) return sent.from === undefined ? "forbidden (403)" : `forbidden for ${sent.from} (403)`;
  if (status === 404) return "not found (404)";
  return `the registry answered ${status}`;
}

/** What is wrong with credentials that are refused or missing, and which they are; never what they hold. */
export function unauthorizedText(status: number, { hasCredential, from }: SentCredential): string {
  if (!hasCredential) return `credentials are needed (${status})`;
  return `the credentials${from === undefined ? "" : ` (${from})`} were refused (${status})`;
}

export function hintFor(hasCredential: boolean): string {
  return hasCredential
    ? "check user, password and rights of the pull secret for this registry"
    : "add a pull secret for this registry to the Context";
}

/** `errors[].code` of the Distribution API, where it is a known one. */
async function readCodes({ body }: TransportAnswer): Promise<string> {
  try {
    const bytes = await readBounded(body, { limit: maxErrorBytes, place: "" });
    const value: unknown = parseJson(Buffer.from(bytes).toString("utf8"));
    const { errors } = isObject(value) ? value : {};
    if (!Array.isArray(errors)) return "";
    const codes = errors.flatMap((error: unknown) => (isObject(error) ? [error["code"]] : []));
    return [...new Set(codes)].filter((code) => typeof code === "string" && knownCodes.has(code)).join(", ");
  } catch {
    // HTML of some proxy, or nothing: the status says enough.
    return "";
  }
}
