import type { SchemaSource } from "./schema/resolve-schema-refs.ts";

/** A template function of the host: arguments and result are plain data. */
export type HostFunction = (...args: readonly unknown[]) => unknown;

/**
 * What templates and schemas need of components and clusters (core.md §3.7, §3.8). Synchronous: an implementation that
 * needs I/O throws what its caller understands as "fetch this, then render again" (helm.md §4.7).
 */
export interface TemplateHost {
  /** Functions by name, such as getResource; the names are those of hostFunctionNames. */
  readonly functions?: Readonly<Record<string, HostFunction>>;
  /** The schema behind a cd:// reference. */
  readonly readComponentSchema?: (ref: string) => SchemaSource;
}

/** Functions that only a host can give: components, OCI references, kubeconfigs (core.md §3.7). */
export const hostFunctionNames = [
  "getResource",
  "getResources",
  "getResourceKey",
  "getResourceContent",
  "getComponent",
  "getRepositoryContext",
  "getShootAdminKubeconfig",
  "getShootAdminKubeconfigWithExpirationTimestamp",
  "getServiceAccountKubeconfig",
  "getServiceAccountKubeconfigWithExpirationTimestamp",
  "getOidcKubeconfig",
] as const;
export type HostFunctionName = (typeof hostFunctionNames)[number];
