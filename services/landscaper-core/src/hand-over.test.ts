import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { operations, resources } from "@landscaper/api";
import { ApiError, type Client } from "@landscaper/controller-runtime";
import { consumer, exports, imports, producer } from "../test/behaviours.ts";
import { startEmbeddedCluster, type EmbeddedCluster, startTestDeployer, type TestDeployer } from "@landscaper/testkit";
import { startTestCore, type TestCore } from "../test/core.ts";
import { installation } from "../test/objects.ts";

let cluster: EmbeddedCluster;
let deployer: TestDeployer;
let core: TestCore | undefined;
beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true });
  deployer = startTestDeployer(cluster.connect("deployer"));
});
afterAll(async () => {
  await Promise.all([core?.stop(), deployer.stop()]);
  await cluster.stop();
});

describe("a leader that follows another one", () => {
  it("triggers no dependent of which it has old news: the former leader may have done it", async () => {
    const namespace = await cluster.createNamespace("old-news");
    const attempts: unknown[] = [];
    const client = cluster.connect("core");
    /** Between the decision to trigger and the first attempt, somebody else writes. */
    const patch: Client["patch"] = async (type, key, sent) => {
      if (!JSON.stringify(sent.body).includes(`"${operations.reconcile}"`)) return client.patch(type, key, sent);
      if (attempts.length === 0) await namespace.annotate(resources.installation, "second", { "test/other": "write" });
      try {
        const stored = await client.patch(type, key, sent);
        attempts.push(`${key.name} triggered`);
        return stored;
      } catch (error) {
        attempts.push(error instanceof ApiError ? error.status : error);
        throw error;
      }
    };
    core = startTestCore({ ...client, patch });
    const second = installation({ name: "second", blueprint: consumer, imports, annotations: {} });
    await namespace.create(resources.installation, second);
    await namespace.create(resources.installation, installation({ name: "first", blueprint: producer, exports }));
    await namespace.untilPhase("second", "Succeeded");
    expect(attempts).toEqual([409, "second triggered"]);
  });
});
