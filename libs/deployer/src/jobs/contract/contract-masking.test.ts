// What a target says of its own may repeat what opens it: no text of a job shows it, on embedded clusters.
import { describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, LandscaperError, type DeployItem } from "@landscaper/api";
import { connectionFromKubeconfig } from "@landscaper/controller-runtime";
import { spec, useContractBench, type Context } from "../../../test/contract-bench.ts";

const bench = useContractBench("contract-masking");

const token = "token-of-the-connection";
const said = `condition with ${Buffer.from(`Bearer ${token}`).toString("base64")} and ${token}`;
const masked = /^(?:waiting for )?condition with \S*\[\.\.\.\]\S* and \[\.\.\.\]$/;

async function run(reconcile: (context: Context) => ReturnType<typeof bench.script.reconcile>): Promise<void> {
  bench.script.reconcile = async (context) => {
    await context.target.cluster();
    return await reconcile(context);
  };
  const { server, ca } = connectionFromKubeconfig(bench.fixture.target.kubeconfig);
  const authority = ca === undefined ? {} : { "certificate-authority-data": Buffer.from(ca).toString("base64") };
  const kubeconfig = {
    "current-context": "target",
    contexts: [{ name: "target", context: { cluster: "target", user: "target" } }],
    clusters: [{ name: "target", cluster: { server, ...authority } }],
    users: [{ name: "target", user: { token } }],
  };
  const targetSpec = { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig } };
  await bench.scope.createTarget({ spec: targetSpec });
  await bench.scope.create({ name: "item", spec: { ...spec, target: { name: "cluster" } } });
}

function visibleOf({ status }: DeployItem): string {
  return JSON.stringify([status, bench.running.log.lines]);
}

describe("what a target repeats of its connection is not in", () => {
  it("the failure of a job, its event, and the log", async () => {
    await run(() => Promise.reject(new LandscaperError({ message: said, hint: said, reason: "R", retry: "never" })));
    const item = await bench.scope.waitForEnd("item");
    const [message = "", hint = ""] = item.status?.lastError?.message.split("; ") ?? [];
    expect([message, hint]).toEqual([expect.stringMatching(masked), expect.stringMatching(masked)]);
    expect(visibleOf(item)).not.toContain(token);
  });

  it("what a job waits for", async () => {
    await run(() => Promise.resolve({ type: "waiting", for: said }));
    const item = await bench.scope.waitFor("item", ({ conditions = [] }) =>
      conditions.some(({ message }) => message.startsWith("waiting for")),
    );
    const messages = item.status?.conditions?.map(({ message }) => message) ?? [];
    expect(messages).toContainEqual(expect.stringMatching(masked));
    expect(visibleOf(item)).not.toContain(token);
  });

  it("conditions and lines of the log that a deployer writes, and is secret in exports", async () => {
    await run(({ log }) => {
      log.child({ child: said }).warn({ said, error: new Error(said) }, said);
      return Promise.resolve({
        type: "succeeded",
        conditions: [{ type: "Said", status: "True", reason: "Said", message: said }],
        exports: { plain: "plain", said: [said] },
        sensitiveExports: [],
      });
    });
    const item = await bench.scope.waitForEnd("item");
    expect(item.status?.conditions?.find(({ type }) => type === "Said")?.message).toMatch(masked);
    expect(bench.running.log.text).toContain("condition with ");
    expect(visibleOf(item)).not.toContain(token);
    const key = { namespace: bench.scope.namespace, name: item.status?.exportRef?.name ?? "" };
    const secret = await bench.fixture.hubClient.get(kubeResources.secret, key);
    expect(secret.metadata.annotations?.[annotations.sensitiveExports]).toBe('["/said/0"]');
  });
});
