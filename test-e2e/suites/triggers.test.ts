import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ConfigMap, Installation } from "@landscaper/api";
import { annotations, isJobOpen, kubeResources, resources } from "@landscaper/api";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { readGuideExamples } from "../src/examples/guide-examples.ts";
import { dataObject, inlineInstallation } from "../src/installations/inline-installation.ts";
import { recordHistory } from "../src/kits/object-history.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const guide = readGuideExamples("operations.md");

it("the guide to operations has no example that nobody runs", () => {
  const triggers = ["annotation", "changed-spec", "schedule", "on-change"];
  expect(guide.names).toEqual(triggers);
});

interface Root {
  readonly scope: TestNamespace;
  /** After its first job, which the annotation has started. */
  readonly first: Installation;
}

const hasEnded = ({ status }: Installation): boolean => status?.jobID !== undefined && !isJobOpen(status);
const countOf = ({ status }: Installation): number => status?.automaticReconcileStatus?.numberOfReconciles ?? 0;

/** Each test has an Installation of its own, so that one that fails hides nothing. */
describe.each(clustersUnderTest())("jobs start on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "manifest-deployer"] });
  });
  afterAll(async () => environment.stop());

  const load = (scope: TestNamespace, example: string) => guide.load(example, { namespace: scope.targetNamespace });

  async function waitFor(scope: TestNamespace, is: (root: Installation) => boolean): Promise<Installation> {
    const found = await scope.until(resources.installation, "welcome", (root) => root !== undefined && is(root));
    return found as Installation; // `is` has seen it
  }

  async function expectText(scope: TestNamespace, text: string): Promise<void> {
    const isThere = (found: ConfigMap | undefined): boolean => found?.data?.["text"] === text;
    await scope.waitOnTarget(kubeResources.configMap, "welcome", isThere);
  }

  /** An Installation that has had one job. */
  async function start(name: string): Promise<Root> {
    const scope = await environment.namespace(name);
    await scope.apply(scope.target("cluster"), ...load(scope, "annotation"));
    const first = await scope.waitForPhase("welcome", "Succeeded");
    await expectText(scope, "hello world");
    return { scope, first };
  }

  async function patch(scope: TestNamespace, body: unknown): Promise<Installation> {
    const key = { namespace: scope.name, name: "welcome" };
    return await environment.client.patch(resources.installation, key, { type: "merge", body });
  }

  const patchAs = async (scope: TestNamespace, example: string) => patch(scope, load(scope, example)[0]);

  /** What another Installation's job has seen of this one: whatever was to start before has started. */
  async function afterAnotherJob(scope: TestNamespace): Promise<Installation> {
    await scope.apply(inlineInstallation({ name: "other", blueprint: {} }));
    await scope.waitForPhase("other", "Succeeded");
    return await scope.get(resources.installation, "welcome");
  }

  it("by the annotation, which goes then", async () => {
    const { first } = await start("by-annotation");
    expect(first.metadata.annotations?.[annotations.operation]).toBeUndefined();
  });

  it("by a change of the spec, with reconcile-if-changed", async () => {
    const { scope, first } = await start("by-spec");
    await patchAs(scope, "changed-spec");
    const next = await waitFor(scope, (root) => root.status?.jobID !== first.status?.jobID && hasEnded(root));
    expect(next.status?.phase).toBe("Succeeded");
    await expectText(scope, "good morning world");
    expect(next.metadata.annotations).toMatchObject({ [annotations.reconcileIfChanged]: "true" });
  });

  /** The jobs of the Installation that begin while `work` runs. */
  async function jobsDuring(scope: TestNamespace, work: () => Promise<unknown>): Promise<number> {
    const before = (await scope.get(resources.installation, "welcome")).status?.jobID;
    const history = await recordHistory(environment.client, resources.installation, scope.name);
    await work();
    // Until the watch has brought what the work has seen.
    await waitFor(scope, ({ metadata }) => {
      return history.current.get("welcome")?.metadata.resourceVersion === metadata.resourceVersion;
    });
    await history.stop();
    const roots = history.seen.map(({ object }) => object).filter(({ metadata }) => metadata.name === "welcome");
    return new Set(roots.map(({ status }) => status?.jobID).filter((jobID) => jobID !== before)).size;
  }

  it("by a schedule of what has succeeded, at its times only", async () => {
    const { scope } = await start("by-schedule");
    const atNight = async (): Promise<void> => {
      await patchAs(scope, "schedule");
      await scope.trigger("welcome");
      await waitFor(scope, (root) => root.status?.observedGeneration === root.metadata.generation && hasEnded(root));
      await afterAnotherJob(scope);
    };
    // That of the annotation.
    expect(await jobsDuring(scope, atNight)).toBe(1);

    await patch(scope, { spec: { automaticReconcile: { succeededReconcile: { cronSpec: "@every 1s" } } } });
    const often = async (): Promise<void> => {
      await scope.trigger("welcome");
      const { status, metadata } = await waitFor(scope, (root) => countOf(root) >= 3 && hasEnded(root));
      expect([status?.phase, status?.automaticReconcileStatus]).toMatchObject([
        "Succeeded",
        { generation: metadata.generation },
      ]);
    };
    // Another one may have begun meanwhile.
    expect(await jobsDuring(scope, often)).toBeGreaterThanOrEqual(4);
  });

  it("by a schedule of what has failed, as often as it says", async () => {
    const { scope } = await start("by-failure");
    const retry = (numberOfReconciles: number) => ({
      automaticReconcile: { failedReconcile: { interval: "1s", numberOfReconciles } },
    });
    await patch(scope, { spec: retry(2) });
    await scope.delete(resources.dataObject, "person");
    const fail = async (): Promise<void> => {
      await scope.trigger("welcome");
      const last = await waitFor(scope, (root) => countOf(root) >= 2 && hasEnded(root));
      expect([last.status?.phase, last.status?.automaticReconcileStatus]).toMatchObject([
        "Failed",
        { numberOfReconciles: 2, onFailed: true },
      ]);
      // By the time that this one has had two more, the first would have had another.
      const imports = { data: [{ name: "person", dataRef: "person" }] };
      const blueprint = { imports: [{ name: "person", type: "data", schema: true }] };
      await scope.apply(inlineInstallation({ name: "longer", blueprint, imports, spec: retry(4) }));
      const isFourth = (found: Installation | undefined): boolean => found !== undefined && countOf(found) >= 4;
      await scope.until(resources.installation, "longer", isFourth);
    };
    expect(await jobsDuring(scope, fail)).toBe(3);
  });

  it("by any change, with the policy on-change", async () => {
    const { scope, first } = await start("by-change");
    await patchAs(scope, "on-change");
    await scope.apply(dataObject("person", "everybody"));
    await expectText(scope, "hello everybody");
    const { status } = await scope.waitForPhase("welcome", "Succeeded");
    expect(status?.importsHash).not.toBe(first.status?.importsHash);
  });
});
