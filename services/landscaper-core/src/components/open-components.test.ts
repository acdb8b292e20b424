import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { parseLandscaperConfiguration } from "@landscaper/api";
import type { ContentRequest } from "@landscaper/components";
import { createEgressPolicy, type EgressPolicy } from "@landscaper/egress";
import { createCertificateAuthority } from "@landscaper/local-cluster";
import { digestOf } from "@landscaper/oci";
import { startScriptedRegistry } from "@landscaper/oci/testing";
import { openComponents } from "./open-components.ts";

const { signal } = new AbortController();
const folder = mkdtempSync(join(tmpdir(), "core-open-components-"));
afterAll(() => rmSync(folder, { recursive: true }));

const content = "a blueprint";
const digest = digestOf(Buffer.from(content));
const egress = createEgressPolicy({});

async function use<T>(
  configuration: object,
  work: (fetch: ReturnType<ReturnType<typeof openComponents>["source"]["forJob"]>) => Promise<T>,
  policy: EgressPolicy = egress,
): Promise<T> {
  const parsed = parseLandscaperConfiguration(configuration, "test");
  const opened = openComponents(parsed, { egress: policy, userAgent: "test" });
  try {
    return await work(opened.source.forJob({ credentials: [], resolvers: [] }));
  } finally {
    await opened.close();
  }
}

/** A blueprint that is a blob of a registry. */
function blobIn(origin: string): ContentRequest {
  return {
    type: "content",
    component: { name: "example.com/app", version: "1.0.0" },
    context: undefined,
    resource: "blueprint",
    access: {
      kind: "blob",
      repository: `${origin}/blueprints`,
      digest,
      size: content.length,
      mediaType: undefined,
    },
    digest: undefined,
    use: "blueprint",
  };
}

describe("the configuration of components", () => {
  it("allows repositories in files below one folder only", async () => {
    mkdirSync(join(folder, "root", "team"), { recursive: true });
    const request = {
      type: "descriptor" as const,
      component: { name: "example.com/app", version: "1.0.0" },
      context: { type: "local", filePath: "team" },
    };
    const rootPath = join(folder, "root");
    await expect(
      use({ registry: { local: { rootPath } } }, async (fetcher) => fetcher.fetch(request, { signal })),
    ).rejects.toThrow('there is no such component version in local repository "team"');
    for (const registry of [{}, { local: {} }, { local: { rootPath: "" } }]) {
      await expect(use({ registry }, async (fetcher) => fetcher.fetch(request, { signal }))).rejects.toThrow(
        "no folder is configured for them (registry.local.rootPath)",
      );
    }
  });

  it("brings certificates for single hosts", async () => {
    const authority = createCertificateAuthority("operator authority", Date.now);
    const tls = authority.issue({ commonName: "registry", hosts: ["127.0.0.1"] });
    const registry = await startScriptedRegistry((_request, response) => void response.end(content), tls);
    const certificatesPath = join(folder, "certs.d");
    mkdirSync(join(certificatesPath, registry.host), { recursive: true });
    writeFileSync(join(certificatesPath, registry.host, "ca.crt"), authority.cert);
    try {
      const read = async (oci: object): Promise<Uint8Array> =>
        await use(
          { registry: { oci }, blueprintStore: { disableCache: true } },
          async (fetcher) => (await fetcher.fetch(blobIn(registry.origin), { signal })).bytes,
        );
      await expect(read({})).rejects.toThrow(/certificate/);
      expect(Buffer.from(await read({ certificatesPath })).toString()).toBe(content);
    } finally {
      await registry.stop();
    }
  });

  it.each([
    { name: "are kept in blueprintStore.path", disableCache: false, requests: 1 },
    { name: "are fetched every time with blueprintStore.disableCache", disableCache: true, requests: 2 },
  ])("archives of blueprints $name", async ({ disableCache, requests }) => {
    const registry = await startScriptedRegistry((_request, response) => void response.end(content));
    const request = blobIn(registry.origin);
    const blueprintStore = { path: join(folder, `store-${requests}`), disableCache };
    try {
      for (let job = 0; job < 2; job += 1) {
        const { bytes } = await use({ blueprintStore }, async (fetcher) => fetcher.fetch(request, { signal }));
        expect(Buffer.from(bytes).toString()).toBe(content);
      }
      expect(registry.requests).toHaveLength(requests);
    } finally {
      await registry.stop();
    }
  });

  it("holds for registries what egress says", async () => {
    const context = { type: "OCIRegistry", baseUrl: "http://127.0.0.1:1" };
    const request = { type: "descriptor" as const, component: { name: "example.com/app", version: "1.0.0" }, context };
    const hardened = createEgressPolicy({ profile: "hardened" });
    await expect(use({}, async (fetcher) => fetcher.fetch(request, { signal }), hardened)).rejects.toMatchObject({
      reason: "EgressDenied",
    });
  });

  it("refuses a size that is none", async () => {
    await expect(use({ blueprintStore: { size: "much" } }, async () => undefined)).rejects.toThrow(
      'blueprintStore.size: expected a quantity of bytes such as 250Mi, found "much"',
    );
  });
});
