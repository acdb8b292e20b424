// The calls of a deploy item on a target cluster: readiness.
import { afterAll, describe, expect, it } from "@jest/globals";
import { kubeResources, LandscaperError, type ReadinessRequirement } from "@landscaper/api";
import { HealthChecker } from "../health/health-checker.ts";
import { checkReadiness, type ReadinessOptions } from "./check-readiness.ts";
import type { ManagedResource } from "../manifests/manifest.ts";
import { referenceTo, resourceId } from "../cluster/resource-reference.ts";
import {
  useTargetScope,
  signal,
  clusterOf,
  server,
  client,
  cluster,
  requests,
  n,
  configMap,
  manage,
  apply,
  entriesOf,
  setRequests,
} from "../../test/target-scope.ts";

useTargetScope();

describe("checkReadiness", () => {
  const check = async (entries: readonly ManagedResource[], options: Partial<ReadinessOptions> = {}) =>
    (await checkReadiness({ cluster, entries, checks: undefined, clusterOf, signal, ...options })).unready;

  it("wants every managed object to exist", async () => {
    const entries = entriesOf(await apply(manage(configMap("a"), configMap("b"))));
    expect(await check(entries)).toEqual([]);
    await client.delete(kubeResources.configMap, { namespace: n, name: "a" });
    expect(await check(entries)).toEqual([`ConfigMap ${n}/a: does not exist`]);
  });

  it("reads nothing that was just received or found ready before", async () => {
    const result = await apply(manage(configMap("a")));
    const fresh = new Map([...result.applied].map(([id, { live }]) => [id, live]));
    const ready = new Set<string>();
    setRequests([]);
    expect(await check(entriesOf(result), { fresh, ready })).toEqual([]);
    expect(await check(entriesOf(result), { ready })).toEqual([]);
    expect(requests).toEqual([]);
    expect([...ready]).toEqual(entriesOf(result).map(({ resource }) => resourceId(resource)));
  });

  it("reports a workload that its user holds back, unless it is ready", async () => {
    const paused = (name: string, status?: object) => ({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name, namespace: n },
      spec: { replicas: 1, paused: true },
      status,
    });
    const [web, idle] = [paused("web"), paused("idle", { replicas: 1, updatedReplicas: 1, availableReplicas: 1 })];
    const entries = [web, idle].map((object) => ({ resource: referenceTo(object) }));
    const fresh = new Map([web, idle].map((object) => [resourceId(referenceTo(object)), object]));
    const held: string[] = [];
    expect(await check(entries, { fresh, onHeld: (text) => held.push(text) })).toEqual([]);
    expect(held).toEqual([`Deployment ${n}/web: it is paused; set spec.paused to false to roll it out`]);
    expect(await check(entries, { fresh })).toEqual([`Deployment ${n}/web: 0 of 1 replicas updated`]);
  });

  describe("with health rules", () => {
    const rule = { name: "maps", groups: [""], kinds: ["ConfigMap"], current: 'data.phase == "up"' };
    const health = new HealthChecker([{ ...rule, failed: 'data.phase == "broken"' }]);
    afterAll(async () => health.close());
    const phased = async (phase: string) => entriesOf(await apply(manage({ ...configMap("a"), data: { phase } })));

    it("waits with level kstatus, and only then", async () => {
      const entries = await phased("down");
      const checks = { level: "kstatus", health } as const;
      expect(await check(entries, { checks })).toEqual([`ConfigMap ${n}/a: is not current by health rule maps`]);
      expect(await check(entries, { checks: { health } })).toEqual([]);
      expect(await check(await phased("up"), { checks })).toEqual([]);
    });

    it("fails fast if a rule reports a failure, unless failFast is off", async () => {
      const entries = await phased("broken");
      const text = `ConfigMap ${n}/a: has failed by health rule maps`;
      const failing = check(entries, { checks: { level: "kstatus", health } });
      await expect(failing).rejects.toMatchObject({ reason: "ResourceFailed", message: text });
      expect(await check(entries, { checks: { level: "kstatus", failFast: false, health } })).toEqual([text]);
    });

    it("restarts the time of a failure after the object has recovered", async () => {
      const suspects = new Map<string, number>();
      const checks = { level: "kstatus", health } as const;
      const look = async (phase: string, elapsedMs: number) =>
        check(await phased(phase), { checks, suspects, elapsedMs });
      const failing = [`ConfigMap ${n}/a: has failed by health rule maps`];
      expect(await look("broken", 0)).toEqual(failing);
      expect(await look("down", 9000)).toEqual([`ConfigMap ${n}/a: is not current by health rule maps`]);
      expect(await look("broken", 12_000)).toEqual(failing);
      expect(await look("broken", 21_999)).toEqual(failing);
      await expect(look("broken", 22_000)).rejects.toMatchObject({ reason: "ResourceFailed" });
    });

    it("waits for the expression of a check, after its requirements", async () => {
      const entries = await phased("down");
      const resourceSelector = [{ apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: n }];
      const cel = 'data.phase == "up"';
      const checks = { health, custom: [{ name: "up", resourceSelector, cel }] };
      expect(await check(entries, { checks })).toEqual([`check up: ConfigMap ${n}/a: cel is false`]);
      const requirements = [{ jsonPath: ".data.missing", operator: "exists" as const }];
      const both = { health, custom: [{ name: "up", resourceSelector, cel, requirements }] };
      expect(await check(entries, { checks: both })).toEqual([
        `check up: ConfigMap ${n}/a: .data.missing does not fulfil "exists"`,
      ]);
      expect(await check(await phased("up"), { checks })).toEqual([]);
    });
  });

  it("evaluates workloads", async () => {
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p", namespace: n },
      spec: { containers: [{ name: "c", image: "i" }] },
    };
    const entries = entriesOf(await apply(manage(pod)));
    expect(await check(entries)).toEqual([`Pod ${n}/p: has no Ready condition yet`]);
    const live = await client.get(kubeResources.pod, { namespace: n, name: "p" });
    const conditions = [{ type: "Ready", status: "True" }];
    await client.updateStatus(kubeResources.pod, { ...live, status: { ...live.status, conditions } });
    expect(await check(entries)).toEqual([]);
  });

  it("tells a forbidden read from not ready", async () => {
    const entries = entriesOf(await apply(manage(configMap("a"))));
    server.setFault(({ verb }) => (verb === "get" ? { status: 403 } : undefined));
    const error = await check(entries).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(LandscaperError);
    expect(error).toMatchObject({ reason: "TargetForbidden" });
  });

  it("runs custom checks on objects by name and by labels, managed or not (A5)", async () => {
    await client.create(kubeResources.configMap, configMap("a", { key: "value" }, { labels: { app: n } }));
    const requirements: ReadinessRequirement[] = [
      { jsonPath: ".data.key", operator: "==", values: [{ value: "value" }] },
    ];
    const byName = {
      name: "by name",
      resourceSelector: [{ apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: n }],
      requirements,
    };
    const byLabel = {
      name: "by label",
      labelSelector: { apiVersion: "v1", kind: "ConfigMap", matchLabels: { app: n } },
      requirements,
    };
    expect(await check([], { checks: { custom: [byName, byLabel] } })).toEqual([]);

    await client.create(kubeResources.configMap, configMap("b", { key: "other" }, { labels: { app: n } }));
    expect(await check([], { checks: { custom: [byName, byLabel] } })).toEqual([
      `check by label: ConfigMap ${n}/b: .data.key does not fulfil "=="`,
    ]);
    expect(await check([], { checks: { custom: [{ ...byLabel, disabled: true }] } })).toEqual([]);
  });

  it("takes missing objects for not ready, and an object that went away does not block", async () => {
    const requirements: ReadinessRequirement[] = [{ jsonPath: ".data.key", operator: "exists" }];
    const byName = {
      name: "one",
      resourceSelector: [{ apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: n }],
      requirements,
    };
    const byLabel = {
      name: "two",
      labelSelector: { apiVersion: "v1", kind: "ConfigMap", matchLabels: { app: n } },
      requirements,
    };
    expect(await check([], { checks: { custom: [byName, byLabel] } })).toEqual([
      `check one: ConfigMap ${n}/a does not exist`,
      "check two: no ConfigMap has its labels",
    ]);
    await client.create(kubeResources.configMap, configMap("bad", {}, { labels: { app: n } }));
    await client.create(kubeResources.configMap, configMap("a", { key: "1" }, { labels: { app: n } }));
    expect(await check([], { checks: { custom: [byLabel] } })).toEqual([
      `check two: ConfigMap ${n}/bad: .data.key does not fulfil "exists"`,
    ]);
    await client.delete(kubeResources.configMap, { namespace: n, name: "bad" });
    expect(await check([], { checks: { custom: [byLabel] } })).toEqual([]);
  });

  it("runs only custom checks when the default is off", async () => {
    const missing = [{ resource: { apiVersion: "v1", kind: "ConfigMap", name: "missing", namespace: n } }];
    expect(await check(missing, { checks: { disableDefault: true } })).toEqual([]);
  });

  it("looks into a secondary target", async () => {
    const requirements: ReadinessRequirement[] = [{ jsonPath: ".data.key", operator: "exists" }];
    await client.create(kubeResources.configMap, configMap("a", { key: "1" }));
    const resourceSelector = [{ apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: n }];
    const asked: string[] = [];
    const unready = await check([], {
      checks: { custom: [{ name: "far", resourceSelector, requirements, targetName: "other" }] },
      clusterOf: (name) => {
        asked.push(name);
        return Promise.resolve(cluster);
      },
    });
    expect([unready, asked]).toEqual([[], ["other"]]);
  });
});
