import type { SchemaSource } from "./schema/resolve-schema-refs.ts";

/** A template function: arguments and result are plain data. */
export type HostFunction = (...args: readonly unknown[]) => unknown;

/**
 * What templates and schemas need of repositories and clusters (core.md §3.7, §3.8). Synchronous: an implementation that
 * needs I/O throws what its caller understands as "fetch this, then render again" (helm.md §4.7).
 */
export interface TemplateHost {
  /** By name; arguments have been checked for their number and types. */
  readonly functions?: Readonly<Partial<Record<HostFunctionName, HostFunction>>>;
  /** The schema behind a cd:// reference. */
  readonly readComponentSchema?: (ref: string) => SchemaSource;
}

/** Functions that only a host can give: content of resources, kubeconfigs (core.md §3.7). Everything else is computed here. */
export const hostFunctionNames = [
  "getResourceContent",
  "getShootAdminKubeconfig",
  "getShootAdminKubeconfigWithExpirationTimestamp",
  "getServiceAccountKubeconfig",
  "getServiceAccountKubeconfigWithExpirationTimestamp",
  "getOidcKubeconfig",
] as const;
export type HostFunctionName = (typeof hostFunctionNames)[number];
