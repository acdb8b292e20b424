import { expect, it } from "@jest/globals";
import { createSbom } from "./sbom.ts";

it("lists what is in an image as CycloneDX has it: Node, libraries, and the packages of the bundle", () => {
  const sbom = createSbom({
    image: "mock-deployer",
    version: "1.2.3",
    architecture: "amd64",
    epoch: 1_700_000_000,
    bundled: [
      { name: "@fastify/error", version: "4.2.1", license: "MIT" },
      { name: "either", version: "1.0.0", license: "(MIT OR Apache-2.0)" },
      { name: "unnamed", version: "2.0.0" },
    ],
    base: [
      { name: "node", version: "24.0.0", purl: "pkg:generic/node@24.0.0", license: "MIT" },
      { name: "libc6", version: "2.36-9", purl: "pkg:deb/debian/libc6@2.36-9?arch=amd64" },
    ],
  });
  expect(sbom).toEqual({
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: {
      timestamp: "2023-11-14T22:13:20.000Z",
      component: {
        type: "container",
        "bom-ref": "mock-deployer@1.2.3",
        name: "mock-deployer",
        version: "1.2.3",
        licenses: [{ license: { id: "Apache-2.0" } }],
      },
      properties: [{ name: "architecture", value: "amd64" }],
    },
    components: [
      {
        type: "application",
        "bom-ref": "pkg:generic/node@24.0.0",
        name: "node",
        version: "24.0.0",
        purl: "pkg:generic/node@24.0.0",
        licenses: [{ license: { id: "MIT" } }],
      },
      {
        type: "library",
        "bom-ref": "pkg:deb/debian/libc6@2.36-9?arch=amd64",
        name: "libc6",
        version: "2.36-9",
        purl: "pkg:deb/debian/libc6@2.36-9?arch=amd64",
      },
      {
        type: "library",
        "bom-ref": "pkg:npm/%40fastify/error@4.2.1",
        name: "@fastify/error",
        version: "4.2.1",
        purl: "pkg:npm/%40fastify/error@4.2.1",
        licenses: [{ license: { id: "MIT" } }],
      },
      {
        type: "library",
        "bom-ref": "pkg:npm/either@1.0.0",
        name: "either",
        version: "1.0.0",
        purl: "pkg:npm/either@1.0.0",
        licenses: [{ expression: "(MIT OR Apache-2.0)" }],
      },
      {
        type: "library",
        "bom-ref": "pkg:npm/unnamed@2.0.0",
        name: "unnamed",
        version: "2.0.0",
        purl: "pkg:npm/unnamed@2.0.0",
      },
    ],
    dependencies: [
      {
        ref: "mock-deployer@1.2.3",
        dependsOn: [
          "pkg:generic/node@24.0.0",
          "pkg:deb/debian/libc6@2.36-9?arch=amd64",
          "pkg:npm/%40fastify/error@4.2.1",
          "pkg:npm/either@1.0.0",
          "pkg:npm/unnamed@2.0.0",
        ],
      },
    ],
  });
});
