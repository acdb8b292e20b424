// The policies permit or refuse an agent's and an administrator's writes of an Environment: spec.namespaces for every list before and after, selectors, and finalizers.
import type { TargetSelector, UnstructuredObject } from "@landscaper/api";
import { areOwnSelectors, generateAdmissionPolicies, generateEnvironmentPolicies } from "@landscaper/api";
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
function environment(
  { name, user }: Pick<Write, "name" | "user">,
  namespaces: List,
  fields: Fields = {},
): UnstructuredObject {
  const hostTarget = {
    type: "landscaper.gardener.cloud/kubernetes-cluster",
    annotations: { "landscaper.gardener.cloud/environment": name },
    config: { kubeconfig: { secretRef: { name: `${name}-target-access`, namespace: "n", key: "kubeconfig" } } },
  };
  const { targetSelectors, finalizers = [] } = fields;
  const spec = {
    namespace: "n",
    hostTarget,
    ...(namespaces === undefined ? {} : { namespaces }),
    ...(targetSelectors === undefined ? {} : { targetSelectors }),
  };
  const labels = user === administrator ? { "validation.landscaper.gardener.cloud/skip-validation": "true" } : {};
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "Environment",
    metadata: { name, labels, finalizers: [...finalizers] },
    spec,
  };
}

interface Fields {
  readonly targetSelectors?: readonly object[];
  readonly finalizers?: readonly string[];
}

interface Write {
  readonly name: string;
  /** Undefined: a create. */
  readonly before?: Fields & { readonly namespaces: List };
  readonly after: List;
  /** Beside the namespaces. */
  readonly fields?: Fields;
  readonly user: string;
}

/** Message of the refusal; undefined if the write is permitted. */
function refusalOf({ name, before, after, fields, user }: Write): string | undefined {
  const old = before === undefined ? undefined : environment({ name, user }, before.namespaces, before);
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
    object: environment({ name, user }, after, fields),
    oldObject: old,
  };
  return evaluator.evaluate({ policies, bindings, request }).denied?.message?.split("denied request: ")[1];
}

const byAgent = (name: string): { name: string; user: string } => ({
  name,
  user: `system:serviceaccount:ls-system:landscaper-agent-${name}`,
});
const created =
  "agents must not create their Environment; an administrator creates it with: landscaper agent bootstrap --environment NAME --namespaces NAMES";
const added = "agents must not add namespaces to spec.namespaces of their Environment";
const mustBeSet = 'spec.namespaces: must be set; ["*"] means all namespaces of the landscaper cluster';
const mustStay = 'spec.namespaces: must not be removed; ["*"] means all namespaces of the landscaper cluster';

describe("a new Environment", () => {
  it.each<[string, List, string | undefined]>([
    ["without the list", absent, mustBeSet],
    ["with all namespaces", ["*"], undefined],
    ["with some", ["a", "b"], undefined],
  ])("%s", (...[, after, ofHub]) => {
    expect(refusalOf({ ...byAgent("edge"), after })).toBe(created);
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

const key = "landscaper.gardener.cloud/environment";
const own = { targets: [{ name: "edge" }] };
const annotated = (operator: string, ...values: string[]) => ({ annotations: [{ key, operator, values }] });
const widened =
  "agents must not extend spec.targetSelectors of their Environment: each selector must select the name of the Environment, or the annotation landscaper.gardener.cloud/environment with that name";
const before = { namespaces: ["a"], targetSelectors: [annotated("!")] };

describe("the selectors that an agent gives its Environment", () => {
  it.each<[string, readonly TargetSelector[]]>([
    ["its name", [own]],
    ["its annotation", [annotated("=", "edge"), annotated("==", "edge"), annotated("in", "edge")]],
    ["its name, with further conditions", [{ ...own, labels: [{ key: "a", operator: "exists" }] }]],
    ["all Targets", []],
    ["all Targets, by an empty selector", [own, {}]],
    ["all Targets, by empty lists", [{ targets: [], annotations: [] }]],
    ["Targets without the annotation", [own, { annotations: [{ key, operator: "!" }] }]],
    ["another name", [{ targets: [{ name: "other" }] }]],
    ["another name beside its own", [{ targets: [{ name: "edge" }, { name: "other" }] }]],
    ["another annotation", [{ annotations: [{ key: "other", operator: "=", values: ["edge"] }] }]],
    ["another value beside its own", [annotated("in", "edge", "other")]],
    ["all but its own", [annotated("!=", "edge")]],
    ["too many", Array.from({ length: 17 }, () => own)],
  ])("are permitted if areOwnSelectors accepts them: %s", (_, targetSelectors) => {
    const write = { before, after: ["a"], fields: { targetSelectors } };
    const isPermitted = areOwnSelectors(targetSelectors, "edge");
    expect(refusalOf({ ...byAgent("edge"), ...write })).toBe(isPermitted ? undefined : widened);
    expect(refusalOf({ name: "edge", user: administrator, ...write })).toBeUndefined();
    expect(refusalOf({ ...byAgent("hub"), ...write })).toBeUndefined();
  });

  it("may stay as they are", () => {
    const { targetSelectors } = before;
    expect(refusalOf({ ...byAgent("edge"), before, after: ["a"], fields: { targetSelectors } })).toBeUndefined();
  });
});

describe("the finalizers that an agent changes", () => {
  const ofAgent = "finalizer.agent.landscaper.gardener.cloud";
  const ofCore = "finalizer.deployermanagement.landscaper.gardener.cloud";
  it.each<[string, string[], string[], string | undefined]>([
    ["its own is added", [ofCore], [ofCore, ofAgent], undefined],
    ["its own is removed", [ofCore, ofAgent], [ofCore], undefined],
    ["another one is added", [], [ofCore], "agents must not add finalizers other than"],
    ["that of the core is removed", [ofCore, ofAgent], [ofAgent], "agents must not remove finalizers other than"],
  ])("%s", (...[, from, to, refusal]) => {
    const write = { before: { namespaces: ["a"], finalizers: from }, after: ["a"], fields: { finalizers: to } };
    const found = refusalOf({ ...byAgent("edge"), ...write });
    expect(found?.slice(0, refusal?.length)).toBe(refusal);
    expect(refusalOf({ name: "edge", user: administrator, ...write })).toBeUndefined();
  });
});
