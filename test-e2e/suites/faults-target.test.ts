// The target goes away, has problems or refuses, at each step of a job: the error names the step's object, nothing is left over or lost, and the job
// ends as it would have (issue "Faults"; 403 and 5xx are no lack of readiness).
import { afterAll, describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { listInventory } from "@landscaper/deployer/testing";
import { type ApiProxy, startApiProxy, type Fault, type SeenRequest } from "@landscaper/testkit";
import type { ItemScope } from "../src/items/item-scope.ts";
import { itemConfig, referenceOf } from "../src/items/item-scope.ts";
import { useManifestDeployer } from "../src/items/item-suite.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";

/** What a step of the second job, or of the deletion, asks the target for, and what the error says then. */
interface Step {
  readonly name: string;
  readonly method: string;
  /** In the place, or of discovery. */
  readonly path: (place: string) => string;
  /** How the error's message starts. */
  readonly says: (place: string) => string;
  readonly isDeletion?: boolean;
}

const configMapPath = (place: string, name: string): string => `/api/v1/namespaces/${place}/configmaps/${name}`;
const step = (name: string, method: string, [verb, object]: readonly [string, string]): Step => ({
  name,
  method,
  path: (place) => configMapPath(place, object),
  says: (place) => `${verb} ConfigMap ${place}/${object}: `,
});
const steps: readonly Step[] = [
  {
    name: "discovery",
    method: "GET",
    path: () => "/apis/coordination.k8s.io/v1",
    says: (place) => `discover Lease ${place}/lease: `,
  },
  step("reading", "GET", ["get", "changed"]),
  step("changing", "PUT", ["update", "changed"]),
  {
    name: "creating",
    method: "POST",
    path: (place) => `/api/v1/namespaces/${place}/configmaps`,
    says: (place) => `create ConfigMap ${place}/new: `,
  },
  step("readiness", "GET", ["get", "check"]),
  step("exporting", "GET", ["get", "exported"]),
  step("pruning", "DELETE", ["delete", "orphan"]),
  { ...step("deleting", "DELETE", ["delete", "changed"]), isDeletion: true },
];

const faults: readonly (readonly [string, Fault, string])[] = [
  ["breaks the connection", { type: "refuse" }, "TargetUnreachable"],
  ["answers 503", { type: "answer", status: 503 }, "TargetUnavailable"],
  ["answers 500", { type: "answer", status: 500 }, "TargetUnavailable"],
  ["answers 403", { type: "answer", status: 403 }, "TargetForbidden"],
];

describe.each(clustersUnderTest())("a target that fails on %s", (cluster) => {
  let proxy: ApiProxy | undefined;
  const suite = useManifestDeployer({
    cluster,
    separateTarget: false,
    async kubeconfigFor(_service, hub) {
      proxy = await startApiProxy({ upstream: { url: hub.url, ca: hub.ca }, token: hub.token });
      return undefined;
    },
    targetKubeconfig: () => started().kubeconfig,
  });
  afterAll(async () => proxy?.stop());
  const started = (): ApiProxy => {
    if (proxy === undefined) throw new Error("the proxy is not started yet");
    return proxy;
  };

  /** Applies a fault to what matches until it is lifted. */
  interface Cut {
    readonly matches: (request: SeenRequest) => boolean;
    readonly fault: Fault;
    isLifted: boolean;
    strikes: number;
  }

  function watchRequests(cuts: readonly Cut[]): void {
    started().setPlan((request) => {
      const cut = cuts.find(({ isLifted, matches }) => !isLifted && matches(request));
      if (cut === undefined) return { type: "pass" };
      cut.strikes += 1;
      return cut.fault;
    });
  }

  const second = (scope: ItemScope, step: Step) => {
    const namespace = scope.place;
    const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "lease", namespace } };
    const requirements = [{ jsonPath: ".data.x", operator: "exists" }];
    const resourceSelector = [referenceOf(scope.configMap("check"))];
    const fromResource = referenceOf(scope.configMap("exported"));
    return itemConfig(
      [
        scope.configMap("changed", { step: "2" }),
        scope.configMap("new", { x: "1" }),
        ...(step.name === "discovery" ? [lease] : []),
      ],
      {
        readinessChecks: { custom: [{ name: "check", resourceSelector, requirements }] },
        exports: { exports: [{ key: "x", jsonPath: ".data.x", fromResource }] },
      },
    );
  };

  /** Everything is as after a job that nothing disturbed. */
  async function expectWhole(scope: ItemScope, step: Step): Promise<void> {
    const item = await scope.get("item");
    const lease = step.name === "discovery" ? [`Lease ${scope.place}/lease`] : [];
    expect({
      step: step.name,
      phase: item.status?.phase,
      lastError: item.status?.lastError,
      inventory: listInventory(item),
      exports: await scope.exportsOf("item"),
      data: await Promise.all(["changed", "new", "orphan"].map(async (name) => scope.data(name))),
    }).toEqual({
      step: step.name,
      phase: "Succeeded",
      lastError: undefined,
      inventory: [...lease, `ConfigMap ${scope.place}/changed`, `ConfigMap ${scope.place}/new`],
      exports: { x: "1" },
      data: [{ step: "2" }, { x: "1" }, undefined],
    });
  }

  it.each(faults)(
    "%s, at any step: is named, and the job goes on as if nothing had been",
    async (_name, fault, reason) => {
      const scopes = await Promise.all(steps.map(async ({ name }) => suite.open(`cut-${name}`)));
      const work = steps.map((step, index) => {
        const scope = scopes[index];
        if (scope === undefined) throw new Error("as many scopes as steps");
        const path = step.path(scope.place);
        const matches = (request: SeenRequest): boolean =>
          request.method === step.method && request.path.split("?")[0] === path && !request.path.includes("watch=");
        const cut: Cut = { matches, fault, isLifted: true, strikes: 0 };
        return { step, scope, cut };
      });
      watchRequests(work.map(({ cut }) => cut));
      await Promise.all(
        work.map(async ({ step, scope, cut }) => {
          const { targetClient } = suite.environment;
          for (const name of ["check", "exported"]) {
            await targetClient.create(kubeResources.configMap, scope.configMap(name, { x: "1" }));
          }
          // Discovery is remembered per access: this scope has one of its own.
          const kubeconfig = `${suite.environment.targetKubeconfig}\n# ${scope.namespace}\n`;
          const type = "landscaper.gardener.cloud/kubernetes-cluster";
          await scope.createTarget({ metadata: { name: "own" }, spec: { type, config: { kubeconfig } } });
          const first = [scope.configMap("changed", { step: "1" }), scope.configMap("orphan")];
          expect((await scope.deploy("item", first, { target: "own" })).status?.phase).toBe("Succeeded");
          if (step.isDeletion === true) {
            await scope.redeploy("item", first);
            cut.isLifted = false;
            await scope.remove("item");
          } else {
            cut.isLifted = false;
            await scope.trigger("item", { config: second(scope, step) });
          }
          // One server for all steps: the broken connections of others may give it a rest first, which is an error too.
          const error = await scope.waitForError("item", step.says(scope.place));
          expect({ step: step.name, reason: error.reason }).toEqual({ step: step.name, reason });
          expect((await scope.get("item")).status?.phase).toBe(step.isDeletion === true ? "Deleting" : "Progressing");
          cut.isLifted = true;
          expect(cut.strikes).toBeGreaterThan(0);
          if (step.isDeletion === true) {
            await scope.waitUntilGone("item");
            expect([await scope.data("changed"), await scope.data("orphan")]).toEqual([undefined, undefined]);
          } else {
            await scope.waitForEnd("item");
            await expectWhole(scope, step);
          }
        }),
      );
    },
  );

  it("answers 401 to a static token: the job ends at once and names the object, and the next one works", async () => {
    const scope = await suite.open("expired");
    const matches = ({ path }: SeenRequest): boolean => path.startsWith(`/api/v1/namespaces/${scope.place}/`);
    const cut: Cut = { matches, fault: { type: "answer", status: 401 }, isLifted: false, strikes: 0 };
    watchRequests([cut]);
    const failed = await scope.deploy("item", [scope.configMap("a")]);
    expect(failed.status).toMatchObject({
      phase: "Failed",
      lastError: {
        reason: "TargetUnauthorized",
        codes: ["ERR_UNAUTHORIZED"],
        message: expect.stringContaining(`create ConfigMap ${scope.place}/a: `),
      },
    });
    cut.isLifted = true;
    await scope.trigger("item");
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  });

  it("takes long to answer: an interrupt does not wait for it (A19, B26)", async () => {
    const scope = await suite.open("hanging");
    watchRequests([]);
    await scope.deploy("item", [scope.configMap("a", { x: "1" })]);
    const release = started().holdAnswers();
    await scope.trigger("item", { config: itemConfig([scope.configMap("a", { x: "2" })]) });
    await scope.waitFor("item", ({ phase }) => phase === "Progressing");
    await scope.interrupt("item");
    release();
    const done = await scope.redeploy("item", [scope.configMap("a", { x: "3" })]);
    expect([done.status?.phase, await scope.data("a")]).toEqual(["Succeeded", { x: "3" }]);
  });

  it("takes longer to answer than the job may take: the job ends in time (8, B26)", async () => {
    const scope = await suite.open("late");
    watchRequests([]);
    await scope.deploy("item", [scope.configMap("a", { x: "1" })], { timeout: "2s" });
    const release = started().holdAnswers();
    try {
      // Until the end of the job the target answers nothing.
      const failed = await scope.redeploy("item", [scope.configMap("a", { x: "2" })]);
      expect(failed.status).toMatchObject({ phase: "Failed", lastError: { codes: ["ERR_TIMEOUT"] } });
    } finally {
      release();
    }
    expect((await scope.redeploy("item", [scope.configMap("a", { x: "3" })])).status?.phase).toBe("Succeeded");
  });
});
