// What a revision with `wait` waits for, by strategy, on a cluster without controllers.
import { describe, expect, it } from "@jest/globals";
import type { LandscaperError, ResourceType, UnstructuredObject } from "@landscaper/api";
import { Deployment, type DeploymentOptions } from "../deployment.ts";
import type { ReleaseContext } from "../release-context.ts";
import { contentOf, jobType, useReleaseFixture } from "../../test/release-fixture.ts";

const fixture = useReleaseFixture();
const { signal } = new AbortController();
const time = "2026-01-01T00:00:00Z";

const template = {
  spec: { restartPolicy: "Never", containers: [{ name: "main", image: "registry.example.test/main:1" }] },
};
const job = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "import" }, spec: { template } };
const claim = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};
const condition = (type: string, reason: string): object => ({
  type,
  status: "True",
  reason,
  lastTransitionTime: time,
});
const started = { startTime: time, active: 1 };
const failedJob = {
  startTime: time,
  failed: 1,
  conditions: [condition("FailureTarget", "BackoffLimitExceeded"), condition("Failed", "BackoffLimitExceeded")],
};

const widgetType: ResourceType<UnstructuredObject> = {
  group: "example.org",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  namespaced: true,
};
const widget = { apiVersion: "example.org/v1", kind: "Widget", metadata: { name: "big" }, spec: { size: 1 } };
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.org" },
  spec: {
    group: "example.org",
    scope: "Namespaced",
    names: { kind: "Widget", plural: "widgets", singular: "widget", listKind: "WidgetList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

/** A release whose clock only moves when a test says so. */
class Waiting {
  readonly #context: ReleaseContext;
  readonly #operation: Deployment;
  #elapsedMs = 0;

  private constructor(context: ReleaseContext, objects: readonly object[], options: DeploymentOptions) {
    this.#context = { ...context, elapsed: () => this.#elapsedMs };
    const content = { ...contentOf(objects), crds: [definition] };
    this.#operation = new Deployment(this.#context, content, { wait: true, ...options });
  }

  static async begin(objects: readonly object[], options: DeploymentOptions): Promise<Waiting> {
    return new Waiting(await fixture.release("app"), objects, options);
  }

  get namespace(): string {
    return this.#context.namespace;
  }

  /** What the release waits for; undefined: it is deployed. */
  async advance(afterMs = 0): Promise<readonly string[] | undefined> {
    this.#elapsedMs += afterMs;
    return (await this.#operation.advance(signal))?.waitingFor;
  }

  async awaited(): Promise<readonly string[]> {
    return ((await this.#operation.advance(signal))?.awaited ?? []).map(({ kind }) => kind);
  }

  /** What ends the wait, and after how long at the latest. */
  async failure(withinMs: number): Promise<LandscaperError> {
    for (const startMs = this.#elapsedMs; this.#elapsedMs <= startMs + withinMs;) {
      try {
        await this.advance(500);
      } catch (error) {
        return error as LandscaperError;
      }
    }
    throw new Error("the wait has not ended");
  }

  async setStatus(type: ResourceType, name: string, status: object): Promise<void> {
    const { namespace } = this;
    await fixture.client.patch(type, { namespace, name }, { type: "merge", body: { status }, subresource: "status" });
  }

  async statuses(): Promise<unknown> {
    return (await fixture.statuses(this.#context)).map(([, status]) => status);
  }
}

describe("a release with wait", () => {
  it.each<readonly [string, DeploymentOptions, object, string | undefined]>([
    ["waits for a claim by default", {}, claim, "PersistentVolumeClaim NAMESPACE/data: is not bound"],
    ["does not wait for a claim with hookOnly", { waitStrategy: "hookOnly" }, claim, undefined],
    ["does not wait for a Job by default, as Helm 3", {}, job, undefined],
    ["waits for a Job with waitForJobs", { waitForJobs: true }, job, "Job NAMESPACE/import: 0 of 1 completions"],
    [
      "waits for the start of a Job with watcher",
      { waitStrategy: "watcher" },
      job,
      "Job NAMESPACE/import: has not started",
    ],
    ["does not wait for a custom resource that says nothing", { waitStrategy: "watcher" }, widget, undefined],
    ["does not wait for an object without wait", { wait: false, waitStrategy: "watcher" }, claim, undefined],
  ])("%s", async (...[, options, object, words]) => {
    const release = await Waiting.begin([object], options);
    const expected = words === undefined ? undefined : [words.replace("NAMESPACE", release.namespace)];
    expect(await release.advance()).toEqual(expected);
  });

  it("ends within five seconds with watcher when a Job fails that counted as ready", async () => {
    const release = await Waiting.begin([job, claim], { waitStrategy: "watcher" });
    await release.advance();
    await release.setStatus(jobType, "import", started);
    expect(await release.advance()).toEqual([`PersistentVolumeClaim ${release.namespace}/data: is not bound`]);
    expect(await release.awaited()).toContain("Job");
    await release.setStatus(jobType, "import", failedJob);
    const error = await release.failure(5000);
    expect(error).toMatchObject({
      reason: "ResourceFailed",
      retry: "never",
      message: `chart/templates/0.yaml: Job ${release.namespace}/import: has failed (BackoffLimitExceeded)`,
      hint: expect.stringMatching(/^correct what the status/),
    });
    expect(await release.statuses()).toEqual(["failed"]);
  });

  it("ends within five seconds with watcher when a custom resource stalls that had no status", async () => {
    const release = await Waiting.begin([widget, claim], { waitStrategy: "watcher" });
    expect(await release.advance()).toHaveLength(1);
    expect(await release.awaited()).toContain("Widget");
    await release.setStatus(widgetType, "big", { conditions: [condition("Stalled", "InvalidSize")] });
    expect((await release.failure(5000)).message).toContain(
      `Widget ${release.namespace}/big: is stalled (InvalidSize)`,
    );
  });

  it("goes on with watcher when a custom resource has stalled only until its controller saw the change", async () => {
    const release = await Waiting.begin([widget, claim], { waitStrategy: "watcher" });
    await release.advance();
    await release.setStatus(widgetType, "big", { conditions: [condition("Stalled", "InvalidSize")] });
    expect(await release.advance(1000)).toHaveLength(2);
    await release.setStatus(widgetType, "big", { conditions: [condition("Ready", "Done")] });
    expect(await release.advance(10_000)).toHaveLength(1);
  });

  it.each(["legacy", "watcher"] as const)("names a failed Job in its wait by %s, or ends", async (waitStrategy) => {
    const release = await Waiting.begin([job], { waitStrategy, waitForJobs: true });
    await release.advance();
    await release.setStatus(jobType, "import", failedJob);
    const words = `Job ${release.namespace}/import: has failed (BackoffLimitExceeded)`;
    if (waitStrategy === "legacy") expect(await release.advance(60_000)).toEqual([expect.stringContaining(words)]);
    else expect((await release.failure(5000)).message).toContain(words);
  });
});
