import { describe, expect, it } from "@jest/globals";
import type { DeployItemTemplate } from "@landscaper/api";
import { parsePins, readClosure, supplyAttempt, type Closure, type ComponentFetcher } from "@landscaper/components";
import { pinJob } from "./pin-job.ts";

const sha256 = "ab".repeat(32);

/** A component with an image by its tag, whose digest stands beside it, and one by its digest. */
async function readComponent(): Promise<Closure> {
  const imageOf = (name: string, imageReference: string, more: object = {}) => ({
    name,
    version: "1.0.0",
    type: "ociImage",
    relation: "external",
    access: { type: "ociArtifact", imageReference },
    ...more,
  });
  const digest = { hashAlgorithm: "SHA-256", normalisationAlgorithm: "ociArtifactDigest/v1", value: sha256 };
  const blueprint = imageOf("bp", "blueprints.example/team/bp:1.0.0", { type: "blueprint" });
  const resources = [
    blueprint,
    imageOf("tagged", "registry.example/team/program:1.0.0", { digest }),
    imageOf("unknown", "registry.example/team/other:1.0.0"),
  ];
  const component = {
    name: "example.com/app",
    version: "1.0.0",
    provider: "example.com",
    repositoryContexts: [],
    sources: [],
    componentReferences: [],
    resources,
  };
  const inline = { meta: { schemaVersion: "v2" }, component };
  const fetcher = { fetch: () => Promise.reject(new Error("nothing is to be fetched")) } as unknown as ComponentFetcher;
  const selection = { root: { inline }, context: undefined, overwrites: [], hasResolvers: false };
  return await supplyAttempt((supplies) => readClosure(selection, { supplies, where: "test" }), {
    fetcher,
    signal: new AbortController().signal,
  });
}

const pinsOf = async (items: readonly DeployItemTemplate[]) =>
  parsePins(pinJob({ closure: await readComponent(), isVerified: true, items, blueprint: undefined }))?.items;

const containerOf = (name: string, config: Readonly<Record<string, unknown>>): DeployItemTemplate => ({
  name,
  type: "landscaper.gardener.cloud/container",
  config,
});

describe("the blueprint of a container item", () => {
  const of = (component: string, resource: string) => ({
    componentDescriptor: { ref: { componentName: component, version: "1.0.0" } },
    blueprint: { ref: { resourceName: resource } },
  });

  it("is noted with its registry when it is an artifact of its own", async () => {
    const pins = await pinsOf([
      containerOf("named", of("example.com/app", "bp")),
      containerOf("other", of("example.com/other", "bp")),
      containerOf("no-blueprint", of("example.com/app", "tagged")),
      containerOf("both", { ...of("example.com/app", "bp"), image: "registry.example/team/program:1.0.0" }),
    ]);
    const blueprint = "blueprints.example/team/bp:1.0.0";
    expect(pins).toEqual({ named: { blueprint }, both: { manifest: `sha256:${sha256}`, blueprint } });
  });
});

describe("the image of a container item", () => {
  it("is pinned by the digest that a component has for it", async () => {
    const pins = await pinsOf([
      containerOf("named", { image: "registry.example/team/program:1.0.0" }),
      containerOf("without-digest", { image: "registry.example/team/other:1.0.0" }),
      containerOf("foreign", { image: "registry.example/team/program:2.0.0" }),
      containerOf("none", {}),
      containerOf("by-digest", { image: `registry.example/team/program:1.0.0@sha256:${"cd".repeat(32)}` }),
    ]);
    expect(pins).toEqual({ named: { manifest: `sha256:${sha256}` } });
  });

  it("is not looked for in items of other types", async () => {
    const item = containerOf("named", { image: "registry.example/team/program:1.0.0" });
    expect(await pinsOf([{ ...item, type: "landscaper.gardener.cloud/mock" }])).toBeUndefined();
  });
});
