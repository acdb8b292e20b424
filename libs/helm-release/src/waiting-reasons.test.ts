// What an operation says that it waits for: with what is wrong with the pods, on a cluster whose workloads are simulated.
import { expect, it } from "@jest/globals";
import { waitFor } from "@landscaper/testkit";
import { Deployment } from "./deployment.ts";
import { contentOf, useReleaseFixture } from "../test/release-fixture.ts";

const fixture = useReleaseFixture({ simulateWorkloads: true });
const { signal } = new AbortController();

const template = {
  metadata: {
    labels: { app: "web" },
    annotations: { "simulation.landscaper.gardener.cloud/image-pull-failure": "true" },
  },
  spec: { restartPolicy: "Always", containers: [{ name: "main", image: "registry.example.test/main:1" }] },
};
const hook = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "migrate", annotations: { "helm.sh/hook": "pre-install" } },
  spec: { template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } } },
};
const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec: { selector: { matchLabels: { app: "web" } }, template },
};
const pulling = (pod: string): string => `Pod ${pod}-[a-z0-9-]+: container main: (ErrImagePull|ImagePullBackOff)`;

it.each([
  ["a hook", hook, `^pre-install hook Job NAMESPACE/migrate to end; ${pulling("migrate")}$`],
  ["an object of a release that waits", deployment, `^Deployment NAMESPACE/web: .+; ${pulling("web")}$`],
])("names what is wrong with the pods of %s", async (_what, object, words) => {
  const context = await fixture.release("app");
  let now = Date.now();
  const operation = new Deployment({ ...context, now: () => now }, contentOf([object]), { wait: true });
  const expected = new RegExp(words.replace("NAMESPACE", context.namespace));
  const waiting = await waitFor(
    async () => {
      now += 1000;
      const wait = await operation.advance(signal);
      // As the watches of a job do.
      for (const { onNews } of wait?.awaited ?? []) onNews?.();
      return expected.test(wait?.waitingFor.join(", ") ?? "") ? wait : undefined;
    },
    { evenly: true },
  );
  const pods = { kind: "Pod", namespace: context.namespace, isOptional: true };
  expect(waiting.awaited).toContainEqual(expect.objectContaining(pods));
});
