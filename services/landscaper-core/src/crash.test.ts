import {
  armDeath,
  type ArmedDeath,
  shareOfDeaths,
  startEmbeddedCluster,
  type EmbeddedCluster,
  type TestNamespace,
  startTestDeployer,
  type TestDeployer,
} from "@landscaper/testkit";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { resources, type DataObject } from "@landscaper/api";
import type { FaultRequest } from "@landscaper/local-cluster";
import { Renderer } from "./rendering/renderer.ts";
import { startTestCore, type TestCore } from "../test/core.ts";
import {
  dataObject,
  deployItems,
  installation,
  stringParameter,
  target,
  targetParameter,
  template,
  trigger,
  type TestBlueprint,
} from "../test/objects.ts";
import { takeSnapshot } from "../test/snapshot.ts";

/** The value is imported, deployed and exported by the child, and exported by the root. */
function blueprint(items: string): TestBlueprint {
  const parameters = [stringParameter("value"), targetParameter("cluster")];
  const imports = { data: [{ name: "value", dataRef: "value" }], targets: [{ name: "cluster", target: "cluster" }] };
  const deploy = `
deployItems:
  - name: item
    type: test/item
    target: { import: cluster }
    config: { apiVersion: test/v1, kind: Item, export: { value: "{{ .imports.value }}" } }
`;
  const exportItem = 'exports: { value: "{{ index .deployitems "item" "value" }}!" }\n';
  const child = { imports: parameters, exports: [stringParameter("value")], deploy, export: exportItem };
  return {
    imports: parameters,
    exports: [stringParameter("value")],
    deploy: items,
    subinstallations: [
      template({
        name: "child",
        blueprint: child,
        imports,
        exports: { data: [{ name: "value", dataRef: "of-child" }] },
      }),
    ],
    export: 'exports: { value: "{{ index .dataobjects "of-child" }}" }\n',
  };
}

const spec = {
  imports: { data: [{ name: "value", dataRef: "value" }], targets: [{ name: "cluster", target: "cluster" }] },
  exports: { data: [{ name: "value", dataRef: "result" }] },
};

interface Job {
  readonly name: string;
  run(namespace: TestNamespace): Promise<void>;
}

/** Gives the Installation other items, and triggers it. */
async function changeItems(namespace: TestNamespace, items: string): Promise<void> {
  const changed = installation({ name: "root", blueprint: blueprint(items), ...spec });
  const body = { metadata: { annotations: trigger }, spec: changed.spec };
  const key = { namespace: namespace.name, name: "root" };
  await namespace.client.patch(resources.installation, key, { type: "merge", body });
}

const jobs: readonly Job[] = [
  {
    name: "create",
    run: async (namespace) => {
      await namespace.create(resources.target, target("cluster"));
      await namespace.create(resources.dataObject, dataObject("value", "v1"));
      const items = deployItems({ name: "a" }, { name: "b", dependsOn: ["a"] });
      await namespace.create(
        resources.installation,
        installation({ name: "root", blueprint: blueprint(items), ...spec }),
      );
      await namespace.untilPhase("root", "Succeeded");
    },
  },
  {
    name: "fail",
    run: async (namespace) => {
      await changeItems(namespace, deployItems({ name: "b", result: "Failed", message: "broken" }));
      await namespace.untilPhase("root", "Failed");
      expect(await namespace.find(resources.dataObject, "result")).toBeUndefined();
    },
  },
  {
    name: "update",
    run: async (namespace) => {
      const value: DataObject = await namespace.get(resources.dataObject, "value");
      await namespace.client.update(resources.dataObject, { ...value, data: "v2" });
      await changeItems(namespace, deployItems({ name: "b" }));
      await namespace.untilPhase("root", "Succeeded");
    },
  },
  {
    name: "delete",
    run: async (namespace) => {
      await namespace.delete(resources.installation, "root");
      await namespace.untilGone(resources.installation, "root");
      // What only owner references hold goes a moment later.
      for (const object of await namespace.list(resources.dataObject)) {
        if (object.metadata.ownerReferences !== undefined) {
          await namespace.untilGone(resources.dataObject, object.metadata.name ?? "");
        }
      }
      for (const object of await namespace.list(resources.target)) {
        if (object.metadata.ownerReferences !== undefined) {
          await namespace.untilGone(resources.target, object.metadata.name ?? "");
        }
      }
    },
  },
];

const ourGroup = "landscaper.gardener.cloud";

/** A write of the core that is part of a job; events and contexts are not. */
function isJobWrite(request: FaultRequest): boolean {
  return request.method !== "GET" && request.group === ourGroup && request.resource !== "contexts";
}

describe("after every write of a job", () => {
  let cluster: EmbeddedCluster;
  let deployer: TestDeployer;
  // A core that starts in another process would start its threads as well.
  const renderer = new Renderer();
  const expected = new Map<string, readonly string[]>();
  let instances = 0;

  beforeAll(async () => {
    cluster = await startEmbeddedCluster({ crds: true });
    deployer = startTestDeployer(cluster.connect("deployer"));
    const core = startTestCore(cluster.connect("core"), { renderer });
    const namespace = await cluster.createNamespace("undisturbed");
    for (const job of jobs) {
      await job.run(namespace);
      expected.set(job.name, await takeSnapshot(namespace));
    }
    await core.stop();
  });
  afterAll(async () => {
    await deployer.stop();
    await renderer.close();
    await cluster.stop();
  });

  const share = shareOfDeaths();

  /** Runs all jobs; at the nth write of each, the core is killed or loses the answer. How many jobs had an nth write. */
  async function runJobs(n: number): Promise<number> {
    let core: TestCore | undefined;
    let restarted: Promise<void> = Promise.resolve();
    const start = (): void => {
      instances += 1;
      core = startTestCore(cluster.connect(`core-${instances}`), { renderer });
    };
    const restart = async (): Promise<void> => {
      const old = core;
      start();
      await old?.kill();
    };
    const arm = (isKilled: boolean): ArmedDeath =>
      armDeath([cluster.server], {
        death: { write: n - 1, mode: "drop-answer" },
        userAgent: "core-",
        processOf: (userAgent) => userAgent,
        isCounted: isJobWrite,
        survives: !isKilled,
        onDeath: () => {
          if (isKilled) restarted = restart();
        },
      });
    start();
    const namespace = await cluster.createNamespace(`run-${n}`);
    let deaths = 0;
    for (const [index, job] of jobs.entries()) {
      const armed = arm(share.isKilledAt(n - 1, index));
      await job.run(namespace);
      await restarted;
      // As if nothing had happened: so the next job may have a death of its own.
      expect({ n, job: job.name, left: await takeSnapshot(namespace) }).toEqual({
        n,
        job: job.name,
        left: expected.get(job.name),
      });
      armed.disarm();
      if (armed.hasDied) deaths += 1;
    }
    await core?.stop();
    // One job each: no trigger counts twice.
    expect({ n, jobs: deployer.jobsOf(namespace.name).length }).toEqual({ n, jobs: jobs.length });
    return deaths;
  }

  // Both at every write is what the e2e suite does, with real processes.
  it("the core is killed, or its answer is lost, in turn: all jobs end as they would have, each object exists once", async () => {
    let deaths = 0;
    for (let n = share.first + 1, found = 1; found > 0; n += share.step) {
      found = await runJobs(n);
      deaths += found;
    }
    expect(deaths).toBeGreaterThan(60 / share.step);
  }, 600_000);
});
