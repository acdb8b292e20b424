import type {
  Context,
  DataObject,
  DeployItem,
  Execution,
  EmptyProtection,
  FieldValidation,
  Installation,
  Secret,
  Target,
  TargetSync,
} from "@landscaper/api";
import type { Client, Clock, ForeignServers, Informer, Logger } from "@landscaper/controller-runtime";
import type { EgressPolicy } from "@landscaper/egress";
import type { JobEntropy } from "@landscaper/blueprint";
import type { Announcer } from "./announcer.ts";
import type { JobComponents } from "./components/job-components.ts";
import type { HubId } from "./hub-id.ts";
import type { SignaturePolicy } from "./installation/preparation/check-verification.ts";
import type { Renderer } from "./rendering/renderer.ts";
import type { TemplateAnswers } from "./template-host/template-answers.ts";
import type { LostAccess } from "./triggers/lost-access.ts";
import type { NewsBoard } from "./triggers/news-board.ts";

/** The shared informers of the core; every write of this process goes through to them. */
export interface CoreInformers {
  readonly installations: Informer<Installation>;
  readonly executions: Informer<Execution>;
  readonly deployItems: Informer<DeployItem>;
  readonly dataObjects: Informer<DataObject>;
  readonly targets: Informer<Target>;
  readonly targetSyncs: Informer<TargetSync>;
  readonly contexts: Informer<Context>;
  /** Metadata of Secrets only. */
  readonly secrets: Informer<Secret>;
}

/** What every reconciler of the core works with. */
export interface Core {
  /** The manager's client: its writes are observed by the informers. */
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  readonly informers: CoreInformers;
  /** What has happened to Installations whose changes start jobs. */
  readonly news: NewsBoard;
  readonly announcer: Announcer;
  /** Failed deletions that wait for a Target or its Secret. */
  readonly lostAccess: LostAccess;
  /** A random uuid (core.md §1.1 no. 2). */
  readonly newJobId: () => string;
  /** Random bytes and keys of an Installation's templates; the same for every attempt of a job in this process (design.md §3.2). */
  readonly entropy: JobEntropy;
  /** Does what depends on the content of users, in threads. */
  readonly renderer: Renderer;
  /** What becomes of unknown fields, where no annotation says so. */
  readonly fieldValidation: FieldValidation;
  /** Whether jobs are held back that would leave nothing where there was something. */
  readonly emptyProtection: EmptyProtection;
  /** Whether signatures of components are verified. */
  readonly signaturePolicy: SignaturePolicy;
  /** What Targets and TargetSyncs may name. */
  readonly egress: EgressPolicy;
  /** Limits for the clusters of others, and what is known of those that do not answer. */
  readonly foreignServers: ForeignServers;
  /** What templates ask of clusters. */
  readonly answers: TemplateAnswers;
  /** What jobs have fetched of components. */
  readonly components: JobComponents;
  /** Whether the context controller is going to make the default Context of a namespace. */
  readonly makesDefaultContext: (namespace: string) => boolean;
  /** Environments of a new DeployItem, for its annotation; undefined: none. */
  readonly environmentsOf: (item: DeployItem) => string | undefined;
  /** Id of the landscaper cluster, for the annotation of DeployItems. */
  readonly hubId: HubId;
}

export function nowOf(core: Pick<Core, "clock">): Date {
  return new Date(core.clock.now());
}
