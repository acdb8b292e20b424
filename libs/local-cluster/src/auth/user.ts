/** Who makes a request, as the authenticator found out. */
export interface User {
  readonly name: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

export const anonymousUser: User = { name: "system:anonymous", groups: ["system:unauthenticated"] };

/** The cluster's own controllers. */
export const controllerUser: User = {
  name: "system:kube-controller-manager",
  groups: ["system:masters", "system:authenticated"],
};
