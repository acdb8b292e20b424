/** What Environment accounts may write of one kind; Kubernetes evaluates policies for writes only, never for reads. */
export interface EnvironmentBound {
  /** Names the policy: NAME.bounds.landscaper.gardener.cloud. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly resources: readonly string[];
  readonly operations: readonly ("CREATE" | "UPDATE" | "DELETE")[];
  /** CEL expressions over `object`, `oldObject`, `request` and the account variables. Each is true for a permitted write; `message` explains a refusal. */
  readonly rules: readonly { readonly expression: string; readonly message: string }[];
}

/** Configuration of the core that the policies contain (docs/reference/deployer-management.md#bounds). */
export interface BoundSettings {
  /** Namespace of deployer management, with the accounts. Undefined: accounts in every namespace are bounded. */
  readonly management: string | undefined;
  /** Namespace of the core. Environment accounts write no Secrets there, unless it is the namespace of deployer management. */
  readonly core: string;
  /** Environments whose agents may name all namespaces, because the operator of the core installs these agents. DNS labels. */
  readonly hubEnvironments: readonly string[];
}
