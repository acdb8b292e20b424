// Operation "plan" of manifest items, on embedded clusters.
import { describe, expect, it } from "@jest/globals";
import {
  annotations,
  kubeResources,
  parsePlanDocument,
  resources,
  type DeployItem,
  type PlanDocument,
} from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { useManifestBench } from "../test/manifest-bench.ts";
import { configMap, specOf } from "../test/manifests.ts";

const bench = useManifestBench("plan");

async function deploy(...manifests: readonly object[]): Promise<DeployItem> {
  // The author says that nothing is secret but Secrets.
  await bench.scope.create({
    name: "item",
    spec: specOf(manifests),
    annotations: { [annotations.sensitiveConfig]: "[]" },
  });
  return await bench.scope.waitForEnd("item");
}

async function change(...manifests: readonly object[]): Promise<void> {
  await waitFor(async () => {
    const item = await bench.scope.get("item");
    return await bench.fixture.hubClient.update(resources.deployItem, { ...item, spec: specOf(manifests) });
  });
}

interface Planned {
  readonly item: DeployItem;
  readonly condition: NonNullable<NonNullable<DeployItem["status"]>["conditions"]>[number] | undefined;
  readonly text: string;
  readonly document: PlanDocument | undefined;
}

async function plan(): Promise<Planned> {
  const operation = "landscaper.gardener.cloud/operation";
  const body = { metadata: { annotations: { [operation]: "plan" } } };
  await bench.fixture.hubClient.patch(
    resources.deployItem,
    { namespace: bench.n, name: "item" },
    { type: "merge", body },
  );
  const item = await waitFor(async () => {
    const found = await bench.scope.get("item");
    return found.metadata.annotations?.[operation] === undefined ? found : undefined;
  });
  const condition = item.status?.conditions?.find(({ type }) => type === "Planned");
  const secret = await bench.fixture.hubClient.find(kubeResources.secret, { namespace: bench.n, name: "item-plan" });
  const read = (key: string): string => Buffer.from(secret?.data?.[key] ?? "", "base64").toString();
  const document = secret === undefined ? undefined : parsePlanDocument(JSON.parse(read("plan.json")), "plan.json");
  return { item, condition, text: read("plan.txt"), document };
}

async function annotate(key: string, value: string): Promise<void> {
  const body = { metadata: { annotations: { [key]: value } } };
  const place = { namespace: bench.n, name: "item" };
  await bench.fixture.hubClient.patch(resources.deployItem, place, { type: "merge", body });
}

describe("the plan of an item whose configuration derives from secrets", () => {
  it("shows neither these values nor what they take the place of, and everything else", async () => {
    await deploy(configMap(`${bench.n}/a`, { plain: "one", hidden: "first-secret" }));
    await change(configMap(`${bench.n}/a`, { plain: "two", hidden: "second-secret" }));
    await annotate(annotations.sensitiveConfig, '["/manifests/0/manifest/data/hidden"]');
    const { text } = await plan();
    expect(text).toBe(
      `update ConfigMap ${bench.n}/a\n  ~ .data.hidden: "(masked)" -> "[...]"\n  ~ .data.plain: "one" -> "two"\n1 to update\n`,
    );
    await change(configMap(`${bench.n}/a`, { plain: "two", hidden: "plain" }));
    await annotate(annotations.sensitiveConfig, "[]");
    await annotate(annotations.formerSensitiveConfig, '["/manifests/7/manifest/data/hidden"]');
    const after = await plan();
    expect(after.text).toBe(
      `update ConfigMap ${bench.n}/a\n  ~ .data.hidden: "(masked)" -> "plain"\n  ~ .data.plain: "one" -> "two"\n1 to update\n`,
    );
  });
});

it("the plan of an item of which nobody says what is secret names fields, and shows no value", async () => {
  await deploy(configMap(`${bench.n}/a`, { x: "1" }));
  await change(configMap(`${bench.n}/a`, { x: "2" }), configMap(`${bench.n}/b`, { y: "1" }));
  const body = { metadata: { annotations: { [annotations.sensitiveConfig]: null } } };
  const place = { namespace: bench.n, name: "item" };
  await bench.fixture.hubClient.patch(resources.deployItem, place, { type: "merge", body });
  const { text } = await plan();
  expect(text).toContain(`update ConfigMap ${bench.n}/a\n  ~ .data.x: "(masked)" -> "(masked)"\n`);
  expect(text).toContain(`create ConfigMap ${bench.n}/b\n  + .data.y: "(masked)"\n`);
});

describe("the plan of a job that would be held back", () => {
  const claim = (): object => ({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data", namespace: bench.n },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  });

  it("says why, and what the job would change if it were allowed", async () => {
    await deploy(configMap(`${bench.n}/a`, { x: "1" }), claim());
    await change(configMap(`${bench.n}/a`, { x: "1" }));
    const { text, condition, document } = await plan();
    const name = `PersistentVolumeClaim ${bench.n}/data`;
    expect(document?.heldBack).toMatch(
      new RegExp(`^the job would remove ${name}, and what is in there; to keep an object, .*allow-prune: "true"`),
    );
    const summary = "held back; without the protection: 1 to delete, 1 unchanged";
    expect(text).toBe(`held back: ${document?.heldBack}\ndelete ${name}\n${summary}\n`);
    expect(document).toMatchObject({ summary, changes: [{ type: "delete" }] });
    expect(condition).toMatchObject({ status: "True", message: `${summary}; see Secret item-plan` });
    await annotate(annotations.allowPrune, "true");
    const allowed = await plan();
    expect(allowed.text).toBe(`delete ${name}\n1 to delete, 1 unchanged\n`);
    expect(allowed.document?.heldBack).toBe(undefined);
  });

  it("says so for a job that would leave nothing", async () => {
    await deploy(configMap(`${bench.n}/a`));
    await change();
    const { text } = await plan();
    expect(text).toContain(
      `held back: the job would leave no object of the deploy item: it would remove ConfigMap ${bench.n}/a; `,
    );
    expect(text).toMatch(/\nheld back; without the protection: 1 to delete\n$/);
  });
});

describe("the plan of a manifest item (B5)", () => {
  it("shows what the changed manifests would do, and leaves target, inventory and job as they are", async () => {
    const before = await deploy(
      configMap(`${bench.n}/a`, { x: "1" }),
      configMap(`${bench.n}/b`),
      configMap(`${bench.n}/c`),
    );
    await change(
      configMap(`${bench.n}/a`, { x: "2" }),
      configMap(`${bench.n}/c`),
      configMap(`${bench.n}/d`, { y: "1" }),
    );
    const everything = async (): Promise<unknown> =>
      (await bench.fixture.targetClient.list(kubeResources.configMap, { namespace: bench.n })).items;
    const live = await everything();
    const { item, condition, text, document } = await plan();
    const summary = "1 to create, 1 to update, 1 to delete, 1 unchanged";
    expect(condition).toMatchObject({ status: "True", message: `${summary}; see Secret item-plan` });
    const label = '["manifest.deployer.landscaper.gardener.cloud/deployitem"]';
    expect(text).toBe(
      [
        `update ConfigMap ${bench.n}/a`,
        '  ~ .data.x: "1" -> "2"',
        `create ConfigMap ${bench.n}/d`,
        '  + .data.y: "1"',
        `  + .metadata.labels${label}: "item"`,
        `delete ConfigMap ${bench.n}/b`,
        summary,
        "",
      ].join("\n"),
    );
    expect(document).toMatchObject({
      generation: 2,
      summary,
      changes: [
        {
          type: "update",
          resource: { apiVersion: "v1", kind: "ConfigMap", namespace: bench.n, name: "a" },
          fields: [{ path: ".data.x", type: "changed", from: "1", to: "2" }],
        },
        { type: "create", resource: { name: "d" } },
        { type: "delete", resource: { name: "b" }, fields: [] },
      ],
    });
    const { conditions: _before, ...job } = before.status ?? {};
    expect(item.status).toMatchObject(job);
    expect(await everything()).toEqual(live);
  });

  it("of an item that is as it should be says so, and lists nothing", async () => {
    await deploy(configMap(`${bench.n}/a`, { x: "1" }));
    const { condition, text, document } = await plan();
    expect(condition?.message).toBe("1 unchanged; see Secret item-plan");
    expect([text, document?.changes]).toEqual(["1 unchanged\n", []]);
  });

  it("shows no value of a Secret, wherever it stands", async () => {
    const data = { password: "sentinel-value" };
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace: bench.n }, stringData: data };
    await deploy(secret);
    const later = { ...secret, stringData: { password: "sentinel-later" } };
    await change(later, configMap(`${bench.n}/a`, { copy: "has sentinel-later in it" }));
    const { item, text, document } = await plan();
    expect(text).toContain('  ~ .data.password: "(masked)" -> "(masked)"');
    expect(text).toContain('  + .data.copy: "has [...] in it"');
    const seen = `${text}${JSON.stringify(document)}${JSON.stringify(item.status)}`;
    for (const value of ["sentinel", Buffer.from("sentinel-value").toString("base64").slice(0, 10)]) {
      expect(seen).not.toContain(value);
    }
  });

  it.each([
    [403, "TargetForbidden"],
    [401, "TargetUnauthorized"],
  ])("says that the target answers reads with %d", async (status, reason) => {
    await deploy(configMap(`${bench.n}/a`, { x: "1" }));
    bench.fixture.target.setFault(({ userAgent }) => (userAgent.startsWith("manifest") ? { status } : undefined));
    const { item, condition } = await plan();
    expect(condition).toMatchObject({ status: "False", reason });
    expect(condition?.message).toContain("ConfigMap");
    expect([item.status?.phase, item.status?.lastError]).toEqual(["Succeeded", undefined]);
  });

  it("says that the configuration cannot be read", async () => {
    await deploy(configMap(`${bench.n}/a`));
    await change({ policy: "sometimes", manifest: configMap(`${bench.n}/a`) });
    const { condition } = await plan();
    expect(condition).toMatchObject({ status: "False", codes: ["ERR_CONFIGURATION_PROBLEM"] });
    expect(condition?.message).toContain("policy");
  });
});
