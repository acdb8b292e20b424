// What a failed hook died of: told by its pod, on a cluster whose workloads are simulated.
import { expect, it } from "@jest/globals";
import { Deployment } from "../deployment.ts";
import { contentOf, finish, useReleaseFixture } from "../../test/release-fixture.ts";

const fixture = useReleaseFixture({ simulateWorkloads: true });

const simulation = "simulation.landscaper.gardener.cloud";

/** A hook whose pod goes as the annotations say. */
function simulatedHook(script: Readonly<Record<string, string>>): object {
  const own = Object.entries(script).map(([key, value]) => [`${simulation}/${key}`, value]);
  const annotations = { "helm.sh/hook": "pre-install", ...Object.fromEntries(own) };
  const containers = [{ name: "main", image: "registry.example.test/main:1" }];
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "migrate", annotations },
    spec: { backoffLimit: 0, template: { spec: { restartPolicy: "Never", containers } } },
  };
}

it.each([
  {
    what: "its exit code and the end of its log",
    script: { "exit-code": "3", log: "step one\nthe table is locked" },
    code: 3,
    log: "; its log ends with: step one | the table is locked",
  },
  { what: "its exit code alone, when it has logged nothing", script: { "exit-code": "1" }, code: 1, log: "" },
])("tells $what, also in the record", async ({ script, code, log }) => {
  const context = await fixture.release("app");
  const deployment = new Deployment(context, contentOf([simulatedHook(script)]), {});
  const pod = `Pod migrate-[a-z0-9]+, has failed, container main exited with ${code} \\(Error\\)`;
  const said = `pre-install hook Job ${context.namespace}/migrate has failed \\(BackoffLimitExceeded\\); ${pod}${log.replaceAll("|", "\\|")} \\(chart/templates/0.yaml\\)`;
  await expect(finish(deployment)).rejects.toMatchObject({
    reason: "HookFailed",
    message: expect.stringMatching(new RegExp(`^${said}$`)),
  });
  const description = expect.stringMatching(new RegExp(`^Release "app" failed: ${said}$`));
  expect(await fixture.statuses(context)).toEqual([[1, "failed", description]]);
});
