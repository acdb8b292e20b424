import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ConfigMap, Installation } from "@landscaper/api";
import { annotations, isJobOpen, kubeResources, resources } from "@landscaper/api";
import type { Environment } from "../src/environment.ts";
import { startEnvironment } from "../src/environment.ts";
import { readGuideExamples } from "../src/guide-examples.ts";
import { dataObject } from "../src/inline-installation.ts";
import { clustersUnderTest } from "../src/selected-clusters.ts";
import type { TestNamespace } from "../src/test-namespace.ts";

const guide = readGuideExamples("operations.md");

it("the guide to operations has no example that nobody runs", () => {
  const triggers = ["annotation", "changed-spec", "schedule", "on-change"];
  // Those of several cores run in the suite "ha", those of several deployers in "replicas".
  expect(guide.names).toEqual([...triggers, "leases", "deployer-leases"]);
});

/** One story: each example adds to the Installation of the first. */
describe.each(clustersUnderTest())("jobs start on %s", (cluster) => {
  let environment: Environment;
  let scope: TestNamespace;
  let last: Installation;

  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "manifest-deployer"] });
    scope = await environment.namespace("triggers");
    await scope.apply(scope.target("cluster"));
  }, 120_000);
  afterAll(async () => environment.stop());

  const load = (example: string) => guide.load(example, { namespace: scope.targetNamespace });

  async function patch(body: unknown): Promise<void> {
    const key = { namespace: scope.name, name: "welcome" };
    await environment.client.patch(resources.installation, key, { type: "merge", body });
  }

  async function expectText(text: string): Promise<void> {
    const isThere = (found: ConfigMap | undefined): boolean => found?.data?.["text"] === text;
    await scope.waitOnTarget(kubeResources.configMap, "welcome", isThere);
  }

  /** Waits for the end of a job that began after the last one that was seen. */
  async function untilNextJob(): Promise<void> {
    const found = await scope.waitFor(resources.installation, "welcome", (root) => {
      const { status } = root ?? {};
      return status?.jobID !== undefined && status.jobID !== last?.status?.jobID && !isJobOpen(status);
    });
    last = found as Installation;
    expect(last.status?.phase).toBe("Succeeded");
  }

  it("by the annotation, which goes then", async () => {
    await scope.apply(...load("annotation"));
    await untilNextJob();
    await expectText("hello world");
    expect(last.metadata.annotations?.[annotations.operation]).toBeUndefined();
  });

  it("by a change of the spec, with reconcile-if-changed", async () => {
    await patch(load("changed-spec")[0]);
    await untilNextJob();
    await expectText("good morning world");
    expect(last.metadata.annotations).toMatchObject({ [annotations.reconcileIfChanged]: "true" });
  });

  it("by a schedule", async () => {
    await patch(load("schedule")[0]);
    await untilNextJob();
    const counts = (count: number) => (root: Installation | undefined) =>
      (root?.status?.automaticReconcileStatus?.numberOfReconciles ?? -1) >= count && !isJobOpen(root?.status);
    await scope.waitFor(resources.installation, "welcome", counts(0));
    await patch({ spec: { automaticReconcile: { succeededReconcile: { cronSpec: "@every 1s" } } } });
    await untilNextJob();
    const { generation } = last.metadata;
    await scope.waitFor(resources.installation, "welcome", counts(2));
    await patch({ spec: { automaticReconcile: null } });
    const isAfter = (root: Installation | undefined) =>
      root?.status?.observedGeneration === (generation ?? 0) + 1 && !isJobOpen(root.status);
    last = (await scope.waitFor(resources.installation, "welcome", isAfter)) as Installation;
  });

  it("by any change, with the policy on-change", async () => {
    await patch(load("on-change")[0]);
    await scope.apply(dataObject("person", "everybody"));
    await expectText("good morning everybody");
    const { status } = await scope.waitForPhase("welcome", "Succeeded");
    expect(status?.importsHash).not.toBe(last.status?.importsHash);
  });
});
