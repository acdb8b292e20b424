import type { PolicyRule } from "../objects/foreign-kinds.ts";

/** One PolicyRule of RBAC, with the reason for it. */
export interface Right {
  /** "" is the core group. */
  readonly group: string;
  /** Plurals; with "/status" and the like for subresources. */
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Objects that it is about; all where absent. */
  readonly resourceNames?: readonly string[];
  /** Whether it is held to be granted to others: no request needs it. */
  readonly isPassedOn?: true;
  /** One or more sentences: what it is needed for. */
  readonly why: string;
}

/** The rules that a Role with these rights has. */
export function policyRulesOf(rights: readonly Right[]): readonly PolicyRule[] {
  return rights.map(({ group, resources, verbs, resourceNames }) => ({
    apiGroups: [group],
    resources: [...resources],
    verbs: [...verbs],
    ...(resourceNames === undefined ? {} : { resourceNames: [...resourceNames] }),
  }));
}

/** Rights that one Role or ClusterRole gives: a file that a chart includes. */
export interface RightsFile {
  /** Relative to the root of the workspace. */
  readonly path: string;
  /** In all namespaces (ClusterRole), or in one (Role). */
  readonly scope: "cluster" | "namespace";
  /** Whose rights they are: the name of a service or of a role for users. */
  readonly holder: string;
  /** Where they are needed, and when. */
  readonly where: string;
  readonly rights: readonly Right[];
}

/** One thing that a right allows, such as "get" on "secrets". */
export interface Permission {
  readonly verb: string;
  readonly group: string;
  /** With "/" and the subresource, if it is one. */
  readonly resource: string;
  /** Undefined: of any name. */
  readonly name?: string | undefined;
}

/** Every pair of verb and resource (and name) of the rights. */
export function listPermissions(rights: readonly Right[]): Permission[] {
  return rights.flatMap(({ group, resources, verbs, resourceNames }) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) => (resourceNames ?? [undefined]).map((name) => ({ verb, group, resource, name }))),
    ),
  );
}
