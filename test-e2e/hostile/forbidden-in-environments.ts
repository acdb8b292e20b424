import { agentNames, annotations, kubeResources, resources, type Environment, type ObjectKey } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { annotate, type Attempt, type NamedAttempt } from "./attempts.ts";
import { dryRun, dryRunDelete, dryRunToken, dryRunUpdate } from "./dry-run-writes.ts";
import {
  annotatedTarget,
  deployItem,
  emptyRegistration,
  heldLease,
  mark,
  markedSecret,
} from "./environment-objects.ts";

/** Two Environments with deployers and their objects: DeployItems and Secrets `theirs` of the other one, `mine` of the own one, and `free` of none. */
export interface TwoEnvironments {
  /** With all rights. */
  readonly client: Client;
  /** Namespace of deployer management. */
  readonly namespace: string;
  /** Namespace of the items, with a ServiceAccount `reader`. */
  readonly items: string;
  /** Name of the attacker's Environment. */
  readonly own: string;
  readonly other: string;
  /** Name of a registration that both have. */
  readonly registration: string;
  /** Name of the Lease of the other Environment's deployer. */
  readonly leaseName: string;
  /** Returns an Environment with a host. */
  readonly managed: (name: string) => Environment;
}

/** Attempt to write the status of a DeployItem as a deployer. */
export function failItem(client: Client, key: ObjectKey, identity: string): Attempt {
  return async (as) => {
    const item = await client.get(resources.deployItem, key);
    const deployer = { identity: `${identity}/pod`, name: "deployer", version: "v1" };
    return as.updateStatus(
      resources.deployItem,
      { ...item, status: { observedGeneration: 0, phase: "Failed", deployer } },
      dryRun,
    );
  };
}

/** Writes that the API server must refuse to each deployer and to the agent of the own Environment. */
export function forbiddenInEnvironments(environments: TwoEnvironments): readonly NamedAttempt[] {
  const { client, namespace, items, own, other, registration, leaseName, managed } = environments;
  const keyOf = (name: string): ObjectKey => ({ namespace: items, name });
  const update = dryRunUpdate(() => client);
  const status = (key: ObjectKey): Attempt => failItem(client, key, `${registration}-${own}`);
  return [
    ["write the status of another Environment's item", status({ namespace: items, name: "theirs" })],
    ["write another Environment's item", update(resources.deployItem, keyOf("theirs"), annotate({ a: "b" }))],
    ["take another Environment's item over", update(resources.deployItem, keyOf("theirs"), annotate(mark(own)))],
    [
      "patch another Environment's item",
      (as) =>
        as.patch(resources.deployItem, keyOf("theirs"), {
          type: "merge",
          body: { metadata: { annotations: mark(own) } },
          dryRun: true,
        }),
    ],
    ["write an item that no Environment claims", status({ namespace: items, name: "free" })],
    ["write the item of another Environment's host", status({ namespace, name: `host-${other}` })],
    ["give its item away", update(resources.deployItem, keyOf("mine"), annotate(mark(other)))],
    [
      "change what its item deploys",
      update(resources.deployItem, keyOf("mine"), (item) => ({
        ...item,
        spec: { ...item.spec, target: { namespace: items, name: "theirs" } },
      })),
    ],
    ["create an item", (as) => as.create(resources.deployItem, deployItem(items, "new", "theirs"), dryRun)],
    ["delete an item", dryRunDelete(resources.deployItem, keyOf("theirs"))],
    ["write a tenant's Secret", update(kubeResources.secret, keyOf("plain"), annotate(mark(own)))],
    ["write another Environment's Secret", update(kubeResources.secret, keyOf("theirs"), annotate(mark(own)))],
    ["delete a tenant's Secret", dryRunDelete(kubeResources.secret, keyOf("plain"))],
    ["delete another Environment's Secret", dryRunDelete(kubeResources.secret, keyOf("theirs"))],
    [
      "create a Secret in another Environment's name",
      (as) => as.create(kubeResources.secret, markedSecret(items, "new", other), dryRun),
    ],
    [
      "create a Secret without a name",
      (as) => as.create(kubeResources.secret, markedSecret(items, "new", undefined), dryRun),
    ],
    [
      "get a token by a Secret",
      (as) =>
        as.create(
          kubeResources.secret,
          annotate({ "kubernetes.io/service-account.name": "reader" })({
            ...markedSecret(items, "new", own),
            type: "kubernetes.io/service-account-token",
          }),
          dryRun,
        ),
    ],
    ["ask for a token of a tenant's account", dryRunToken(items, "reader")],
    ["ask for a token of the core", dryRunToken(namespace, "core")],
    [
      "ask for a token of another Environment's deployer",
      dryRunToken(namespace, `environment.${other}.${registration}`),
    ],
    [
      "end the Lease of another Environment's agent",
      update(kubeResources.lease, { namespace, name: agentNames(other).lease }, (object) => ({ ...object, spec: {} })),
    ],
    [
      "take the Lease of another Environment's agent",
      update(kubeResources.lease, { namespace, name: agentNames(other).lease }, (object) => ({
        ...object,
        spec: { holderIdentity: `${registration}-${own}/pod` },
      })),
    ],
    [
      "end the Lease of another Environment's deployer",
      update(kubeResources.lease, { namespace, name: leaseName }, (object) => ({ ...object, spec: {} })),
    ],
    [
      "delete the Lease of another Environment's deployer",
      dryRunDelete(kubeResources.lease, { namespace, name: leaseName }),
    ],
    [
      "say that another Environment's agent lives",
      (as) => as.create(kubeResources.lease, heldLease(namespace, "new", `${registration}-${other}`), dryRun),
    ],
    ["create another Environment", (as) => as.create(resources.environment, managed(`new-${registration}`), dryRun)],
    ["change another Environment", update(resources.environment, { name: other }, annotate({ a: "b" }))],
    ["delete another Environment", dryRunDelete(resources.environment, { name: other })],
    [
      "create a registration",
      (as) => as.create(resources.deployerRegistration, emptyRegistration(`new-${registration}`), dryRun),
    ],
    ["change a registration", update(resources.deployerRegistration, { name: registration }, annotate({ a: "b" }))],
    ["delete a registration", dryRunDelete(resources.deployerRegistration, { name: registration })],
    ["change a Target", update(resources.target, keyOf("theirs"), annotate({ [annotations.environment]: own }))],
    [
      "change the Target of another Environment's host",
      update(resources.target, { namespace, name: other }, annotate({ [annotations.environment]: own })),
    ],
    ["create a Target", (as) => as.create(resources.target, annotatedTarget(items, "new", other), dryRun)],
    ["delete a Target", dryRunDelete(resources.target, keyOf("theirs"))],
    ["mark a namespace as giving it tokens", update(kubeResources.namespace, { name: items }, annotate(mark(own)))],
  ];
}
