import { labels } from "../../src/objects/labels.ts";
import type { UnstructuredObject } from "../../src/objects/kube-object.ts";
import { denied, sample, type BadObject, type GoodObject } from "./sample-object.ts";

const kubeconfig = { secretRef: { key: "kubeconfig", name: "n", namespace: "ls-system" } };
const all = "*";

function environment(fields: Record<string, unknown> = {}, hostTarget: object = {}): UnstructuredObject {
  return sample("Environment", {
    spec: {
      hostTarget: { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig }, ...hostTarget },
      namespace: "ls-system",
      landscaperClusterConfig: { host: "https://api", apiPath: "", insecure: false, caData: "" },
      targetSelectors: [
        { targets: [{ name: "default", namespace: "" }] },
        { annotations: [{ key: "landscaper.gardener.cloud/environment", operator: "=", values: ["default"] }] },
        { annotations: [{ key: "landscaper.gardener.cloud/environment", operator: "!" }] },
      ],
      ...fields,
    },
  });
}

function labelled(object: UnstructuredObject): UnstructuredObject {
  return { ...object, metadata: { ...object.metadata, labels: { [labels.skipValidation]: "true" } } };
}

function invalid(name: string, object: UnstructuredObject, cause: string): BadObject {
  const message = `Environment.landscaper.gardener.cloud "sample" is invalid: ${cause}`;
  return { name, object, code: 422, message };
}

const mustBeSet = denied(
  "environments",
  "sample",
  'spec.namespaces: must be set; ["*"] means all namespaces of the landscaper cluster',
);
const mustStay = denied(
  "environments",
  "sample",
  'spec.namespaces: must not be removed; ["*"] means all namespaces of the landscaper cluster',
);

export const badEnvironments: readonly BadObject[] = [
  invalid(
    "an Environment with config and secretRef",
    environment({ namespaces: ["one"] }, { config: { kubeconfig: "k" }, secretRef: { name: "s" } }),
    'spec.hostTarget: Invalid value: "object": spec.hostTarget: only one of config and secretRef may be set',
  ),
  invalid(
    "an Environment with all namespaces and another one",
    environment({ namespaces: [all, "one"] }),
    'spec.namespaces: Invalid value: "array": "*" means all namespaces and must be the only entry of the list',
  ),
  invalid(
    "an Environment with a pattern of namespaces",
    environment({ namespaces: ["team-*"] }),
    "spec.namespaces[0]: Invalid value: \"team-*\": spec.namespaces[0] in body should match '^([*]|[a-z0-9]([-a-z0-9]*[a-z0-9])?)$'",
  ),
  { name: "an Environment without namespaces", object: environment(), code: 422, message: mustBeSet },
  {
    name: "an Environment without namespaces, though it has the skip-validation label",
    object: labelled(environment()),
    code: 422,
    message: mustBeSet,
  },
  {
    name: "an Environment that loses its namespaces",
    before: environment({ namespaces: ["one"] }),
    object: environment(),
    code: 422,
    message: mustStay,
  },
  {
    name: 'an Environment that loses its namespaces, which were ["*"], though it has the skip-validation label',
    before: environment({ namespaces: [all] }),
    object: labelled(environment()),
    code: 422,
    message: mustStay,
  },
];

export const goodEnvironments: readonly GoodObject[] = [
  {
    name: "an Environment",
    object: environment({ namespaces: ["one", "two"] }, { labels: { a: "b" }, annotations: { c: "d" } }),
  },
  { name: "an Environment with all namespaces", object: environment({ namespaces: [all] }) },
];
