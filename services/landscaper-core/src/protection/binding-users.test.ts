import { describe, expect, it } from "@jest/globals";
import {
  annotations,
  apiVersion,
  deployerLeaseRoleName,
  deployerRoleName,
  finalizer,
  type DeployerRegistration,
  type DeployItem,
  type Installation,
  type RoleBinding,
} from "@landscaper/api";
import { bindingIndexes } from "../deployer-management/deployer-indexes.ts";
import { accountName, pairLabels, pairName, type PairNames } from "../deployer-management/pair.ts";
import { nameOf } from "../object-reading.ts";
import { environment, registration } from "../../test/deployer-management.ts";
import { fixedLister } from "../../test/listers.ts";
import { bindingNamespaceIndexes, createBindingUsers, markedItemIndexes, rightsOfItem } from "./binding-users.ts";

const helmOfEu: PairNames = { registration: "helm", environment: "eu" };

interface ItemFields {
  readonly namespace?: string;
  readonly isFinal?: boolean;
}

function item(name: string, mark: string | undefined, { namespace = "shop", isFinal = false }: ItemFields = {}) {
  const marks = mark === undefined ? {} : { annotations: { [annotations.environments]: mark } };
  const metadata = { name, namespace, finalizers: isFinal ? [] : [finalizer], ...marks };
  return { apiVersion, kind: "DeployItem", metadata, spec: { type: "test/one" } } satisfies DeployItem;
}

function binding(names: PairNames, namespace: string, fields: { role?: string; name?: string } = {}): RoleBinding {
  const { role = deployerRoleName, name = accountName(names) } = fields;
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: { name, namespace, labels: pairLabels(names) },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role },
  };
}

function installation(names: PairNames, namespace = "ls-system"): Installation {
  const metadata = { name: pairName(names), namespace, labels: pairLabels(names) };
  return { apiVersion, kind: "Installation", metadata, spec: { blueprint: {} } };
}

interface Landscape {
  readonly items?: readonly DeployItem[];
  readonly bindings?: readonly RoleBinding[];
  /** Of the Environment eu; undefined: it does not exist. */
  readonly namespaces?: readonly string[] | undefined;
  readonly installations?: readonly Installation[];
  readonly registrations?: readonly DeployerRegistration[];
}

/** By default, the helm deployer of Environment eu, which names the namespaces shop and ls-system. */
function usersOf(landscape: Landscape) {
  const { items = [], bindings = [binding(helmOfEu, "shop")], installations = [installation(helmOfEu)] } = landscape;
  const { registrations = [] } = landscape;
  const namespaces = "namespaces" in landscape ? landscape.namespaces : ["shop", "ls-system"];
  const environments = namespaces === undefined ? [] : [environment("eu", { namespaces: [...namespaces] })];
  return createBindingUsers({
    deployItems: fixedLister(items, markedItemIndexes),
    roleBindings: fixedLister(bindings, { ...bindingIndexes, ...bindingNamespaceIndexes }),
    environments: fixedLister(environments),
    installations: fixedLister(installations),
    registrations: fixedLister(registrations),
    namespace: "ls-system",
  });
}

const key = { namespace: "shop", name: accountName(helmOfEu) };
const used = item("web", "eu");

describe("the users of the RoleBinding of a deployer", () => {
  const named = { name: pairName(helmOfEu) };
  it.each<readonly [string, Landscape, readonly string[]]>([
    ["are the items whose mark names the Environment", { items: [used] }, ["web"]],
    ["are items of several Environments", { items: [item("web", "asia,eu")] }, ["web"]],
    ["are items of all Environments", { items: [used, item("any", "*")] }, ["web", "any"]],
    ["are not items of other Environments", { items: [item("web", "asia,eu-2")] }, []],
    ["are not items without a mark", { items: [item("web", undefined)] }, []],
    ["are not items that have been uninstalled", { items: [item("web", "eu", { isFinal: true })] }, []],
    ["are not items of another namespace", { items: [item("web", "eu", { namespace: "other" })] }, []],
    ["are none if the Environment does not exist", { items: [used], namespaces: undefined }, []],
    ["are none if the Environment no longer names the namespace", { items: [used], namespaces: ["other"] }, []],
    ["are none if the Environment names all namespaces", { items: [used], namespaces: ["*"] }, []],
    ["are none after the uninstallation of the deployer", { items: [used], installations: [] }, []],
    [
      "are the items also while the deployer is installed again",
      { items: [used], installations: [], registrations: [registration("helm")] },
      ["web"],
    ],
    [
      "are none if the Installation of the deployer is in another namespace",
      { items: [used], installations: [installation(helmOfEu, "shop")] },
      [],
    ],
    [
      "are none if the binding gives another role",
      { items: [used], bindings: [binding(helmOfEu, "shop", { role: "admin" })] },
      [],
    ],
    [
      "are none if the labels of the binding do not fit its name",
      {
        items: [used],
        bindings: [binding({ registration: "helm", environment: "asia" }, "shop", { name: key.name })],
      },
      [],
    ],
  ])("%s", (_, landscape, names) => {
    const users = usersOf(landscape);
    expect(users.list(key).map(nameOf)).toEqual(names);
    expect(users.isUsed(key)).toBe(names.length > 0);
  });

  it("are none if the binding is that for Leases", () => {
    const leases = binding(helmOfEu, "shop", { role: deployerLeaseRoleName, ...named });
    const users = usersOf({ items: [used], bindings: [leases] });
    expect(users.isUsed({ namespace: "shop", ...named })).toBe(false);
  });
});

describe("the RoleBindings that an event concerns", () => {
  const helmOfAsia = { registration: "helm", environment: "asia" };
  const manifestOfEu = { registration: "manifest", environment: "eu" };
  const users = usersOf({
    bindings: [
      binding(helmOfEu, "shop"),
      binding(helmOfEu, "other"),
      binding(manifestOfEu, "shop"),
      binding(helmOfAsia, "shop"),
      binding(helmOfEu, "shop", { role: deployerLeaseRoleName, name: pairName(helmOfEu) }),
    ],
  });
  const keysOf = (keys: readonly { readonly namespace?: string | undefined; readonly name: string }[]) =>
    keys.map(({ namespace, name }) => `${namespace}/${name}`);

  it("of a DeployItem are those of its namespace", () => {
    expect(keysOf(users.keysOfItem(used))).toEqual([
      "shop/environment.eu.helm",
      "shop/environment.eu.manifest",
      "shop/environment.asia.helm",
    ]);
  });

  it("of an Environment are those of its deployers", () => {
    expect(keysOf(users.keysOfEnvironment(environment("eu")))).toEqual([
      "shop/environment.eu.helm",
      "other/environment.eu.helm",
      "shop/environment.eu.manifest",
    ]);
  });

  it("of a DeployerRegistration are those of its deployers", () => {
    expect(keysOf(users.keysOfRegistration(registration("manifest")))).toEqual(["shop/environment.eu.manifest"]);
  });

  it("of the Installation of a deployer are those of this deployer", () => {
    expect(keysOf(users.keysOfPair(installation(helmOfEu)))).toEqual([
      "shop/environment.eu.helm",
      "other/environment.eu.helm",
    ]);
    expect(users.keysOfPair(installation(helmOfEu, "shop"))).toEqual([]);
  });
});

describe("the use of an item", () => {
  it("changes only if the mark changes or the item is uninstalled", () => {
    const other = { ...used, spec: { type: "test/other" } };
    expect(rightsOfItem(other)).toBe(rightsOfItem(used));
    for (const changed of [item("web", "asia"), item("web", "eu", { isFinal: true })]) {
      expect(rightsOfItem(changed)).not.toBe(rightsOfItem(used));
    }
  });
});
