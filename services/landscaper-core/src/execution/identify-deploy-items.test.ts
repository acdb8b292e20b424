import { describe, expect, it } from "@jest/globals";
import { apiVersion, labels, type DeployItem, type Execution, type ExecutionStatus } from "@landscaper/api";
import { ambiguityError, deployItemName, identifyDeployItems, noteDeployItems } from "./identify-deploy-items.ts";

const executionWith = (status?: ExecutionStatus): Execution => ({
  apiVersion,
  kind: "Execution",
  metadata: { name: "root", namespace: "ns", uid: "1234" },
  spec: {},
  ...(status === undefined ? {} : { status }),
});

function claimant(name: string, item?: string): DeployItem {
  const metadata = { name, namespace: "ns", labels: item === undefined ? {} : { [labels.managedName]: item } };
  return { apiVersion, kind: "DeployItem", metadata, spec: { type: "test/a" } };
}

const real = claimant(deployItemName(executionWith(), "a"), "a");
const old = claimant("root-a-x7k2p", "a");
const forged = claimant("forged", "a");
const ours = { phase: "Succeeded", deployItemCache: { activeDIs: [], orphanedDIs: [] } };
const foreign = { phase: "Succeeded", jobID: "1", jobIDFinished: "1" };
const noting = (...active: readonly [item: string, object: string][]) => ({
  ...foreign,
  deployItemCache: { activeDIs: active.map(([specName, objectName]) => ({ specName, objectName })), orphanedDIs: [] },
});

interface Case {
  readonly name: string;
  readonly status?: ExecutionStatus;
  readonly claimants: readonly DeployItem[];
  readonly items: readonly string[];
  readonly ambiguous?: readonly string[];
}

const nameOf = ({ metadata }: DeployItem): string => metadata.name ?? "";

const cases: readonly Case[] = [
  { name: "the name that the core generates", claimants: [real], items: [nameOf(real)] },
  { name: "no forged item of a new Execution", claimants: [forged], items: [] },
  {
    name: "no forged item of an Execution whose first job has begun",
    status: { jobID: "1" },
    claimants: [forged],
    items: [],
  },
  { name: "no forged item beside the real one", status: ours, claimants: [forged, real], items: [nameOf(real)] },
  { name: "no forged item after the real one was deleted", status: ours, claimants: [forged], items: [] },
  {
    name: "no other item under the name that the core generates",
    status: ours,
    claimants: [claimant(nameOf(real), "b")],
    items: [],
  },
  {
    name: "the name that the status notes",
    status: noting(["a", "root-a-x7k2p"]),
    claimants: [old, forged],
    items: ["root-a-x7k2p"],
  },
  {
    name: "no name that the status notes for another item",
    status: noting(["b", "forged"]),
    claimants: [forged],
    items: [],
  },
  {
    name: "a noted object that lost its label",
    status: noting(["a", "root-a-x7k2p"]),
    claimants: [claimant("root-a-x7k2p")],
    items: ["root-a-x7k2p"],
  },
  {
    name: "an orphan that the status notes",
    status: { ...foreign, deployItemCache: { activeDIs: [], orphanedDIs: ["root-a-x7k2p"] } },
    claimants: [old, forged],
    items: ["root-a-x7k2p"],
  },
  {
    name: "the only claimant, if another core noted nothing",
    status: foreign,
    claimants: [old],
    items: ["root-a-x7k2p"],
  },
  {
    name: "the only claimant of a job of another core that still runs",
    status: { phase: "Progressing", jobID: "1" },
    claimants: [old],
    items: ["root-a-x7k2p"],
  },
  {
    name: "neither of two claimants, if another core noted nothing",
    status: foreign,
    claimants: [forged, old],
    items: [],
    ambiguous: ["forged", "root-a-x7k2p"],
  },
  {
    name: "the name that the core generates rather than another claimant, if nothing is noted",
    status: foreign,
    claimants: [forged, real],
    items: [nameOf(real)],
  },
];

describe("identifyDeployItems", () => {
  it.each(cases)("accepts $name", ({ status, claimants, items, ambiguous }) => {
    const found = identifyDeployItems(executionWith(status), claimants);
    expect(found.items.map(nameOf)).toEqual(items);
    expect(found.ambiguous).toEqual(ambiguous === undefined ? [] : [{ item: "a", objects: ambiguous }]);
  });

  it("sorts by item name", () => {
    const execution = executionWith(foreign);
    const found = identifyDeployItems(execution, [claimant("x", "c"), claimant("y", "b"), real]);
    expect(found.items.map(nameOf)).toEqual([nameOf(real), "y", "x"]);
  });
});

describe("noteDeployItems", () => {
  it("notes the DeployItems of the spec, and the orphans", () => {
    expect(noteDeployItems([real, claimant("y", "b")], new Set(["a"]))).toEqual({
      activeDIs: [{ specName: "a", objectName: nameOf(real) }],
      orphanedDIs: ["y"],
    });
  });
});

describe("ambiguityError", () => {
  it("names the item and its claimants", () => {
    expect(ambiguityError([])).toBeUndefined();
    const error = ambiguityError([{ item: "a", objects: ["forged", "root-a-x7k2p"] }]);
    expect([error?.message, error?.reason, error?.retry]).toEqual([
      'deploy item "a": expected one DeployItem to take over, found forged and root-a-x7k2p',
      "DeployItemAmbiguous",
      "never",
    ]);
  });
});
