import { describe, expect, it } from "@jest/globals";
import {
  annotations,
  apiVersion,
  buildPendingEnvironment,
  deployerManagementFinalizer,
  type DeployerRegistration,
  type DeployItem,
  type Environment,
} from "@landscaper/api";
import { environment, managementSettings, registration } from "../../test/deployer-management.ts";
import { nothingToRead, observedDeployer } from "../../test/observed-deployers.ts";
import { maxListedSecrets } from "./agent-secrets/list-secrets.ts";
import { buildBindings, buildClusterRoleBinding } from "./rights/build-accounts.ts";
import { decideEnvironment } from "./decide-environment.ts";
import { buildHostTarget } from "./deployer-target.ts";
import type { ObservedBinding, ObservedEnvironment } from "./observed-environment.ts";
import { nameOf } from "../object-reading.ts";
import { namesOf, pairName } from "./pair.ts";
import { templateHash } from "./rollout/template-hash.ts";

const deletionTimestamp = "2026-06-01T00:00:00Z";

function env(metadata: Environment["metadata"] = {}): Environment {
  const object = environment("env");
  return { ...object, metadata: { ...object.metadata, finalizers: [deployerManagementFinalizer], ...metadata } };
}

function deleted(object: DeployerRegistration): DeployerRegistration {
  return { ...object, metadata: { ...object.metadata, deletionTimestamp } };
}

function bindingOf(name: string): ObservedBinding {
  const names = { registration: name, environment: "env" };
  return { names, binding: buildClusterRoleBinding(names, managementSettings) };
}

/** With rights in some namespaces. */
function limited(...namespaces: string[]): Environment {
  const object = env();
  return { ...object, spec: { ...object.spec, namespaces } };
}

/** All bindings of the deployer of a registration, as an Environment wants them. */
function bindingsOf(environmentOf: Environment, registrationOf: DeployerRegistration): readonly ObservedBinding[] {
  const pair = { registration: registrationOf, environment: environmentOf };
  return buildBindings(pair, managementSettings).map((binding) => ({ names: namesOf(pair), binding }));
}

/** Short words for what is decided. */
function decide(observed: Partial<ObservedEnvironment>): unknown {
  const all = {
    name: "env",
    environment: env(),
    registrations: [],
    deployers: [],
    bindings: [],
    missingNamespaces: [],
    remainingItems: [],
    agentSecrets: nothingToRead,
    hostTarget: undefined,
    ...observed,
  };
  const decision = decideEnvironment(all, managementSettings);
  if (decision.kind !== "manage") return decision.kind;
  return {
    wanted: decision.wanted.map(({ registration: { metadata } }) => metadata.name),
    held: decision.held.map(({ pair, hold }) => `${hold} ${nameOf(pair.registration)}`),
    refused: decision.refused.map(({ names }) => pairName(names)),
    removals: decision.removals.map(({ deployer, step }) => `${step} ${pairName(deployer.names)}`),
    stray: decision.strayBindings.map(({ metadata: { namespace, name } }) =>
      namespace === undefined ? name : `${namespace}/${name}`,
    ),
    ...(decision.abandonedItems.length === 0 ? {} : { abandoned: decision.abandonedItems.map(nameOf) }),
    ...(decision.problem === undefined ? {} : { problem: decision.problem.reason }),
    host: decision.releasedHost === undefined ? "kept" : "released",
    isHostNeeded: decision.host !== undefined,
    ...(decision.agentSecrets.kind === "keep" ? { readsSecrets: true } : {}),
  };
}

const nothing = { wanted: [], held: [], refused: [], removals: [], stray: [], host: "kept", isHostNeeded: false };
/** The agent of the Environment has work. */
const withAgent = { ...nothing, readsSecrets: true };
const needed = { ...withAgent, isHostNeeded: true };
const hostTarget = buildHostTarget(env(), managementSettings);
const a = registration("a");
const b = registration("b");
const inSteps: DeployerRegistration = { ...a, spec: { ...a.spec, rollout: {} } };
/** The status of its rollout chooses the Environment, for this generation. */
const chosen = (generation: number): DeployerRegistration => ({
  ...inSteps,
  metadata: { ...inSteps.metadata, generation: 2 },
  status: { observedGeneration: generation, rollout: { updated: 0, environments: ["env"] } },
});
const suspended: Environment = { ...env(), spec: { ...env().spec, suspend: true } };
const awaited: Environment = {
  ...env(),
  spec: buildPendingEnvironment({ name: "env", namespaces: ["*"], server: "https://hub.example" }).spec,
};
const ofA = observedDeployer({ registration: "a" });
const updatedA = observedDeployer({
  registration: "a",
  annotations: { [annotations.deployerTemplate]: templateHash(a) },
});
const ofB = observedDeployer({ registration: "b" });
const going = observedDeployer({ registration: "a", isDeleting: true });
const listed: ObservedEnvironment["agentSecrets"] = {
  ...nothingToRead,
  role: {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata: { name: "landscaper:agent:secrets:env" },
  },
};
const tooMany: ObservedEnvironment["agentSecrets"] = {
  ...nothingToRead,
  sources: {
    ...nothingToRead.sources,
    items: Array.from({ length: maxListedSecrets }, (_, index) => ({
      apiVersion,
      kind: "DeployItem",
      metadata: { name: `item-${index}` },
      spec: { type: "t" },
    })),
  },
};

describe("an Environment", () => {
  it.each<[string, Partial<ObservedEnvironment>, unknown]>([
    ["gets our finalizer first", { environment: env({ finalizers: [] }), registrations: [a] }, "add-finalizer"],
    ["wants every registration, by name", { registrations: [b, a] }, { ...needed, wanted: ["a", "b"] }],
    ["keeps what it has", { registrations: [a], deployers: [ofA] }, { ...needed, wanted: ["a"] }],
    [
      "refuses names that are too long, and installs the others",
      { registrations: [a, registration("x".repeat(55))] },
      { ...needed, wanted: ["a"], refused: [`${"x".repeat(55)}-env`] },
    ],
    [
      "removes deployers whose registrations are deleted",
      { registrations: [deleted(a), b], deployers: [ofA, ofB] },
      { ...needed, wanted: ["b"], removals: ["delete a-env"] },
    ],
    [
      "removes deployers whose registrations are gone",
      { registrations: [], deployers: [ofA] },
      { ...needed, removals: ["delete a-env"] },
    ],
    [
      "lets a deployer go that somebody has deleted, before it is made again",
      { registrations: [a], deployers: [going] },
      { ...needed, removals: ["wait a-env"] },
    ],
    [
      "removes bindings of deployers that are neither wanted nor there",
      { registrations: [a], deployers: [ofB], bindings: [bindingOf("a"), bindingOf("b"), bindingOf("c")] },
      { ...needed, wanted: ["a"], removals: ["delete b-env"], stray: ["c-env"] },
    ],
    [
      "keeps the bindings in the namespaces that it names",
      { environment: limited("one", "two"), registrations: [a], bindings: bindingsOf(limited("one", "two"), a) },
      { ...needed, wanted: ["a"] },
    ],
    [
      "removes the bindings in namespaces that it does not name any more",
      { environment: limited("two"), registrations: [a], bindings: bindingsOf(limited("one", "two", "three"), a) },
      { ...needed, wanted: ["a"], stray: ["one/environment.env.a", "three/environment.env.a"] },
    ],
    [
      "removes the binding in all namespaces when it names some",
      { environment: limited("one"), registrations: [a], deployers: [ofA], bindings: bindingsOf(env(), a) },
      { ...needed, wanted: ["a"], stray: ["a-env"] },
    ],
    [
      "removes the bindings in namespaces when it names none any more",
      { registrations: [a], bindings: bindingsOf(limited("one"), a) },
      { ...needed, wanted: ["a"], stray: ["one/environment.env.a"] },
    ],
    [
      "that is suspended takes rights away all the same",
      {
        environment: { ...limited("one"), spec: { ...limited("one").spec, suspend: true } },
        registrations: [a],
        deployers: [ofA],
        bindings: bindingsOf(env(), a),
      },
      { ...needed, held: ["suspended a"], stray: ["a-env"] },
    ],
    [
      "lets a deployer that it does not want any more keep its rights until that is uninstalled",
      { environment: limited("two"), deployers: [ofA], bindings: bindingsOf(limited("one"), a) },
      { ...needed, removals: ["delete a-env"] },
    ],
    [
      "says which of the namespaces that it names are missing, and installs its deployers",
      { environment: limited("one"), registrations: [a], missingNamespaces: ["one"] },
      { ...needed, wanted: ["a"], problem: "NamespaceMissing" },
    ],
    [
      "that is deleted needs no namespace",
      {
        environment: { ...limited("one"), metadata: env({ deletionTimestamp }).metadata },
        deployers: [ofA],
        missingNamespaces: ["one"],
      },
      { ...withAgent, removals: ["delete a-env"] },
    ],
    [
      "holds back what a rollout has not chosen",
      { registrations: [inSteps, b] },
      { ...needed, wanted: ["b"], held: ["rollout a"] },
    ],
    ["has what a rollout has chosen", { registrations: [chosen(2)] }, { ...needed, wanted: ["a"] }],
    [
      "holds back what was chosen for another generation",
      { registrations: [chosen(1)], deployers: [ofA] },
      { ...needed, held: ["rollout a"] },
    ],
    [
      "keeps in order what a rollout has changed",
      { registrations: [inSteps], deployers: [updatedA] },
      { ...needed, wanted: ["a"] },
    ],
    [
      "that waits for its agent installs nothing, and gives no rights",
      { environment: awaited, registrations: [a], bindings: [] },
      { ...withAgent, held: ["awaitsAgent a"] },
    ],
    [
      "that waits for its agent leaves the Target of its host, by which earlier deployers are uninstalled",
      { environment: awaited, deployers: [ofA], bindings: [] },
      { ...withAgent, removals: ["delete a-env"] },
    ],
    [
      "that is suspended installs, changes and removes nothing",
      { environment: suspended, registrations: [a], deployers: [ofA, ofB] },
      { ...needed, held: ["suspended a"] },
    ],
    [
      "that is suspended lets a deployer go that somebody has deleted",
      { environment: suspended, registrations: [a], deployers: [going] },
      { ...needed, removals: ["wait a-env"] },
    ],
    [
      "that is suspended and deleted removes all deployers",
      {
        environment: { ...suspended, metadata: env({ deletionTimestamp }).metadata },
        registrations: [a],
        deployers: [ofA],
      },
      { ...withAgent, removals: ["delete a-env"] },
    ],
    [
      "that is deleted removes all deployers",
      { environment: env({ deletionTimestamp }), registrations: [a, b], deployers: [ofA, ofB] },
      { ...withAgent, removals: ["delete a-env", "delete b-env"] },
    ],
    [
      "that is deleted removes bindings that are left",
      { environment: env({ deletionTimestamp }), registrations: [a], bindings: [bindingOf("a")] },
      { ...nothing, stray: ["a-env"] },
    ],
    [
      "that is deleted is not let go while its agent has a Role",
      { environment: env({ deletionTimestamp }), registrations: [a], agentSecrets: listed },
      nothing,
    ],
    [
      "says that the Role of its agent does not list all Secrets",
      { agentSecrets: tooMany },
      { ...withAgent, problem: "AgentSecretsOmitted" },
    ],
    [
      "names its missing namespaces first",
      { agentSecrets: tooMany, missingNamespaces: ["one"] },
      { ...withAgent, problem: "NamespaceMissing" },
    ],
    [
      "that is deleted has no problem with Secrets",
      { environment: env({ deletionTimestamp }), deployers: [ofA], agentSecrets: tooMany },
      { ...withAgent, removals: ["delete a-env"] },
    ],
    [
      "that is deleted is let go when all is gone",
      { environment: env({ deletionTimestamp }), registrations: [a] },
      "release",
    ],
    [
      "that is deleted keeps its host while there is something to uninstall",
      { environment: env({ deletionTimestamp }), deployers: [ofA], hostTarget },
      { ...withAgent, removals: ["delete a-env"] },
    ],
    [
      "that is deleted lets its host go before it goes itself",
      { environment: env({ deletionTimestamp }), hostTarget },
      { ...nothing, host: "released" },
    ],
    [
      "lets a host go that somebody has deleted, before it is made again",
      { hostTarget: { ...hostTarget, metadata: { ...hostTarget.metadata, deletionTimestamp } } },
      { ...withAgent, host: "released" },
    ],
    [
      "keeps a host that somebody has deleted while a deployer is uninstalled by it",
      {
        registrations: [a],
        deployers: [going],
        hostTarget: { ...hostTarget, metadata: { ...hostTarget.metadata, deletionTimestamp } },
      },
      { ...needed, removals: ["wait a-env"] },
    ],
    ["keeps its host", { hostTarget }, withAgent],
    [
      "that is gone keeps its host while there is something to uninstall",
      { environment: undefined, deployers: [ofA], hostTarget },
      { ...withAgent, removals: ["delete a-env"] },
    ],
    ["that is gone lets its host go at last", { environment: undefined, hostTarget }, { ...nothing, host: "released" }],
    ["that lingers for its agent is left alone", { environment: env({ deletionTimestamp, finalizers: [] }) }, nothing],
    [
      "that is gone leaves nothing behind",
      { environment: undefined, registrations: [a], deployers: [ofA] },
      { ...withAgent, removals: ["delete a-env"] },
    ],
  ])("%s", (_, observed, expected) => {
    expect(decide(observed)).toEqual(expected);
  });
});

describe("an Environment that is being deleted while only it serves DeployItems", () => {
  const item = (name: string, reason?: string): DeployItem => ({
    apiVersion,
    kind: "DeployItem",
    metadata: { namespace: "shop", name, uid: name },
    spec: { type: "test/one" },
    ...(reason === undefined
      ? {}
      : {
          status: {
            observedGeneration: 0,
            lastError: {
              operation: "o",
              reason,
              message: "m",
              lastTransitionTime: deletionTimestamp,
              lastUpdateTime: deletionTimestamp,
            },
          },
        }),
  });
  const deletedEnv = env({ deletionTimestamp });
  const abandonedEnv = env({ deletionTimestamp, annotations: { [annotations.abandonItems]: "env" } });
  const remainingItems = [item("web")];

  it.each<[string, Partial<ObservedEnvironment>, unknown]>([
    [
      "keeps its deployers and their rights",
      {
        environment: deletedEnv,
        registrations: [a, b],
        deployers: [ofA],
        bindings: [bindingOf("a")],
        hostTarget,
        remainingItems,
      },
      { ...withAgent, held: ["itemsRemain a"] },
    ],
    ["waits even without deployers", { environment: deletedEnv, remainingItems }, withAgent],
    [
      "uninstalls a deployer whose registration is deleted",
      { environment: deletedEnv, registrations: [deleted(a)], deployers: [ofA], remainingItems },
      { ...withAgent, removals: ["delete a-env"] },
    ],
    [
      "uninstalls its deployers when no item is left",
      { environment: deletedEnv, registrations: [a], deployers: [ofA] },
      { ...withAgent, removals: ["delete a-env"] },
    ],
    [
      "uninstalls its deployers when the items are abandoned, before it fails the items",
      { environment: abandonedEnv, registrations: [a], deployers: [ofA], remainingItems },
      { ...withAgent, removals: ["delete a-env"] },
    ],
    [
      "does not count the name of another Environment",
      {
        environment: env({ deletionTimestamp, annotations: { [annotations.abandonItems]: "other" } }),
        registrations: [a],
        deployers: [ofA],
        remainingItems,
      },
      { ...withAgent, held: ["itemsRemain a"] },
    ],
    [
      "fails abandoned items when its deployers are uninstalled",
      { environment: abandonedEnv, remainingItems: [item("web", "PickupTimeout"), item("db", "EnvironmentRemoved")] },
      { ...nothing, abandoned: ["web"] },
    ],
    [
      "goes when all of them have failed",
      { environment: abandonedEnv, remainingItems: [item("db", "EnvironmentRemoved")] },
      "release",
    ],
  ])("%s", (_name, observed, want) => {
    expect(decide(observed)).toEqual(want);
  });
});
