import type { FoundResource } from "@landscaper/ocm";

/** A template function: arguments and result are plain data. */
export type HostFunction = (...args: readonly unknown[]) => unknown;

/** The content of a resource as it is stored. */
export interface ResourceContent {
  readonly bytes: Uint8Array;
  /** "" when nothing says it. */
  readonly mediaType: string;
}

/**
 * What templates and schemas need of repositories and clusters (core.md §3.7, §3.8). Synchronous: an implementation that
 * needs I/O throws what its caller understands as "fetch this, then render again" (helm.md §4.7).
 */
export interface TemplateHost {
  /** By name; arguments have been checked for their number and types. */
  readonly functions?: Readonly<Partial<Record<HostFunctionName, HostFunction>>>;
  /** The content of a resource of a component, for templates and for schemas with cd:// references. */
  readonly readContent?: (resource: FoundResource) => ResourceContent;
}

/** Functions that only a host can give: kubeconfigs (core.md §3.7). What they give is secret. */
export const hostFunctionNames = [
  "getShootAdminKubeconfig",
  "getShootAdminKubeconfigWithExpirationTimestamp",
  "getServiceAccountKubeconfig",
  "getServiceAccountKubeconfigWithExpirationTimestamp",
  "getOidcKubeconfig",
] as const;
export type HostFunctionName = (typeof hostFunctionNames)[number];
