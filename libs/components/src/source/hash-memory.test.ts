import { afterEach, describe, expect, it } from "@jest/globals";
import { createRegistryClient, type CredentialEntry } from "@landscaper/oci";
import type { Access } from "@landscaper/ocm";
import type { DigestRequest } from "../supply/component-request.ts";
import { startArtifactRegistry, type ArtifactRegistry } from "../../test/artifact-registry.ts";
import { artifactOf, digest } from "../../test/index.ts";
import { createComponentSource } from "./component-source.ts";
import { createHashMemory } from "./hash-memory.ts";

const { signal } = new AbortController();
const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

const app = { name: "example.com/app", version: "1.0.0", resources: { note: "a note" } };

interface Fixture {
  readonly registry: ArtifactRegistry;
  /** Lets a job hash the note; how often the note was fetched for that, and the hash. */
  readonly hash: (
    request?: Partial<DigestRequest>,
    credentials?: readonly CredentialEntry[],
  ) => Promise<[number, string]>;
}

/** Without a cache on disk: as for blobs that are too large for it. */
async function start(): Promise<Fixture> {
  const registry = await startArtifactRegistry([await artifactOf(app)]);
  const registries = createRegistryClient({ userAgent: "test", retries: 0 });
  closings.push(
    async () => registry.stop(),
    async () => registries.close(),
  );
  const source = createComponentSource({ registries });
  return {
    registry,
    hash: async (given, credentials = []) => {
      const request: DigestRequest = {
        type: "digest",
        component: { name: app.name, version: app.version },
        context: registry.context,
        resource: "note",
        access: { kind: "local", reference: digest("a note"), mediaType: undefined },
        digest: { hashAlgorithm: "SHA-256", normalisationAlgorithm: "genericBlobDigest/v1", value: "" },
        ...given,
      };
      registry.requests.splice(0);
      const found = await source.forJob({ credentials, resolvers: [] }).fetch(request, { signal });
      return [registry.requests.filter(({ url }) => url.endsWith(digest("a note"))).length, found.digest];
    },
  };
}

const sha256 = digest("a note").slice("sha256:".length);
const accesses = (registry: ArtifactRegistry): readonly Access[] => [
  { kind: "local", reference: digest("a note"), mediaType: undefined },
  {
    kind: "blob",
    repository: `${registry.origin}/team/component-descriptors/example.com/app`,
    digest: digest("a note"),
    size: 6,
    mediaType: undefined,
  },
];

describe("the hash of a blob of a registry", () => {
  it("is made once for all jobs, by whatever access it is named", async () => {
    const { hash, registry } = await start();
    expect(await hash()).toEqual([1, sha256]);
    for (const access of accesses(registry)) expect(await hash({ access })).toEqual([0, sha256]);
  });

  it("is made again in another way, and with other credentials", async () => {
    const { hash, registry } = await start();
    await hash();
    const digestSpec = { hashAlgorithm: "SHA-512", normalisationAlgorithm: "genericBlobDigest/v1", value: "" };
    const [requests, sha512] = await hash({ digest: digestSpec });
    expect([requests, sha512.length]).toEqual([1, 128]);
    const credential = { username: "me", password: "secret" };
    const credentials = [{ host: registry.host, path: "", credential }];
    expect(await hash({}, credentials)).toEqual([1, sha256]);
    expect(await hash({}, credentials)).toEqual([0, sha256]);
  });

  it("is not known of content that broke off or was another one", async () => {
    const { hash, registry } = await start();
    for (const body of ["a no", "b note"]) {
      registry.setInterference(({ url }, response) => {
        if (!url.endsWith(digest("a note"))) return false;
        response.end(body);
        return true;
      });
      await expect(hash()).rejects.toMatchObject({ reason: "DigestMismatch" });
    }
    registry.setInterference(undefined);
    expect(await hash()).toEqual([1, sha256]);
  });
});

describe("the memory of hashes", () => {
  it("is bounded: what was used longest ago goes first", async () => {
    const memory = createHashMemory(2);
    const read: string[] = [];
    const ask = async (name: string): Promise<string> =>
      await memory.hashOf({ digest: name, owner: undefined }, "", async () => {
        read.push(name);
        return await Promise.resolve(`hash of ${name}`);
      });
    for (const name of ["a", "b", "a", "c", "a", "b"]) expect(await ask(name)).toBe(`hash of ${name}`);
    expect(read).toEqual(["a", "b", "c", "b"]);
  });
});
