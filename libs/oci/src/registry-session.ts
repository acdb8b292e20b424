import { createHash } from "node:crypto";
import { parseJson } from "@landscaper/json";
import type { Access, Authorizer } from "./authorization/authorizer.ts";
import { answerError } from "./answer-error.ts";
import type { Credential, CredentialEntry } from "./credentials/credential.ts";
import { findCredential } from "./credentials/credential.ts";
import type { Descriptor, Manifest } from "./content/descriptor.ts";
import { mediaTypes } from "./content/descriptor.ts";
import { digestOf, isDigest, matchesDigest } from "./content/digest.ts";
import { isObject, mediaTypeOfManifest } from "./content/image-manifest.ts";
import { inParts } from "./content/in-parts.ts";
import { nextPage } from "./next-page.ts";
import { ociError } from "./oci-error.ts";
import { readBounded, tooLarge } from "./content/read-bounded.ts";
import { readBody } from "./read-body.ts";
import type { ImageReference, RepositoryReference } from "./reference.ts";
import type { Schemes } from "./schemes.ts";
import { discard, placeOf, unreachable, type TransportAnswer, type TransportRequest } from "./transport.ts";
import { digestMismatch, verifyContent } from "./content/verify-content.ts";

export interface Limits {
  readonly manifestBytes: number;
  readonly blobBytes: number;
  readonly tags: number;
}

interface Shared {
  readonly authorizer: Authorizer;
  readonly schemes: Schemes;
  readonly limits: Limits;
}

interface Call extends Pick<TransportRequest, "method" | "headers" | "body"> {
  /** Below `/v2/NAME/`, with query; or a whole URL on the registry's host. */
  readonly path: string | URL;
  readonly actions?: Access["actions"];
  readonly signal: AbortSignal;
}

export interface CallOptions {
  readonly signal: AbortSignal;
}

const accepted = Object.values(mediaTypes).join(", ");
const defaultTag = "latest";
const pushActions = "pull,push";
const blobType = "application/octet-stream";
/** Of an upload; a registry may ask for 5 MiB at least. */
const partBytes = 8 * 1024 * 1024;

/** Registries as whoever holds the credentials sees them. Failures are LandscaperErrors that name registry, repository and what. */
export class RegistrySession {
  readonly #shared: Shared;
  readonly #credentials: readonly CredentialEntry[];

  constructor(shared: Shared, credentials: readonly CredentialEntry[]) {
    this.#shared = shared;
    this.#credentials = credentials;
  }

  /** What is sent for the repository; for telling caches of different credentials apart. It is secret. */
  credentialFor(repository: RepositoryReference): Credential | undefined {
    return findCredential(this.#credentials, repository)?.credential;
  }

  /** What the reference names now. A tag may name something else later; go on with the digest. */
  async resolve(reference: ImageReference, options: CallOptions): Promise<Descriptor> {
    const answer = await this.#manifest("HEAD", reference, options);
    await discard(answer);
    const { "docker-content-digest": digest, "content-type": type, "content-length": length } = answer.headers;
    const size = Number(length);
    const isWhole = digest !== undefined && isDigest(digest) && Number.isSafeInteger(size) && type !== undefined;
    if (!isWhole) return describe(await this.fetchManifest(reference, options));
    if (reference.digest !== undefined && reference.digest !== digest) throw otherDigest(reference, digest);
    return { mediaType: bareType(type), digest, size };
  }

  /** The manifest's bytes, checked against the digest of the reference or the one that the registry names. */
  async fetchManifest(reference: ImageReference, options: CallOptions): Promise<Manifest> {
    const answer = await this.#manifest("GET", reference, options);
    const place = this.#place(reference);
    const { signal } = options;
    const bytes = await readBody(answer, { limit: this.#shared.limits.manifestBytes, place, signal });
    const digest = digestOf(bytes);
    const expected = reference.digest ?? answer.headers["docker-content-digest"];
    if (expected !== undefined && (!isDigest(expected) || !matchesDigest(bytes, expected))) {
      throw digestMismatch(place, `expected digest ${isDigest(expected) ? expected : "(none)"}, found ${digest}`);
    }
    return { mediaType: mediaTypeOf(answer, bytes), digest: reference.digest ?? digest, size: bytes.length, bytes };
  }

  /** The bytes of a blob, verified. */
  async fetchBlob(repository: RepositoryReference, blob: Descriptor, options: CallOptions): Promise<Uint8Array> {
    const place = this.#place({ ...repository, digest: blob.digest });
    const { blobBytes } = this.#shared.limits;
    if (blob.size > blobBytes) throw tooLarge(place, blobBytes);
    return await readBounded(this.streamBlob(repository, blob, options), { limit: blobBytes, place });
  }

  /** The bytes of a blob as they come; they may be used only after the end, which throws when they are not what the digest says. */
  async *streamBlob(
    repository: RepositoryReference,
    blob: Pick<Descriptor, "digest" | "size">,
    { signal }: CallOptions,
  ): AsyncGenerator<Uint8Array> {
    const place = this.#place({ ...repository, digest: blob.digest });
    const answer = await this.#call(repository, { method: "GET", path: `blobs/${blob.digest}`, signal });
    try {
      yield* verifyContent(answer.body, { ...blob, place });
    } catch (error) {
      signal.throwIfAborted();
      throw unreachable(placeOf(await this.#url(repository, `blobs/${blob.digest}`, signal)), error);
    } finally {
      answer.body.destroy();
    }
  }

  /** All tags, in the registry's order. */
  async listTags(repository: RepositoryReference, { signal }: CallOptions): Promise<string[]> {
    const { tags: limit, manifestBytes } = this.#shared.limits;
    const place = `${this.#place(repository)}: tags`;
    const tags: string[] = [];
    const seen = new Set<string>();
    for (let path: string | URL | undefined = "tags/list"; path !== undefined;) {
      const url = await this.#url(repository, path, signal);
      if (seen.has(url.href))
        throw ociError({ reason: "InvalidRegistryAnswer", message: `${place}: pages go in a ring` });
      seen.add(url.href);
      const answer = await this.#call(repository, { method: "GET", path, signal });
      tags.push(...readTags(await readBody(answer, { limit: manifestBytes, place, signal }), place));
      if (tags.length > limit) throw ociError({ reason: "ContentTooLarge", message: `${place}: more than ${limit}` });
      path = nextPage(answer.headers["link"], url);
    }
    return tags;
  }

  /** Uploads a blob unless it is there already. */
  async pushBlob(repository: RepositoryReference, bytes: Uint8Array, { signal }: CallOptions): Promise<Descriptor> {
    const digest = digestOf(bytes);
    const path = `blobs/${digest}`;
    const known = await this.#call(repository, { method: "HEAD", path, actions: pushActions, signal, allowed: 404 });
    await discard(known);
    if (known.status === 404) {
      const location = await this.#beginUpload(repository, signal);
      await this.#endUpload(repository, { location, digest, bytes, signal });
    }
    return { mediaType: blobType, digest, size: bytes.length };
  }

  /**
   * Uploads a blob in parts as it comes, with at most one part in memory. With a digest it is read only when it is not there already, and the content must be
   * that of the digest. For tools.
   */
  async pushStream(
    repository: RepositoryReference,
    content: AsyncIterable<Uint8Array>,
    { signal, digest: expected }: CallOptions & { readonly digest?: string | undefined },
  ): Promise<Descriptor> {
    const known = expected === undefined ? undefined : await this.#sizeOfBlob(repository, expected, signal);
    if (known !== undefined && expected !== undefined) return { mediaType: blobType, digest: expected, size: known };
    const algorithm = expected?.slice(0, expected.indexOf(":")) ?? "sha256";
    const hash = createHash(algorithm);
    let size = 0;
    let location: URL | undefined;
    for await (const { bytes, isOnly } of inParts(content, partBytes)) {
      if (isOnly && (expected === undefined || digestOf(bytes) === expected)) {
        return await this.pushBlob(repository, bytes, { signal });
      }
      hash.update(bytes);
      location ??= await this.#beginUpload(repository, signal);
      const headers = { "content-type": blobType, "content-range": `${size}-${size + bytes.length - 1}` };
      size += bytes.length;
      const call = { method: "PATCH", path: location, headers, body: bytes, actions: pushActions, signal } as const;
      location = await this.#locationOf(repository, await this.#call(repository, call), signal);
    }
    const digest = `${algorithm}:${hash.digest("hex")}`;
    if (expected !== undefined && digest !== expected) {
      throw otherDigest({ ...repository, digest: expected }, digest);
    }
    if (location !== undefined) await this.#endUpload(repository, { location, digest, signal });
    return { mediaType: blobType, digest, size };
  }

  async #sizeOfBlob(repository: RepositoryReference, digest: string, signal: AbortSignal): Promise<number | undefined> {
    const path = `blobs/${digest}`;
    const answer = await this.#call(repository, { method: "HEAD", path, actions: pushActions, signal, allowed: 404 });
    await discard(answer);
    const size = Number(answer.headers["content-length"]);
    return answer.status !== 404 && Number.isSafeInteger(size) ? size : undefined;
  }

  async #beginUpload(repository: RepositoryReference, signal: AbortSignal): Promise<URL> {
    const path = "blobs/uploads/";
    const begun = await this.#call(repository, { method: "POST", path, actions: pushActions, signal });
    return await this.#locationOf(repository, begun, signal);
  }

  /** Where the upload goes on. */
  async #locationOf(repository: RepositoryReference, answer: TransportAnswer, signal: AbortSignal): Promise<URL> {
    await discard(answer);
    const base = await this.#url(repository, "blobs/uploads/", signal);
    const location = URL.parse(answer.headers["location"] ?? "", base.href);
    if (location !== null && answer.headers["location"] !== undefined && location.origin === base.origin)
      return location;
    const message = `${placeOf(base)}: expected a Location on the same host`;
    throw ociError({ reason: "InvalidRegistryAnswer", message });
  }

  async #endUpload(
    repository: RepositoryReference,
    { location, digest, bytes, signal }: { location: URL; digest: string; bytes?: Uint8Array; signal: AbortSignal },
  ): Promise<void> {
    const path = new URL(location);
    path.searchParams.set("digest", digest);
    const headers = { "content-type": blobType };
    const call = {
      method: "PUT",
      path,
      headers,
      body: bytes ?? new Uint8Array(),
      actions: pushActions,
      signal,
    } as const;
    await discard(await this.#call(repository, call));
  }

  /** Stores a manifest under the tag of the reference, or under its digest alone. For tests and tools. */
  async pushManifest(
    reference: ImageReference,
    { bytes, mediaType }: Pick<Manifest, "bytes" | "mediaType">,
    { signal }: CallOptions,
  ): Promise<Descriptor> {
    const digest = digestOf(bytes);
    const path = `manifests/${reference.tag ?? digest}`;
    const headers = { "content-type": mediaType };
    const call = { method: "PUT", path, headers, body: bytes, actions: pushActions, signal } as const;
    await discard(await this.#call(reference, call));
    return { mediaType, digest, size: bytes.length };
  }

  async #manifest(
    method: "GET" | "HEAD",
    reference: ImageReference,
    { signal }: CallOptions,
  ): Promise<TransportAnswer> {
    const path = `manifests/${reference.digest ?? reference.tag ?? defaultTag}`;
    return await this.#call(reference, { method, path, headers: { accept: accepted }, signal });
  }

  /** Throws for every status but success and `allowed`. */
  async #call(repository: RepositoryReference, call: Call & { readonly allowed?: number }): Promise<TransportAnswer> {
    const { method, headers, body, actions = "pull", signal } = call;
    const { credential, from } = findCredential(this.#credentials, repository) ?? {};
    const url = await this.#url(repository, call.path, signal);
    const ca = credential?.certificateAuthority;
    const answer = await this.#shared.authorizer.send(
      { method, url, headers, body, ca, signal },
      { origin: url.origin, repository: repository.repository, actions, credential, from },
    );
    if ((answer.status >= 200 && answer.status < 300) || answer.status === call.allowed) return answer;
    throw await answerError(answer, { url, hasCredential: credential !== undefined, from });
  }

  async #url(repository: RepositoryReference, path: string | URL, signal: AbortSignal): Promise<URL> {
    if (path instanceof URL) return path;
    const access = { credential: this.credentialFor(repository), signal };
    return new URL(`${await this.#shared.schemes.originOf(repository, access)}/v2/${repository.repository}/${path}`);
  }

  #place({ host, repository, tag, digest }: ImageReference): string {
    const version = digest === undefined ? (tag === undefined ? "" : `:${tag}`) : `@${digest}`;
    return `${host}/${repository}${version}`;
  }
}

function describe({ mediaType, digest, size }: Manifest): Descriptor {
  return { mediaType, digest, size };
}

/** What a manifest says of itself wins over the header, which some registries make up. */
function mediaTypeOf(answer: TransportAnswer, bytes: Uint8Array): string {
  return mediaTypeOfManifest(bytes) ?? bareType(answer.headers["content-type"] ?? "");
}

function bareType(contentType: string): string {
  return (contentType.split(";")[0] ?? "").trim();
}

function readTags(bytes: Uint8Array, place: string): string[] {
  const { tags } = readJsonObject(bytes) ?? {};
  if (tags === null) return [];
  if (Array.isArray(tags) && tags.every((tag) => typeof tag === "string")) return tags;
  throw ociError({ reason: "InvalidRegistryAnswer", message: `${place}: expected JSON with a list of tags` });
}

function readJsonObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = parseJson(Buffer.from(bytes).toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function otherDigest({ host, repository, digest }: ImageReference, found: string): Error {
  return digestMismatch(`${host}/${repository}`, `expected digest ${digest ?? ""}, found ${found}`);
}
