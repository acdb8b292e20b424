import { quoteText } from "@landscaper/api";
import { answerError, placeOfUrl, type HttpTransport } from "@landscaper/oci";
import type { WgetInput } from "@landscaper/ocm";
import { transportLimits } from "../archive/archive-limits.ts";
import { componentError } from "../component-error.ts";
import type { CallOptions } from "../repository/artifact-store.ts";
import { decodeBase64 } from "./decode-base64.ts";

export interface FetchedUrl {
  /** Of the answer, without its parameters; undefined without one. */
  readonly mediaType: string | undefined;
  readonly stream: AsyncIterable<Uint8Array>;
}

/** Sends the request of an input. Throws LandscaperError; `where` begins the messages about the input. */
export type FetchUrl = (input: WgetInput, options: CallOptions & { readonly where: string }) => Promise<FetchedUrl>;

const methods = ["GET", "HEAD", "PATCH", "POST", "PUT"] as const;

/** Requests of inputs of type wget: bounded in size, and in time as the transport is. */
export function createUrlFetcher(transport: HttpTransport, limit = transportLimits.fileBytes): FetchUrl {
  return async (input, { where, signal }) => {
    const url = parseUrl(input.url, `${where}: url`);
    const headers = headersOf(input, `${where}: header`);
    const answer = await transport.send({
      method: methodOf(input, where),
      url,
      headers,
      // They may be tokens.
      secretHeaders: Object.keys(headers),
      ...(input.body === undefined ? {} : { body: decodeBase64(input.body, `${where}: body`) }),
      followsRedirects: input.noredirect !== true,
      signal,
    });
    if (answer.status < 200 || answer.status >= 300) {
      if (answer.status < 400 && answer.status >= 300) {
        await answer.body.dump();
        const why = input.noredirect === true ? "noredirect is set" : "only redirects of GET and HEAD are followed";
        throw componentError("InvalidComponent", `${where}: ${placeOfUrl(url)}: found a redirect, and ${why}`);
      }
      throw await answerError(answer, { url, hasCredential: headers["authorization"] !== undefined });
    }
    const place = `${where}: ${placeOfUrl(url)}`;
    const mediaType = (answer.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
    return { mediaType: mediaType === "" ? undefined : mediaType, stream: bounded(answer.body, { limit, place }) };
  };
}

/** Headers that the HTTP client sets. */
const connectionHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Returns the headers with names in lower case. Messages omit the values, which may be tokens. */
function headersOf({ header = {} }: WgetInput, where: string): Readonly<Record<string, string>> {
  const entries = Object.entries(header).map(([name, values]) => {
    const value = values.join(", ");
    const refuse = (problem: string): Error =>
      componentError("InvalidComponent", `${where}: ${quoteText(name)}: ${problem}`);
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
      throw refuse("expected the name of an HTTP header. Use letters, digits and -.");
    if (connectionHeaders.has(name.toLowerCase())) throw refuse("the command sets this header. Remove it.");
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw refuse("expected a value in one line of Latin-1 characters. Remove the others.");
    return [name.toLowerCase(), value] as const;
  });
  return Object.fromEntries(entries);
}

async function* bounded(
  body: AsyncIterable<Uint8Array>,
  { limit, place }: { readonly limit: number; readonly place: string },
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > limit) throw componentError("InvalidComponent", `${place}: more than the allowed ${limit} bytes`);
    yield part;
  }
}

/** Throws LandscaperError unless the URL is http(s) without credentials. Messages would show credentials. */
export function parseUrl(text: string, where: string): URL {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    // The text may contain a password.
    const found = url === null ? "text that is not a URL" : quoteText(url.protocol);
    throw componentError("InvalidComponent", `${where}: expected a URL with https:// or http://, found ${found}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw componentError(
      "InvalidComponent",
      `${where}: expected a URL without user and password, found one with them. Remove them, and use a header named Authorization.`,
    );
  }
  return url;
}

function methodOf({ verb = "GET" }: WgetInput, where: string): (typeof methods)[number] {
  const method = methods.find((one) => one === verb.toUpperCase());
  if (method !== undefined) return method;
  throw componentError(
    "InvalidComponent",
    `${where}: verb: expected one of ${methods.join(", ")}, found ${quoteText(verb)}`,
  );
}

const typesByExtension: Readonly<Record<string, string>> = {
  gz: "application/gzip",
  html: "text/html",
  json: "application/json",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  tar: "application/x-tar",
  tgz: "application/gzip",
  txt: "text/plain",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
  zip: "application/zip",
};

/** The media type by the extension of the URL's path; undefined for an unknown one. */
export function mediaTypeOfUrl(url: URL): string | undefined {
  const extension = /\.([a-z]+)$/i.exec(url.pathname)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(typesByExtension, extension) ? typesByExtension[extension] : undefined;
}
