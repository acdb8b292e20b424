import { describe, expect, it } from "@jest/globals";
import { closureOf, packedManifest, type WorkspaceManifest } from "./package-manifest.ts";

const deployer: WorkspaceManifest = {
  name: "@x/deployer",
  description: "a deployer",
  license: "Apache-2.0",
  type: "module",
  sideEffects: false,
  exports: { ".": "./src/index.ts", "./testing": "./test/index.ts" },
  dependencies: { "@x/api": "workspace:*", yaml: "catalog:" },
  devDependencies: { "@x/testkit": "workspace:*", "@jest/globals": "catalog:" },
};
const options = { version: "1.2.3", catalog: { yaml: "2.9.1" }, node: ">=24" };

describe("packedManifest", () => {
  it("stands alone: exact versions, JavaScript with types, nothing for its own tests", () => {
    const packed = packedManifest(deployer, { entries: ["."] }, options);
    expect(packed).toEqual({
      name: "@x/deployer",
      version: "1.2.3",
      description: "a deployer",
      license: "Apache-2.0",
      type: "module",
      sideEffects: false,
      exports: { ".": { types: "./src/index.d.ts", default: "./src/index.js" } },
      files: ["src", "test"],
      engines: { node: ">=24" },
      dependencies: { "@x/api": "1.2.3", yaml: "2.9.1" },
    });
  });

  it("leaves to authors what only the entry for their tests needs", () => {
    const packed = packedManifest(deployer, { entries: [".", "./testing"], testPackages: ["@x/testkit"] }, options);
    expect(packed).toMatchObject({
      exports: { "./testing": { types: "./test/index.d.ts", default: "./test/index.js" } },
      peerDependencies: { "@x/testkit": "1.2.3" },
      peerDependenciesMeta: { "@x/testkit": { optional: true } },
    });
  });

  it.each([
    ["an entry that it has not", { entries: ["./other"] }, options, '@x/deployer exports no "./other"'],
    [
      "a version that nobody knows",
      { entries: ["."] },
      { ...options, catalog: {} },
      '@x/deployer: no exact version of yaml ("catalog:")',
    ],
    [
      "a package for tests that it does not use",
      { entries: ["."], testPackages: ["@x/other"] },
      options,
      '@x/deployer: no exact version of @x/other ("undefined")',
    ],
  ])("refuses %s", (...[, packed, given, message]) => {
    expect(() => packedManifest(deployer, packed, given)).toThrow(message);
  });
});

describe("closureOf", () => {
  const manifests = new Map([
    ["a", { dependencies: { b: "workspace:*", yaml: "catalog:" } }],
    ["b", { dependencies: { c: "workspace:*" } }],
    ["c", {}],
    ["d", { dependencies: { e: "workspace:*" } }],
  ]);

  it("is all that they need of the workspace", () => {
    expect(closureOf(["c", "a"], manifests)).toEqual(["a", "b", "c"]);
  });

  it("names a package that is not there", () => {
    expect(() => closureOf(["d"], manifests)).toThrow("the workspace has no package e");
  });
});
