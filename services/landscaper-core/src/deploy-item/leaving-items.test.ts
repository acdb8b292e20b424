// Items that are deleted without uninstalling them: their deployers remove the marks first, if they answer.
import { describe, expect, it } from "@jest/globals";
import { annotations, finalizer, isJobOpen, resources, type DeployItem } from "@landscaper/api";
import { createLeapingClock } from "@landscaper/testkit";
import type { TestNamespace } from "@landscaper/testkit";
import { deployItems, installation } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";

const clock = createLeapingClock();
const setUp = setUpCore({ clock });

/** An Installation with one item, whose deployer is played by the test. */
async function install(name: string, type: string): Promise<{ namespace: TestNamespace; item: string }> {
  const namespace = await setUp.namespace(name);
  const blueprint = { deploy: deployItems({ name: "item", type }) };
  await namespace.create(resources.installation, installation({ name: "root", blueprint }));
  await namespace.untilWorking("root");
  const [made] = await namespace.list(resources.deployItem);
  const item = made?.metadata.name ?? "";
  const open = await namespace.until(resources.deployItem, item, (found) => isJobOpen(found?.status));
  const { jobID = "" } = open?.status ?? {};
  const status = { ...open?.status, phase: "Succeeded", jobIDFinished: jobID };
  const working = { ...(await namespace.get(resources.deployItem, item)), status };
  await namespace.client.updateStatus(resources.deployItem, working);
  await namespace.untilPhase("root", "Succeeded");
  return { namespace, item };
}

async function leave(namespace: TestNamespace): Promise<void> {
  await namespace.annotate(resources.installation, "root", { [annotations.deleteWithoutUninstall]: "true" });
  await namespace.delete(resources.installation, "root");
}

const hasJob = (item: DeployItem | undefined): boolean => item === undefined || isJobOpen(item.status);

describe("delete-without-uninstall", () => {
  it.each(["landscaper.gardener.cloud/helm", "kubernetes-manifest"])(
    "gives an item of type %s the job to remove its marks",
    async (type) => {
      const { namespace, item } = await install(`leaves-${type.replaceAll(/\W/g, "-")}`, type);
      await leave(namespace);
      const found = await namespace.until(resources.deployItem, item, hasJob);
      expect(found?.metadata.finalizers).toContain(finalizer);
      const body = { metadata: { finalizers: null } };
      const key = { namespace: namespace.name, name: item };
      await namespace.client.patch(resources.deployItem, key, { type: "merge", body });
      await namespace.untilGone(resources.installation, "root");
    },
  );

  it("releases an item after half a minute if its deployer does not answer", async () => {
    const { namespace, item } = await install("silent", "landscaper.gardener.cloud/helm");
    await leave(namespace);
    await namespace.until(resources.deployItem, item, hasJob);
    expect((await namespace.get(resources.deployItem, item)).metadata.finalizers).toContain(finalizer);
    clock.leap(30_000);
    await namespace.untilGone(resources.installation, "root");
  });

  it("asks no deployer that may not know the annotation", async () => {
    const { namespace } = await install("unknown", "example.org/other");
    await leave(namespace);
    await namespace.untilGone(resources.installation, "root");
  });
});
