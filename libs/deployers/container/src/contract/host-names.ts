import { childName, nameSuffix } from "@landscaper/api";
import type { ContainerOperation } from "./environment.ts";
import type { ItemIdentity } from "./labels.ts";

/** What the deployer makes for an item in its host cluster, by the end of its name. */
export type HostObject =
  | "config"
  | "target"
  | "ocmconfig"
  | "imgpullsec"
  | "bppullsec"
  | "cdpullsec"
  | "export"
  | "state-index"
  | "last-success"
  | "init"
  | "wait";

/** Names of one object. */
export interface HostName {
  /** As the original has it. Another item may have the same one: `a-b` and `c`, `a` and `b-c`. */
  readonly plain: string;
  /** With a suffix that follows from the item's uid: for an item whose plain name is taken. */
  readonly own: string;
}

const maxNameLength = 253;
const suffixLength = 8;
/** ServiceAccount, Role and RoleBinding of a program. */
const accounts: ReadonlySet<HostObject> = new Set(["init", "wait"]);

/**
 * The names that an object of an item may have (docs/reference/container-deployer.md#names). They are the same when the plain one would be longer than 253
 * characters.
 */
export function hostName(item: ItemIdentity, object: HostObject): HostName {
  const base = accounts.has(object) ? item.name : `${item.namespace}-${item.name}`;
  const whole = `${base}-${object}`;
  const end = `-${object}-${nameSuffix(`${item.uid}/${whole}`)}`;
  const own = `${cut(base, maxNameLength - end.length)}${end}`;
  return { plain: whole.length > maxNameLength ? own : whole, own };
}

/** What tells a run of an item's program from all others. */
export interface JobIdentity {
  readonly item: ItemIdentity;
  readonly jobID: string;
  readonly operation: ContainerOperation;
  /** From 0; greater only by the item's retryPolicy. */
  readonly attempt: number;
}

/** Names of a run: a repeated create of its Pod ends in a conflict and not in a second one. */
export interface JobNames {
  /** At most 58 characters, so that it may be a host name and the value of a label. */
  readonly pod: string;
  /** The 8 characters at the end of it: the generation of the state that the run writes. */
  readonly suffix: string;
}

export function jobNames({ item, jobID, operation, attempt }: JobIdentity): JobNames {
  const pod = childName(item.name.replaceAll(".", "-"), item.uid, `${jobID}/${operation}/${attempt}`);
  return { pod, suffix: pod.slice(-suffixLength) };
}

/** Name of the Secret with a part of the state that a run writes; `index` from 0. */
export function stateChunkName(item: ItemIdentity, suffix: string, index: number): string {
  const end = `-${suffix}-${index}`;
  return `${cut(`state-${item.namespace}-${item.name}`, maxNameLength - end.length)}${end}`;
}

function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[-.]+$/, "");
}
