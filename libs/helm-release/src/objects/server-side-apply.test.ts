// Releases whose objects are applied on the server: who owns which fields, and what becomes of them.
import { beforeEach, describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import type { ServerSideApply } from "./apply-objects.ts";
import { formatPlan } from "@landscaper/resources";
import { Deployment, type DeploymentOptions } from "../deployment.ts";
import { previewRevision } from "./preview-revision.ts";
import type { ReleaseContext } from "../release-context.ts";
import { configMap, contentOf, finish, useReleaseFixture } from "../../test/release-fixture.ts";

const configMapType = { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true };
const { signal } = new AbortController();
type Data = Readonly<Record<string, string>>;

const fixture = useReleaseFixture();
let context: ReleaseContext;
beforeEach(async () => {
  context = await fixture.release("app");
});

async function deploy(
  data: Data,
  serverSideApply: ServerSideApply | undefined = {},
  more: DeploymentOptions = {},
): Promise<void> {
  await finish(new Deployment(context, contentOf([configMap("a", data)]), { ...more, serverSideApply }));
}

async function merge(data: Data): Promise<void> {
  await finish(new Deployment(context, contentOf([configMap("a", data)]), {}));
}

/** What somebody else does to it. */
async function edit(data: Data, fieldManager: string): Promise<void> {
  const key = { namespace: context.namespace, name: "a" };
  await fixture.client.patch(configMapType, key, { type: "merge", body: { data }, fieldManager });
}

async function live(): Promise<UnstructuredObject> {
  const found = await fixture.find("ConfigMap", context.namespace, "a");
  if (found === undefined) throw new Error("there is no ConfigMap");
  return found;
}

async function data(): Promise<unknown> {
  return (await live())["data"];
}

/** Who has written something, and how. */
async function writers(): Promise<string[]> {
  const entries = (await live()).metadata["managedFields"] as { manager: string; operation: string }[];
  return entries.map(({ manager, operation }) => `${manager} ${operation}`);
}

async function statuses(): Promise<string[]> {
  return (await context.store.history({ signal })).map(({ version, info }) => `${version} ${info.status}`);
}

it("objects are Helm's, by its field manager and its marks", async () => {
  await deploy({ key: "1" });
  expect((await live()).metadata.labels).toEqual({ "app.kubernetes.io/managed-by": "Helm" });
  expect([await writers(), await statuses()]).toEqual([["helm Apply"], ["1 deployed"]]);
});

it("what is left out goes, what others added stays, and what is the same is not written", async () => {
  await deploy({ keep: "1", drop: "1" });
  await edit({ foreign: "1" }, "kubectl-edit");
  await deploy({ keep: "2" });
  expect(await data()).toEqual({ keep: "2", foreign: "1" });
  const { resourceVersion } = (await live()).metadata;
  await deploy({ keep: "2" });
  expect((await live()).metadata.resourceVersion).toBe(resourceVersion);
});

describe("a field of somebody else", () => {
  beforeEach(async () => {
    await deploy({ key: "1" });
    await edit({ key: "theirs" }, "kubectl-edit");
  });

  it("is reported with its manager, and the revision has failed", async () => {
    await expect(deploy({ key: "2" })).rejects.toMatchObject({
      reason: "FieldConflict",
      message: `chart/templates/0.yaml: apply ConfigMap ${context.namespace}/a: kubectl-edit manages .data.key`,
      retry: "never",
    });
    expect([await data(), await statuses()]).toEqual([{ key: "theirs" }, ["1 deployed", "2 failed"]]);
    expect((await context.store.history({ signal })).at(-1)?.info.description).toContain(
      "kubectl-edit manages .data.key",
    );
  });

  it("is taken over by force", async () => {
    await deploy({ key: "2" }, { force: true });
    expect(await data()).toEqual({ key: "2" });
  });

  it("is ours when its manager is a former one", async () => {
    await edit({ more: "theirs" }, "kubectl-edit");
    await deploy({ key: "2" }, { former: ["kubectl-edit"] });
    expect([await data(), await writers()]).toEqual([{ key: "2" }, ["helm Apply"]]);
  });
});

describe("an object that the API server refuses to apply", () => {
  const pod = (spec: object, container: object): UnstructuredObject => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "a" },
    spec: { containers: [{ name: "c", image: "i", ...container }], ...spec },
  });
  const accepted = "correct the object, or set updateStrategy: update, with which the API server accepts it";

  it.each<readonly [string, UnstructuredObject, RegExp, string | undefined]>([
    ["an unknown field", pod({ hosts: "x" }, {}), /\.spec\.hosts: field not declared in schema/, accepted],
    [
      "a name twice",
      pod(
        {},
        {
          env: [
            { name: "A", value: "1" },
            { name: "A", value: "2" },
          ],
        },
      ),
      /duplicate entries/,
      accepted,
    ],
    ["a value of another type", pod({ containers: "x" }, {}), /\.spec\.containers: expected list/, undefined],
    ["an invalid value", pod({ restartPolicy: "Sometimes" }, {}), /spec\.restartPolicy: Unsupported value/, undefined],
  ])(
    "is named with template, field, and whether an update would be accepted: %s",
    async (...[_what, object, said, hint]) => {
      const deployment = new Deployment(context, contentOf([object]), { serverSideApply: {} });
      await expect(finish(deployment)).rejects.toMatchObject({
        message: expect.stringMatching(said),
        hint: hint === undefined ? undefined : expect.stringContaining(hint),
      });
      expect((await context.store.history({ signal })).at(-1)?.info.description).toContain("chart/templates/0.yaml: ");
      expect(await fixture.find("Pod", context.namespace, "a")).toBeUndefined();
    },
  );
});

describe("a change of the strategy", () => {
  it("from the three-way merge leaves nothing behind", async () => {
    await merge({ keep: "1", drop: "1" });
    expect(await writers()).toEqual(["helm Update"]);
    await deploy({ keep: "1" });
    expect([await data(), await writers()]).toEqual([{ keep: "1" }, ["helm Apply"]]);
  });

  it("to the three-way merge leaves nothing behind, and back again neither", async () => {
    await deploy({ keep: "1", drop: "1" });
    await merge({ keep: "2", added: "2" });
    expect(await data()).toEqual({ keep: "2", added: "2" });
    await deploy({ keep: "3" });
    expect([await data(), await writers()]).toEqual([{ keep: "3" }, ["helm Apply"]]);
  });

  it.each([
    ["to", async () => merge({ key: "3" })],
    ["from", async () => deploy({ key: "3" })],
  ])("%s the three-way merge takes along what a failed revision has left", async (way, next) => {
    const isToMerge = way === "to";
    await (isToMerge ? deploy({ key: "1" }) : merge({ key: "1" }));
    const content = contentOf([configMap("a", { key: "2", left: "2" }), configMap("NO")]);
    const failing = new Deployment(context, content, isToMerge ? { serverSideApply: {} } : {});
    await expect(finish(failing)).rejects.toThrow("NO");
    expect(await data()).toEqual({ key: "2", left: "2" });
    await next();
    expect(await data()).toEqual({ key: "3" });
  });
});

describe("a preview", () => {
  async function preview(wanted: Data): Promise<string> {
    const { cluster, name, namespace } = context;
    const record = (await context.store.history({ signal })).at(-1);
    const { manifest } = contentOf([configMap("a", wanted)]);
    const options = { cluster, release: { name, namespace }, manifest, record, serverSideApply: {}, signal };
    return formatPlan(await previewRevision(options)).replaceAll(namespace, "ns");
  }

  it("tells what the apply would change", async () => {
    await deploy({ keep: "1", drop: "1" });
    await edit({ foreign: "1" }, "kubectl-edit");
    expect(await preview({ keep: "2" })).toBe(`update ConfigMap ns/a
  - .data.drop: "1"
  ~ .data.keep: "1" -> "2"
1 to update
`);
    expect(await preview({ keep: "1", drop: "1" })).toBe("1 unchanged\n");
  });

  it("tells what the first apply after the three-way merge would take away", async () => {
    await merge({ keep: "1", drop: "1" });
    expect(await preview({ keep: "1" })).toBe(`update ConfigMap ns/a
  - .data.drop: "1"
1 to update
`);
  });

  it("tells of fields of others", async () => {
    await merge({ key: "1" });
    await edit({ key: "theirs" }, "kubectl-edit");
    expect(await preview({ key: "2" })).toBe(
      "blocked ConfigMap ns/a: apply ConfigMap ns/a: kubectl-edit manages .data.key\n1 blocked\n",
    );
  });

  it("tells of what would be made", async () => {
    expect(await preview({ key: "1" })).toMatch(/^create ConfigMap ns\/a\n/);
  });
});

it("marks of another release are taken over where that is allowed", async () => {
  await deploy({ key: "1" });
  const other = fixture.context("other", context.namespace);
  const content = contentOf([configMap("a", { key: "2" })]);
  await expect(finish(new Deployment(other, content, { serverSideApply: {} }))).rejects.toMatchObject({
    reason: "ReleaseOwnership",
  });
  await finish(new Deployment(other, content, { serverSideApply: { force: true }, takeOwnership: true }));
  expect((await live()).metadata.annotations).toMatchObject({ "meta.helm.sh/release-name": "other" });
});

it("marks that somebody else has written are no conflict", async () => {
  const metadata = { name: "a", namespace: context.namespace, labels: { "app.kubernetes.io/managed-by": "others" } };
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata };
  await fixture.client.create(configMapType, object, { fieldManager: "others" });
  await deploy({ key: "1" }, {}, { takeOwnership: true });
  expect((await live()).metadata.labels).toEqual({ "app.kubernetes.io/managed-by": "Helm" });
});

it("an upgrade that fails is rolled back in the same way", async () => {
  await deploy({ key: "1" });
  await edit({ theirs: "1" }, "kubectl-edit");
  const failing = new Deployment(context, contentOf([configMap("a", { key: "2" }), configMap("b"), configMap("NO")]), {
    atomic: true,
    serverSideApply: {},
  });
  await expect(finish(failing)).rejects.toThrow("was rolled back to revision 1");
  expect([await data(), await writers()]).toEqual([{ key: "1", theirs: "1" }, ["helm Apply", "kubectl-edit Update"]]);
});

describe("an object that the original deployer has written", () => {
  /** As the original's release leaves it. */
  async function leave(metadata: object): Promise<void> {
    const object = {
      ...configMap("a", { key: "1", gone: "1" }),
      metadata: { name: "a", namespace: context.namespace, ...metadata },
    };
    await fixture.client.create(configMapType, object, { fieldManager: "helm-deployer-controller" });
  }

  it("loses what the chart no longer has, if it has the marks of the release", async () => {
    const annotations = { "meta.helm.sh/release-name": "app", "meta.helm.sh/release-namespace": context.namespace };
    await leave({ annotations, labels: { "app.kubernetes.io/managed-by": "Helm" } });
    await deploy({ key: "2" });
    expect([await data(), await writers()]).toEqual([{ key: "2" }, ["helm Apply"]]);
  });

  it("keeps its fields without these marks, unless takeOver names the manager", async () => {
    await leave({});
    await expect(deploy({ key: "2" }, {}, { takeOwnership: true })).rejects.toMatchObject({
      reason: "FieldConflict",
      message: `chart/templates/0.yaml: apply ConfigMap ${context.namespace}/a: helm-deployer-controller manages .data.key`,
    });
    await deploy({ key: "2" }, { former: ["helm-deployer-controller"] }, { takeOwnership: true });
    expect([await data(), await writers()]).toEqual([{ key: "2" }, ["helm Apply"]]);
  });
});
