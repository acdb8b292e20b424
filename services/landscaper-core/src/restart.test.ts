import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { resources } from "@landscaper/api";
import { startEmbeddedCluster, type EmbeddedCluster, startTestDeployer, type TestDeployer } from "@landscaper/testkit";
import { startTestCore, type TestCore } from "../test/core.ts";
import { dataObject, deployItems, installation, stringParameter, template } from "../test/objects.ts";

let cluster: EmbeddedCluster;
let deployer: TestDeployer;
beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true });
  deployer = startTestDeployer(cluster.connect("deployer"));
});
afterAll(async () => {
  await deployer.stop();
  await cluster.stop();
});

const child = template({
  name: "child",
  blueprint: { imports: [stringParameter("value")], deploy: deployItems({ name: "item", export: { x: 1 } }) },
  imports: { data: [{ name: "value", dataRef: "value" }] },
});

describe("a core that is started again", () => {
  it("writes nothing for what is finished: a finished job is a fixed point", async () => {
    const first = startTestCore(cluster.connect("first"));
    const namespace = await cluster.createNamespace("finished");
    await namespace.create(resources.dataObject, dataObject("value", "x"));
    const blueprint = {
      imports: [stringParameter("value")],
      subinstallations: [child],
      deploy: deployItems({ name: "good" }),
    };
    const imports = { data: [{ name: "value", dataRef: "value" }] };
    await namespace.create(resources.installation, installation({ name: "good", blueprint, imports }));
    const failing = { deploy: deployItems({ name: "bad", result: "Failed" }) };
    await namespace.create(resources.installation, installation({ name: "bad", blueprint: failing }));
    await namespace.create(resources.installation, installation({ name: "idle", blueprint, imports, annotations: {} }));
    await namespace.untilPhase("good", "Succeeded");
    await namespace.untilPhase("bad", "Failed");
    await namespace.until(resources.installation, "idle", (found) => found?.status?.conditions !== undefined);
    await first.stop();

    const writes: string[] = [];
    cluster.server.setFault(({ userAgent, method, path }) => {
      if (userAgent.startsWith("second") && method !== "GET" && path.includes("/finished/"))
        writes.push(`${method} ${path}`);
      return undefined;
    });
    const second = startTestCore(cluster.connect("second"));
    // It does its work elsewhere, from start to end, after it has seen everything here.
    const other = await cluster.createNamespace("other");
    await other.create(resources.installation, installation({ name: "root", blueprint: failing }));
    await other.untilPhase("root", "Failed");
    expect(writes).toEqual([]);
    cluster.server.setFault(undefined);
    await second.stop();
  });

  it("goes on with what was at work", async () => {
    const first = startTestCore(cluster.connect("first"));
    const namespace = await cluster.createNamespace("running");
    const blueprint = { deploy: deployItems({ name: "a", result: "Hang" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    const running = await namespace.untilWorking("root");
    await first.stop();
    const [item] = await namespace.list(resources.deployItem);
    const picked = await namespace.until(
      resources.deployItem,
      item!.metadata.name!,
      (found) => found?.status?.phase === "Init",
    );
    const status = { ...picked!.status, phase: "Succeeded", jobIDFinished: running.status!.jobID! };
    await namespace.client.updateStatus(resources.deployItem, { ...picked!, status });
    const second = startTestCore(cluster.connect("second"));
    const done = await namespace.untilPhase("root", "Succeeded");
    expect(done.status?.jobID).toBe(running.status?.jobID);
    await second.stop();
  });

  it("does not render again what the job has written before the crash (design.md §3.2)", async () => {
    const namespace = await cluster.createNamespace("random");
    const deploy = `
deployItems:
  - name: item
    type: test/item
    config: { apiVersion: test/v1, kind: Item, message: {{ randAlphaNum 20 | quote }} }
`;
    let hasExecution = false;
    let isDead = false;
    let second: TestCore | undefined;
    cluster.server.setFault(({ userAgent, resource, subresource, method }) => {
      if (!userAgent.startsWith("first")) return undefined;
      if (isDead) return "close";
      if (resource === "executions" && method === "POST") hasExecution = true;
      // The first core dies before it can store that everything is there.
      if (!hasExecution || resource !== "installations" || subresource !== "status") return undefined;
      isDead = true;
      second = startTestCore(cluster.connect("second"));
      return "close";
    });
    const first = startTestCore(cluster.connect("first"));
    await namespace.create(resources.installation, installation({ name: "root", blueprint: { deploy } }));
    await namespace.untilPhase("root", "Succeeded");
    const execution = await namespace.get(resources.execution, "root");
    expect([isDead, execution.metadata.generation]).toEqual([true, 1]);
    cluster.server.setFault(undefined);
    await Promise.all([first.kill(), second?.stop()]);
  });
});
