import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources, type DeployItem, type Execution, type Installation } from "@landscaper/api";
import { waitFor, playPlans, removeRequest, setPlanned, type PlayedPlan } from "@landscaper/testkit";
import { startTestCluster, type TestCluster } from "../../test/cluster.ts";
import { deployItem, ended, execution, installation, open, type DeployItemState } from "../../test/objects.ts";
import { runProgram, type Outcome, type RunOptions } from "../../test/program.ts";

const operation = "landscaper.gardener.cloud/operation";
const nothing: PlayedPlan = { summary: "1 unchanged", text: "1 unchanged\n", changes: [] };
const update: PlayedPlan = {
  summary: "1 to update",
  text: 'update ConfigMap shop/web\n  ~ .data.a: "1" -> "2"\n1 to update\n',
  changes: [{ type: "update", resource: { kind: "ConfigMap" } }],
};

let cluster: TestCluster;
let playing: ReturnType<typeof playPlans> | undefined;
beforeAll(async () => {
  cluster = await startTestCluster("ns");
});
afterAll(() => cluster.stop());
afterEach(async () => {
  await playing?.stop();
  playing = undefined;
});

function landscaper(words: string, options?: RunOptions): Promise<Outcome> {
  return runProgram([...words.split(" "), ...cluster.flags], { now: Date.now, ...options });
}

function play(answers: Parameters<typeof playPlans>[1]): void {
  playing = playPlans(cluster, answers);
}

interface Root {
  readonly root: Installation;
  readonly items: Execution;
}

async function putRoot(name: string, state: Partial<Parameters<typeof installation>[0]> = {}): Promise<Root> {
  const root = await cluster.put(resources.installation, installation({ name, status: ended("Succeeded"), ...state }));
  return { root, items: await cluster.put(resources.execution, execution(root, ended("Succeeded"))) };
}

async function putItem({ items }: Root, state: DeployItemState): Promise<DeployItem> {
  return await cluster.put(resources.deployItem, deployItem(items, { status: ended("Succeeded"), ...state }));
}

async function operationOf(name: string): Promise<string | undefined> {
  const item = await cluster.client.get(resources.deployItem, { namespace: "ns", name });
  return item.metadata.annotations?.[operation];
}

describe("landscaper diff", () => {
  it("of a deploy item prints its plan; the exit code says whether anything would change", async () => {
    const root = await putRoot("one");
    await putItem(root, { item: "web" });
    await putItem(root, { item: "db" });
    play({ "one-web": update, "one-db": nothing });
    expect(await landscaper("diff di/one-web")).toEqual({ stdout: update.text, stderr: "", exitCode: 1 });
    expect(await landscaper("diff one-db")).toEqual({ stdout: nothing.text, stderr: "", exitCode: 0 });
    // Again within the same second, with the same words.
    expect(await landscaper("diff one-db")).toEqual({ stdout: nothing.text, stderr: "", exitCode: 0 });
  });

  it("of an Installation prints the plans of all its items, in the order of the tree", async () => {
    const root = await putRoot("tree");
    await putItem(root, { item: "web" });
    await putItem(root, { item: "api" });
    const sub = await putRoot("tree-sub", { parent: root.root, item: "comments" });
    await putItem(sub, { item: "x" });
    play({ "tree-web": nothing, "tree-api": nothing, "tree-sub-x": update });
    expect(await landscaper("diff tree")).toEqual({
      stdout: [
        "# DeployItem api (tree-api) of Installation tree",
        nothing.text,
        "# DeployItem web (tree-web) of Installation tree",
        nothing.text,
        "# DeployItem x (tree-sub-x) of Installation comments (tree-sub)",
        update.text,
      ].join("\n"),
      stderr: "",
      exitCode: 1,
    });
    const { stdout, exitCode } = await landscaper("diff inst/tree -o json");
    expect(exitCode).toBe(1);
    const item = {
      name: "tree-sub-x",
      type: "landscaper.gardener.cloud/mock",
      installation: "Installation comments (tree-sub)",
      generation: 1,
      time: "2026-01-01T00:09:00.000Z",
      summary: update.summary,
      changes: update.changes,
      omitted: 0,
      heldBack: null,
      details: null,
      error: null,
    };
    const document = JSON.parse(stdout) as { deployItems: unknown[] };
    const deployItems = [expect.anything(), expect.anything(), item];
    expect(document).toEqual({ namespace: "ns", deployItems, unknown: [] });
  });

  it("ends with 1 for a job that would be held back, even if the plan lists no change", async () => {
    const root = await putRoot("guarded");
    await putItem(root, { item: "web" });
    const heldBack = "the job would remove Namespace m29, and what is in there; to keep an object, ...";
    const text = `held back: ${heldBack}\nheld back; without the protection: nothing to do\n`;
    const details = { helm: { version: "4", source: "item", recorded: "3" } };
    play({ "guarded-web": { summary: "held back", text, changes: [], heldBack, details } });
    expect(await landscaper("diff di/guarded-web")).toEqual({ stdout: text, stderr: "", exitCode: 1 });
    const { stdout, exitCode } = await landscaper("diff guarded -o json");
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([1, { deployItems: [{ heldBack, details }] }]);
  });

  it("says that the Installation is ahead of its deploy items, or has none", async () => {
    const root = await putRoot("ahead");
    await putItem(root, { item: "web" });
    const body = { spec: { imports: { data: [] } } };
    await cluster.client.patch(resources.installation, { namespace: "ns", name: "ahead" }, { type: "merge", body });
    play({ "ahead-web": nothing });
    expect(await landscaper("diff ahead")).toEqual({
      stdout: `# DeployItem web (ahead-web) of Installation ahead\n${nothing.text}`,
      stderr:
        'error: Installation "ahead" has changed since its last job; its deploy items are still those of that job. Trigger a job: landscaper reconcile inst/ahead -n ns\n',
      exitCode: 2,
    });
    expect(await landscaper("diff di/ahead-web")).toMatchObject({ stdout: nothing.text, exitCode: 2 });
    await putRoot("none");
    expect(await landscaper("diff none")).toEqual({
      stdout: 'Installation "none" has no deploy items\n',
      stderr: "",
      exitCode: 0,
    });
  });

  it("ends with 2 if the last job failed before it rendered", async () => {
    const root = await putRoot("early", { status: ended("Failed", "j2") });
    await putItem(root, { item: "web" });
    play({ "early-web": nothing });
    const unknown =
      'Installation "early" failed before it had written its deploy items: those that exist are from an earlier job. For the cause, run: landscaper why inst/early -n ns';
    expect(await landscaper("diff early")).toEqual({
      stdout: `# DeployItem web (early-web) of Installation early\n${nothing.text}`,
      stderr: `error: ${unknown}\n`,
      exitCode: 2,
    });
    const { stdout, exitCode } = await landscaper("diff early -o json");
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ deployItems: [{ error: null }], unknown: [unknown] });
  });

  it("repeats the warnings of the last job", async () => {
    const warning = (message: string) => {
      const time = "2026-01-01T00:00:00Z";
      const times = { lastTransitionTime: time, lastUpdateTime: time };
      return [{ type: "Warnings", status: "True", reason: "UnknownField", message, ...times }];
    };
    const warned = (message: string) => ({ ...ended("Succeeded"), conditions: warning(message) });
    const root = await putRoot("warned", { status: warned('unknown field "a"') });
    await putItem(root, { item: "web", status: warned('unknown field "b"') });
    play({ "warned-web": nothing });
    expect((await landscaper("diff warned")).stderr).toBe(
      'warning: Installation "warned": unknown field "a"\nwarning: DeployItem "warned-web": unknown field "b"\n',
    );
  });

  it("prints what there is when one item has no plan, and ends with 2", async () => {
    const root = await putRoot("mixed");
    await putItem(root, { item: "a" });
    await putItem(root, { item: "b" });
    play({ "mixed-a": update, "mixed-b": "deployer d v1 cannot say in advance what a job of type t would change" });
    const outcome = await landscaper("diff mixed");
    expect(outcome).toEqual({
      stdout: `# DeployItem a (mixed-a) of Installation mixed\n${update.text}`,
      stderr:
        "error: 1 of 2 deploy items have no plan\n  DeployItem b (mixed-b) of Installation mixed: deployer d v1 cannot say in advance what a job of type t would change\n",
      exitCode: 2,
    });
    const { stdout, exitCode } = await landscaper("diff mixed -o json");
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      deployItems: [{ error: null }, { summary: null, changes: [], error: expect.stringContaining("cannot say") }],
    });
  });

  it("says that no deployer has answered, and takes the request back", async () => {
    const item = await putItem(await putRoot("alone"), { item: "web" });
    expect(await landscaper("diff di/alone-web --timeout 1ms")).toEqual({
      stdout: "",
      stderr:
        "error: DeployItem alone-web: no deployer has answered within 1ms; does one run for type landscaper.gardener.cloud/mock?\n",
      exitCode: 2,
    });
    expect(await operationOf("alone-web")).toBe(undefined);
    await setPlanned(cluster, item, { status: "Unknown", message: "d-1 is making the plan" });
    expect(await landscaper("diff di/alone-web --timeout 1ms")).toMatchObject({
      stderr: "error: DeployItem alone-web: the plan is not done within 1ms: d-1 is making the plan\n",
      exitCode: 2,
    });
  });

  it("ends when it is interrupted, and takes the request back", async () => {
    await putItem(await putRoot("stopped"), { item: "web" });
    const stopping = new AbortController();
    const outcome = landscaper("diff di/stopped-web", { signal: stopping.signal });
    await waitFor(async () => (await operationOf("stopped-web")) === "plan");
    stopping.abort();
    expect(await outcome).toEqual({
      stdout: "",
      stderr: "error: stopped waiting; what has no plan yet is not asked for any more\n",
      exitCode: 2,
    });
    expect(await operationOf("stopped-web")).toBe(undefined);
  });

  it("says that a job is open, was open meanwhile, or something else is asked for", async () => {
    const root = await putRoot("busy");
    await putItem(root, { item: "a", status: open("Progressing") });
    await putItem(root, { item: "b" });
    const asked = { [operation]: "test-reconcile" };
    await putItem(root, { item: "c", annotations: asked });
    const stderr =
      'error: 2 of 3 deploy items have no plan\n  DeployItem a (busy-a) of Installation busy: has an open job (Progressing), which goes first\n  DeployItem c (busy-c) of Installation busy: is asked for the operation "test-reconcile"\n';
    expect(await landscaper("diff busy")).toEqual({ stdout: "", stderr, exitCode: 2 });
    expect(await operationOf("busy-b")).toBe(undefined);
    const outcome = landscaper("diff di/busy-b");
    await waitFor(async () => (await operationOf("busy-b")) === "plan");
    await cluster.setStatus(resources.deployItem, "busy-b", open("Progressing"));
    expect(await outcome).toEqual({
      stdout: "",
      stderr: "error: DeployItem busy-b: has an open job (Progressing), which goes first\n",
      exitCode: 2,
    });
    expect(await operationOf("busy-b")).toBe(undefined);
  });

  it("refuses a Secret with another owner", async () => {
    const item = await putItem(await putRoot("foreign"), { item: "web" });
    const outcome = landscaper("diff di/foreign-web");
    await waitFor(async () => (await operationOf("foreign-web")) === "plan");
    const metadata = { namespace: "ns", name: "foreign-web-plan" };
    await cluster.client.create(kubeResources.secret, { apiVersion: "v1", kind: "Secret", metadata });
    await setPlanned(cluster, item, { status: "True", message: "1 to update" });
    await removeRequest(cluster, item);
    expect(await outcome).toEqual({
      stdout: "",
      stderr:
        "error: DeployItem foreign-web: Secret ns/foreign-web-plan: expected the plan of foreign-web, found a Secret with another owner; delete the Secret, and ask for the plan again\n",
      exitCode: 2,
    });
  });

  it.each([
    ["diff di/absent", 'there is no DeployItem "absent" in namespace "ns"'],
    ["diff inst/absent", 'there is no Installation "absent" in namespace "ns"'],
    ["diff absent", 'there is no Installation or DeployItem "absent" in namespace "ns"'],
    ["diff exec/one", 'expected Installation or DeployItem, found Execution "one"'],
    ["diff inst/one -o yaml", '-o: expected text or json, found "yaml"'],
    ["diff inst/one --timeout 0s", '--timeout: expected a duration such as "90s" or "1h30m", found "0s"'],
    [
      "diff same-x",
      'there are an Installation and a DeployItem "same-x" in namespace "ns"; use inst/same-x or di/same-x',
    ],
  ])("%s", async (words, message) => {
    if (words === "diff same-x") {
      await putItem(await putRoot("same"), { item: "x" });
      await putRoot("same-x");
    }
    expect(await landscaper(words)).toEqual({ stdout: "", stderr: `error: ${message}\n`, exitCode: 2 });
  });

  it("ends with 2 without an argument, and where the cluster cannot be reached", async () => {
    expect(await landscaper("diff")).toMatchObject({ exitCode: 2 });
    const environment = { KUBECONFIG: "/absent" };
    expect(await runProgram(["diff", "x"], { environment })).toMatchObject({ stdout: "", exitCode: 2 });
  });
});
