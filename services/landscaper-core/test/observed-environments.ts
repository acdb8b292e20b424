// Fixtures for the tests of decideEnvironment, and a short form of its decisions.
import {
  annotations,
  apiVersion,
  buildPendingEnvironment,
  deployerManagementFinalizer,
  type DeployerRegistration,
  type Environment,
} from "@landscaper/api";
import { environment, managementSettings, registration } from "./deployer-management.ts";
import { nothingToRead, observedDeployer } from "./observed-deployers.ts";
import { maxListedSecrets } from "../src/deployer-management/agent-secrets/list-secrets.ts";
import { buildBindings, buildClusterRoleBinding } from "../src/deployer-management/rights/build-accounts.ts";
import { decideEnvironment } from "../src/deployer-management/decide-environment.ts";
import { buildHostTarget } from "../src/deployer-management/deployer-target.ts";
import type { ObservedBinding, ObservedEnvironment } from "../src/deployer-management/observed-environment.ts";
import { nameOf } from "../src/object-reading.ts";
import { namesOf, pairName } from "../src/deployer-management/pair.ts";
import { templateHash } from "../src/deployer-management/rollout/template-hash.ts";

export const deletionTimestamp = "2026-06-01T00:00:00Z";

export function env(metadata: Environment["metadata"] = {}): Environment {
  const object = environment("env");
  return { ...object, metadata: { ...object.metadata, finalizers: [deployerManagementFinalizer], ...metadata } };
}

export function deleted(object: DeployerRegistration): DeployerRegistration {
  return { ...object, metadata: { ...object.metadata, deletionTimestamp } };
}

export function bindingOf(name: string): ObservedBinding {
  const names = { registration: name, environment: "env" };
  return { names, binding: buildClusterRoleBinding(names, managementSettings) };
}

/** Environment whose deployers have rights in these namespaces only. */
export function limited(...namespaces: string[]): Environment {
  const object = env();
  return { ...object, spec: { ...object.spec, namespaces } };
}

/** All bindings of the deployer of a registration, as an Environment wants them. */
export function bindingsOf(
  environmentOf: Environment,
  registrationOf: DeployerRegistration,
): readonly ObservedBinding[] {
  const pair = { registration: registrationOf, environment: environmentOf };
  return buildBindings(pair, managementSettings).map((binding) => ({ names: namesOf(pair), binding }));
}

/** Returns a short form of the decision. */
export function decide(observed: Partial<ObservedEnvironment>): unknown {
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

export const nothing = {
  wanted: [],
  held: [],
  refused: [],
  removals: [],
  stray: [],
  host: "kept",
  isHostNeeded: false,
};
/** The agent of the Environment has work. */
export const withAgent = { ...nothing, readsSecrets: true };
export const needed = { ...withAgent, isHostNeeded: true };
export const hostTarget = buildHostTarget(env(), managementSettings);
export const a = registration("a");
export const b = registration("b");
export const inSteps: DeployerRegistration = { ...a, spec: { ...a.spec, rollout: {} } };
/** The status of its rollout chooses the Environment, for this generation. */
export const chosen = (generation: number): DeployerRegistration => ({
  ...inSteps,
  metadata: { ...inSteps.metadata, generation: 2 },
  status: { observedGeneration: generation, rollout: { updated: 0, environments: ["env"] } },
});
export const suspended: Environment = { ...env(), spec: { ...env().spec, suspend: true } };
export const awaited: Environment = {
  ...env(),
  spec: buildPendingEnvironment({ name: "env", namespaces: ["*"], server: "https://hub.example" }).spec,
};
export const ofA = observedDeployer({ registration: "a" });
export const updatedA = observedDeployer({
  registration: "a",
  annotations: { [annotations.deployerTemplate]: templateHash(a) },
});
export const ofB = observedDeployer({ registration: "b" });
export const going = observedDeployer({ registration: "a", isDeleting: true });
export const listed: ObservedEnvironment["agentSecrets"] = {
  ...nothingToRead,
  role: {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata: { name: "landscaper:agent:secrets:env" },
  },
};
export const tooMany: ObservedEnvironment["agentSecrets"] = {
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
