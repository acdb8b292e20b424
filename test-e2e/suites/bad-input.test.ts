import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { resources } from "@landscaper/api";
import {
  badInstallation,
  badTargetCases,
  blueprintCases,
  deployerCases,
  goodInstallation,
} from "../src/installations/bad-input-cases.ts";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { clusterImport, deployItems, manifestItem } from "../src/installations/inline-installation.ts";
import { casesOfRun, clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { Sentinel } from "../src/kits/sentinel.ts";
import { createRecognizer, createSentinel, sentinelSecret } from "../src/kits/sentinel.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import type { NatsTap } from "../src/namespaces/visible-texts.ts";
import { collectVisibleTexts, findLeaks, tapNats } from "../src/namespaces/visible-texts.ts";

describe.each(clustersUnderTest())("bad input on %s", (cluster) => {
  let environment: Environment;
  let tap: NatsTap | undefined;
  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core", "manifest-deployer", "mock-deployer"],
      nats: true,
    });
    if (environment.nats !== undefined) tap = await tapNats(environment.nats.url);
  });
  afterAll(async () => {
    await tap?.stop();
    await environment.stop();
  });

  /** Neither the value nor the Target's token is to be seen anywhere. */
  async function expectNoLeak(scope: TestNamespace, { findIn }: Sentinel): Promise<void> {
    const texts = [...(await collectVisibleTexts(environment, scope)), ...(tap?.texts ?? [])];
    expect(findLeaks(texts, findIn)).toEqual([]);
    expect(findLeaks(texts, createRecognizer(environment.target.token.slice(-40)))).toEqual([]);
  }

  /** The failed job names its place, shows nothing of the value, and the next job with good input succeeds. */
  async function expectFailure(scope: TestNamespace, sentinel: Sentinel, names: readonly string[]): Promise<void> {
    const failed = await scope.waitForPhase("root", "Failed");
    const message = failed.status?.lastError?.message ?? "";
    const missing = names.filter((name) => !message.includes(name));
    expect({ message, missing }).toEqual({ message, missing: [] });
    await expectNoLeak(scope, sentinel);

    await scope.apply(scope.target("target"), goodInstallation(scope.targetNamespace));
    await scope.waitForPhase("root", "Succeeded");
    await expectNoLeak(scope, sentinel);
    await scope.delete(resources.installation, "root");
    await scope.untilGone(resources.installation, "root");
    expect(await scope.list(resources.deployItem)).toEqual([]);
  }

  it("is not needed to see that a good Installation shows nothing of its secret value", async () => {
    const sentinel = createSentinel();
    const scope = await environment.namespace("good");
    await scope.apply(sentinelSecret(sentinel), scope.target("target"), goodInstallation(scope.targetNamespace));
    await scope.waitForPhase("root", "Succeeded");
    await expectNoLeak(scope, sentinel);
    if (tap !== undefined) expect(tap.texts.length).toBeGreaterThan(0);
  });

  it.each(casesOfRun("bad-input", blueprintCases))(
    "$name fails the job, is named, and can be mended",
    async ({ installation, names }) => {
      const sentinel = createSentinel();
      const scope = await environment.namespace("blueprint");
      await scope.apply(sentinelSecret(sentinel), scope.target("target"), installation);
      await expectFailure(scope, sentinel, names);
    },
  );

  it.each(casesOfRun("bad-input", deployerCases))(
    "$name fails the job, is named, and can be mended",
    async ({ installation, names }) => {
      const sentinel = createSentinel();
      const scope = await environment.namespace("deployer");
      await scope.apply(sentinelSecret(sentinel), scope.target("target"), installation);
      await expectFailure(scope, sentinel, names);
    },
  );

  it.each(casesOfRun("bad-input", badTargetCases))(
    "$name fails the job, is named, and can be mended",
    async ({ config, names }) => {
      const sentinel = createSentinel();
      const scope = await environment.namespace("target");
      const target = {
        ...scope.target("target"),
        spec: { type: clusterImport.targetType, config: config(sentinel.value) },
      };
      const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "unreached", namespace: "default" } };
      const item = manifestItem({ manifests: [manifest], item: { timeout: "3s" } });
      const installation = badInstallation({ deployExecutions: deployItems(item) });
      await scope.apply(sentinelSecret(sentinel), target, installation);
      await expectFailure(scope, sentinel, names);
    },
  );
});
