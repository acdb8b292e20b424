import { describe, expect, it } from "@jest/globals";
import { itemLabels, containerLabels, secretTypes, type ItemIdentity } from "../contract/labels.ts";
import { decideCleanup, type ListedObject } from "./decide-cleanup.ts";

const setup: ItemIdentity = { namespace: "team", name: "setup", uid: "11111111-1111-1111-1111-111111111111" };
const other: ItemIdentity = { ...setup, name: "other", uid: "22222222-2222-2222-2222-222222222222" };

interface Named extends ListedObject {
  readonly metadata: ListedObject["metadata"] & { readonly name: string };
}

function object(kind: string, name: string, labels: Readonly<Record<string, string>>): Named {
  return { kind, metadata: { name, namespace: "programs", labels: { ...labels } } };
}

const own = itemLabels(setup, "edge");
const secret = (name: string, type: string, labels = own): Named =>
  object("Secret", name, { ...labels, [containerLabels.type]: type });

/** Names by what is decided on them. */
function decide(listed: readonly Named[], { keepsState = false, deployerId = "edge" } = {}) {
  const { pods, removals, held, kept } = decideCleanup(listed, { deployerId, keepsState });
  const names = (objects: readonly Named[]) => objects.map(({ metadata }) => metadata.name);
  return { pods: names(pods), removals: names(removals), held: names(held), kept: names(kept) };
}

const nothing = { pods: [], removals: [], held: [], kept: [] };

describe("the cleanup of a host", () => {
  it("removes objects of all kinds that the deployer creates", () => {
    const kinds = ["Secret", "ConfigMap", "ServiceAccount", "Role", "RoleBinding"];
    const listed = kinds.map((kind) => object(kind, kind.toLowerCase(), own));
    expect(decide(listed)).toEqual({ ...nothing, removals: kinds.map((kind) => kind.toLowerCase()) });
  });

  it("holds the objects of an item back while the item has a Pod, and removes those of other items", () => {
    const listed = [
      object("Pod", "setup-1", own),
      secret("team-setup-target", secretTypes.target),
      secret("team-other-target", secretTypes.target, itemLabels(other, "edge")),
    ];
    expect(decide(listed)).toEqual({
      ...nothing,
      pods: ["setup-1"],
      removals: ["team-other-target"],
      held: ["team-setup-target"],
    });
  });

  it.each<readonly [string, Named]>([
    ["another deployer", object("Secret", "s", itemLabels(setup, "edge-2"))],
    ["a deployer whose identity begins like this one", object("Pod", "p", itemLabels(setup, "edge.example"))],
    ["another author, with the identity alone", object("Secret", "s", { [containerLabels.deployerId]: "edge" })],
    [
      "another author, with an empty name of an item",
      object("Secret", "s", { ...own, [containerLabels.itemName]: "" }),
    ],
    ["an unknown author, without labels", { kind: "Secret", metadata: { name: "s", namespace: "programs" } }],
    ["another product, of a kind that the deployer does not create", object("PersistentVolumeClaim", "c", own)],
  ])("leaves an object of %s alone", (_, listed) => {
    expect(decide([listed])).toEqual(nothing);
  });

  it("finds the objects of an identity that is too long for a label", () => {
    const deployerId = `a-namespace.${"a-deployer-with-a-long-name".repeat(4)}`;
    const listed = object("Secret", "s", itemLabels(setup, deployerId));
    expect(decide([listed], { deployerId })).toEqual({ ...nothing, removals: ["s"] });
    expect(decide([listed], { deployerId: `${deployerId}-2` })).toEqual(nothing);
  });

  it("removes objects that the original has written under this identity: they have no uid", () => {
    const { [containerLabels.uid]: _, ...labels } = own;
    expect(decide([secret("team-setup-target", secretTypes.target, labels)])).toEqual({
      ...nothing,
      removals: ["team-setup-target"],
    });
  });

  it("keeps states alone when states are to stay: not what a run was given", () => {
    const listed = Object.entries(secretTypes).map(([name, type]) => secret(name, type));
    expect(decide(listed, { keepsState: true })).toEqual({
      ...nothing,
      removals: ["configuration", "target", "pullSecret", "export", "lastSuccess"],
      kept: ["state", "stateIndex"],
    });
    expect(decide(listed).kept).toEqual([]);
  });

  it("does not take a ConfigMap for a state", () => {
    const map = object("ConfigMap", "m", { ...own, [containerLabels.type]: secretTypes.state });
    expect(decide([map], { keepsState: true })).toEqual({ ...nothing, removals: ["m"] });
  });
});
