import { describe, expect, it } from "@jest/globals";
import { apiVersion, planSecretName, type Context, type DeployItem, type Target } from "@landscaper/api";
import * as fc from "fast-check";
import { listSecrets, maxListedSecrets, type SecretSources } from "./list-secrets.ts";

const namespace = "ls-system";
const item = (name: string, config?: object): DeployItem => ({
  apiVersion,
  kind: "DeployItem",
  metadata: { namespace, name },
  spec: { type: "landscaper.gardener.cloud/helm", ...(config === undefined ? {} : { config: { ...config } }) },
});
const context = (fields: Partial<Context>): Context => ({
  apiVersion,
  kind: "Context",
  metadata: { namespace, name: "default" },
  ...fields,
});
const target = (secret: string | undefined, owner?: string): Target => ({
  apiVersion,
  kind: "Target",
  metadata: {
    namespace,
    name: "other",
    ...(owner === undefined
      ? {}
      : { ownerReferences: [{ apiVersion, kind: owner, name: "edge", uid: "1", controller: true }] }),
  },
  spec: { type: "t", ...(secret === undefined ? { config: {} } : { secretRef: { name: secret, key: "kubeconfig" } }) },
});
const list = (sources: Partial<SecretSources>) => listSecrets({ items: [], contexts: [], targets: [], ...sources });

describe("the Secrets that an agent may read", () => {
  it.each<[string, Partial<SecretSources>, readonly string[]]>([
    ["are none without items and Contexts", {}, []],
    ["are those of exports and plans of its items", { items: [item("web")] }, ["web-export", "web-plan"]],
    [
      "are those of plans whose names are shortened, without exports whose names no object can have",
      { items: [item("x".repeat(249))] },
      [planSecretName("x".repeat(249))],
    ],
    [
      "are those with values of its items",
      {
        items: [
          item("web", {
            valuesFrom: [
              { kind: "Secret", name: "values" },
              { kind: "ConfigMap", name: "map" },
            ],
          }),
        ],
      },
      ["values", "web-export", "web-plan"],
    ],
    [
      "are the pull secrets of a Context, each once",
      {
        contexts: [
          context({ registryPullSecrets: [{ name: "b" }, { name: "a" }, {}] }),
          context({ registryPullSecrets: [{ name: "b" }] }),
        ],
      },
      ["a", "b"],
    ],
    [
      "are those with credentials of Helm repositories",
      {
        contexts: [
          context({
            configurations: {
              helmChartRepoCredentials: { auths: [{ url: "u", secretRef: { name: "repo" } }, { url: "v" }] },
              "other.example": { auths: [{ secretRef: { name: "not-read" } }] },
            },
          }),
        ],
      },
      ["repo"],
    ],
    [
      "are not the keys of signatures, which the core alone reads",
      { contexts: [context({ verificationSignatures: { s: { publicKeySecretReference: { name: "key" } } } })] },
      [],
    ],
    [
      "are those of Targets that its items name",
      { targets: [target("kubeconfig"), target(undefined)] },
      ["kubeconfig"],
    ],
    ["are not those of a Target that an Environment controls", { targets: [target("foreign", "Environment")] }, []],
    ["are not those of a Target that an Installation exports", { targets: [target("forged", "Installation")] }, []],
    ["are those of a Target that another object controls", { targets: [target("synced", "TargetSync")] }, ["synced"]],
    [
      "are none of configurations and Contexts of another shape",
      {
        items: [],
        contexts: [
          context({ configurations: { helmChartRepoCredentials: "text" } }),
          context({ configurations: { helmChartRepoCredentials: { auths: { secretRef: { name: "a" } } } } }),
          context({ configurations: { helmChartRepoCredentials: { auths: [null, 1, { secretRef: "a" }] } } }),
        ],
      },
      [],
    ],
    [
      "are none with names that no object can have",
      { contexts: [context({ registryPullSecrets: [{ name: "" }, { name: "a/b" }, { name: ".." }] })] },
      [],
    ],
  ])("%s", (_, sources, names) => {
    expect(list(sources)).toEqual({ names, omitted: 0 });
  });

  it("are at most as many as fit into one object, and those of Contexts come first", () => {
    const items = Array.from({ length: maxListedSecrets / 2 }, (_, index) => item(`item-${index}`));
    const { names, omitted } = list({ items, contexts: [context({ registryPullSecrets: [{ name: "z-pull" }] })] });
    expect([names.length, omitted]).toEqual([maxListedSecrets, 1]);
    expect(names).toContain("z-pull");
  });

  it("do not depend on the order of the objects", () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/), { maxLength: 8 });
    fc.assert(
      fc.property(names, names, (items, secrets) => {
        const sources = { items: items.map((name) => item(name)), targets: secrets.map((name) => target(name)) };
        const reversed = { items: sources.items.toReversed(), targets: sources.targets.toReversed() };
        expect(list(reversed)).toEqual(list(sources));
      }),
    );
  });
});
