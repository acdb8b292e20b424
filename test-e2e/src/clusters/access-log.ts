// What the API server says of the requests of the services: which were refused, and which rights the others have used.
import { appendFileSync, closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";

/** One request that an API server has judged. */
export interface Access {
  /** Name of the account, such as "helm-deployer". */
  readonly account: string;
  readonly verb: string;
  readonly group: string;
  /** With "/" and the subresource, if it is one. */
  readonly resource: string;
  readonly namespace: string;
  readonly isAllowed: boolean;
  /** Of the Role or ClusterRole that allowed it. */
  readonly role: string | undefined;
}

/** What one cluster has judged since the last call of `take`. */
export interface AccessLog {
  take(): readonly Access[];
}

/** The fields of an audit event (audit.k8s.io/v1) that are read here. */
interface AuditEvent {
  readonly verb?: string;
  readonly requestURI?: string;
  readonly user?: { readonly username?: string };
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly apiGroup?: string;
    readonly namespace?: string;
  };
  readonly annotations?: Readonly<Record<string, string>>;
}

/** An event of the audit log; undefined for a path that is no resource. Pure. */
export function readAuditEvent(line: string): Access | undefined {
  const event = JSON.parse(line) as AuditEvent; // by the API of the audit log
  const { verb = "", user, objectRef, annotations = {} } = event;
  const { resource = "", subresource, apiGroup = "", namespace = "" } = objectRef ?? {};
  if (resource === "") return undefined;
  const reason = annotations["authorization.k8s.io/reason"] ?? "";
  return {
    account: user?.username?.split(":").at(-1) ?? "",
    verb,
    group: apiGroup,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    namespace,
    isAllowed: annotations["authorization.k8s.io/decision"] !== "forbid",
    role: /of (?:Cluster)?Role "([^"@]+)/.exec(reason)?.[1],
  };
}

const refused = '"authorization.k8s.io/decision":"forbid"';

/** Follows the audit log of an API server. Without `usage` only lines of refusals are parsed: a suite makes ten thousands of requests. */
export function followAuditLog(file: string, { usage }: { readonly usage: boolean }): AccessLog {
  let offset = 0;
  return {
    take() {
      const text = readFrom(file, offset);
      const end = text.lastIndexOf("\n") + 1;
      offset += Buffer.byteLength(text.slice(0, end));
      const lines = text.slice(0, end).split("\n");
      const wanted = lines.filter((line) => line !== "" && (usage || line.includes(refused)));
      return wanted.map(readAuditEvent).filter((access) => access !== undefined);
    },
  };
}

function readFrom(file: string, offset: number): string {
  const descriptor = openSync(file, "r");
  try {
    const buffer = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - offset));
    const read = readSync(descriptor, buffer, 0, buffer.length, offset);
    return buffer.toString("utf8", 0, read);
  } finally {
    closeSync(descriptor);
  }
}

/** "helm-deployer may not get secrets in namespace x", once for each. Pure. */
export function describeRefusals(accesses: readonly Access[]): string[] {
  const texts = accesses
    .filter(({ isAllowed }) => !isAllowed)
    .map(({ account, verb, group, resource, namespace }) => {
      const what = group === "" ? resource : `${resource} (${group})`;
      return `${account} may not ${verb} ${what} ${namespace === "" ? "in all namespaces" : `in namespace ${namespace}`}`;
    });
  return [...new Set(texts)];
}

/** A use of a right, in one line of text: role, verb, group and resource. */
export function useOf({
  role = "",
  verb,
  group,
  resource,
}: Pick<Access, "role" | "verb" | "group" | "resource">): string {
  return [role, verb, group, resource].join(" ");
}

/** Folder for the uses of rights of a full run, one file for each process; absent in others. */
export const usageFolderVariable = "E2E_RIGHTS_USED";

/** Adds what was used to the files of a full run. */
export function noteUses(accesses: readonly Access[], folder: string): void {
  const uses = new Set(accesses.filter(({ isAllowed }) => isAllowed).map(useOf));
  if (uses.size > 0) appendFileSync(join(folder, `${process.pid}.txt`), `${[...uses].join("\n")}\n`);
}
