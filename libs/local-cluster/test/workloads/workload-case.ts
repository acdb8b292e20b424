import { fieldAt, listAt, numberAt, stringAt } from "../../src/objects/json.ts";
import { inNamespace } from "../parity/cases/namespaced-case.ts";
import type { Path } from "../parity/cases/namespaced-case.ts";
import type { Exchange, ParityCase } from "../parity/exchange.ts";
import { simulationPrefix } from "../../src/simulation/simulation-options.ts";
import { maskNames } from "./mask-names.ts";

/** A case whose workloads are run by controllers, and whose pods by the simulated kubelet. */
export function workloadCase(name: string, exchanges: (path: Path) => readonly Exchange[]): ParityCase {
  return {
    ...inNamespace(name, exchanges),
    mask: maskNames,
    untracked: "how many writes a controller needs for a field decides about its entries",
  };
}

/** The template of a pod with one container; `script`: its annotations without their prefix. */
export function template(script: Readonly<Record<string, string>> = {}, spec: object = {}): object {
  const annotations = Object.entries(script).map(([key, value]) => [`${simulationPrefix}${key}`, value]);
  return {
    metadata: {
      labels: { app: "a" },
      ...(annotations.length === 0 ? {} : { annotations: Object.fromEntries(annotations) }),
    },
    spec: {
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 1,
      containers: [{ name: "main", image: "main:1" }],
      ...spec,
    },
  };
}

export const selector = { matchLabels: { app: "a" } };
export const apps = ".apps/v1";

/** Until all the numbers are in the status; 0: the field is absent. The controller must have seen the object's generation. */
export function counts(wanted: Readonly<Record<string, number>>): (body: unknown) => boolean {
  return (body) =>
    numberAt(body, "status", "observedGeneration") === numberAt(body, "metadata", "generation") &&
    Object.entries(wanted).every(([field, count]) => (numberAt(body, "status", field) ?? 0) === count);
}

/** Until a condition has the status and, if given, the reason. */
export function condition(type: string, status: string, reason?: string): (body: unknown) => boolean {
  return (body) =>
    listAt(body, "status", "conditions").some(
      (candidate) =>
        stringAt(candidate, "type") === type &&
        stringAt(candidate, "status") === status &&
        (reason === undefined || stringAt(candidate, "reason") === reason),
    );
}

export function both(...checks: readonly ((body: unknown) => boolean)[]): (body: unknown) => boolean {
  return (body) => checks.every((check) => check(body));
}

/** Until a list has so many items, none of them on its way out. */
export function items(count: number): (body: unknown) => boolean {
  return (body) =>
    listAt(body, "items").length === count &&
    listAt(body, "items").every((item) => fieldAt(item, "metadata", "deletionTimestamp") === undefined);
}

/** Until a list has so many pods, and all their containers run. */
export function running(count: number): (body: unknown) => boolean {
  const runs = (status: unknown): boolean => fieldAt(status, "state", "running") !== undefined;
  return both(items(count), (body) =>
    listAt(body, "items").every((pod) => {
      const statuses = listAt(pod, "status", "containerStatuses");
      return statuses.length > 0 && statuses.every(runs);
    }),
  );
}
