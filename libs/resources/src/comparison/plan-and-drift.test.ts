// What a job would do, and what somebody else has done since the last one, on a cluster.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, LandscaperError, type UnstructuredObject, type UpdateStrategy } from "@landscaper/api";
import { correctDrift, describeDrifts, detectDrift } from "./detect-drift.ts";
import { createDryRunClient } from "./dry-run-client.ts";
import { diffObjects } from "./field-diff.ts";
import { formatPlan, summarizePlan } from "./format-plan.ts";
import { confirmInventory } from "../manifests/inventory.ts";
import type { ManagedResource, Manifest } from "../manifests/manifest.ts";
import { planDiff, type PlanOptions } from "./plan-diff.ts";
import { referenceTo } from "../cluster/resource-reference.ts";
import { findLive } from "../cluster/target-cluster.ts";
import { configMap, ownerKey, ownerOf, serverSide, TargetFixture } from "../../test/target-fixture.ts";

const owner = ownerOf("item");
const { signal } = new AbortController();

let target: TargetFixture;
beforeAll(async () => {
  target = await TargetFixture.start();
});
afterAll(() => target.stop());

let count = 0;
let name = "";
beforeEach(() => {
  name = `object-${++count}`;
});
afterEach(() => target.server.setFault(undefined));

function manage(...objects: readonly UnstructuredObject[]): Manifest[] {
  return objects.map((manifest) => ({ policy: "manage", manifest }));
}

async function deploy(manifests: readonly Manifest[], strategy: UpdateStrategy = "update"): Promise<ManagedResource[]> {
  const { applied, failures } = await target.apply("item", manifests, { strategy, serverSide });
  expect(failures).toEqual([]);
  return confirmInventory([], applied);
}

function options(manifests: readonly Manifest[], rest: Partial<PlanOptions> = {}): PlanOptions {
  return { cluster: target.cluster, manifests, inventory: [], strategy: "update", serverSide, owner, signal, ...rest };
}

/** The plan as text; the target must not have changed. */
async function plan(manifests: readonly Manifest[], rest: Partial<PlanOptions> = {}): Promise<string> {
  const everything = async (): Promise<unknown> =>
    (await target.client.list(kubeResources.configMap)).items.map(({ metadata }) => metadata);
  const before = await everything();
  const text = formatPlan(await planDiff(options(manifests, rest)));
  expect(await everything()).toEqual(before);
  return text;
}

const label = `["${ownerKey}"]`;

describe("planDiff", () => {
  it("shows what is created, changed and deleted, field by field", async () => {
    const inventory = await deploy(
      manage(configMap(name, { a: "1", b: "1" }), configMap(`${name}-old`), configMap(`${name}-same`)),
    );
    const next = manage(
      configMap(name, { a: "2", c: "1" }),
      configMap(`${name}-new`, { x: "y" }),
      configMap(`${name}-same`),
    );
    expect(await plan(next, { inventory })).toBe(
      [
        `update ConfigMap n/${name}`,
        '  ~ .data.a: "1" -> "2"',
        '  - .data.b: "1"',
        '  + .data.c: "1"',
        `create ConfigMap n/${name}-new`,
        '  + .data.x: "y"',
        `  + .metadata.labels${label}: "item"`,
        `delete ConfigMap n/${name}-old`,
        "1 to create, 1 to update, 1 to delete, 1 unchanged",
        "",
      ].join("\n"),
    );
  });

  it.each<readonly [strategy: UpdateStrategy, lines: string[]]>([
    ["update", ['  ~ .data.a: "edited" -> "1"', '  - .data.theirs: "x"']],
    ["patch", ['  ~ .data.a: "edited" -> "1"', '  - .data.theirs: "x"']],
    ["mergeOverwrite", ['  ~ .data.a: "edited" -> "1"']],
  ])("foresees what strategy %s makes of fields of others", async (strategy, lines) => {
    const manifests = manage(configMap(name, { a: "1" }));
    const inventory = await deploy(manifests);
    const body = { data: { a: "edited", theirs: "x" } };
    await target.client.patch(kubeResources.configMap, { namespace: "n", name }, { type: "merge", body });
    expect(await plan(manifests, { inventory, strategy })).toBe(
      [`update ConfigMap n/${name}`, ...lines, "1 to update", ""].join("\n"),
    );
  });

  it.each<UpdateStrategy>(["update", "patch", "merge", "mergeOverwrite"])(
    "foresees what the first job by apply takes of what %s has written",
    async (strategy) => {
      const deployment = (containers: readonly object[], spec: object = {}): UnstructuredObject => {
        const template = { metadata: { labels: { app: name } }, spec: { containers } };
        const selector = { matchLabels: { app: name } };
        const metadata = { name, namespace: "n" };
        return { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { ...spec, selector, template } };
      };
      const env = [
        { name: "A", value: "a" },
        { name: "B", value: "b" },
      ];
      const main = { name: "main", image: "image:1" };
      const containers = [
        { ...main, env, command: ["run"] },
        { ...main, name: "sidecar" },
      ];
      const before = [
        configMap(name, { a: "1", b: "1", c: "1" }, { annotations: { note: "1" } }),
        deployment(containers, { replicas: 3, paused: true }),
      ];
      await deploy(manage(...before), strategy);
      const inventory = await deploy(manage(...before), strategy);
      const body = { data: { c: "theirs", d: "theirs" } };
      const patch = { type: "merge", body, fieldManager: "kubectl-edit" } as const;
      await target.client.patch(kubeResources.configMap, { namespace: "n", name }, patch);
      const next = manage(configMap(name, { a: "2" }), deployment([{ ...main, env: env.slice(1) }]));
      const foreseen = await plan(next, { inventory, strategy: "apply" });
      const read = async (): Promise<(UnstructuredObject | undefined)[]> =>
        await Promise.all(next.map(({ manifest }) => findLive(target.cluster, referenceTo(manifest), signal)));
      const old = await read();
      const { failures } = await target.apply("item", next, { strategy: "apply", serverSide, inventory });
      expect(failures).toEqual([]);
      const now = await read();
      const seen = now.flatMap((live, index) => diffObjects(old[index], live).map(({ path }) => path));
      expect(foreseen.split("\n").flatMap((line) => /^ {2}[-+~] (.*?): /.exec(line)?.[1] ?? [])).toEqual(seen);
      expect(seen).toEqual(
        expect.arrayContaining([".data.b", ".metadata.annotations.note", ".spec.replicas", ".spec.paused"]),
      );
      expect(now[0]?.["data"]).toEqual({ a: "2", c: "theirs", d: "theirs" });
    },
  );

  it("takes away nothing that a job leaves, which hands over no more", async () => {
    const manifests = manage(configMap(name, { a: "1" }));
    const inventory = await deploy(manifests, "apply");
    // As patchAfterDeployment does.
    const patch = { type: "merge", body: { data: { b: "1" } }, fieldManager: "landscaper" } as const;
    await target.client.patch(kubeResources.configMap, { namespace: "n", name }, patch);
    expect(await plan(manifests, { inventory, strategy: "apply" })).toBe("1 unchanged\n");
    const { failures } = await target.apply("item", manifests, { strategy: "apply", serverSide, inventory });
    expect(failures).toEqual([]);
    const live = await target.client.get(kubeResources.configMap, { namespace: "n", name });
    expect(live.data).toEqual({ a: "1", b: "1" });
  });

  it("foresees conflicts of strategy apply", async () => {
    const manifests = manage(configMap(name, { a: "1" }));
    const inventory = await deploy(manifests, "apply");
    const patch = { type: "merge", body: { data: { a: "edited" } }, fieldManager: "kubectl-edit" } as const;
    await target.client.patch(kubeResources.configMap, { namespace: "n", name }, patch);
    expect(await plan(manifests, { inventory, strategy: "apply" })).toBe(
      `blocked ConfigMap n/${name}: apply ConfigMap n/${name}: kubectl-edit manages .data.a\n1 blocked\n`,
    );
    expect(
      await plan(manifests, { inventory, strategy: "apply", serverSide: { ...serverSide, force: true } }),
    ).toContain('  ~ .data.a: "edited" -> "1"');
  });

  it("says what would be refused, and by whom", async () => {
    const unknown = { apiVersion: "example.org/v1", kind: "Unknown", metadata: { name, namespace: "n" } };
    const invalid = configMap(name, { "no key": "x" });
    const elsewhere = configMap(name, {}, { namespace: "absent" });
    const text = await plan(manage(unknown, invalid, elsewhere));
    expect(text).toContain(`blocked Unknown n/${name}: Unknown n/${name}: the target cluster serves no kind Unknown`);
    expect(text).toContain(`blocked ConfigMap n/${name}: create ConfigMap n/${name}: `);
    expect(text).toContain(
      `blocked ConfigMap absent/${name}: create ConfigMap absent/${name}: namespaces "absent" not found`,
    );
  });

  it("takes what a job brings along for there", async () => {
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: `${name}-ns` } };
    const crd = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `things.${name}.example.org` },
      spec: {
        group: `${name}.example.org`,
        names: { kind: "Thing", plural: "things" },
        scope: "Namespaced",
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    };
    const thing = {
      apiVersion: `${name}.example.org/v1`,
      kind: "Thing",
      metadata: { name, namespace: "n" },
      spec: { a: 1 },
    };
    const inside = configMap(name, { a: "1" }, { namespace: `${name}-ns` });
    const changes = await planDiff(options(manage(namespace, crd, thing, inside)));
    expect(changes.map(({ type, resource }) => `${type} ${resource.kind}`)).toEqual([
      "create Namespace",
      "create CustomResourceDefinition",
      "create Thing",
      "create ConfigMap",
    ]);
    expect(changes[2]?.fields).toEqual([{ path: ".spec.a", type: "added", to: 1 }]);
  });

  it("leaves out what a job would not touch: ignored, released and kept objects", async () => {
    const kept: Manifest = { policy: "keep", manifest: configMap(`${name}-kept`) };
    const inventory = await deploy([kept]);
    await target.client.create(
      kubeResources.configMap,
      configMap(`${name}-foreign`, {}, { labels: { [ownerKey]: "other" } }),
    );
    const manifests: Manifest[] = [
      { policy: "ignore", manifest: configMap(`${name}-ignored`) },
      { policy: "fallback", manifest: configMap(`${name}-foreign`, { a: "1" }) },
    ];
    expect(await plan(manifests, { inventory })).toBe("nothing to do\n");
  });

  it("shows no secret", async () => {
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name, namespace: "n" },
      stringData: { key: "sentinel-value" },
    };
    const text = await plan(manage(secret, configMap(name, { copy: "has sentinel-value inside" })));
    expect(text).not.toContain("sentinel-value");
    expect(text).toContain('  + .data.key: "(masked)"');
    expect(text).toContain('  + .data.copy: "has [...] inside"');
  });

  it("shows no secret of an object that is blocked or left alone", async () => {
    const data = { key: "sentinel-value" };
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name, namespace: "n" }, stringData: data };
    const [live, blocked] = [
      { ...secret, stringData: { key: "sentinel-former" }, immutable: true },
      { ...secret, stringData: { key: "sentinel-later" } },
    ];
    const inventory = await deploy(manage(live));
    const ignored: Manifest = {
      policy: "ignore",
      manifest: { ...secret, metadata: { name: "ignored", namespace: "n" } },
    };
    const copies = configMap(name, { a: "x sentinel-value", b: "x sentinel-former", c: "x sentinel-later" });
    const text = await plan([...manage(blocked, copies), ignored], { inventory });
    expect(text).toContain(`blocked Secret n/${name}: `);
    expect(text).toContain('  + .data.a: "x [...]"');
    expect(text).not.toContain("sentinel");
  });

  it.each([401, 500, 503])("throws when the target answers a write with %d", async (status) => {
    target.server.setFault(({ verb }) => (verb === "create" ? { status } : undefined));
    await expect(planDiff(options(manage(configMap(name))))).rejects.toThrow(`create ConfigMap n/${name}: `);
  });

  it("says what the user may not do", async () => {
    target.server.setFault(({ verb }) => (verb === "create" ? { status: 403 } : undefined));
    expect(await plan(manage(configMap(name)))).toContain(`blocked ConfigMap n/${name}: create ConfigMap n/${name}: `);
  });

  it("throws when the target cannot be read", async () => {
    target.server.setFault(({ verb }) => (verb === "get" ? { status: 403 } : undefined));
    await expect(planDiff(options(manage(configMap(name))))).rejects.toThrow(`get ConfigMap n/${name}: `);
  });

  it("has a summary", () => {
    expect(summarizePlan([])).toBe("nothing to do");
  });
});

describe("a client for dry runs", () => {
  it("refuses what has no dry run", async () => {
    const client = createDryRunClient(target.client);
    await expect(client.delete(kubeResources.configMap, { namespace: "n", name })).rejects.toThrow("deletes nothing");
    await expect(client.request({ method: "POST", path: "/api/v1/namespaces" })).rejects.toThrow("only reads");
  });

  it("writes nothing", async () => {
    const client = createDryRunClient(target.client);
    await client.create(kubeResources.configMap, configMap(name));
    expect(await target.find(name)).toBe(undefined);
    await deploy(manage(configMap(name, { a: "1" })));
    const live = await target.client.get(kubeResources.configMap, { namespace: "n", name });
    await client.update(kubeResources.configMap, { ...live, data: { a: "2" } });
    const key = { namespace: "n", name };
    await client.patch(kubeResources.configMap, key, { type: "merge", body: { data: { a: "3" } }, dryRun: false });
    expect((await target.find(name))?.data).toEqual({ a: "1" });
  });
});

describe("detectDrift", () => {
  async function edit(body: object): Promise<void> {
    const patch = { type: "merge", body, fieldManager: "kubectl-edit" } as const;
    await target.client.patch(kubeResources.configMap, { namespace: "n", name }, patch);
  }

  it.each<UpdateStrategy>(["update", "patch", "mergeOverwrite", "apply"])(
    "by strategy %s finds changed fields, and corrects them",
    async (strategy) => {
      const manifests = manage(configMap(name, { a: "1", b: "1" }));
      const inventory = await deploy(manifests, strategy);
      const given = options(manifests, { inventory, strategy });
      expect(await detectDrift(given)).toEqual({ drifts: [], failures: [] });
      await edit({ data: { a: "edited" }, metadata: { annotations: { theirs: "yes" } } });
      const { drifts } = await detectDrift(given);
      expect(drifts).toMatchObject([
        { type: "changed", fields: [{ path: ".data.a", type: "changed", from: "edited", to: "1" }] },
      ]);
      expect(describeDrifts(drifts)).toBe(`ConfigMap n/${name}: .data.a`);
      expect((await target.find(name))?.data?.["a"]).toBe("edited");
      expect((await correctDrift(given, drifts)).failures).toEqual([]);
      expect((await target.find(name))?.data).toEqual({ a: "1", b: "1" });
      expect((await detectDrift(given)).drifts).toEqual([]);
    },
  );

  it("leaves ignored fields as they are, also when it corrects others", async () => {
    const manifests = manage(configMap(name, { a: "1", b: "1" }));
    const inventory = await deploy(manifests);
    const given = options(manifests, {
      inventory,
      ignore: [{ kind: "ConfigMap", jsonPointers: ["/data/a", "/data/c"] }],
    });
    await edit({ data: { a: "edited", c: "added" } });
    expect((await detectDrift(given)).drifts).toEqual([]);
    await edit({ data: { b: "edited" } });
    const { drifts } = await detectDrift(given);
    expect(describeDrifts(drifts)).toBe(`ConfigMap n/${name}: .data.b`);
    await correctDrift(given, drifts);
    expect((await target.find(name))?.data).toEqual({ a: "edited", b: "1", c: "added" });
  });

  it("finds what is missing, and makes it anew", async () => {
    const manifests = manage(configMap(name, { a: "1" }));
    const inventory = await deploy(manifests);
    await target.client.delete(kubeResources.configMap, { namespace: "n", name });
    const { drifts } = await detectDrift(options(manifests, { inventory }));
    expect(describeDrifts(drifts)).toBe(`ConfigMap n/${name} does not exist`);
    await correctDrift(options(manifests, { inventory }), drifts);
    expect((await target.find(name))?.data).toEqual({ a: "1" });
  });

  it("does not look at what is not managed, or never changed", async () => {
    const manifests: Manifest[] = [
      { policy: "immutable", manifest: configMap(name, { a: "1" }) },
      { policy: "ignore", manifest: configMap(`${name}-ignored`) },
      { policy: "manage", manifest: configMap(`${name}-new`) },
    ];
    const inventory = await deploy(manifests.slice(0, 1));
    await edit({ data: { a: "edited" } });
    expect(await detectDrift(options(manifests, { inventory }))).toEqual({ drifts: [], failures: [] });
  });

  it("takes defaults of the target for no drift", async () => {
    const service = {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name, namespace: "n" },
      spec: { selector: { app: "x" }, ports: [{ port: 80 }] },
    };
    const manifests = manage(service);
    for (const strategy of ["update", "apply"] as const) {
      const inventory = await deploy(manifests, strategy);
      expect(await detectDrift(options(manifests, { inventory, strategy }))).toEqual({ drifts: [], failures: [] });
    }
  });

  it("goes on with the others when one cannot be compared", async () => {
    const manifests = manage(configMap(name, { a: "1" }), configMap(`${name}-b`));
    const inventory = await deploy(manifests);
    await edit({ data: { a: "edited" } });
    const forbidden = `${name}-b`;
    target.server.setFault((request) => (request.name === forbidden ? { status: 403 } : undefined));
    const { drifts, failures } = await detectDrift(options(manifests, { inventory }));
    expect(describeDrifts(drifts)).toBe(`ConfigMap n/${name}: .data.a`);
    expect(failures).toEqual([expect.any(LandscaperError)]);
  });

  it("shows no secret", async () => {
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name, namespace: "n" },
      data: { key: "c2VudGluZWw=" },
    };
    const manifests = manage(secret);
    const inventory = await deploy(manifests);
    const body = { data: { key: "ZWRpdGVk" } };
    await target.client.patch(kubeResources.secret, { namespace: "n", name }, { type: "merge", body });
    const { drifts } = await detectDrift(options(manifests, { inventory }));
    expect(drifts[0]?.fields).toEqual([{ path: ".data.key", type: "changed", from: "(masked)", to: "(masked)" }]);
  });
});
