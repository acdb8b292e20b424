import { describe, expect, it } from "@jest/globals";
import { apiVersion, type InstallationImports, type Installation, type Target } from "@landscaper/api";
import { hashImports, loadImports } from "./load-imports.ts";
import type { ImportLookup } from "./load-source.ts";

interface World {
  readonly data?: unknown;
  readonly secret?: string;
  readonly configMap?: string;
  /** Of a Target that holds its content itself. */
  readonly config?: Record<string, unknown>;
  /** Content of the Secret behind a Target, by key. */
  readonly access?: Record<string, string>;
  readonly uid?: string;
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

function lookup(world: World): ImportLookup {
  const metadata = { name: "x", namespace: "ns", uid: world.uid ?? "1", generation: 1 };
  const target = (spec: Target["spec"]): Target => ({ apiVersion, kind: "Target", metadata, spec });
  const encoded = Object.entries(world.access ?? {}).map(([key, text]) => [key, base64(text)]);
  return {
    dataObject: async () =>
      world.data === undefined ? undefined : { apiVersion, kind: "DataObject", metadata, data: world.data },
    secret: async (name) => {
      if (name === "access") return { apiVersion: "v1", kind: "Secret", metadata, data: Object.fromEntries(encoded) };
      if (world.secret === undefined) return undefined;
      return { apiVersion: "v1", kind: "Secret", metadata, data: { key: base64(world.secret) } };
    },
    configMap: async () =>
      world.configMap === undefined
        ? undefined
        : { apiVersion: "v1", kind: "ConfigMap", metadata, data: { key: world.configMap } },
    target: async (name) => {
      if (name === "by-key") return target({ type: "t", secretRef: { name: "access", key: "a" } });
      if (name === "whole") return target({ type: "t", secretRef: { name: "access" } });
      return world.config === undefined ? undefined : target({ type: "t", config: world.config });
    },
    parentTargets: () => [],
  };
}

function installation(imports: InstallationImports): Installation {
  return {
    apiVersion,
    kind: "Installation",
    metadata: { name: "root", namespace: "ns" },
    spec: { blueprint: {}, imports },
  };
}

const everything: InstallationImports = {
  data: [
    { name: "data", dataRef: "data" },
    { name: "secret", secretRef: { name: "secret", key: "key" } },
    { name: "configMap", configMapRef: { name: "config", key: "key" } },
  ],
  targets: [
    { name: "one", target: "inline" },
    { name: "list", targets: ["inline"] },
    { name: "map", targetMap: { a: "inline" } },
  ],
};
const world: World = { data: { a: 1 }, secret: "s", configMap: "c", config: { url: "u" } };
const access = { access: { a: "1", b: "1" } };
const hash = (of: World, imports = everything, readsTargetSecrets = true) =>
  hashImports(installation(imports), lookup(of), { readsTargetSecrets });

it("says which object each data import comes from", async () => {
  const { given } = await loadImports(installation({ data: everything.data ?? [] }), lookup(world));
  expect(given).toMatchObject({
    data: { origin: 'DataObject "data"' },
    secret: { origin: 'Secret "secret" (key "key")' },
    configMap: { origin: 'ConfigMap "config" (key "key")' },
  });
});

describe("a missing import", () => {
  const missing = async (of: World, data: NonNullable<InstallationImports["data"]>): Promise<unknown> =>
    await loadImports(installation({ data }), lookup(of)).catch((error: unknown) => error);
  const secretKey = { name: "i", secretRef: { name: "s", key: "other" } };
  const configMapKey = { name: "j", configMapRef: { name: "c", key: "keyy" } };

  it("of an existing Secret names the expected key, and no other key", async () => {
    expect(await missing({ secret: "x" }, [secretKey])).toMatchObject({
      message: 'imports are not satisfied in namespace ns: import "i": secret "s" has no key "other"',
      hint: "add the key to the secret or correct secretRef.key and trigger the installation again",
    });
  });

  it("of an existing ConfigMap suggests the nearest key", async () => {
    expect(await missing({ configMap: "x" }, [configMapKey])).toMatchObject({
      message:
        'imports are not satisfied in namespace ns: import "j": config map "c" has no key "keyy", did you mean "key"?',
      hint: "add the key to the config map or correct configMapRef.key and trigger the installation again",
    });
  });

  it("of a missing object says that the object was not found", async () => {
    expect(await missing({ secret: "x" }, [secretKey, configMapKey])).toMatchObject({
      message:
        'imports are not satisfied in namespace ns: import "i": secret "s" has no key "other"; import "j": config map "c" (key "keyy") was not found',
      hint: "create what is missing or correct the reference, add the key to the secret or correct secretRef.key, and trigger the installation again",
    });
  });
});

it("names only those Targets of a list that do not exist", async () => {
  const imports = installation({ targets: [{ name: "list", targets: ["inline", "absent"] }] });
  const known = lookup(world);
  const reader = { ...known, target: async (name: string) => (name === "absent" ? undefined : known.target(name)) };
  await expect(loadImports(imports, reader)).rejects.toThrow(
    'imports are not satisfied in namespace ns: import "list": target "absent" was not found',
  );
});

describe("the hash of imports", () => {
  it("is what a job notes that has loaded them", async () => {
    expect((await loadImports(installation(everything), lookup(world))).hash).toBe(await hash(world));
  });

  const others: readonly (readonly [string, World])[] = [
    ["a data object", { ...world, data: { a: 2 } }],
    ["a secret", { ...world, secret: "t" }],
    ["a config map", { ...world, configMap: "d" }],
    ["a target", { ...world, config: { url: "v" } }],
    ["the presence of an import", { data: { a: 1 }, configMap: "c", config: { url: "u" } }],
    ["an entry that is no YAML", { ...world, configMap: "[" }],
  ];
  it.each(others)("changes with %s", async (_name, other) => {
    expect(await hash(other)).not.toBe(await hash(world));
  });

  it("stays when an object is made anew with the same value (core.md §4.42)", async () => {
    expect(await hash({ ...world, uid: "2" })).toBe(await hash(world));
  });

  it.each([
    ["by-key", "a", true],
    ["by-key", "b", false],
    ["whole", "b", true],
  ])(
    "knows the Secret behind target %p, if it is asked to: key %p counts: %p (core.md §4.42)",
    async (name, key, counts) => {
      const imports = { targets: [{ name: "one", target: name }] };
      const changed = { access: { ...access.access, [key]: "2" } };
      expect((await hash(changed, imports)) !== (await hash(access, imports))).toBe(counts);
      expect(await hash(changed, imports, false)).toBe(await hash(access, imports, false));
    },
  );
});

describe("what the status says of imports", () => {
  it("names each object in the field of its kind, as the original does", async () => {
    const world = { data: 1, secret: "1", configMap: "1", config: {} };
    const imports: InstallationImports = {
      data: [
        { name: "data", dataRef: "data" },
        { name: "secret", secretRef: { name: "secret", key: "key" } },
        { name: "configMap", configMapRef: { name: "config" } },
      ],
      targets: [
        { name: "one", target: "inline" },
        { name: "list", targets: ["a", "b"] },
        { name: "map", targetMap: { left: "a" } },
      ],
    };
    const { summary } = await loadImports(installation(imports), lookup(world));
    const used = { target: "x", configGeneration: 1 };
    expect(summary).toEqual([
      { name: "data", type: "dataobject", dataRef: "data", configGeneration: 1 },
      { name: "secret", type: "dataobject", secretRef: "ns/secret#key" },
      { name: "configMap", type: "dataobject", configMapRef: "ns/config" },
      { name: "one", type: "target", dataRef: "inline", target: "inline", configGeneration: 1 },
      { name: "list", type: "targetList", targets: [used, used] },
      { name: "map", type: "targetMap", targets: [{ key: "left", ...used }] },
    ]);
  });
});
