// Deploy items, charts and target objects whose content keeps a deployer busy, beside items of another tenant.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { annotations, operations, resources, type DeployItemSpec, type DeployItemStatus } from "@landscaper/api";
import { createDeployerScope, type DeployerScope } from "@landscaper/deployer/testing";
import {
  configMap,
  helmAttacks,
  helmConfig,
  manifestAttacks,
  manifestConfig,
  oneMap,
  type ContentAttack,
} from "../../hostile/content-attacks.ts";
import { leasedServices, startLeasedServices, type Watched } from "../../hostile/leased-services.ts";
import { startEnvironment, type Environment } from "../../src/services/environment.ts";
import { clustersUnderTest, isWholeRun } from "../../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../../src/namespaces/test-namespace.ts";

const services = ["manifest-deployer", "helm-deployer"] as const;
/**
 * Processor time in which a main thread gives timers no turn. The helm deployer is at its limit of 100 ms when the three-way merge of an object of
 * 29,000 values coincides with the answers that others get: a busy machine must not fail for that.
 */
const longestTurnMs = { "manifest-deployer": 100, "helm-deployer": 150 } as const;

const isWhole = isWholeRun("hostile");
/** Beside other suites processors are shared, and their caches with them: the same work takes more of their time. */
const tolerance = isWhole ? 1 : 2;
const chosen = (attacks: readonly ContentAttack[]): readonly ContentAttack[] =>
  attacks.filter(({ isShort }) => isWhole || isShort === true);

/** What of it would be a secret in the message of a failure. */
const secretText = /text-\d/;

describe.each(clustersUnderTest())("content that takes long on %s", (cluster) => {
  let environment: Environment;
  let watched: Watched;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, ...leasedServices, args: {}, services });
    watched = await startLeasedServices(environment);
  });
  afterAll(async () => environment.stop());

  async function open(name: string): Promise<{ scope: TestNamespace; items: DeployerScope }> {
    const scope = await environment.namespace(name);
    const { client: hubClient, targetKubeconfig } = environment;
    const items = createDeployerScope({ hubClient, targetKubeconfig, namespace: scope.name, timeoutMs: 90_000 });
    await items.createTarget();
    return { scope, items };
  }

  /** The ends of the present jobs of items, with the words of their failures. */
  async function endsOf(items: DeployerScope, attacks: readonly Pick<ContentAttack, "name">[]): Promise<unknown[]> {
    const ends: unknown[] = [];
    for (const { name } of attacks) {
      const { status } = await items.waitForEnd(name);
      ends.push([name, status?.phase, status?.lastError?.message]);
    }
    return ends;
  }

  it.each([
    ["manifest-deployer", "kubernetes-manifest", chosen(manifestAttacks)],
    ["helm-deployer", "helm", chosen(helmAttacks)],
  ] as const)(
    "keeps no turn of the %s",
    async (...[service, type, attacks]) => {
      const hostile = await open("hostile");
      const healthy = await open("healthy");
      const specOf = ({ scope }: { scope: TestNamespace }, config: Record<string, unknown>): DeployItemSpec => ({
        type: `landscaper.gardener.cloud/${type}`,
        config,
        target: { name: "cluster", namespace: scope.name },
      });
      for (const { name, config, prepare, annotations: marks } of attacks) {
        await prepare?.(hostile.scope, environment);
        const spec = specOf(hostile, await config(hostile.scope));
        await hostile.items.create({ name, spec, annotations: marks });
      }
      const { targetNamespace: namespace } = healthy.scope;
      const config =
        type === "helm"
          ? await helmConfig("fine", { namespace, template: oneMap })
          : manifestConfig([configMap("fine", namespace)]);
      await healthy.items.create({ name: "fine", spec: specOf(healthy, config) });
      expect((await healthy.items.waitForEnd("fine")).status?.phase).toBe("Succeeded");
      const ends = await endsOf(hostile.items, attacks);
      expect(ends).toEqual(
        attacks.map(({ name, fails }) =>
          fails === undefined ? [name, "Succeeded", undefined] : [name, "Failed", expect.stringContaining(fails)],
        ),
      );
      expect(JSON.stringify(ends)).not.toMatch(secretText);

      const repeated = attacks.flatMap(({ name, again }) => (again === undefined ? [] : [{ name, again }]));
      for (const { name, again } of repeated) {
        await hostile.items.trigger(name, specOf(hostile, await again(hostile.scope, 1)));
      }
      expect(await endsOf(hostile.items, repeated)).toEqual(repeated.map(({ name }) => [name, "Succeeded", undefined]));
      for (const { name, again } of repeated) {
        const key = { namespace: hostile.scope.name, name };
        const metadata = { annotations: { [annotations.operation]: operations.plan } };
        const body = { metadata, spec: { config: await again(hostile.scope, 2) } };
        await environment.client.patch(resources.deployItem, key, { type: "merge", body });
      }
      for (const { name } of repeated) await hostile.items.waitFor(name, isPlanned);
      expect(await watched.findDisturbances()).toEqual([]);
      const vitals = (await watched.read()).find((each) => each.service.startsWith(service));
      expect(vitals?.longestTurnMs).toBeLessThan(longestTurnMs[service] * tolerance);
    },
    240_000,
  );
});

function isPlanned({ conditions = [] }: DeployItemStatus): boolean {
  return conditions.some(({ type, status }) => type === "Planned" && status === "True");
}
