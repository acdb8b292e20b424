import { describe, expect, it } from "@jest/globals";
import {
  annotations,
  apiVersion,
  finalizer,
  type DeployItem,
  type DeployerRegistration,
  type Environment,
  type Installation,
  type Target,
} from "@landscaper/api";
import type { Lister } from "@landscaper/controller-runtime";
import { environment, registration } from "../../test/deployer-management.ts";
import { fixedLister } from "../../test/listers.ts";
import { installationIndexesIn } from "./deployer-indexes.ts";
import { pairLabels } from "./pair.ts";
import { describeRemaining, listRemainingItems } from "./remaining-items.ts";

function item(name: string, mark: string): DeployItem {
  const metadata = { namespace: "shop", name, uid: name, annotations: { [annotations.environments]: mark } };
  const targets: Readonly<Record<string, string>> = { both: "shared", "free-forged": "unknown" };
  const target = { name: targets[name] ?? "edge" };
  return { apiVersion, kind: "DeployItem", metadata, spec: { type: "test/one", target } };
}

/** An item without a mark, whose Target no Environment selects. */
function left(identity: string, finalizers: string[] = [finalizer]): DeployItem {
  const metadata = { namespace: "shop", name: "left", uid: "left", finalizers };
  const status = { observedGeneration: 0, deployer: { identity, name: "d", version: "v1" } };
  return { apiVersion, kind: "DeployItem", metadata, spec: { type: "test/one", target: { name: "unknown" } }, status };
}

const selecting = (...names: readonly string[]): Pick<Environment["spec"], "targetSelectors"> => ({
  targetSelectors: [{ targets: names.map((name) => ({ name, namespace: "" })) }],
});
const edge = environment("edge", selecting("edge", "shared"));
const site = environment("site", selecting("shared"));
const going = (marks: Record<string, string> = {}, name = "edge"): Environment => {
  const { metadata, ...rest } = environment(name, selecting("edge", "shared"));
  return { ...rest, metadata: { ...metadata, deletionTimestamp: "2026-01-01T00:00:00Z", annotations: marks } };
};
const abandoning = (name: string): Environment => going({ [annotations.abandonItems]: name }, name);

/** Installations of the deployer `one` of these Environments. */
function installed(...environments: readonly string[]): Lister<Installation> {
  const installations = environments.map((name): Installation => {
    const labels = pairLabels({ registration: "one", environment: name });
    const metadata = { namespace: "ls-system", name: `one-${name}`, labels };
    return { apiVersion, kind: "Installation", metadata, spec: { blueprint: {} } };
  });
  return fixedLister(installations, installationIndexesIn("ls-system"));
}

describe("the items that remain", () => {
  it("are the items that only this Environment serves, sorted by name, except the items of its deployers", () => {
    const items = [item("web", "edge"), item("db", "edge"), item("both", "edge,site"), item("own", "edge")];
    const listers = {
      deployItems: fixedLister([...items, item("free-forged", "edge")]),
      environments: fixedLister([edge, site]),
      registrations: fixedLister<DeployerRegistration>([]),
      targets: fixedLister<Target>([]),
      installations: installed(),
    };
    const deployers = [{ items: [item("own", "edge")] }];
    const remaining = listRemainingItems(listers, edge, deployers);
    expect(remaining.map(({ metadata }) => metadata.name)).toEqual(["db", "web"]);
  });

  it.each<[string, DeployItem, readonly string[]]>([
    ["its deployer worked on it last", left("one-edge/pod"), ["left"]],
    ["another deployer has worked on it", left("one/pod"), []],
    ["it is uninstalled", left("one-edge/pod", []), []],
  ])("are an item that the Environment serves no longer, if %s", (_name, served, expected) => {
    const listers = {
      deployItems: fixedLister([served]),
      environments: fixedLister([going()]),
      registrations: fixedLister<DeployerRegistration>([]),
      targets: fixedLister<Target>([]),
      installations: installed("edge"),
    };
    expect(listRemainingItems(listers, going(), []).map(({ metadata }) => metadata.name)).toEqual(expected);
  });

  it.each<[string, Environment, readonly Environment[], boolean]>([
    ["exists", going(), [site], false],
    ["does not exist", going(), [], true],
    ["is being deleted", going(), [going({}, "site")], true],
    ["is being deleted, and waits while this one abandons its items", abandoning("edge"), [going({}, "site")], false],
    ["abandons its items while this one waits", going(), [abandoning("site")], true],
    ["abandons its items, as this one does", abandoning("edge"), [abandoning("site")], true],
  ])("are the items of two Environments, if the other one %s", (...[, subject, others, isRemaining]) => {
    const listers = {
      deployItems: fixedLister([item("both", "edge,site")]),
      environments: fixedLister([subject, ...others]),
      registrations: fixedLister<DeployerRegistration>([]),
      targets: fixedLister<Target>([]),
      installations: installed("site"),
    };
    expect(listRemainingItems(listers, subject, []).length > 0).toBe(isRemaining);
    // The deployers of the other one are uninstalled.
    const isAlone = listRemainingItems({ ...listers, installations: installed() }, subject, []).length > 0;
    expect(isAlone).toBe(isRemaining || others.every(({ metadata }) => metadata.deletionTimestamp !== undefined));
  });

  /** Without a Target, worked on by this deployer last. */
  const ofAll = (name: string, identity: string | undefined, namespace = "shop"): DeployItem => ({
    apiVersion,
    kind: "DeployItem",
    metadata: { namespace, name, uid: name, annotations: { [annotations.environments]: "*" } },
    spec: { type: "test/one" },
    ...(identity === undefined
      ? {}
      : { status: { observedGeneration: 0, deployer: { identity, name: "d", version: "v1" } } }),
  });
  it.each<[string, readonly Environment[], readonly string[]]>([
    ["no other Environment exists", [], ["worked"]],
    ["another Environment has all namespaces", [environment("site")], []],
    ["another Environment names another namespace", [environment("site", { namespaces: ["other"] })], ["worked"]],
    ["another Environment names this namespace", [environment("site", { namespaces: ["shop"] })], []],
    ["the other Environment is being deleted", [going({}, "site")], ["worked"]],
  ])("are those without a Target that its deployers have worked on, if %s", (_name, others, expected) => {
    const items = [
      ofAll("worked", "one-edge/pod"),
      ofAll("of-site", "one-site/pod"),
      ofAll("of-hub", "one/pod"),
      ofAll("new", undefined),
    ];
    const listers = {
      deployItems: fixedLister(items),
      environments: fixedLister([edge, ...others]),
      registrations: fixedLister<DeployerRegistration>([registration("one")]),
      targets: fixedLister<Target>([]),
      installations: installed(),
    };
    expect(listRemainingItems(listers, edge, []).map(({ metadata }) => metadata.name)).toEqual(expected);
  });

  it.each([
    ["an Environment that is not being deleted", edge, 1],
    ["an Environment without such items", going(), 0],
  ])("are not reported for %s", (_name, subject, count) => {
    expect(
      describeRemaining(
        subject,
        Array.from({ length: count }, () => item("web", "edge")),
      ),
    ).toBeUndefined();
  });

  it("are reported with their number and the first 20 names", () => {
    const many = Array.from({ length: 23 }, (_, index) => item(`web-${index}`, "edge"));
    const { message = "" } = describeRemaining(going(), many) ?? {};
    expect(message).toContain("serves 23 DeployItems: shop/web-0, ");
    expect(message).toContain(", shop/web-19, and 3 more. Delete their Installations");
    expect(message).not.toContain("web-20");
  });

  it("are reported as abandoned if the annotation names the Environment", () => {
    const [abandoned, other] = ["edge", "other"].map((name) => going({ [annotations.abandonItems]: name }));
    expect(describeRemaining(abandoned ?? edge, [item("web", "edge")])?.reason).toBe("ItemsAbandoned");
    expect(describeRemaining(other ?? edge, [item("web", "edge")])?.reason).toBe("ItemsRemain");
  });
});
