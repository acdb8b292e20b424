import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { constructorOf, findServices } from "./deployer-components.ts";

const root = join(import.meta.dirname, "../..");

it("makes a component of each deployer with a chart, and of the agent", () => {
  expect(findServices(root)).toEqual([
    "container-deployer",
    "helm-deployer",
    "landscaper-agent",
    "manifest-deployer",
    "mock-deployer",
  ]);
});

const options = {
  services: ["mock-deployer"],
  images: ["landscaper", "mock-deployer"],
  version: "1.2.0",
  registry: "registry.example/ls",
  paths: { root: "..", charts: "charts" },
};
const content = [
  {
    name: "blueprint",
    type: "landscaper.gardener.cloud/blueprint",
    input: {
      type: "dir",
      path: "../k8s/components/blueprint",
      compress: true,
      mediaType: "application/vnd.gardener.landscaper.blueprint.v1+tar+gzip",
    },
  },
  {
    name: "chart",
    type: "helmChart",
    input: { type: "helm", path: "charts/mock-deployer-1.2.0.tgz", version: "1.2.0", repository: "chart" },
  },
];
const component = {
  name: "landscaper.gardener.cloud/mock-deployer",
  version: "1.2.0",
  provider: { name: "landscaper.gardener.cloud" },
};

it("names the image by its tag", () => {
  const access = { type: "ociArtifact", imageReference: "registry.example/ls/mock-deployer:1.2.0" };
  const image = { name: "image", type: "ociImage", version: "1.2.0", access };
  expect(constructorOf(options)).toEqual({ components: [{ ...component, resources: [...content, image] }] });
});

it("names the image by its digest where that is known, so that a signature covers it", () => {
  const value = "ab".repeat(32);
  const imageDigests = new Map([["mock-deployer", `sha256:${value}`]]);
  const access = {
    type: "ociArtifact",
    imageReference: `registry.example/ls/mock-deployer:1.2.0@sha256:${value}`,
  };
  const digest = { hashAlgorithm: "SHA-256", normalisationAlgorithm: "ociArtifactDigest/v1", value };
  const image = { name: "image", type: "ociImage", version: "1.2.0", access, digest };
  expect(constructorOf({ ...options, imageDigests })).toEqual({
    components: [{ ...component, resources: [...content, image] }],
  });
});

it("gives the agent a blueprint of its own", () => {
  const services = ["landscaper-agent"];
  const images = ["landscaper", "landscaper-agent"];
  const input = { type: "dir", path: "../k8s/components/agent-blueprint" };
  expect(constructorOf({ ...options, services, images })).toMatchObject({
    components: [
      {
        name: "landscaper.gardener.cloud/landscaper-agent",
        resources: [
          { name: "blueprint", input },
          { name: "chart", input: { path: "charts/landscaper-agent-1.2.0.tgz" } },
          { name: "image", access: { imageReference: "registry.example/ls/landscaper-agent:1.2.0" } },
        ],
      },
    ],
  });
});

it("names images of programs by their digests, too", () => {
  const images = ["mock-deployer", "mock-deployer-init"];
  const value = "cd".repeat(32);
  const imageDigests = new Map([["mock-deployer-init", `sha256:${value}`]]);
  const digest = { hashAlgorithm: "SHA-256", normalisationAlgorithm: "ociArtifactDigest/v1", value };
  expect(constructorOf({ ...options, images, imageDigests })).toMatchObject({
    components: [
      {
        resources: [
          {},
          {},
          { name: "image", access: { imageReference: "registry.example/ls/mock-deployer:1.2.0" } },
          {
            name: "image-init",
            access: { imageReference: `registry.example/ls/mock-deployer-init:1.2.0@sha256:${value}` },
            digest,
          },
        ],
      },
    ],
  });
});

it("has the images of programs that a deployer starts as resources of their own", () => {
  const images = ["mock-deployer", "mock-deployer-init", "mock-deployer-wait", "mocking"];
  const { components } = constructorOf({ ...options, images }) as {
    readonly components: readonly {
      readonly resources: readonly { readonly name: string; readonly access?: object }[];
    }[];
  };
  const found = components[0]?.resources.filter(({ name }) => name.startsWith("image"));
  expect(found?.map(({ name, access }) => [name, access])).toEqual(
    [
      ["image", "mock-deployer"],
      ["image-init", "mock-deployer-init"],
      ["image-wait", "mock-deployer-wait"],
    ].map(([name, image]) => [name, { type: "ociArtifact", imageReference: `registry.example/ls/${image}:1.2.0` }]),
  );
});
