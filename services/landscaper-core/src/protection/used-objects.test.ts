import { describe, expect, it } from "@jest/globals";
import { apiVersion, finalizer, type Context, type DeployItem, type ObjectKey, type Target } from "@landscaper/api";
import { nameOf } from "../object-reading.ts";
import { fixedLister } from "../../test/listers.ts";
import {
  contextSecretIndexes,
  createUsedObjects,
  targetSecretIndexes,
  useOfItem,
  userIndexes,
} from "./used-objects.ts";

interface ItemFields {
  readonly namespace?: string;
  readonly isFinal?: boolean;
  readonly spec?: Partial<DeployItem["spec"]>;
}

function item(name: string, { namespace = "shop", isFinal = false, spec }: ItemFields = {}): DeployItem {
  const metadata = { name, namespace, finalizers: isFinal ? [] : [finalizer] };
  return { apiVersion, kind: "DeployItem", metadata, spec: { type: "test/one", ...spec } };
}

function target(name: string, secret?: string, namespace = "shop"): Target {
  const secretRef = secret === undefined ? {} : { secretRef: { name: secret } };
  return { apiVersion, kind: "Target", metadata: { name, namespace }, spec: { type: "t", ...secretRef } };
}

function context(name: string, fields: Partial<Context>, namespace = "shop"): Context {
  return { apiVersion, kind: "Context", metadata: { name, namespace }, ...fields };
}

const naming = (config: object): ItemFields => ({ spec: { config: { apiVersion: "v1", kind: "C", ...config } } });

const used = createUsedObjects({
  deployItems: fixedLister(
    [
      item("web", { spec: { target: { name: "prod" }, context: "own" } }),
      item("db", { spec: { target: { name: "prod" } } }),
      item("gone", { isFinal: true, spec: { target: { name: "old" }, context: "old" } }),
      item("elsewhere", { namespace: "other", spec: { target: { name: "prod" } } }),
      item("reads", naming({ exports: { exports: [{ key: "a", jsonPath: ".a", targetName: "second" }] } })),
      item("cleans", naming({ deletionGroups: [{ customResourceGroup: { targetName: "second" } }] })),
    ],
    userIndexes,
  ),
  targets: fixedLister(
    [
      target("prod", "kubeconfig"),
      target("second", "kubeconfig"),
      target("old", "old"),
      target("inline"),
      target("prod", "foreign", "other"),
    ],
    targetSecretIndexes,
  ),
  contexts: fixedLister(
    [
      context("own", {
        registryPullSecrets: [{ name: "pull" }],
        configurations: { helmChartRepoCredentials: { auths: [{ url: "u", secretRef: { name: "repository" } }] } },
      }),
      context("default", { registryPullSecrets: [{ name: "shared-pull" }] }),
      context("old", { registryPullSecrets: [{ name: "old-pull" }] }),
    ],
    contextSecretIndexes,
  ),
});

const at = (name: string, namespace = "shop"): ObjectKey => ({ namespace, name });
const namesOf = (items: readonly DeployItem[]) => items.map(nameOf).toSorted();

describe("the users of an object", () => {
  it.each([
    ["of a Target are the items with this Target in its namespace", used.ofTarget.list(at("prod")), ["db", "web"]],
    ["of a Target are the items whose configuration names it", used.ofTarget.list(at("second")), ["cleans", "reads"]],
    ["of a Target are not items that have been uninstalled", used.ofTarget.list(at("old")), []],
    ["of a Context are the items that name it", used.ofContext.list(at("own")), ["web"]],
    ["of the Context default are the items without one", used.ofContext.list(at("default")), ["cleans", "db", "reads"]],
    ["of a Secret are those of its Targets", used.ofSecret.list(at("kubeconfig")), ["cleans", "db", "reads", "web"]],
    ["of a Secret are those of its Contexts, for registries", used.ofSecret.list(at("pull")), ["web"]],
    ["of a Secret are those of its Contexts, for repositories", used.ofSecret.list(at("repository")), ["web"]],
    ["of a Secret in another namespace are its own items", used.ofSecret.list(at("foreign", "other")), ["elsewhere"]],
    ["of a Secret are none if another namespace uses its name", used.ofSecret.list(at("foreign")), []],
    ["of a Secret are none if its Target is not used", used.ofSecret.list(at("old")), []],
  ])("%s", (_, users, names) => {
    expect(namesOf(users)).toEqual(names);
  });

  it.each([
    ["a Target", used.ofTarget, at("prod"), at("old")],
    ["a Context", used.ofContext, at("own"), at("old")],
    ["a Secret of a Target", used.ofSecret, at("kubeconfig"), at("old")],
    ["a Secret of a Context", used.ofSecret, at("pull"), at("old-pull")],
  ])("of %s exist only while it is used", (...[, users, usedKey, unusedKey]) => {
    expect([users.isUsed(usedKey), users.isUsed(unusedKey)]).toEqual([true, false]);
  });

  it("are limited to the first 1000 Secrets of a Context and the first 100 Targets of an item", () => {
    const names = (count: number): readonly { name: string }[] =>
      Array.from({ length: count }, (_, index) => ({ name: `s${index}` }));
    const large = context("large", { registryPullSecrets: [...names(1_500)] });
    expect(Object.values(contextSecretIndexes).flatMap((index) => index(large))).toHaveLength(1_000);
    const exports = names(150).map(({ name }) => ({ key: name, jsonPath: ".a", targetName: name }));
    expect(used.targetKeysOfItem(item("large", naming({ exports: { exports } })))).toHaveLength(100);
  });
});

describe("an item requeues", () => {
  it("its Target, the Targets that its configuration names, its Context, and their Secrets", () => {
    const config = naming({ exports: { exports: [{ key: "a", jsonPath: ".a", targetName: "second" }] } }).spec;
    const web = item("web", { spec: { target: { name: "prod" }, context: "own", ...config } });
    expect(used.targetKeysOfItem(web)).toEqual([at("prod"), at("second")]);
    expect(used.contextKeysOfItem(web)).toEqual([at("own")]);
    const secrets = [at("kubeconfig"), at("kubeconfig"), at("pull"), at("repository")];
    expect(used.secretKeysOfItem(web)).toEqual(secrets);
  });

  it("nothing after its uninstallation", () => {
    const gone = item("gone", { isFinal: true, spec: { target: { name: "prod" }, context: "own" } });
    const keys = [used.targetKeysOfItem(gone), used.contextKeysOfItem(gone), used.secretKeysOfItem(gone)];
    expect(keys).toEqual([[], [], []]);
  });

  it("nothing of Targets and Contexts that do not exist", () => {
    expect(used.secretKeysOfItem(item("web", { spec: { target: { name: "absent" }, context: "absent" } }))).toEqual([]);
  });
});

describe("the use of an item", () => {
  const web = item("web", { spec: { target: { name: "prod" } } });
  const second = naming({ exports: { exports: [{ key: "a", jsonPath: ".a", targetName: "second" }] } }).spec;
  it.each<[string, DeployItem, boolean]>([
    ["does not change with its status", { ...web, status: { phase: "Succeeded" } }, true],
    ["changes with its Target", item("web", { spec: { target: { name: "other" } } }), false],
    ["changes with its Context", item("web", { spec: { target: { name: "prod" }, context: "own" } }), false],
    ["changes with its configuration", item("web", { spec: { target: { name: "prod" }, ...second } }), false],
    ["changes when it is uninstalled", item("web", { isFinal: true, spec: { target: { name: "prod" } } }), false],
  ])("%s", (_, changed, isSame) => {
    expect(useOfItem(changed) === useOfItem(web)).toBe(isSame);
  });
});
