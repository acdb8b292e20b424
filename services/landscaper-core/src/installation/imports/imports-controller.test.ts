import { describe, expect, it } from "@jest/globals";
import {
  kubeResources,
  labels,
  resources,
  scopeOfInstallation,
  type DataImport,
  type DataObject,
  type Installation,
  type KubeEvent,
} from "@landscaper/api";
import { waitFor, type TestNamespace } from "@landscaper/testkit";
import {
  dataObject,
  deployItems,
  installation,
  stringParameter,
  target,
  targetParameter,
  trigger,
  type TestBlueprint,
} from "../../../test/objects.ts";
import { setUpCore } from "../../../test/set-up.ts";

const setUp = setUpCore();

/** Deploys what it imports and exports it again. */
const echo: TestBlueprint = {
  imports: [
    targetParameter("cluster"),
    stringParameter("name"),
    { name: "count", type: "data", schema: { type: "integer" } },
    { name: "data", type: "data", schema: { type: "object" } },
  ],
  exports: [stringParameter("exported-name"), { name: "exported-data", type: "data", schema: { type: "object" } }],
  deploy: `
deployItems:
  - name: item
    type: test/item
    target: { import: cluster }
    config:
      apiVersion: test/v1
      kind: Item
      export: { name: {{ .imports.name }}, count: {{ .imports.count }}, data: {{ toJson .imports.data }} }
`,
  export: `
exports:
  exported-name: {{ index .deployitems "item" "name" }}
  exported-data: {{ index .deployitems "item" "data" | toJson }}
`,
};

const exports = {
  data: [
    { name: "exported-name", dataRef: "export-do-name" },
    { name: "exported-data", dataRef: "export-do-data" },
  ],
};
const targets = [{ name: "cluster", target: "cluster" }];

function base64(entries: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).map(([key, text]) => [key, Buffer.from(text).toString("base64")]));
}

async function exported(namespace: TestNamespace): Promise<Record<string, unknown>> {
  const objects = await namespace.list(resources.dataObject);
  const found = (name: string): DataObject | undefined => objects.find(({ metadata }) => metadata.name === name);
  return { name: found("export-do-name")?.data, data: found("export-do-data")?.data };
}

/** Has the core's first copy of an import wait a second; what it returns resolves when it has come. */
function delayFirstCopy(namespace: TestNamespace): () => Promise<void> {
  let delayed = 0;
  setUp.cluster.server.setFault(({ verb, resource, namespace: place, userAgent }) => {
    const isCopy = verb === "create" && resource === "dataobjects" && place === namespace.name;
    if (!isCopy || !userAgent.startsWith("core") || delayed > 0) return undefined;
    delayed += 1;
    return { status: 429, retryAfter: 1 };
  });
  return async () => void (await waitFor(async () => delayed === 1));
}

/** Resolves when the core has told in an event of the Installation that it failed for this reason. */
async function untilWarned(namespace: TestNamespace, installation: string, reason: string): Promise<void> {
  const word = reason.charAt(0).toUpperCase() + reason.slice(1);
  const isIt = (event: KubeEvent): boolean => event.regarding?.name === installation && event.reason === word;
  await waitFor(async () => (await namespace.list(kubeResources.event)).some(isIt));
}

describe("imports", () => {
  it("come from DataObjects, ConfigMaps and Secrets, by key and whole (core.md §5.2)", async () => {
    const namespace = await setUp.namespace("sources");
    await namespace.create(resources.target, target("cluster"));
    await namespace.create(resources.dataObject, dataObject("name", "from-data-objects"));
    await namespace.create(resources.dataObject, dataObject("count", 1));
    await namespace.create(resources.dataObject, dataObject("data", { source: "DataObject" }));
    const data = [
      { name: "name", dataRef: "name" },
      { name: "count", dataRef: "count" },
      { name: "data", dataRef: "data" },
    ];
    await namespace.create(
      resources.installation,
      installation({ name: "root", blueprint: echo, imports: { targets, data }, exports }),
    );
    const first = await namespace.untilPhase("root", "Succeeded");
    expect(await exported(namespace)).toEqual({ name: "from-data-objects", data: { source: "DataObject" } });
    // As seed-001 shows it (core.md §1.5 D2).
    expect(first.status?.imports?.[0]).toEqual({
      name: "name",
      type: "dataobject",
      dataRef: "name",
      configGeneration: 1,
    });
    expect(first.status?.imports?.map(({ name }) => name)).toEqual(["name", "count", "data", "cluster"]);

    const meta = (name: string) => ({ apiVersion: "v1", metadata: { name } });
    const keyed = { name: "from-config-maps", count: "2" };
    await namespace.create(kubeResources.configMap, { ...meta("keyed"), kind: "ConfigMap", data: keyed });
    await namespace.create(kubeResources.configMap, { ...meta("whole"), kind: "ConfigMap", data: { a: "5", b: "x" } });
    await retarget(namespace, [
      { name: "name", configMapRef: { name: "keyed", key: "name" } },
      { name: "count", configMapRef: { name: "keyed", key: "count" } },
      { name: "data", configMapRef: { name: "whole" } },
    ]);
    expect(await exported(namespace)).toEqual({ name: "from-config-maps", data: { a: 5, b: "x" } });

    const secret = base64({ name: "from-secrets", count: "3" });
    await namespace.create(kubeResources.secret, { ...meta("keyed"), kind: "Secret", data: secret });
    await namespace.create(kubeResources.secret, { ...meta("whole"), kind: "Secret", data: base64({ a: "[1]" }) });
    await retarget(namespace, [
      { name: "name", secretRef: { name: "keyed", key: "name" } },
      { name: "count", secretRef: { name: "keyed", key: "count" } },
      { name: "data", secretRef: { name: "whole" } },
    ]);
    expect(await exported(namespace)).toEqual({ name: "from-secrets", data: { a: [1] } });
    const object = await namespace.get(resources.dataObject, "export-do-name");
    expect(object.metadata.labels?.[labels.dataSource]).toBe(scopeOfInstallation("root"));
    expect(object.metadata.labels?.[labels.dataContext]).toBeUndefined();
  });

  async function retarget(namespace: TestNamespace, data: DataImport[]): Promise<void> {
    const { status, ...found } = await namespace.get(resources.installation, "root");
    await namespace.client.update(resources.installation, {
      ...found,
      metadata: { ...found.metadata, annotations: trigger },
      spec: { ...found.spec, imports: { targets, data } },
    });
    const done = await namespace.untilPhase("root", "Succeeded");
    expect(done.status?.jobID).not.toBe(status?.jobID);
  }

  it("that are missing fail the job at once; adding them and triggering again succeeds (core.md §5.4)", async () => {
    const namespace = await setUp.namespace("missing-import");
    const blueprint = { imports: [stringParameter("name")], deploy: deployItems({ name: "item" }) };
    const imports = { data: [{ name: "name", dataRef: "absent" }] };
    await namespace.create(resources.installation, installation({ name: "root", blueprint, imports }));
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError).toMatchObject({
      operation: "init",
      reason: "ImportsSatisfied",
      message:
        'imports are not satisfied in namespace missing-import: import "name": data object "absent" was not found; ' +
        "create what is missing or correct the reference and trigger the installation again",
    });
    expect(await namespace.list(resources.execution)).toEqual([]);

    await namespace.create(resources.dataObject, dataObject("absent", "here"));
    await namespace.annotate(resources.installation, "root", trigger);
    await namespace.untilPhase("root", "Succeeded");
  });

  it("that break their schema fail the job before anything is created (core.md §5.5)", async () => {
    const namespace = await setUp.namespace("schema");
    const blueprint = { imports: [stringParameter("name")], deploy: deployItems({ name: "item" }) };
    const imports = { data: [{ name: "name", dataRef: "name" }] };
    await namespace.create(resources.dataObject, dataObject("name", 5));
    await namespace.create(resources.installation, installation({ name: "root", blueprint, imports }));
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toContain("imports.name");
    expect(failed.status?.lastError?.reason).toBe("SchemaValidationFailed");
    expect(await namespace.list(resources.deployItem)).toEqual([]);

    const object = await namespace.get(resources.dataObject, "name");
    await namespace.client.update(resources.dataObject, { ...object, data: "five" });
    await namespace.annotate(resources.installation, "root", trigger);
    await namespace.untilPhase("root", "Succeeded");
  });

  it("whose copies the API server refuses fail the job, until it takes them (core.md §2.9 CreateImports)", async () => {
    const namespace = await setUp.namespace("refused-copies");
    const imports = { data: [{ name: "name", dataRef: "name" }] };
    await namespace.create(resources.dataObject, dataObject("name", "five"));
    const isCopy = (verb: string, where: string): boolean =>
      verb === "create" && where === "dataobjects/refused-copies";
    setUp.cluster.server.setFault(({ verb, resource, namespace: place, userAgent }) =>
      userAgent.startsWith("core") && isCopy(verb, `${resource}/${place}`) ? { status: 403 } : undefined,
    );
    const blueprint = { imports: [stringParameter("name")] };
    await namespace.create(resources.installation, installation({ name: "root", blueprint, imports }));
    const failed = await namespace.untilPhase("root", "Failed");
    setUp.cluster.server.setFault(undefined);
    const { lastError } = failed.status ?? {};
    expect(lastError).toMatchObject({ operation: "CreateImportsAndSubobjects", reason: "CreateOrUpdateImports" });
    expect(lastError?.message).toContain("copies of the imports: POST ");
    const ofImports = ({ status }: Installation) => status?.conditions?.find(({ type }) => type === "CreateImports");
    expect(ofImports(failed)).toMatchObject({ status: "False", reason: "CreateDataObjects" });
    await namespace.annotate(resources.installation, "root", trigger);
    expect(ofImports(await namespace.untilPhase("root", "Succeeded"))).toBeUndefined();
  });

  it("that change while they are being copied are read again (core.md §1.1 no. 8)", async () => {
    const namespace = await setUp.namespace("changed-copies");
    const blueprint = {
      imports: [stringParameter("name")],
      deploy:
        "deployItems: [{ name: item, type: test/item, config: { apiVersion: v1, kind: Item, message: {{ .imports.name }} } }]",
    };
    await namespace.create(resources.dataObject, dataObject("name", "one"));
    const untilDelayed = delayFirstCopy(namespace);
    const imports = { data: [{ name: "name", dataRef: "name" }] };
    await namespace.create(resources.installation, installation({ name: "root", blueprint, imports }));
    await untilDelayed();
    const key = { namespace: namespace.name, name: "name" };
    await namespace.client.patch(resources.dataObject, key, { type: "merge", body: { data: "two" } });
    await namespace.untilPhase("root", "Succeeded");
    setUp.cluster.server.setFault(undefined);
    const [item] = await namespace.list(resources.deployItem);
    expect(item?.spec.config?.["message"]).toBe("two");
    await untilWarned(namespace, "root", "compareImportHashes");
  });

  it("whose exporter starts again while they are being copied end no job: it is tried again (core.md §1.1 no. 8)", async () => {
    const namespace = await setUp.namespace("changed-exporter");
    const exporter = {
      exports: [stringParameter("value")],
      deploy: deployItems({ name: "item", export: { value: "one" } }),
      export: 'exports: { value: "{{ index .deployitems "item" "value" }}" }\n',
    };
    const hanging = { name: "item", result: "Hang" } as const;
    const exports = { data: [{ name: "value", dataRef: "value" }] };
    await namespace.create(resources.installation, installation({ name: "first", blueprint: exporter, exports }));
    await namespace.untilPhase("first", "Succeeded");
    const untilDelayed = delayFirstCopy(namespace);
    const imports = { data: [{ name: "value", dataRef: "value" }] };
    const blueprint = { imports: [stringParameter("value")] };
    await namespace.create(resources.installation, installation({ name: "second", blueprint, imports }));
    await untilDelayed();
    const { spec } = installation({ name: "first", blueprint: { ...exporter, deploy: deployItems(hanging) }, exports });
    const body = { metadata: { annotations: trigger }, spec };
    await namespace.client.patch(
      resources.installation,
      { namespace: namespace.name, name: "first" },
      { type: "merge", body },
    );
    await untilWarned(namespace, "second", "comparePredecessorMaps");
    setUp.cluster.server.setFault(undefined);
    const { status } = await namespace.get(resources.installation, "second");
    expect(status).toMatchObject({ phase: "Progressing", lastError: { reason: "comparePredecessorMaps" } });
  });

  it("are seen although their event comes after the trigger", async () => {
    const namespace = await setUp.namespace("late-event");
    const blueprint = { imports: [stringParameter("name")], deploy: deployItems({ name: "item" }) };
    const imports = { data: [{ name: "name", dataRef: "name" }] };
    for (let round = 0; round < 10; round += 1) {
      await namespace.create(resources.dataObject, dataObject(`name-${round}`, "x"));
      const data = [{ name: "name", dataRef: `name-${round}` }];
      await namespace.create(
        resources.installation,
        installation({ name: `r${round}`, blueprint, imports: { ...imports, data } }),
      );
    }
    for (let round = 0; round < 10; round += 1) await namespace.untilPhase(`r${round}`, "Succeeded");
  });

  it("that change while the job runs fail it, and no export appears (core.md §5.23)", async () => {
    const namespace = await setUp.namespace("changed-import");
    const blueprint = { imports: [stringParameter("name")], deploy: deployItems({ name: "item", result: "Hang" }) };
    const imports = { data: [{ name: "name", dataRef: "name" }] };
    const object = await namespace.create(resources.dataObject, dataObject("name", "before"));
    await namespace.create(resources.installation, installation({ name: "root", blueprint, imports }));
    await namespace.untilWorking("root");
    await namespace.client.update(resources.dataObject, { ...object, data: "after" });
    const [item] = await namespace.list(resources.deployItem);
    const picked = await namespace.until(
      resources.deployItem,
      item!.metadata.name!,
      (found) => found?.status?.phase === "Init",
    );
    const status = { ...picked!.status, phase: "Succeeded", jobIDFinished: picked!.status!.jobID! };
    await namespace.client.updateStatus(resources.deployItem, { ...picked!, status });
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError).toMatchObject({
      operation: "handlePhaseCompleting",
      reason: "CheckImportsHash",
      message: "the imports were changed while the job was running; trigger the installation again",
    });
  });
});

describe("export objects", () => {
  it("of another Installation are not overwritten; those of nobody are taken over (core.md §4.46)", async () => {
    const namespace = await setUp.namespace("export-owner");
    const blueprint = {
      exports: [stringParameter("value")],
      export: 'exports: { value: "text" }\n',
    };
    const own = { data: [{ name: "value", dataRef: "shared" }] };
    await namespace.create(resources.dataObject, dataObject("shared", "of the user"));
    await namespace.create(resources.installation, installation({ name: "first", blueprint, exports: own }));
    await namespace.untilPhase("first", "Succeeded");
    expect((await namespace.get(resources.dataObject, "shared")).data).toBe("text");

    await namespace.create(resources.installation, installation({ name: "second", blueprint, exports: own }));
    const failed = await namespace.untilPhase("second", "Failed");
    expect(failed.status?.lastError).toMatchObject({
      reason: "CreateOrUpdateExports",
      message:
        'export to "shared": DataObject "shared" belongs to installation "first" already; export under another name',
    });
  });
});
