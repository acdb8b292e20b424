import { keyOf, resources, type DeployerRegistration } from "@landscaper/api";
import type { Manager } from "@landscaper/controller-runtime";
import { ensureObject } from "../../ensure-object.ts";
import { isDeleting, labelOf, nameOf } from "../../object-reading.ts";
import { takenName } from "../made-objects.ts";
import { managedByLabel } from "./build-registration.ts";

const [[managedBy, ourselves]] = Object.entries(managedByLabel) as [[string, string]];

/**
 * Keeps the registrations that the configuration asks for as it says. What they have beside types and installationTemplate, such as a rollout, is
 * left to users. One that the configuration does not name any more stays: its deletion would uninstall deployers.
 */
export function addConfiguredDeployers(manager: Manager, registrations: readonly DeployerRegistration[]): void {
  if (registrations.length === 0) return;
  const type = resources.deployerRegistration;
  const { lister } = manager.informer(type);
  const wanted = new Map(registrations.map((one) => [nameOf(one), one]));
  manager.addController({
    name: "configured-deployers",
    group: "central",
    for: type,
    predicate: (object) => wanted.has(nameOf(object)),
    onPrepared: (enqueue) => registrations.forEach((one) => enqueue(keyOf(one))),
    reconcile: async ({ name }, signal) => {
      const desired = wanted.get(name);
      if (desired === undefined) return undefined;
      await ensureObject({ client: manager.client, type, lister, desired, signal, merge: mergeRegistration });
      return undefined;
    },
    workers: 1,
  });
}

/** Throws LandscaperError when it is not ours. */
function mergeRegistration(existing: DeployerRegistration, desired: DeployerRegistration): DeployerRegistration {
  if (labelOf(existing, managedBy) !== ourselves) throw takenName(desired);
  if (isDeleting(existing)) return existing;
  return { ...existing, spec: { ...existing.spec, ...desired.spec } };
}
