// What a thread says of values that clusters and API servers quote back at it.
import { describe, expect, it } from "@jest/globals";
import { annotations, apiVersion, LandscaperError, type DataObject, type Installation } from "@landscaper/api";
import { createRenderCaches } from "@landscaper/blueprint";
import { pack } from "@landscaper/threads";
import { installationOf } from "../../test/installations.ts";
import { performRenderTask } from "./perform-render-task.ts";
import { noPins, type JobInput, type RenderQuestion, type RenderTask } from "./render-task.ts";

const imported = "hunter2-correct-horse";
const answer = "battery-staple-4711";

function jobOf(template: string, answers: JobInput["answers"] = []): JobInput {
  const execution = [{ name: "e", type: "GoTemplate", template }];
  const blueprint = {
    imports: [{ name: "value", schema: {} }],
    deployExecutions: execution,
    exportExecutions: execution,
  };
  const installation: Installation = installationOf({
    name: "root",
    from: ["value"],
    spec: { blueprint: { inline: { filesystem: { "blueprint.yaml": blueprint } } } },
    // Of another length than ours: it is not compared.
    status: { jobID: "job", importsHash: "taken-over" },
  });
  const dataObject: DataObject = {
    apiVersion,
    kind: "DataObject",
    metadata: { name: "value", namespace: "ns", uid: "1", annotations: { [annotations.sensitive]: "true" } },
    data: imported,
  };
  return {
    installation,
    imports: { objects: { "DataObject/value": pack(dataObject) }, parents: {}, stamp: "" },
    options: {},
    entropy: { seed: new Uint8Array(32), keys: {} },
    answers,
    nowMs: 0,
    components: { selection: undefined, supplies: [] },
    pins: noPins,
  };
}

/** Knows the account "one" alone, and quotes any other. */
async function askCluster(question: RenderQuestion): Promise<unknown> {
  if (question.type === "states") return question.names.map(() => undefined);
  const [account] = question.call.args;
  if (account === "one") return await Promise.resolve(answer);
  const quoted = `serviceaccounts ${JSON.stringify(account)} not found`;
  throw new LandscaperError({ message: quoted, reason: "TemplatingFailed", hint: `create ${String(account)}` });
}

async function perform(task: RenderTask): Promise<unknown> {
  return await performRenderTask(task, { caches: createRenderCaches(), ask: askCluster, note: () => undefined });
}

const call = (account: string): string => `(getServiceAccountKubeconfig ${account} "ns" 600 (dict "a" 1))`;
const scope = { isSelectedByName: true, itemExports: undefined, dataObjects: [], targets: [] };

describe.each<readonly [string, (job: JobInput) => RenderTask]>([
  ["before the work", (job) => ({ type: "init", job, execution: undefined, fieldValidation: "Warn" })],
  ["for the exports", (job) => ({ type: "complete", job, scope })],
])("what a cluster quotes while a job is rendered %s", (_, taskOf) => {
  it.each([
    ["an imported secret", ".imports.value"],
    ["what a cluster has answered in the same rendering", call('"one"')],
  ])("is masked: %s", async (_what, account) => {
    const failed = perform(taskOf(jobOf(`{{ $unused := ${call(account)} }}`)));
    await expect(failed).rejects.toMatchObject({ message: 'serviceaccounts "[...]" not found', hint: "create [...]" });
  });
});

it("texts of API servers are masked by imported secrets and by all answers of the job", async () => {
  const texts = [`no ${imported} here`, `no ${answer} here`, "no word here"];
  const task: RenderTask = { type: "mask", job: jobOf("", [["call", answer]]), texts };
  expect(await perform(task)).toEqual(["no [...] here", "no [...] here", "no word here"]);
});
