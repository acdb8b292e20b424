// The policies permit or refuse an agent's and an administrator's writes of spec.namespaces, for every list before and after.
import type { UnstructuredObject } from "@landscaper/api";
import { generateAdmissionPolicies, generateEnvironmentPolicies } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { createPolicyEvaluator } from "./policy-evaluator.ts";

const bounds = { management: "ls-system", core: "landscaper-system", hubEnvironments: ["hub"] };
const generated = JSON.parse(
  JSON.stringify([...generateAdmissionPolicies(), ...generateEnvironmentPolicies(bounds)]),
) as UnstructuredObject[]; // of API objects
const policies = generated.filter(({ kind }) => kind === "ValidatingAdmissionPolicy");
const bindings = generated.filter(({ kind }) => kind === "ValidatingAdmissionPolicyBinding");
const evaluator = createPolicyEvaluator();

const absent = undefined;
type List = readonly string[] | undefined;

const administrator = "admin";

/** An Environment as its agent writes it. The administrator adds the skip-validation label, which agents must not set. */
function environment({ name, user }: Pick<Write, "name" | "user">, namespaces: List): UnstructuredObject {
  const hostTarget = {
    type: "landscaper.gardener.cloud/kubernetes-cluster",
    annotations: { "landscaper.gardener.cloud/environment": name },
    config: { kubeconfig: { secretRef: { name: `${name}-target-access`, namespace: "n", key: "kubeconfig" } } },
  };
  const spec = { namespace: "n", hostTarget, ...(namespaces === undefined ? {} : { namespaces }) };
  const labels = user === administrator ? { "validation.landscaper.gardener.cloud/skip-validation": "true" } : {};
  return { apiVersion: "landscaper.gardener.cloud/v1alpha1", kind: "Environment", metadata: { name, labels }, spec };
}

interface Write {
  readonly name: string;
  /** Undefined: a create. */
  readonly before?: { readonly namespaces: List };
  readonly after: List;
  readonly user: string;
}

/** Message of the refusal; undefined if the write is permitted. */
function refusalOf({ name, before, after, user }: Write): string | undefined {
  const old = before === undefined ? undefined : environment({ name, user }, before.namespaces);
  const request = {
    operation: old === undefined ? ("CREATE" as const) : ("UPDATE" as const),
    group: "landscaper.gardener.cloud",
    version: "v1alpha1",
    kind: "Environment",
    resource: "environments",
    subresource: "",
    namespace: "",
    name,
    user: { name: user, groups: [] },
    dryRun: false,
    object: environment({ name, user }, after),
    oldObject: old,
  };
  return evaluator.evaluate({ policies, bindings, request }).denied?.message?.split("denied request: ")[1];
}

const byAgent = (name: string): { name: string; user: string } => ({
  name,
  user: `system:serviceaccount:ls-system:landscaper-agent-${name}`,
});
const named =
  'agents must create their Environment with names of namespaces in spec.namespaces; only an administrator may set ["*"], which means all namespaces';
const added = "agents must not add namespaces to spec.namespaces of their Environment";
const mustBeSet = 'spec.namespaces: must be set; ["*"] means all namespaces of the landscaper cluster';
const mustStay = 'spec.namespaces: must not be removed; ["*"] means all namespaces of the landscaper cluster';

describe("a new Environment", () => {
  it.each<[string, List, string | undefined, string | undefined]>([
    ["without the list", absent, named, named],
    ["with all namespaces", ["*"], named, undefined],
    ["with some", ["a", "b"], undefined, undefined],
  ])("%s", (...[, after, ofAgent, ofHub]) => {
    expect(refusalOf({ ...byAgent("edge"), after })).toBe(ofAgent);
    expect(refusalOf({ ...byAgent("hub"), after })).toBe(ofHub);
    expect(refusalOf({ name: "edge", user: administrator, after })).toBe(after === absent ? mustBeSet : undefined);
  });
});

describe("an Environment that changes its namespaces", () => {
  it.each<[string, { before: List; after: List; ofAgent?: string; ofHub?: string; ofAdmin?: string }]>([
    ["from none to all", { before: absent, after: ["*"], ofAgent: added }],
    ["from none to some", { before: absent, after: ["a"] }],
    ["from all to some", { before: ["*"], after: ["a"] }],
    ["from some to fewer", { before: ["a", "b"], after: ["b"] }],
    ["from some to all", { before: ["a"], after: ["*"], ofAgent: added }],
    ["from some to others", { before: ["a", "b"], after: ["a", "c"], ofAgent: added, ofHub: added }],
    ["from some to none", { before: ["a"], after: absent, ofAgent: added, ofHub: added, ofAdmin: mustStay }],
    ["from all to none", { before: ["*"], after: absent, ofAgent: added, ofHub: added, ofAdmin: mustStay }],
  ])("%s", (_, { before, after, ofAgent, ofHub, ofAdmin }) => {
    const change = { before: { namespaces: before }, after };
    expect(refusalOf({ ...byAgent("edge"), ...change })).toBe(ofAgent);
    expect(refusalOf({ ...byAgent("hub"), ...change })).toBe(ofHub);
    expect(refusalOf({ name: "edge", user: administrator, ...change })).toBe(ofAdmin);
  });

  it.each<[List]>([[absent], [["*"]], [["a"]]])("may be written by its agent with the same namespaces %j", (list) => {
    expect(refusalOf({ ...byAgent("edge"), before: { namespaces: list }, after: list })).toBeUndefined();
  });
});
