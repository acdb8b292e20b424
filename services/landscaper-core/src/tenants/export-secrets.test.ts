// What a tenant writes into the status of a deploy item is data: the core reads no Secret for it that is not the item's.
import { describe, expect, it } from "@jest/globals";
import {
  apiVersion,
  generateDataName,
  kubeResources,
  resources,
  scopeOfExecution,
  type DataObject,
  type DeployItem,
  type ObjectRef,
  type OwnerReference,
} from "@landscaper/api";
import { untilPicked } from "../../test/behaviours.ts";
import type { TestNamespace } from "@landscaper/testkit";
import { deployItems, installation, stringParameter } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";

const setUp = setUpCore();

const blueprint = {
  exports: [stringParameter("value")],
  deploy: deployItems({ name: "item", result: "Hang" }),
  export: "exports: { value: {{ if .deployitems.item }}{{ .deployitems.item.value }}{{ else }}nothing{{ end }} }\n",
};
const exports = { data: [{ name: "value", dataRef: "result" }] };

interface ExportSecret {
  readonly ownerReferences?: readonly OwnerReference[];
  /** JSON. */
  readonly exported?: string;
}

async function createSecret(
  namespace: TestNamespace,
  name: string,
  { ownerReferences = [], exported = '{"value":"read"}' }: ExportSecret = {},
): Promise<void> {
  const data = { config: Buffer.from(exported).toString("base64") };
  const metadata = { name, ownerReferences: [...ownerReferences] };
  await namespace.create(kubeResources.secret, { apiVersion: "v1", kind: "Secret", metadata, data });
}

interface Attack {
  readonly namespace: TestNamespace;
  readonly item: DeployItem;
}

/** Ends the item with the reference; returns the phase of the Installation, its message, and what it has exported. */
async function endWith(name: string, prepare: (attack: Attack) => Promise<ObjectRef>): Promise<readonly unknown[]> {
  const namespace = await setUp.namespace(name);
  await namespace.create(resources.installation, installation({ name: "root", blueprint, exports }));
  await namespace.untilWorking("root");
  const item = await untilPicked(namespace);
  const exportRef = await prepare({ namespace, item });
  const status = { ...item.status, phase: "Succeeded", jobIDFinished: item.status?.jobID ?? "", exportRef };
  await namespace.client.updateStatus(resources.deployItem, { ...item, status });
  const ended = await namespace.until(resources.installation, "root", (root) => {
    const { phase, jobID, jobIDFinished } = root?.status ?? {};
    return jobID === jobIDFinished && (phase === "Succeeded" || phase === "Failed");
  });
  const exported = await namespace.find(resources.dataObject, "result");
  return [ended?.status?.phase, ended?.status?.lastError?.message, exported?.data];
}

const head = 'Execution is failed: deploy item "item": ';

describe("the exports of a deploy item", () => {
  const remedy = "the item's deployer must write the exports of the item into a Secret of its own";

  it("come from no other namespace", async () => {
    const victim = await setUp.namespace("exports-victim");
    await createSecret(victim, "credentials");
    const ended = await endWith("exports-thief", async () => ({ name: "credentials", namespace: victim.name }));
    const problem =
      'status.exportRef.namespace: expected "exports-thief", the namespace of the item, found "exports-victim"';
    expect(ended).toEqual(["Failed", head + problem, undefined]);
  });

  it("come from no Secret of the namespace that belongs to something else", async () => {
    let itemName = "";
    const ended = await endWith("exports-foreign", async ({ namespace, item }) => {
      itemName = item.metadata.name ?? "";
      await createSecret(namespace, "credentials");
      return { name: "credentials" };
    });
    const problem = `status.exportRef.name: expected a Secret that the item owns or "${itemName}-export", found "credentials"; ${remedy}`;
    expect(ended).toEqual(["Failed", head + problem, undefined]);
  });

  it("come from no Secret that something else owns", async () => {
    let itemName = "";
    const ended = await endWith("exports-other-owner", async ({ namespace, item }) => {
      itemName = item.metadata.name ?? "";
      const { uid = "" } = (await namespace.get(resources.installation, "root")).metadata;
      await createSecret(namespace, "credentials", {
        ownerReferences: [{ apiVersion, kind: "Installation", name: "root", uid }],
      });
      return { name: "credentials" };
    });
    const problem = `status.exportRef.name: expected a Secret that the item owns or "${itemName}-export", found "credentials"; ${remedy}`;
    expect(ended).toEqual(["Failed", head + problem, undefined]);
  });

  it("come from no path that a name makes", async () => {
    const ended = await endWith("exports-path", async () => ({ name: "../../exports-victim/secrets/credentials" }));
    const problem =
      'status.exportRef: Secret: expected the name of an object, found "../../exports-victim/secrets/credentials"';
    expect(ended).toEqual(["Failed", head + problem, undefined]);
  });

  it("come from a Secret that the item owns, whatever its name", async () => {
    const ended = await endWith("exports-owned", async ({ namespace, item }) => {
      const { name = "", uid = "" } = item.metadata;
      await createSecret(namespace, "made-by-others", {
        ownerReferences: [{ apiVersion, kind: "DeployItem", name, uid }],
      });
      return { name: "made-by-others", namespace: namespace.name };
    });
    expect(ended).toEqual(["Succeeded", undefined, "read"]);
  });

  it("may be null, as the mock deployer of v1.4.0 writes them for export: null", async () => {
    const ended = await endWith("exports-null", async ({ namespace, item }) => {
      const { name = "", uid = "" } = item.metadata;
      await createSecret(namespace, "mock-export-8fk2v", {
        ownerReferences: [{ apiVersion, kind: "DeployItem", name, uid }],
        exported: "null",
      });
      return { name: "mock-export-8fk2v", namespace: namespace.name };
    });
    expect(ended).toEqual(["Succeeded", undefined, "nothing"]);
  });

  it("come from ITEM-export, whoever owns it", async () => {
    const ended = await endWith("exports-named", async ({ namespace, item }) => {
      await createSecret(namespace, `${item.metadata.name}-export`);
      return { name: `${item.metadata.name}-export` };
    });
    expect(ended).toEqual(["Succeeded", undefined, "read"]);
  });
});

describe("a DataObject with the name of the exports of an Execution", () => {
  it("is left alone by an Execution without exports, unless it owns it", async () => {
    const namespace = await setUp.namespace("exports-theirs");
    const name = generateDataName(scopeOfExecution("root"), "");
    const theirs: DataObject = { apiVersion, kind: "DataObject", metadata: { name }, data: "theirs" };
    await namespace.create(resources.dataObject, theirs);
    const plain = { deploy: deployItems({ name: "item" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint: plain }));
    await namespace.untilPhase("root", "Succeeded");
    expect((await namespace.find(resources.dataObject, name))?.data).toBe("theirs");
  });
});
