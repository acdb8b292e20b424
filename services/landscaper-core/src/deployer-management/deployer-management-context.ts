import type {
  ClusterRole,
  Context,
  DeployerRegistration,
  Environment,
  Installation,
  Namespace,
  Role,
  RoleBinding,
  ServiceAccount,
  Target,
} from "@landscaper/api";
import type { Client, Clock, EventRecorder, Lister } from "@landscaper/controller-runtime";
import type { CoreInformers } from "../core.ts";
import type { JobSighting } from "../deploy-item/job-sightings.ts";
import type { Heartbeats } from "./heartbeats.ts";
import type { DeployerManagementSettings } from "./pair.ts";

/** What the controllers of deployer management work with. */
export interface DeployerManagementContext {
  /** The manager's client: its writes are observed by the informers behind the listers. */
  readonly client: Client;
  readonly clock: Clock;
  /** What the watchdog has seen of the items, by namespace and name. */
  readonly sightings: ReadonlyMap<string, JobSighting>;
  readonly recorder: EventRecorder;
  readonly settings: DeployerManagementSettings;
  readonly environments: Lister<Environment>;
  readonly registrations: Lister<DeployerRegistration>;
  readonly installations: Lister<Installation>;
  readonly executions: CoreInformers["executions"]["lister"];
  readonly deployItems: CoreInformers["deployItems"]["lister"];
  readonly targets: Lister<Target>;
  readonly contexts: Lister<Context>;
  /** Metadata alone, of those with the label of an Environment. */
  readonly accounts: Lister<ServiceAccount>;
  readonly clusterRoles: readonly Lister<ClusterRole>[];
  /** Of those with the label of an Environment. */
  readonly clusterBindings: Lister<RoleBinding>;
  readonly roleBindings: Lister<RoleBinding>;
  /** Of agents, in the namespace of deployer management. */
  readonly roles: Lister<Role>;
  readonly namespaces: Lister<Namespace>;
  readonly heartbeats: Heartbeats;
  /** The last token of each account that this process has asked for, as it stands in its Target, by the account's uid. Kept in memory alone. `atMs` is of a clock that nobody sets. */
  readonly requestedTokens: Map<string, { readonly token: string; readonly atMs: number }>;
}
