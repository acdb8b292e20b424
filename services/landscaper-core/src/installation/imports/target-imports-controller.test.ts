import { describe, expect, it } from "@jest/globals";
import { kubeResources, labels, resources, templateStateSecretName, type DeployItem } from "@landscaper/api";
import type { TestNamespace } from "@landscaper/testkit";
import {
  filesystemOf,
  installation,
  target,
  targetParameter,
  template,
  trigger,
  type TestBlueprint,
} from "../../../test/objects.ts";
import { setUpCore } from "../../../test/set-up.ts";

const setUp = setUpCore();

const mapParameter = { name: "clusters", type: "targetMap", targetType: "mock" };
const listParameter = { name: "clusters", type: "targetList", targetType: "mock" };

/** One item per target of the map. */
const perKey: TestBlueprint = {
  imports: [mapParameter],
  deploy: `
deployItems:
{{- range $key, $target := .imports.clusters }}
  - name: item-{{ $key }}
    type: test/item
    target: { import: clusters, key: {{ $key }} }
    config: { apiVersion: test/v1, kind: Item }
{{- end }}
`,
};

async function targetsOfItems(namespace: TestNamespace): Promise<Record<string, string | undefined>> {
  const items: readonly DeployItem[] = await namespace.list(resources.deployItem);
  return Object.fromEntries(
    items.map((item) => [item.metadata.labels?.[labels.managedName] ?? "", item.spec.target?.name]),
  );
}

async function createTargets(namespace: TestNamespace, ...names: readonly string[]): Promise<void> {
  for (const name of names) await namespace.create(resources.target, target(name, { of: name }));
}

describe("target maps (core.md §5.14)", () => {
  it("deploy to each of their targets; a key that goes takes its item along, others keep theirs", async () => {
    const namespace = await setUp.namespace("map");
    await createTargets(namespace, "one", "two", "three");
    const of = (targetMap: Record<string, string>) =>
      installation({ name: "root", blueprint: perKey, imports: { targets: [{ name: "clusters", targetMap }] } });
    await namespace.create(resources.installation, of({ red: "one", blue: "two" }));
    await namespace.untilPhase("root", "Succeeded");
    expect(await targetsOfItems(namespace)).toEqual({ "item-red": "one", "item-blue": "two" });
    const uidOf = async (name: string) =>
      (await namespace.list(resources.deployItem)).find(
        ({ metadata }) => metadata.labels?.[labels.managedName] === name,
      )?.metadata.uid;
    const blue = await uidOf("item-blue");

    const { status: _, ...found } = await namespace.get(resources.installation, "root");
    const { spec } = of({ blue: "two", yellow: "three" });
    const metadata = { ...found.metadata, annotations: trigger };
    await namespace.client.update(resources.installation, {
      ...found,
      metadata,
      spec: { ...spec, context: "default" },
    });
    await namespace.untilPhase("root", "Succeeded");
    expect(await targetsOfItems(namespace)).toEqual({ "item-blue": "two", "item-yellow": "three" });
    expect(await uidOf("item-blue")).toBe(blue);
    const copies = (await namespace.list(resources.target)).filter(
      ({ metadata }) => metadata.ownerReferences !== undefined,
    );
    expect(copies.map(({ metadata }) => metadata.labels?.[labels.dataTargetMapKey] ?? "").toSorted()).toEqual([
      "blue",
      "yellow",
    ]);
  });

  it("are passed on as a whole and by element", async () => {
    const namespace = await setUp.namespace("map-ref");
    await createTargets(namespace, "one", "two");
    const single: TestBlueprint = {
      imports: [targetParameter("cluster")],
      deploy: `
deployItems:
  - { name: single, type: test/item, target: { import: cluster }, config: { apiVersion: test/v1, kind: Item } }
`,
    };
    const blueprint: TestBlueprint = {
      imports: [mapParameter],
      subinstallations: [
        template({
          name: "all",
          blueprint: perKey,
          imports: { targets: [{ name: "clusters", targetMapRef: "clusters" }] },
        }),
        template({
          name: "red",
          blueprint: single,
          imports: { targets: [{ name: "cluster", target: "clusters[red]" }] },
        }),
      ],
    };
    const imports = { targets: [{ name: "clusters", targetMap: { red: "one", blue: "two" } }] };
    await namespace.create(resources.installation, installation({ name: "root", blueprint, imports }));
    await namespace.untilPhase("root", "Succeeded");
    const byName = new Map((await namespace.list(resources.target)).map((one) => [one.metadata.name, one.spec.config]));
    const items = await targetsOfItems(namespace);
    expect(Object.fromEntries(Object.entries(items).map(([name, of]) => [name, byName.get(of)]))).toEqual({
      "item-red": { of: "one" },
      "item-blue": { of: "two" },
      single: { of: "one" },
    });
    await namespace.delete(resources.installation, "root");
    await namespace.untilGone(resources.installation, "root");
    expect(await namespace.list(resources.deployItem)).toEqual([]);
  });
});

describe("target lists", () => {
  it("deploy by index, and may be empty (core.md §4.24)", async () => {
    const namespace = await setUp.namespace("list");
    await createTargets(namespace, "one", "two");
    const blueprint: TestBlueprint = {
      imports: [listParameter],
      deploy: `
deployItems:
{{- range $index, $target := .imports.clusters }}
  - name: item-{{ $index }}
    type: test/item
    target: { import: clusters, index: {{ $index }} }
    config: { apiVersion: test/v1, kind: Item }
{{- end }}
`,
    };
    const of = (name: string, targets: string[]) =>
      installation({ name, blueprint, imports: { targets: [{ name: "clusters", targets }] } });
    await namespace.create(resources.installation, of("root", ["two", "one"]));
    await namespace.create(resources.installation, of("empty", []));
    await namespace.untilPhase("root", "Succeeded");
    await namespace.untilPhase("empty", "Succeeded");
    expect(await targetsOfItems(namespace)).toEqual({ "item-0": "two", "item-1": "one" });
  });
});

describe("exported targets (core.md §5.15)", () => {
  it("are created in the scope and can be imported by others", async () => {
    const namespace = await setUp.namespace("exported-target");
    const producer: TestBlueprint = {
      exports: [{ name: "cluster", type: "target", targetType: "mock" }],
      export: 'exports: { cluster: { type: mock, config: { of: export }, labels: { mine: "x" } } }\n',
    };
    const exports = { targets: [{ name: "cluster", target: "target-1" }] };
    await namespace.create(resources.installation, installation({ name: "first", blueprint: producer, exports }));
    await namespace.create(
      resources.installation,
      installation({
        name: "second",
        blueprint: perKey,
        imports: { targets: [{ name: "clusters", targetMap: { a: "target-1" } }] },
      }),
    );
    await namespace.untilPhase("second", "Succeeded");
    const exported = await namespace.get(resources.target, "target-1");
    expect([exported.spec.type, exported.spec.config, exported.metadata.labels?.["mine"]]).toEqual([
      "landscaper.gardener.cloud/mock",
      { of: "export" },
      "x",
    ]);
    expect(await targetsOfItems(namespace)).toEqual({ "item-a": "target-1" });
  });
});

describe("template state (core.md §3.1, §3.7)", () => {
  it("is kept in a Secret over jobs", async () => {
    const namespace = await setUp.namespace("state");
    const deploy = `
{{- $count := 1 }}
{{- if .state.count }}{{ $count = add .state.count 1 }}{{ end }}
state: { count: {{ $count }} }
deployItems:
  - { name: "item-{{ $count }}", type: test/item, config: { apiVersion: test/v1, kind: Item } }
`;
    await namespace.create(resources.installation, installation({ name: "root", blueprint: { deploy } }));
    await namespace.untilPhase("root", "Succeeded");
    expect(Object.keys(await targetsOfItems(namespace))).toEqual(["item-1"]);
    await namespace.annotate(resources.installation, "root", trigger);
    await namespace.untilPhase("root", "Succeeded");
    expect(Object.keys(await targetsOfItems(namespace))).toEqual(["item-2"]);
    const secret = await namespace.get(kubeResources.secret, templateStateSecretName("root", "deploy", "default"));
    expect(Buffer.from(secret.data?.["config"] ?? "", "base64").toString()).toBe('{"count":2}');
    expect(secret.metadata.ownerReferences?.[0]).toMatchObject({
      kind: "Installation",
      name: "root",
      controller: true,
    });
  });
});

describe("an Installation that is gone and comes again", () => {
  it("starts afresh", async () => {
    const namespace = await setUp.namespace("again");
    const blueprint = {
      deploy: "deployItems:\n  - { name: a, type: test/item, config: { apiVersion: test/v1, kind: Item } }\n",
    };
    for (let round = 0; round < 3; round += 1) {
      await namespace.create(resources.installation, installation({ name: "root", blueprint }));
      await namespace.untilPhase("root", "Succeeded");
      await namespace.delete(resources.installation, "root");
      await namespace.untilGone(resources.installation, "root");
    }
    expect(await namespace.list(resources.execution)).toEqual([]);
  });
});

describe("a broken blueprint", () => {
  it.each([
    ["missing", {}, "blueprint of installation root: expected a file blueprint.yaml, found none"],
    ["unreadable", { "blueprint.yaml": "[" }, /blueprint of installation root\/blueprint.yaml/],
  ] as const)("that is %s fails the job and names the place", async (name, filesystem, message) => {
    const namespace = await setUp.namespace(`broken-${name}`);
    const broken = {
      ...installation({ name: "root", blueprint: {} }),
      spec: { blueprint: { inline: { filesystem } } },
    };
    await namespace.create(resources.installation, broken);
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toMatch(message);
    const spec = { ...failed.spec, blueprint: { inline: { filesystem: filesystemOf({}) } } };
    await namespace.client.update(resources.installation, {
      ...failed,
      metadata: { ...failed.metadata, annotations: trigger },
      spec,
    });
    await namespace.untilPhase("root", "Succeeded");
  });

  it("of a component is refused with a hint", async () => {
    const namespace = await setUp.namespace("component");
    const remote = {
      ...installation({ name: "root", blueprint: {} }),
      spec: { blueprint: { ref: { resourceName: "b" } } },
    };
    await namespace.create(resources.installation, remote);
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError).toMatchObject({
      operation: "InitPrerequisites",
      reason: "ResolveBlueprint",
      message:
        'spec.blueprint.ref "b": the Installation has no component that the blueprint could be a resource of; name the component in spec.componentDescriptor, or give the blueprint inline',
    });
  });

  it("is not even read when the Context is missing", async () => {
    const namespace = await setUp.namespace("no-context");
    await namespace.create(resources.installation, installation({ name: "root", context: "mine", blueprint: {} }));
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError).toMatchObject({
      reason: "CalculateContext",
      message:
        'spec.context: Context "mine" was not found in namespace no-context; create the Context and trigger the installation again',
    });
  });
});
