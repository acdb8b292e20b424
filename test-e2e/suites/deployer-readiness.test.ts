// Readiness: the rules of the kinds, fail-fast, progress and checks of one's own (deployers.md §3.6, A5, B7, B9, B10, items 39-43).
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { type ResourceType, type UnstructuredObject, kubeResources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { type ItemScope, referenceOf } from "../src/items/item-scope.ts";
import { useManifestDeployer } from "../src/items/item-suite.ts";
import { runningStatus } from "../src/items/play-kubelet.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import {
  podSpec,
  time,
  condition,
  replicationControllers,
  services,
  workloadKinds,
  workload,
  podType,
  job,
  loadBalancer,
  customKind,
  runWorkload,
} from "../src/items/readiness-objects.ts";

const kstatus = { readinessChecks: { level: "kstatus" } };

const quotas: ResourceType<UnstructuredObject> = {
  ...replicationControllers,
  kind: "ResourceQuota",
  plural: "resourcequotas",
};

const jobType: ResourceType<UnstructuredObject> = {
  group: "batch",
  version: "v1",
  kind: "Job",
  plural: "jobs",
  namespaced: true,
};

const deploymentType: ResourceType<UnstructuredObject> = {
  group: "apps",
  version: "v1",
  kind: "Deployment",
  plural: "deployments",
  namespaced: true,
};

describe.each(clustersUnderTest())("readiness on %s", (cluster) => {
  const suite = useManifestDeployer({ cluster });
  /** Still so after some looks at the target: what the item says it waits for is written less often. */
  const expectWaiting = async (scope: ItemScope) => {
    await sleep(1000);
    expect((await scope.get("item")).status?.phase).toBe("Progressing");
  };

  describe("of workloads", () => {
    it.each(workloadKinds)("a %s is waited for until its pods are ready", async (kind) => {
      const scope = await suite.open("workload");
      await scope.start("item", [workload(scope, kind)]);
      await scope.waitForMessage("item", `waiting for readiness of ${kind} ${scope.place}/web: `);
      await runWorkload(suite, scope, kind);
      expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    });

    it("a Pod is waited for until its condition says so, and a job of several names each", async () => {
      const scope = await suite.open("pods");
      const pod = (name: string) => ({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name, namespace: scope.place },
        spec: podSpec,
      });
      await scope.start("item", [pod("a"), pod("b")]);
      const both = await scope.waitForMessage("item", `Pod ${scope.place}/b: has no Ready condition yet`);
      expect(both.status?.conditions?.[0]?.message).toContain(`Pod ${scope.place}/a: `);
      await scope.setStatus(podType, "a", runningStatus());
      await scope.setStatus(podType, "b", { phase: "Succeeded", conditions: [condition("Ready", "False", "Broken")] });
      await expectWaiting(scope);
      const completed = [condition("Ready", "False", "PodCompleted")];
      await scope.setStatus(podType, "b", { phase: "Succeeded", conditions: completed });
      expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    });

    it("other kinds are ready when they exist, at the default level (39)", async () => {
      const scope = await suite.open("others");
      expect((await scope.deploy("item", [job(scope), loadBalancer(scope)])).status?.phase).toBe("Succeeded");
    });
  });

  describe("of every kind, at level kstatus (B7)", () => {
    it("a load balancer needs an address", async () => {
      const scope = await suite.open("balancer");
      await scope.start("item", [loadBalancer(scope)], { config: kstatus });
      await scope.waitForMessage("item", `waiting for readiness of Service ${scope.place}/web: `);
      await scope.setStatus(services, "web", { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } });
      expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    });

    it.each([
      ["an old generation", { observedGeneration: 0, conditions: [condition("Ready", "True", "Yes")] }],
      ["Ready False", { observedGeneration: 1, conditions: [condition("Ready", "False", "NotYet")] }],
      ["Reconciling", { observedGeneration: 1, conditions: [condition("Reconciling", "True", "Busy")] }],
    ])("a custom resource with %s is waited for", async (_name, status) => {
      const scope = await suite.open("custom");
      const { crd, object, type } = customKind(scope);
      await scope.deploy("kind", [crd], { config: kstatus });
      await suite.environment.targetClient.create(type, object);
      await scope.setStatus(type, "thing", status);
      await scope.start("item", [object], { config: kstatus });
      await scope.waitForMessage("item", `waiting for readiness of Thing ${scope.place}/thing: `);
      const ready = { observedGeneration: 1, conditions: [condition("Ready", "True", "Yes")] };
      await scope.setStatus(type, "thing", ready);
      expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
      await scope.undeploy("item");
      await scope.undeploy("kind");
    });
  });

  describe("that cannot come ends the job (B9)", () => {
    it("of a custom resource that is stalled", async () => {
      const scope = await suite.open("stalled");
      const { crd, object, type } = customKind(scope);
      await scope.deploy("kind", [crd]);
      await suite.environment.targetClient.create(type, object);
      const stalled = { ...condition("Stalled", "True", "NoQuota"), message: "no room" };
      await scope.setStatus(type, "thing", { observedGeneration: 1, conditions: [stalled] });
      await scope.start("item", [object], { config: kstatus });
      await expectFailure(scope, "Thing thing", "NoQuota");
      await scope.undeploy("item");
      await scope.undeploy("kind");
    });

    it("of a Job that has failed", async () => {
      const scope = await suite.open("job");
      await scope.start("item", [job(scope)], { config: kstatus });
      await waitFor(async () => scope.find(kubeResources.job, "task"));
      const reasons = ["FailureTarget", "Failed"].map((type) => condition(type, "True", "BackoffLimitExceeded"));
      await scope.setStatus(jobType, "task", { startTime: time, failed: 1, conditions: reasons });
      await expectFailure(scope, "Job task", "has failed (BackoffLimitExceeded)");
    });

    it("of a Pod whose container is stuck, but not without failFast", async () => {
      const waiting = { crashes: "CrashLoopBackOff", unknown: "ImagePullBackOff", patient: "CrashLoopBackOff" };
      const names = ["crashes", "unknown", "patient"] as const;
      const scope = await suite.open("stuck");
      for (const name of names) {
        const pod = { apiVersion: "v1", kind: "Pod", metadata: { name, namespace: scope.place }, spec: podSpec };
        await scope.start(name, [pod], name === "patient" ? { timeout: "13s" } : { config: kstatus });
        await waitFor(async () => scope.find(kubeResources.pod, name));
        const state = { waiting: { reason: waiting[name] } };
        const container = {
          name: "main",
          image: "i",
          imageID: "",
          ready: false,
          restartCount: 5,
          started: false,
          state,
        };
        const conditions = [condition("Ready", "False", "ContainersNotReady")];
        await scope.setStatus(podType, name, { phase: "Running", conditions, containerStatuses: [container] });
      }
      await expectFailure(scope, "Pod crashes", "CrashLoopBackOff");
      await expectFailure(scope, "Pod unknown", "ImagePullBackOff");
      const { lastError } = (await scope.waitForEnd("patient")).status ?? {};
      expect(lastError?.codes).toEqual(["ERR_TIMEOUT"]);
      expect(lastError?.message).toContain("Ready is False (ContainersNotReady); container main: CrashLoopBackOff");
    });

    it("of a rollout past its deadline", async () => {
      const scope = await suite.open("rollout");
      const deployment = workload(scope, "Deployment", { progressDeadlineSeconds: 1 });
      await scope.start("item", [deployment], { config: kstatus });
      if (!suite.environment.target.runsWorkloadControllers) {
        await waitFor(async () => scope.find(kubeResources.deployment, "web"));
        const late = [condition("Progressing", "False", "ProgressDeadlineExceeded")];
        const status = { observedGeneration: 1, replicas: 2, updatedReplicas: 2, conditions: late };
        await scope.setStatus(deploymentType, "web", status);
      }
      await expectFailure(scope, "Deployment web", "ProgressDeadlineExceeded");
    });

    /** The job ends although its time is not up. */
    async function expectFailure(scope: ItemScope, object: string, text: string): Promise<void> {
      const [kind = "", name = ""] = object.split(" ");
      const { status } = await scope.waitForEnd(kind === "Pod" ? name : "item");
      expect(status).toMatchObject({ phase: "Failed", lastError: { reason: "ResourceFailed" } });
      expect(status?.lastError?.message).toContain(`${kind} ${scope.place}/${name}: `);
      expect(status?.lastError?.message).toContain(text);
    }
  });

  describe("that is waited for says what is wrong with the pods", () => {
    const name = "web-1";
    /** A pod of the object, made by the controllers where these run. */
    async function podOf(scope: ItemScope, type: ResourceType): Promise<string> {
      const { targetClient, target } = suite.environment;
      const { metadata } = await targetClient.get(type, { namespace: scope.place, name: "web" });
      if (target.runsWorkloadControllers) {
        const { items } = await waitFor(async () => {
          const list = await targetClient.list(kubeResources.pod, { namespace: scope.place });
          return list.items.length > 0 ? list : undefined;
        });
        return items[0]?.metadata.name ?? "";
      }
      const { apiVersion, kind } = workload(scope, "ReplicaSet");
      const ownerReferences = [{ apiVersion, kind, name: "web", uid: metadata.uid ?? "", controller: true }];
      const own = { name, namespace: scope.place, labels: { app: "web" }, ownerReferences };
      await targetClient.create(podType, { apiVersion: "v1", kind: "Pod", metadata: own, spec: podSpec });
      return name;
    }

    it.each([
      ["the default level", {}],
      ["level kstatus", { readinessChecks: { level: "kstatus", failFast: false } }],
      [
        "a check of one's own",
        {
          readinessChecks: {
            disableDefault: true,
            custom: [
              {
                name: "one",
                labelSelector: { apiVersion: "apps/v1", kind: "ReplicaSet", matchLabels: { app: "PLACE" } },
                requirements: [{ jsonPath: ".status.readyReplicas", operator: "==", values: [{ value: 1 }] }],
              },
            ],
          },
        },
      ],
    ])("at %s, as it changes", async (_what, config) => {
      const scope = await suite.open("trouble");
      const { metadata, ...set } = workload(scope, "ReplicaSet", { replicas: 1 });
      const object = { ...set, metadata: { ...metadata, labels: { app: scope.place } } };
      await scope.start("item", [object], { config: JSON.parse(JSON.stringify(config).replace("PLACE", scope.place)) });
      await scope.waitForMessage("item", `ReplicaSet ${scope.place}/web: `);
      const pod = await podOf(scope, kubeResources.replicaSet);
      const container = { name: "main", image: "i", imageID: "", ready: false, restartCount: 1, started: false };
      const setContainer = (state: object, lastState: object = {}): Promise<void> =>
        scope.setStatus(podType, pod, { phase: "Pending", containerStatuses: [{ ...container, state, lastState }] });
      await setContainer({ waiting: { reason: "CreateContainerConfigError", message: 'secret "db" not found' } });
      const error = `; Pod ${pod}: container main: CreateContainerConfigError: secret "db" not found`;
      await scope.waitForMessage("item", error);
      const terminated = { exitCode: 137, reason: "OOMKilled", startedAt: time, finishedAt: time };
      await setContainer({ waiting: { reason: "CrashLoopBackOff" } }, { terminated });
      const crash = `; Pod ${pod}: container main: CrashLoopBackOff, exited with 137 (OOMKilled)`;
      await scope.waitForMessage("item", crash);
      await scope.setStatus(podType, pod, runningStatus());
      if (!suite.environment.target.runsWorkloadControllers) {
        const counts = { replicas: 1, readyReplicas: 1, availableReplicas: 1 };
        await scope.setStatus(kubeResources.replicaSet, "web", { observedGeneration: 1, ...counts });
      }
      expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    });

    it("names why a Deployment has no pods", async () => {
      const scope = await suite.open("quota");
      const { targetClient, target } = suite.environment;
      const metadata = { name: "none", namespace: scope.place };
      const quota = { apiVersion: "v1", kind: "ResourceQuota", metadata, spec: { hard: { pods: "0" } } };
      await targetClient.create(quotas, quota);
      // As its controller, which does not run here.
      await scope.setStatus(quotas, "none", { hard: { pods: "0" }, used: { pods: "0" } });
      await scope.start("item", [workload(scope, "Deployment", { replicas: 1 })], { timeout: "10s" });
      const said = "exceeded quota: none, requested: pods=1, used: pods=0, limited: pods=0";
      if (!target.runsWorkloadControllers) {
        await waitFor(async () => scope.find(kubeResources.deployment, "web"));
        const message = `pods "web-1" is forbidden: ${said}`;
        const failure = { ...condition("ReplicaFailure", "True", "FailedCreate"), message };
        await scope.setStatus(deploymentType, "web", { observedGeneration: 1, conditions: [failure] });
      }
      const told = await scope.waitForMessage("item", said);
      const words = told.status?.conditions?.find(({ type }) => type === "Ready")?.message ?? "";
      expect(words).toMatch(
        /; its pods cannot be created \(FailedCreate\): pods "web-\S+" is forbidden: exceeded quota/,
      );
      // The error of a timeout says it as well.
      const { lastError } = (await scope.waitForEnd("item")).status ?? {};
      expect(lastError?.codes).toEqual(["ERR_TIMEOUT"]);
      expect(lastError?.message).toContain(said);
    });
  });

  describe("by checks of one's own", () => {
    const check = (scope: ItemScope, requirement: object, more: object = {}) => ({
      readinessChecks: {
        disableDefault: true,
        custom: [
          {
            name: "check",
            resourceSelector: [referenceOf(scope.configMap("a"))],
            requirements: [requirement],
            ...more,
          },
        ],
      },
    });

    /** Operator, values, jsonPath, whether the check holds. */
    const cases: readonly (readonly [string, readonly unknown[], string, boolean])[] = [
      ["==", ["value"], ".data.key", true],
      ["=", ["value"], ".data.key", true],
      ["==", ["value_WRONG"], ".data.key", false],
      ["in", ["other", "value"], ".data.key", true],
      ["in", ["other"], ".data.key", false],
      ["!=", ["other"], ".data.key", true],
      ["!=", ["value"], ".data.key", false],
      ["notin", ["other", "more"], ".data.key", true],
      ["notin", ["other", "value"], ".data.key", false],
      ["exists", [], ".data.key", true],
      ["!", [], ".data.key", false],
      // A field that is missing fulfils nothing else.
      ["!", [], ".data.absent", true],
      ["exists", [], ".data.absent", false],
      ["!=", ["x"], ".data.absent", false],
      ["notin", ["x"], ".data.absent", false],
      ["==", [""], ".data.absent", false],
      // Types count, the order of keys does not; the leading dot may be missing.
      ["==", [1], ".data.number", false],
      ["==", ["1"], ".data.number", true],
      ["==", [{ number: "1", key: "value" }], ".data", true],
      ["==", ["value"], "data.key", true],
    ];

    it("decides by operator, path and values (A5, 40)", async () => {
      const scope = await suite.open("operators");
      const results = await Promise.all(
        cases.map(async ([operator, wanted, jsonPath, holds], index) => {
          const name = `item-${index}`;
          const manifest = scope.configMap(name, { key: "value", number: "1" });
          const values = wanted.map((value) => ({ value }));
          const resourceSelector = [referenceOf(manifest)];
          const config = check(scope, { jsonPath, operator, values }, { resourceSelector });
          const { status } = await scope.deploy(name, [manifest], { config, timeout: holds ? "2m" : "20s" });
          if (!holds) expect(status?.lastError?.message).toContain(`ConfigMap ${scope.place}/${name}`);
          return [operator, wanted, jsonPath, status?.phase, status?.lastError?.codes];
        }),
      );
      expect(results).toEqual(
        cases.map(([operator, wanted, jsonPath, holds]) =>
          holds
            ? [operator, wanted, jsonPath, "Succeeded", undefined]
            : [operator, wanted, jsonPath, "Failed", ["ERR_TIMEOUT"]],
        ),
      );
    });

    it("looks at objects by their labels, in all namespaces, managed or not, and wants one at least (41, 42)", async () => {
      const scope = await suite.open("labels");
      const elsewhere = await suite.open("elsewhere");
      const matchLabels = { "example.org/of": scope.place };
      const labelSelector = { apiVersion: "v1", kind: "ConfigMap", matchLabels };
      const requirement = { jsonPath: ".data.ready", operator: "==", values: [{ value: "yes" }] };
      const config = check(scope, requirement, { resourceSelector: undefined, labelSelector });
      await scope.start("item", [scope.configMap("a")], { config });
      await scope.waitForMessage("item", "check");
      const { targetClient } = suite.environment;
      const labelled = { labels: matchLabels };
      await targetClient.create(kubeResources.configMap, elsewhere.configMap("far", { ready: "no" }, labelled));
      await expectWaiting(scope);
      await targetClient.create(kubeResources.configMap, scope.configMap("near", { ready: "yes" }, labelled));
      await expectWaiting(scope);
      await targetClient.delete(kubeResources.configMap, { namespace: elsewhere.place, name: "far" });
      // What has gone blocks nobody.
      expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    });

    it("waits for an object that is not there, and skips what is disabled", async () => {
      const scope = await suite.open("absent");
      const other = referenceOf(scope.configMap("other"));
      const requirement = { jsonPath: ".data.x", operator: "exists" };
      const { readinessChecks } = check(scope, requirement, { resourceSelector: [other] });
      const disabled = { ...readinessChecks.custom[0], name: "disabled", disabled: true };
      const unfulfilled = { ...disabled, requirements: [{ jsonPath: ".data.never", operator: "exists" }] };
      const config = { readinessChecks: { custom: [...readinessChecks.custom, unfulfilled] } };
      await scope.start("item", [scope.configMap("a")], { config });
      await scope.waitForMessage("item", `ConfigMap ${scope.place}/other`);
      await suite.environment.targetClient.create(kubeResources.configMap, scope.configMap("other", { x: "1" }));
      expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    });

    it("looks at workloads first, unless the default is off", async () => {
      const scope = await suite.open("default");
      const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: scope.place }, spec: podSpec };
      const done = await scope.deploy("off", [pod], { config: { readinessChecks: { disableDefault: true } } });
      expect(done.status?.phase).toBe("Succeeded");
    });
  });
});
