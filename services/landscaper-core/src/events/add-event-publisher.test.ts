import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { resources, type TransitionEvent } from "@landscaper/api";
import { readEvents } from "@landscaper/events";
import {
  createNatsServer,
  describeUnless,
  programAbsence,
  startEmbeddedCluster,
  startTestDeployer,
  waitFor,
  type EmbeddedCluster,
  type NatsServer,
  type TestDeployer,
} from "@landscaper/testkit";
import { startTestCore, type TestCore } from "../../test/core.ts";
import { deployItems, installation } from "../../test/objects.ts";

describeUnless(programAbsence("nats-server"), describe)("the publisher of events, with a real nats-server", () => {
  let nats: NatsServer;
  let cluster: EmbeddedCluster;
  let core: TestCore;
  let deployer: TestDeployer;

  beforeAll(async () => {
    nats = await createNatsServer();
    await nats.start();
    cluster = await startEmbeddedCluster({ crds: true });
    core = startTestCore(cluster.connect("core"), { natsServers: nats.url });
    deployer = startTestDeployer(cluster.connect("deployer"));
  });
  afterAll(async () => {
    await Promise.all([core.stop(), deployer.stop()]);
    await Promise.all([cluster.stop(), nats.remove()]);
  });

  const read = async (namespace: string): Promise<readonly TransitionEvent[]> => {
    const events: TransitionEvent[] = [];
    for await (const event of readEvents({ servers: nats.url, clientName: "test", namespace })) events.push(event);
    return events;
  };

  it("publishes the stored transitions of an Installation and what it owns, to their end, even after a restart of the core", async () => {
    const blueprint = { deploy: deployItems({ name: "item" }) };
    // Events of each kind show that the first lists are over: what they contain is marked as a gap.
    const early = await cluster.createNamespace("early");
    await early.create(resources.installation, installation({ name: "root", blueprint }));
    await waitFor(async () => new Set((await read("early").catch(() => [])).map(({ data }) => data.kind)).size === 3);
    const namespace = await cluster.createNamespace("events");
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    const done = await namespace.untilPhase("root", "Succeeded");
    await core.stop();
    await namespace.delete(resources.installation, "root");
    core = startTestCore(cluster.connect("core"), { natsServers: nats.url });
    await namespace.untilGone(resources.installation, "root");
    const events = await waitFor(async () => {
      const found = await read("events");
      return found.some(({ data }) => data.kind === "Installation" && data.phase === "Deleted") ? found : undefined;
    });
    expect(events.filter(({ data }) => data.gap === true)).toEqual([]);
    for (const kind of ["Installation", "Execution", "DeployItem"]) {
      const own = events.filter(({ data }) => data.kind === kind);
      expect(own.map(({ data }) => data.previous)).toEqual([
        undefined,
        ...own.slice(0, -1).map(({ data }) => data.resourceVersion),
      ]);
      expect(own.map(({ data }) => data.phase)).toEqual(expect.arrayContaining(["Succeeded", "Deleted"]));
    }
    const end = events.find(({ data }) => data.kind === "Installation" && data.phase === "Succeeded");
    const { jobID } = done.status ?? {};
    expect(end?.data).toMatchObject({ jobID, name: "root", namespace: "events" });
    const source = new Set(events.map((event) => event.source));
    expect([...source]).toEqual([expect.stringMatching(/^\/landscaper\/[0-9a-f-]{36}$/)]);
  });
});
