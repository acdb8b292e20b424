import { describe, expect, it } from "@jest/globals";
import { apiVersion, labels, type DeployItem, type Execution, type ExecutionStatus } from "@landscaper/api";
import { ambiguityError, deployItemName, identifyDeployItems, noteDeployItems } from "./identify-deploy-items.ts";

/** Its spec has the item "a". */
const executionWith = (status?: ExecutionStatus): Execution => ({
  apiVersion,
  kind: "Execution",
  metadata: { name: "root", namespace: "ns", uid: "1234" },
  spec: { deployItems: [{ name: "a", type: "test/a", config: {} }] },
  ...(status === undefined ? {} : { status }),
});

function claimant(name: string, item?: string): DeployItem {
  const metadata = { name, namespace: "ns", labels: item === undefined ? {} : { [labels.managedName]: item } };
  return { apiVersion, kind: "DeployItem", metadata, spec: { type: "test/a" } };
}

const realName = deployItemName(executionWith(), "a");
const real = claimant(realName, "a");
const oldName = "root-a-x7k2p";
const old = claimant(oldName, "a");
const forged = claimant("forged", "a");
const foreignName = deployItemName(executionWith(), "zzz");
const foreign: ExecutionStatus = { phase: "Succeeded", jobID: "1", jobIDFinished: "1" };
const noting = (active: Readonly<Record<string, string>>, orphanedDIs: string[] = []): ExecutionStatus => ({
  ...foreign,
  deployItemCache: {
    activeDIs: Object.entries(active).map(([specName, objectName]) => ({ specName, objectName })),
    orphanedDIs,
  },
});

interface Case {
  readonly name: string;
  readonly status?: ExecutionStatus;
  readonly claimants: readonly DeployItem[];
  /** Item and name of each DeployItem, in their order. */
  readonly items: readonly (readonly [item: string, name: string])[];
  readonly ambiguous?: readonly string[];
  readonly mislabelled?: readonly string[];
}

const cases: readonly Case[] = [
  { name: "the name that the core gives", claimants: [real], items: [["a", realName]] },
  { name: "no forged item of a new Execution", claimants: [forged], items: [] },
  {
    name: "no forged item of an Execution whose first job begins",
    status: { jobID: "1" },
    claimants: [forged],
    items: [],
  },
  {
    name: "no forged item beside the real one",
    status: noting({}),
    claimants: [forged, real],
    items: [["a", realName]],
  },
  {
    name: "no forged item after the real one was deleted",
    status: noting({ a: realName }),
    claimants: [forged],
    items: [],
  },
  {
    name: "the name that the core gives, whatever the label says",
    status: noting({}),
    claimants: [claimant(realName, "other")],
    items: [["a", realName]],
    mislabelled: [realName],
  },
  {
    name: "a noted name, whatever the label says",
    status: noting({ a: oldName }),
    claimants: [claimant(oldName, "other")],
    items: [["a", oldName]],
    mislabelled: [oldName],
  },
  {
    name: "a noted name without a label",
    status: noting({ a: oldName }),
    claimants: [claimant(oldName)],
    items: [["a", oldName]],
    mislabelled: [oldName],
  },
  {
    name: "a noted item that the spec no longer has, whatever the label says",
    status: noting({ b: oldName }),
    claimants: [old],
    items: [["b", oldName]],
    mislabelled: [oldName],
  },
  {
    name: "the noted one of two twins",
    status: noting({ a: oldName }),
    claimants: [real, old],
    items: [["a", oldName]],
  },
  {
    name: "the other twin if the noted one is gone",
    status: noting({ a: oldName }),
    claimants: [real],
    items: [["a", realName]],
  },
  {
    name: "an orphan of another core as an orphan, whatever the label says",
    status: noting({ a: realName }, [oldName]),
    claimants: [real, old],
    items: [
      ["", oldName],
      ["a", realName],
    ],
    mislabelled: [oldName],
  },
  {
    name: "no name of an item that neither spec nor status has",
    status: noting({}),
    claimants: [claimant(foreignName, "zzz")],
    items: [],
  },
  {
    name: "the orphan of an earlier release, which notes nothing",
    status: foreign,
    claimants: [real, claimant(foreignName, "zzz")],
    items: [
      ["a", realName],
      ["zzz", foreignName],
    ],
  },
  {
    name: "the only claimant, if another core has noted nothing",
    status: foreign,
    claimants: [old],
    items: [["a", oldName]],
  },
  {
    name: "the only claimant of a running job of another core",
    status: { phase: "Progressing", jobID: "1" },
    claimants: [old],
    items: [["a", oldName]],
  },
  {
    name: "neither of two claimants, if another core has noted nothing",
    status: foreign,
    claimants: [forged, old],
    items: [],
    ambiguous: ["forged", oldName],
  },
  {
    name: "all claimants of no item of the spec as orphans, if another core has noted nothing",
    status: foreign,
    claimants: [claimant("f1"), claimant("f2"), old],
    items: [
      ["", "f1"],
      ["", "f2"],
      ["a", oldName],
    ],
  },
  {
    name: "the name that the core gives rather than a claimant, if nothing is noted",
    status: foreign,
    claimants: [forged, real],
    items: [["a", realName]],
  },
];

const itemOf = ({ metadata }: DeployItem): string => metadata.labels?.[labels.managedName] ?? "";

describe("identifyDeployItems", () => {
  it.each(cases)("accepts $name", ({ status, claimants, items, ambiguous, mislabelled = [] }) => {
    const found = identifyDeployItems(executionWith(status), claimants);
    expect(found.items.map((each) => [itemOf(each), each.metadata.name])).toEqual(items);
    expect(found.ambiguous).toEqual(ambiguous === undefined ? [] : [{ item: "a", objects: ambiguous }]);
    expect([...found.mislabelled]).toEqual(mislabelled);
  });

  it("needs no readable spec for what the status notes", () => {
    const execution = { ...executionWith(noting({ a: oldName })), spec: { deployItemsCompressed: "bm90IGd6aXA=" } };
    expect(identifyDeployItems(execution, [old, forged]).items).toEqual([old]);
  });
});

describe("what the status notes", () => {
  it("has the DeployItem of each item, and the orphans of another core", () => {
    expect(noteDeployItems([claimant("y", "b"), real, claimant("z")])).toEqual({
      activeDIs: [
        { specName: "a", objectName: realName },
        { specName: "b", objectName: "y" },
      ],
      orphanedDIs: ["z"],
    });
  });
});

describe("the error of an ambiguous item", () => {
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
