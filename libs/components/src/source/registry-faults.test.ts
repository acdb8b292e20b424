// Registries that redirect, go away, or send something else: what a job gets to see (docs/reference/components.md#failures).
import { afterEach, describe, expect, it } from "@jest/globals";
import { createEgressPolicy } from "@landscaper/egress";
import {
  createContentCache,
  createRegistryClient,
  type CredentialEntry,
  type RegistryClientOptions,
} from "@landscaper/oci";
import type { ContentRequest, DescriptorRequest } from "../supply/component-request.ts";
import { startArtifactRegistry, type ArtifactRegistry, type Interference } from "../../test/artifact-registry.ts";
import { artifactOf, digest, failureOf, newFolder } from "../../test/index.ts";
import { createComponentSource, type ComponentSource } from "./component-source.ts";

const { signal } = new AbortController();
const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

const note = "a note ".repeat(10_000);
const app = { name: "example.com/app", version: "1.0.0", resources: { note } };
const password = "sentinel-of-the-password";
const basic = `Basic ${Buffer.from(`me:${password}`).toString("base64")}`;
const place = 'component example.com/app:1.0.0: resource "note"';

async function start(interference?: Interference): Promise<ArtifactRegistry> {
  const registry = await startArtifactRegistry([await artifactOf(app)]);
  closings.push(async () => registry.stop());
  registry.setInterference(interference);
  return registry;
}

function sourceWith(options: Partial<RegistryClientOptions> = {}, hasCache = false): ComponentSource {
  const registries = createRegistryClient({ userAgent: "test", retries: 0, ...options });
  closings.push(async () => registries.close());
  const cache = hasCache ? createContentCache({ directory: newFolder(), maxBytes: 1024 ** 2 }) : undefined;
  return createComponentSource({ registries, cache });
}

const descriptorRequest = ({ context }: ArtifactRegistry): DescriptorRequest => ({
  type: "descriptor",
  component: { name: app.name, version: app.version },
  context,
});
const noteRequest = ({ context }: ArtifactRegistry): ContentRequest => ({
  type: "content",
  component: { name: app.name, version: app.version },
  context,
  resource: "note",
  access: { kind: "local", reference: digest(note), mediaType: undefined },
  digest: undefined,
  use: "content",
});

const blobs = "/v2/team/component-descriptors/example.com/app/blobs";
const redirectsBlobs =
  (to: (url: string) => string): Interference =>
  ({ url }, response) => {
    if (!url.includes("/blobs/")) return false;
    response.writeHead(307, { location: to(url) }).end();
    return true;
  };

describe("a registry that redirects blobs to another host", () => {
  it("gives content, and the other host no credentials", async () => {
    const store = await start();
    const registry = await start((request, response, index) => {
      if (request.authorization === basic) {
        return redirectsBlobs((url) => `${store.origin}${url}?signature=of-the-url`)(request, response, index);
      }
      response.writeHead(401, { "www-authenticate": "Basic" }).end();
      return true;
    });
    const credential = { username: "me", password };
    const credentials: CredentialEntry[] = [registry, store].map(({ host }) => ({ host, path: "", credential }));
    store.setInterference(({ url }, response) => {
      if (!url.endsWith(`${digest(note)}?signature=of-the-url`)) return false;
      response.end(note);
      return true;
    });
    const fetcher = sourceWith().forJob({ credentials, resolvers: [] });
    const { bytes } = await fetcher.fetch(noteRequest(registry), { signal });
    expect(Buffer.from(bytes).toString()).toBe(note);
    expect(store.requests.map(({ authorization }) => authorization)).toEqual([undefined]);
    expect(registry.requests.at(-1)?.authorization).toBe(basic);
  });

  it.each<readonly [string, (registry: ArtifactRegistry) => string, object]>([
    [
      "that the rules for outgoing requests deny",
      () => "http://127.0.0.2/blob",
      {
        reason: "EgressDenied",
        retry: "never",
        message: `${place}: redirect 1 of ORIGIN: http://127.0.0.2/blob: host 127.0.0.2, port 80: denied by the entry "127.0.0.2" of egress.deny`,
      },
    ],
    [
      "that is away",
      () => "http://127.0.0.1:9/blob",
      {
        reason: "RegistryUnreachable",
        retry: "backoff",
        message: `${place}: redirect 1 of ORIGIN: http://127.0.0.1:9/blob: connection refused; start the server, or correct the host of the URL`,
      },
    ],
    [
      "that redirects for ever",
      ({ origin }) => `${origin}/again/blobs/`,
      {
        reason: "InvalidRegistryAnswer",
        retry: "never",
        message: `${place}: ORIGIN${blobs}/${digest(note)}: refused more than 5 redirects`,
      },
    ],
  ])("%s, is named with the resource", async (_title, location, expected) => {
    const registry = await start();
    registry.setInterference(redirectsBlobs(() => location(registry)));
    const egress = createEgressPolicy({ deny: ["127.0.0.2"] });
    const fetcher = sourceWith({ egress }).forJob({ credentials: [], resolvers: [] });
    const error = await failureOf(fetcher.fetch(noteRequest(registry), { signal }));
    const { reason, retry, message } = error;
    expect({ reason, retry, message: message.replace(registry.origin, "ORIGIN") }).toEqual(expected);
    expect(registry.requests.length).toBeLessThan(10);
  });
});

describe("a registry that goes away in the middle of a blob", () => {
  it.each<readonly [string, (response: Parameters<Interference>[1]) => void, object]>([
    [
      "and breaks the connection",
      (response) => {
        response.writeHead(200, { "content-length": note.length });
        response.write(note.slice(0, 50_000), () => response.destroy());
      },
      { reason: "RegistryUnreachable", retry: "backoff", problem: expect.stringMatching(/^ORIGIN\S+: .+/) },
    ],
    [
      "and does not send the rest",
      (response) => {
        response.writeHead(200, { "content-length": note.length });
        response.write(note.slice(0, 50_000));
      },
      {
        reason: "RegistryUnreachable",
        retry: "backoff",
        problem: `ORIGIN${blobs}/${digest(note)}: the answer did not arrive in time; check the load of the server, and the network`,
      },
    ],
    [
      "and says that this is all",
      (response) => void response.end(note.slice(0, 50_000)),
      {
        reason: "DigestMismatch",
        retry: "never",
        problem: `HOST/team/component-descriptors/example.com/app@${digest(note)}: expected ${note.length} bytes, found 50000`,
      },
    ],
  ])("%s, is named with the resource, and keeps nothing of it", async (_title, interrupt, expected) => {
    const registry = await start(({ url }, response) => {
      if (!url.endsWith(digest(note))) return false;
      interrupt(response);
      return true;
    });
    const fetcher = sourceWith({ timeoutMs: 200 }, true).forJob({ credentials: [], resolvers: [] });
    const { reason, retry, message } = await failureOf(fetcher.fetch(noteRequest(registry), { signal }));
    expect(message.slice(0, place.length + 2)).toBe(`${place}: `);
    const problem = message
      .slice(place.length + 2)
      .replace(registry.origin, "ORIGIN")
      .replace(registry.host, "HOST");
    expect({ reason, retry, problem }).toEqual(expected);
    registry.setInterference(undefined);
    const { bytes } = await fetcher.fetch(noteRequest(registry), { signal });
    expect(Buffer.from(bytes).toString()).toBe(note);
  });
});

describe("a registry that has something else the second time", () => {
  it("under a tag ends the job with both digests", async () => {
    const registry = await start();
    const source = sourceWith();
    const seen = new Map<string, string>();
    await source.forJob({ credentials: [], resolvers: [] }, seen).fetch(descriptorRequest(registry), { signal });
    const [before, after] = [await artifactOf(app), await artifactOf({ ...app, resources: { note, more: "more" } })];
    registry.setArtifacts([after]);
    // Another fetcher of the same job, as after a failure; also for two requests at the same time.
    const again = source.forJob({ credentials: [], resolvers: [] }, seen);
    const errors = await Promise.all(
      [noteRequest, noteRequest].map(async (request) => await failureOf(again.fetch(request(registry), { signal }))),
    );
    const [first, found] = [before, after].map(({ manifest }) => digest(JSON.stringify(manifest)));
    for (const error of errors) {
      expect([error.reason, error.retry, error.message]).toEqual([
        "ComponentChanged",
        "never",
        `${place}: component example.com/app:1.0.0 in ${registry.host}/team/component-descriptors/example.com/app: its tag has moved during the job, which has begun with ${first}; the repository now has ${found}`,
      ]);
    }
    const { digest: next } = await source
      .forJob({ credentials: [], resolvers: [] })
      .fetch(descriptorRequest(registry), { signal });
    expect(next).toMatch(/^sha256:/);
  });

  it("under the digest of a manifest ends the job with both digests", async () => {
    const artifact = await artifactOf(app);
    const other = JSON.stringify((await artifactOf({ ...app, resources: {} })).manifest);
    const registry = await start(({ url, method }, response) => {
      if (method !== "GET" || !url.includes("/manifests/sha256:")) return false;
      response.end(other);
      return true;
    });
    const fetcher = sourceWith({}, true).forJob({ credentials: [], resolvers: [] });
    const error = await failureOf(fetcher.fetch(descriptorRequest(registry), { signal }));
    const named = digest(JSON.stringify(artifact.manifest));
    expect([error.reason, error.retry, error.message]).toEqual([
      "DigestMismatch",
      "never",
      `component example.com/app:1.0.0: ${registry.host}/team/component-descriptors/example.com/app@${named}: expected digest ${named}, found ${digest(other)}`,
    ]);
  });
});
