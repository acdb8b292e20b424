import { describe, expect, it } from "@jest/globals";
import type { DeployItem, Execution, Installation } from "@landscaper/api";
import { deployItem, ended, execution, installation, open, type InstallationState } from "../../test/objects.ts";
import { findUnknowns } from "./find-unknowns.ts";

const reconcile = { "landscaper.gardener.cloud/operation": "reconcile" };

interface Chain {
  readonly root: Installation;
  readonly sub: Installation;
  readonly execution: Execution;
  readonly item: DeployItem;
}

type States = Partial<Record<"root" | "sub", Partial<InstallationState>>> & {
  readonly execution?: Execution["status"];
  readonly item?: DeployItem["status"];
};

/** A root, its sub-installation, whose Execution, and its item; all have ended the job j1 well unless `states` says otherwise. */
function chainOf(states: States): Chain {
  const status = ended("Succeeded");
  const root = installation({ name: "app", status, ...states.root });
  const sub = installation({ name: "app-db", parent: root, item: "db", status, ...states.sub });
  const below = execution(sub, states.execution ?? status);
  return { root, sub, execution: below, item: deployItem(below, { item: "web", status: states.item ?? status }) };
}

function unknownsOf(subject: "root" | "sub" | "item", states: States): readonly string[] {
  const chain = chainOf(states);
  const objects = {
    installations: [chain.root, chain.sub],
    executions: [chain.execution],
    deployItems: [chain.item],
  };
  return findUnknowns(chain[subject], objects);
}

const trigger = "Trigger a job: landscaper reconcile inst/app -n ns";
const wait = "Repeat the command when the job has ended.";
const earlier =
  "failed before it had written its deploy items: those that exist are from an earlier job. For the cause, run:";

describe("findUnknowns", () => {
  // The table of states. A job renders anew in all of them; only in those without a sentence it renders the same.
  it.each<readonly [string, States, readonly string[]]>([
    ["everything has succeeded", {}, []],
    [
      "a deploy item has failed",
      { root: { status: ended("Failed") }, sub: { status: ended("Failed") }, item: ended("Failed") },
      [],
    ],
    ["the job failed after its deploy items", { root: { status: ended("Failed") } }, []],
    [
      "no job was ever triggered",
      { root: { status: {} } },
      [`Installation "app" has had no job, so nothing is rendered. ${trigger}`],
    ],
    [
      "a job was triggered and has not started",
      { root: { annotations: reconcile, status: ended("Succeeded") } },
      [`Installation "app" was triggered, and its job has not started. ${wait}`],
    ],
    [
      "a job is open",
      { root: { status: open("Init") } },
      [`Installation "app" has an open job (Init), which may render other deploy items. ${wait}`],
    ],
    [
      "the Installation is being deleted",
      { root: { isDeleting: true, status: ended("DeleteFailed") } },
      ['Installation "app" is being deleted: a job would delete its deploy items'],
    ],
    [
      "the spec has changed",
      { root: { generation: 2, status: ended("Succeeded") } },
      [`Installation "app" has changed since its last job; its deploy items are still those of that job. ${trigger}`],
    ],
    [
      "the job failed before rendering",
      { root: { status: ended("Failed", "j2") } },
      [`Installation "app" ${earlier} landscaper why inst/app -n ns`],
    ],
    [
      "the job of the sub-installation failed before rendering",
      { root: { status: ended("Failed", "j2") }, sub: { status: ended("Failed", "j2") } },
      [`Installation "app-db" ${earlier} landscaper why inst/app-db -n ns`],
    ],
    [
      "the sub-installation has changed",
      { sub: { generation: 2, status: ended("Succeeded") } },
      [
        'Installation "app-db" has changed since its last job; its deploy items are still those of that job. The next job of its parent, Installation "app", renders them.',
      ],
    ],
    [
      "the annotation of a subinstallation requests no job",
      { sub: { annotations: reconcile, status: ended("Succeeded") } },
      [],
    ],
    [
      "the Execution has had no job",
      { execution: {} },
      ['Execution "app-db" has had no job, so nothing is rendered. The next job of its Installation renders them.'],
    ],
    [
      "the Execution failed before it wrote its items",
      {
        root: { status: ended("Failed", "j2") },
        sub: { status: ended("Failed", "j2") },
        execution: ended("Failed", "j2"),
      },
      [`Execution "app-db" ${earlier} landscaper why exec/app-db -n ns`],
    ],
  ])("%s", (_name, states, want) => {
    expect(unknownsOf("root", states)).toEqual(want);
  });

  it.each(["sub", "item"] as const)("names the first owner of the %s whose job may render others", (subject) => {
    const states = { root: { generation: 2, status: ended("Succeeded") }, sub: { status: ended("Failed", "j3") } };
    expect(unknownsOf(subject, states)).toEqual([expect.stringContaining('Installation "app" has changed')]);
    expect(unknownsOf(subject, {})).toEqual([]);
  });

  it("names at most 10 objects", () => {
    const root = installation({ name: "app", status: ended("Succeeded") });
    const subs = Array.from({ length: 12 }, (_, at) => installation({ name: `app-${at}`, parent: root, status: {} }));
    const found = findUnknowns(root, { installations: [root, ...subs], executions: [], deployItems: [] });
    expect(found).toHaveLength(11);
    expect(found.at(-1)).toBe("... and 2 more");
  });

  it("ends when owner references form a ring", () => {
    const root = installation({ name: "app", status: ended("Succeeded") });
    const sub = installation({ name: "app-db", parent: root, status: ended("Succeeded") });
    const ring = { ...installation({ name: "app", parent: sub, status: ended("Succeeded") }) };
    ring.metadata.uid = root.metadata.uid ?? "";
    expect(findUnknowns(sub, { installations: [ring, sub], executions: [], deployItems: [] })).toEqual([]);
  });
});
