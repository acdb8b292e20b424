// Whatever state a release was left in, each operation goes on from there, or says what is in its way.
import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { createRollback } from "./create-rollback.ts";
import { createUninstall } from "./create-uninstall.ts";
import type { ReleaseContext } from "./release-context.ts";
import type { ReleaseRecord, ReleaseStatus } from "./records/release-record.ts";
import { ReleaseTest } from "./hooks/release-test.ts";
import {
  configMap,
  configMapType,
  contentOf,
  finish,
  hook,
  secretType,
  useReleaseFixture,
} from "../test/release-fixture.ts";

const { signal } = new AbortController();
const fixture = useReleaseFixture();

const first = contentOf([configMap("a", { key: "1" }), configMap("b"), hook("check", "test")]);
const second = contentOf([configMap("a", { key: "2", more: "2" }), configMap("left"), hook("check", "test")]);
const wanted = contentOf([configMap("a", { key: "3" }), configMap("c"), hook("check", "test")]);

async function newest({ store }: ReleaseContext): Promise<ReleaseRecord> {
  const record = (await store.history({ signal })).at(-1);
  if (record === undefined) throw new Error("there is no revision");
  return record;
}

async function mark(context: ReleaseContext, status: ReleaseStatus): Promise<void> {
  const record = await newest(context);
  await context.store.update({ ...record, info: { ...record.info, status } }, { signal });
}

async function editRecord(
  { namespace }: ReleaseContext,
  version: number,
  edit: (secret: UnstructuredObject) => UnstructuredObject,
): Promise<void> {
  const key = { namespace, name: `sh.helm.release.v1.app.v${version}` };
  const secret = await fixture.client.get(secretType, key);
  await fixture.client.delete(secretType, key);
  const { resourceVersion: _version, uid: _uid, ...metadata } = secret.metadata;
  await fixture.client.create(secretType, edit({ ...secret, metadata }));
}

const spoil = (text: string) => async (context: ReleaseContext) => {
  await fixture.deploy(context, first);
  await fixture.deploy(context, second);
  await editRecord(context, 2, (secret) => ({ ...secret, data: { release: Buffer.from(text).toString("base64") } }));
};

const label = (version: number, status: string) => async (context: ReleaseContext) =>
  editRecord(context, version, (secret) => {
    const labels = { ...secret.metadata.labels, status };
    return { ...secret, metadata: { ...secret.metadata, labels } };
  });

interface State {
  readonly state: string;
  /** Leaves the release in this state. */
  readonly make: (context: ReleaseContext) => Promise<void>;
  /** The records after the deployment of `wanted`. */
  readonly deployed: readonly string[];
  /** After the way back to revision 1. */
  readonly rolledBack: readonly string[];
  /** What stays in object a: nobody can tell which fields an unreadable revision has set. */
  readonly stays?: object;
  /** What a test of the newest revision says; undefined: it runs. */
  readonly test?: string;
}

const states: readonly State[] = [
  {
    state: "pending-install",
    async make(context) {
      await fixture.deploy(context, first);
      await mark(context, "pending-install");
    },
    deployed: ["1 superseded", "2 deployed"],
    rolledBack: ["1 failed", "2 deployed"],
    test: "revision 1: is pending-install",
  },
  ...(["pending-upgrade", "pending-rollback"] as const).map((status) => ({
    state: status,
    async make(context: ReleaseContext) {
      await fixture.deploy(context, first);
      await fixture.deploy(context, second);
      await mark(context, status);
    },
    deployed: ["1 superseded", "2 superseded", "3 deployed"],
    rolledBack: ["1 superseded", "2 failed", "3 deployed"],
    test: `revision 2: is ${status}`,
  })),
  {
    state: "uninstalling",
    async make(context) {
      await fixture.deploy(context, first);
      await mark(context, "uninstalling");
      await fixture.client.delete(configMapType, { namespace: context.namespace, name: "b" });
    },
    deployed: ["1 deployed"],
    rolledBack: ["1 failed", "2 deployed"],
    test: "revision 1: is uninstalling",
  },
  {
    state: "uninstalled, with its history",
    async make(context) {
      await fixture.deploy(context, first);
      await fixture.deploy(context, second);
      await finish(createUninstall(context, await context.store.history({ signal }), { keepHistory: true }));
    },
    deployed: ["1 superseded", "2 uninstalled", "3 deployed"],
    rolledBack: ["1 superseded", "2 uninstalled", "3 deployed"],
    test: "revision 2: is uninstalled",
  },
  {
    state: "a first install that failed",
    async make(context) {
      await fixture.deploy(context, first);
      await mark(context, "failed");
    },
    deployed: ["1 superseded", "2 deployed"],
    rolledBack: ["1 failed", "2 deployed"],
    test: "revision 1: is failed",
  },
  {
    state: "superseded only",
    async make(context) {
      await fixture.deploy(context, first);
      await mark(context, "superseded");
    },
    deployed: ["1 superseded", "2 deployed"],
    rolledBack: ["1 superseded", "2 deployed"],
    test: "revision 1: is superseded",
  },
  {
    state: "two deployed",
    async make(context) {
      await fixture.deploy(context, first);
      await fixture.deploy(context, second);
      const [record] = await context.store.history({ signal });
      if (record === undefined) throw new Error("there is no revision");
      await context.store.update({ ...record, info: { ...record.info, status: "deployed" } }, { signal });
    },
    deployed: ["1 superseded", "2 superseded", "3 deployed"],
    rolledBack: ["1 superseded", "2 superseded", "3 deployed"],
  },
  ...[
    { how: "that is cut off", text: "H4sIAAAAAAAA" },
    { how: "that is not zipped", text: Buffer.from("no record").toString("base64") },
    { how: "without content", text: "" },
    { how: "that is no record", text: Buffer.from('{"name":"app"}').toString("base64") },
    {
      how: "of another release",
      text: Buffer.from('{"name":"other","version":2,"manifest":"","info":{"status":"deployed"}}').toString("base64"),
    },
  ].map(({ how, text }) => ({
    state: `a newest record ${how}`,
    make: spoil(text),
    deployed: ["1 superseded", "2 superseded", "3 deployed"],
    rolledBack: ["1 superseded", "2 superseded", "3 deployed"],
    stays: { more: "2" },
    test: "revision 2: Secret",
  })),
  {
    state: "a gap in the history",
    async make(context) {
      await fixture.deploy(context, first);
      await fixture.deploy(context, first);
      await fixture.deploy(context, second);
      await context.store.remove({ version: 2 }, { signal });
    },
    deployed: ["1 superseded", "3 superseded", "4 deployed"],
    rolledBack: ["1 superseded", "3 superseded", "4 deployed"],
  },
  {
    state: "deployed, and labelled pending",
    async make(context) {
      await fixture.deploy(context, first);
      await label(1, "pending-install")(context);
    },
    deployed: ["1 superseded", "2 deployed"],
    rolledBack: ["1 superseded", "2 deployed"],
  },
  {
    state: "pending, and labelled deployed",
    async make(context) {
      await fixture.deploy(context, first);
      await mark(context, "pending-upgrade");
      await label(1, "deployed")(context);
    },
    deployed: ["1 superseded", "2 deployed"],
    rolledBack: ["1 failed", "2 deployed"],
    test: "revision 1: is pending-upgrade",
  },
  {
    state: "an old revision that is labelled deployed",
    async make(context) {
      await fixture.deploy(context, first);
      await fixture.deploy(context, second);
      await label(1, "deployed")(context);
    },
    deployed: ["1 superseded", "2 superseded", "3 deployed"],
    rolledBack: ["1 superseded", "2 superseded", "3 deployed"],
  },
  {
    state: "pending between finished ones",
    async make(context) {
      await fixture.deploy(context, first);
      await fixture.deploy(context, second);
      await mark(context, "pending-upgrade");
      const record = await newest(context);
      const info = { ...record.info, status: "deployed" as const };
      await context.store.create({ ...record, version: 3, info }, { signal });
    },
    deployed: ["1 superseded", "2 failed", "3 superseded", "4 deployed"],
    rolledBack: ["1 superseded", "2 failed", "3 superseded", "4 deployed"],
  },
];

/** "1 deployed": what records and their labels say; a label that says something else stands beside it. */
async function summary(context: ReleaseContext): Promise<string[]> {
  const { store, namespace } = context;
  const history = await store.history({ signal });
  const { items } = await fixture.client.list(secretType, { namespace, labelSelector: "owner=helm" });
  return history.map(({ version, info }) => {
    const object = items.find(({ metadata }) => metadata.name?.endsWith(`.v${version}`) === true);
    const found = object?.metadata.labels?.["status"];
    return `${version} ${info.status}${found === info.status ? "" : ` (labelled ${found})`}`;
  });
}

/** Name and data of the release's objects. */
async function objects({ namespace }: ReleaseContext): Promise<object> {
  const { items } = await fixture.client.list<UnstructuredObject>(configMapType, { namespace });
  const own = items.filter(({ metadata }) => metadata.name !== "kube-root-ca.crt");
  return Object.fromEntries(own.map(({ metadata, data }) => [metadata.name, data ?? {}]));
}

describe.each(states)("a release that was left: $state", ({ make, deployed, rolledBack, stays, test }) => {
  async function leave(): Promise<ReleaseContext> {
    const context = await fixture.release("app");
    await make(context);
    return context;
  }

  it("is deployed", async () => {
    const context = await leave();
    await fixture.deploy(context, wanted);
    expect({ records: await summary(context), objects: await objects(context) }).toEqual({
      records: deployed,
      objects: { a: { key: "3", ...stays }, c: {} },
    });
  });

  it("is rolled back", async () => {
    const context = await leave();
    const history = await context.store.history({ signal });
    const target = history[0];
    if (target === undefined) throw new Error("there is no revision");
    await finish(createRollback(context, { target, history, options: {} }));
    expect({ records: await summary(context), objects: await objects(context) }).toEqual({
      records: rolledBack,
      objects: { a: { key: "1", ...stays }, b: {} },
    });
  });

  it("is uninstalled", async () => {
    const context = await leave();
    await finish(createUninstall(context, await context.store.history({ signal }), { wait: true }));
    expect({ records: await summary(context), objects: await objects(context) }).toEqual({ records: [], objects: {} });
  });

  it(test === undefined ? "is tested" : "is not tested", async () => {
    const context = await leave();
    const record = await newest(context);
    if (test === undefined) {
      await finish(new ReleaseTest(context, record), async () => void (await fixture.endJobs(context)));
      expect((await newest(context)).hooks[0]?.last_run.phase).toBe("Succeeded");
    } else expect(() => new ReleaseTest(context, record)).toThrow(test);
  });
});

describe("a record in a form that only a newer Helm knows", () => {
  it.each([
    { what: "name", name: "sh.helm.release.v2.app.v1", type: "helm.sh/release.v1", found: "helm.sh/release.v2" },
    { what: "type", name: "sh.helm.release.v1.app.v1", type: "helm.sh/release.v2", found: "helm.sh/release.v2" },
  ])("by its $what is left alone", async ({ name, type, found }) => {
    const context = await fixture.release("app");
    const { namespace } = context;
    const labels = { owner: "helm", name: "app", status: "deployed", version: "1" };
    await fixture.client.create(secretType, {
      apiVersion: "v1",
      kind: "Secret",
      type,
      metadata: { name, namespace, labels },
      data: { release: "AAAA" },
    });
    const message =
      `Secret ${namespace}/${name}: the release is kept in a form that only a newer Helm knows: ` +
      `expected helm.sh/release.v1, found ${found}`;
    await expect(fixture.deploy(context, wanted)).rejects.toMatchObject({ reason: "InvalidRelease", message });
    await expect(context.store.history({ signal })).rejects.toMatchObject({ message });
    expect(await objects(context)).toEqual({});
  });
});

describe("a Secret that is no record and has the name of the next revision", () => {
  it("is named, and stays; when it is gone, the next run goes on", async () => {
    const context = await fixture.release("app");
    const { namespace } = context;
    await fixture.deploy(context, first);
    const name = "sh.helm.release.v1.app.v2";
    const metadata = { name, namespace, labels: { owner: "me" } };
    const foreign = { apiVersion: "v1", kind: "Secret", metadata };
    await fixture.client.create(secretType, foreign);
    await expect(fixture.deploy(context, wanted)).rejects.toMatchObject({
      reason: "InvalidRelease",
      message:
        `Secret ${namespace}/${name} is in the way of revision 2 and is no record of release app: ` +
        'label owner: expected "helm", found "me", label name: expected "app", found none',
      hint: "delete it",
    });
    expect({ records: await summary(context), objects: await objects(context) }).toEqual({
      records: ["1 deployed"],
      objects: { a: { key: "1" }, b: {} },
    });
    await fixture.client.delete(secretType, { namespace, name });
    await fixture.deploy(context, wanted);
    expect(await summary(context)).toEqual(["1 superseded", "2 deployed"]);
  });
});

describe("a release whose records are in ConfigMaps", () => {
  it("is gone on with there", async () => {
    const context = await fixture.release("app", "configmap");
    await fixture.deploy(context, first);
    const ours = fixture.context("app", context.namespace);
    await fixture.deploy(ours, wanted);
    const { items } = await fixture.client.list(secretType, {
      namespace: context.namespace,
      labelSelector: "owner=helm",
    });
    expect([await fixture.statuses(ours), items]).toEqual([
      [
        [1, "superseded", "Install complete"],
        [2, "deployed", "Upgrade complete"],
      ],
      [],
    ]);
    await finish(createUninstall(ours, await ours.store.history({ signal }), { wait: true }));
    expect(await objects(ours)).toEqual({});
  });

  it("need not be looked for by who may not", async () => {
    const context = await fixture.release("app");
    fixture.server.setFault(({ verb, resource }) =>
      verb === "list" && resource === "configmaps" ? { status: 403 } : undefined,
    );
    await fixture.deploy(context, first);
    fixture.server.setFault(undefined);
    expect(await summary(context)).toEqual(["1 deployed"]);
  });
});
