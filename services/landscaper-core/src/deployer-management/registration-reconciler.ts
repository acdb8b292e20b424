import { deployerManagementFinalizer, formatKey, keyOf, resources } from "@landscaper/api";
import type { Reconcile } from "@landscaper/controller-runtime";
import { nowOf } from "../core.ts";
import { isSameJson } from "../is-same-json.ts";
import { hasFinalizer, isDeleting, nameOf } from "../object-reading.ts";
import { byRegistration } from "./deployer-indexes.ts";
import type { DeployerManagementContext } from "./deployer-management-context.ts";
import { addManagementFinalizer, removeManagementFinalizer } from "./made-objects.ts";
import { reportRegistration } from "./status/report-registration.ts";

/** A fleet that changes would otherwise count all of its Environments for each of its Installations. */
const leastPauseMs = 1_000;

/** Counts the Environments of a registration, and keeps it until its deployer is gone from all of them. */
export function createRegistrationReconciler(context: DeployerManagementContext): Reconcile {
  /** When the Environments were counted last, by key; in ms since the start of the process. */
  const counted = new Map<string, number>();
  return async (key, signal) => {
    const registration = context.registrations.get(key);
    if (registration === undefined) {
      counted.delete(formatKey(key));
      return undefined;
    }
    const run = { context, signal };
    const target = { type: resources.deployerRegistration, object: registration };
    const isOurs = hasFinalizer(registration, deployerManagementFinalizer);
    if (!isDeleting(registration) && !isOurs) {
      await addManagementFinalizer(run, target);
      return undefined;
    }
    const installations = context.installations.byIndex(byRegistration, nameOf(registration));
    if (isDeleting(registration) && installations.length === 0) {
      await removeManagementFinalizer(run, target);
      return undefined;
    }
    const elapsedMs = context.clock.elapsed();
    const pauseMs = (counted.get(formatKey(key)) ?? -leastPauseMs) + leastPauseMs - elapsedMs;
    if (pauseMs > 0) return { requeueAfterMs: pauseMs };
    counted.set(formatKey(key), elapsedMs);
    const observed = { registration, environments: context.environments.list(), installations };
    const status = reportRegistration(observed, nowOf(context));
    if (isSameJson(status, registration.status)) return undefined;
    // A merge patch replaces lists whole, and leaves fields that it does not name.
    const rollout = status.rollout && { ...status.rollout, waitsFor: status.rollout.waitsFor ?? null };
    const body = { status: { ...status, lastError: status.lastError ?? null, rollout: rollout ?? null } };
    const patch = { type: "merge" as const, subresource: "status", body, signal };
    await context.client.patch(resources.deployerRegistration, keyOf(registration), patch);
    return undefined;
  };
}
