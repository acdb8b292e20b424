import { identifyError } from "@landscaper/api";
import { describeConnectFailure, describeTlsFailure, type TlsFields } from "@landscaper/egress";

/** State of NATS that keeps events from being published. Each has its own message. */
export type NatsState =
  | "unreachable"
  | "credentials-refused"
  | "certificate-refused"
  | "jetstream-disabled"
  | "stream-subjects"
  | "stream-settings"
  | "bucket-settings"
  | "stream-full"
  | "permission-missing"
  | "stream-missing"
  | "bucket-missing"
  | "cluster-incomplete"
  | "bucket-unreadable"
  | "no-acknowledgement"
  | "failed";

/** NATS does not take events at present. The publisher waits, and retries. */
export class NatsProblem extends Error {
  readonly state: NatsState;

  constructor(state: NatsState, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "NatsProblem";
    this.state = state;
  }
}

/** The next link fills the bucket again, before any other step runs on it. */
export function bucketEmptied(place: string): NatsProblem {
  return new NatsProblem(
    "bucket-missing",
    `${place}: the bucket of the events was emptied: it is filled again from memory`,
  );
}

/** The server refuses this event permanently. Other events are not affected. */
export class EventRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "EventRefused";
  }
}

/** Another publisher of the same landscaper cluster has taken over. */
export class TakenOver extends Error {
  constructor(key: string) {
    super(`another publisher of events has written ${key}: this publisher stops, and starts again from the bucket`);
    this.name = "TakenOver";
  }
}

export interface NatsPlace {
  /** Addresses without credentials. */
  readonly addresses: readonly string[];
  readonly stream: string;
  /** Step that failed, such as "cannot publish to landscaper.x". */
  readonly step: string;
  /** Setting that contains the URLs. Default: NATS_URL. */
  readonly setting?: string | undefined;
  /** Place of the documentation that lists the permissions. Default: those of the publisher. */
  readonly permissions?: string | undefined;
}

/** Error codes of JetStream's API. */
export const jetStreamCodes = {
  accountExceeded: 10_002,
  noPeers: 10_005,
  unavailable: 10_008,
  notLeader: 10_009,
  insufficientResources: 10_023,
  memoryExceeded: 10_028,
  notEnabledForAccount: 10_039,
  storageExceeded: 10_047,
  messageTooLarge: 10_054,
  nameInUse: 10_058,
  streamNotFound: 10_059,
  streamMismatch: 10_060,
  subjectsOverlap: 10_065,
  wrongLastSequence: 10_071,
  replicasUnsupported: 10_074,
  notEnabled: 10_076,
  storeFailed: 10_077,
  wrongLastSequenceUnknown: 10_164,
} as const;

const fullCodes: readonly number[] = [
  jetStreamCodes.accountExceeded,
  jetStreamCodes.insufficientResources,
  jetStreamCodes.memoryExceeded,
  jetStreamCodes.storageExceeded,
  jetStreamCodes.storeFailed,
];

/** Returns the error code of JetStream from the error or one of its causes. */
export function codeOf(error: unknown): number | undefined {
  for (const cause of causesOf(error)) {
    if (cause.name === "JetStreamApiError" || cause.name === "StreamNotFoundError") {
      return (cause as Error & { readonly code?: number }).code;
    }
  }
  return undefined;
}

export function isPermissionError(error: unknown): boolean {
  return causesOf(error).some(({ name }) => name === "PermissionViolationError");
}

/** Whether the message exceeds a limit of the server (found by the client library) or of the stream. */
export function isTooLarge(error: unknown): boolean {
  const exceedsServer = causesOf(error).some(
    ({ name, message }) => name === "InvalidArgumentError" && message.includes("max_payload"),
  );
  return exceedsServer || codeOf(error) === jetStreamCodes.messageTooLarge;
}

export function isConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === jetStreamCodes.wrongLastSequence || code === jetStreamCodes.wrongLastSequenceUnknown;
}

/** Converts an error of the client library into the state of NATS that causes it, with the remedy. */
export function toNatsProblem(error: unknown, place: NatsPlace): NatsProblem {
  if (error instanceof NatsProblem) return error;
  const { addresses, stream, step, setting = "NATS_URL" } = place;
  const { permissions = "docs/guide/install.md#events-on-nats" } = place;
  const at = formatPlace(addresses);
  const problem = (state: NatsState, message: string): NatsProblem => new NatsProblem(state, message, { cause: error });
  const names = new Set(causesOf(error).map(({ name }) => name));
  const code = codeOf(error);
  const said = causesOf(error)[0]?.message ?? String(error);
  if (names.has("AuthorizationError") || names.has("UserAuthenticationExpiredError")) {
    return problem("credentials-refused", `${at} refuses the credentials. Correct user and password in ${setting}.`);
  }
  const tlsFailure = causesOf(error)
    .map((cause) => describeTlsFailure(cause, tlsFields(addresses)))
    .find((text) => text !== undefined);
  if (tlsFailure !== undefined) return problem("certificate-refused", `${at}: ${step}: ${tlsFailure}.`);
  if (names.has("PermissionViolationError")) {
    return problem(
      "permission-missing",
      `${at}: ${step}: ${said}. Grant the account the permissions of ${permissions}.`,
    );
  }
  if (
    code === jetStreamCodes.notEnabled ||
    code === jetStreamCodes.notEnabledForAccount ||
    names.has("JetStreamNotEnabled")
  ) {
    return problem(
      "jetstream-disabled",
      `${at} has no JetStream for this account. Start nats-server with --jetstream, and enable JetStream for the account.`,
    );
  }
  if (code !== undefined && fullCodes.includes(code)) {
    return problem(
      "stream-full",
      `${at}: ${step}: ${said}. Raise the limits of the stream ${stream} or of the account, or remove messages.`,
    );
  }
  if (code === jetStreamCodes.noPeers) {
    return problem(
      "cluster-incomplete",
      `${at}: ${step} with three replicas: ${said}. Start the other servers of the cluster, or wait a minute for a single replica.`,
    );
  }
  if (code === jetStreamCodes.streamNotFound) {
    return problem(
      "stream-missing",
      `${at}: ${step}: the stream ${stream} does not exist. The core creates it when it publishes to this server.`,
    );
  }
  if (code === jetStreamCodes.streamMismatch || code === jetStreamCodes.subjectsOverlap) {
    return problem(
      "stream-subjects",
      `${at}: another stream has subjects of landscaper.>. Give them to the stream ${stream} alone.`,
    );
  }
  if (names.has("TimeoutError") || code === jetStreamCodes.unavailable || code === jetStreamCodes.notLeader) {
    return problem(
      "no-acknowledgement",
      `${at}: ${step}: no acknowledgement (${said}). If the servers form a cluster, check that most of them run.`,
    );
  }
  const connect = { peer: "server", host: addresses.join(", "), addressField: setting } as const;
  const unreachable = causesOf(error)
    .map((cause) => describeConnectFailure(cause, connect))
    .find((text) => text !== undefined);
  if (unreachable !== undefined) return problem("unreachable", `${at} cannot be reached: ${unreachable}.`);
  if (
    code === undefined &&
    (names.has("ConnectionError") || names.has("ClosedConnectionError") || names.has("RequestError"))
  ) {
    return problem("unreachable", `${at} cannot be reached. Start the server, or correct ${setting}.`);
  }
  const cause =
    code === undefined ? identifyError(causesOf(error)[0]) : `${said.replace(/\.$/, "")} (JetStream ${code})`;
  return problem("failed", `${at}: ${step}: ${cause}. Check the log of the server.`);
}

/** Returns the problem of a server that accepts connections, but does not answer. */
export function silentServer(addresses: readonly string[], timeoutMs: number): NatsProblem {
  return new NatsProblem(
    "unreachable",
    `${formatPlace(addresses)} cannot be reached: no answer within ${timeoutMs / 1_000} s. Check that NATS_URL names a NATS server, and that it is not overloaded.`,
  );
}

function tlsFields(addresses: readonly string[]): TlsFields {
  return {
    authority: "NODE_EXTRA_CA_CERTS of the process to a file with the authority",
    hasAuthority: false,
    name: addresses.join(", "),
    nameField: "the host in NATS_URL, and write tls:// if it is an IP address",
    clientCertificate: "verify in the tls block of nats-server to false",
  };
}

/** Returns how messages name the server, without credentials. */
export function formatPlace(addresses: readonly string[]): string {
  return `NATS (${addresses.join(", ")})`;
}

/** Returns the problem of a connection that the server has closed without a reason. */
export function closedConnection(addresses: readonly string[]): NatsProblem {
  return new NatsProblem(
    "unreachable",
    `${formatPlace(addresses)} has closed the connection. If this persists, check that the server runs.`,
  );
}

export function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let next = error; next instanceof Error && causes.length < 5; next = next.cause) causes.push(next);
  return causes;
}
