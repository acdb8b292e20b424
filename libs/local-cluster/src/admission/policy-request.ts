import type { UnstructuredObject } from "@landscaper/api";

/** A write that admission policies look at. */
export interface PolicyRequest {
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Plural name. */
  readonly resource: string;
  /** "" for the object itself. */
  readonly subresource: string;
  /** "" for cluster-scoped objects. */
  readonly namespace: string;
  /** "" when the server will generate it. */
  readonly name: string;
  readonly user: { readonly name: string; readonly uid?: string | undefined; readonly groups: readonly string[] };
  readonly dryRun: boolean;
  /** Absent for DELETE. */
  readonly object?: UnstructuredObject | undefined;
  /** Absent for CREATE. */
  readonly oldObject?: UnstructuredObject | undefined;
  /** The namespace of the object; absent for cluster-scoped objects. */
  readonly namespaceObject?: UnstructuredObject | undefined;
}
