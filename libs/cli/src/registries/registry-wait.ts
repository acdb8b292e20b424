import { LandscaperError } from "@landscaper/api";
import type { RequestWatch } from "@landscaper/oci";
import type { CommandContext, OptionDefinition } from "../command.ts";
import { parseTimeout } from "../parse-timeout.ts";
import { formatAge } from "../tree/format-tree.ts";

const flag = "registry-timeout";
const defaultTimeout = "10m";
const help = `how long all answers of registries and repositories may take together (default: ${defaultTimeout})`;

/** `--registry-timeout`, for commands that read from registries. */
export const registryTimeoutOption: OptionDefinition = { syntax: `--${flag} <duration>`, description: help };

/** The same for commands with Helm's flags. */
export const registryTimeoutFlag = { name: flag, kind: "text", treatment: "used", help: `<duration> ${help}` } as const;

/** Options of a client of registries: it reports slow answers, and gives up in time. */
export interface RegistryWait {
  readonly limit: AbortSignal;
  readonly watch: RequestWatch;
  /** Of a single request: never before the limit of all. */
  readonly totalTimeoutMs: number;
  /** Must be called: timers keep the process alive. */
  close(): void;
}

interface OpenRequest {
  readonly place: string;
  readonly startedAt: number;
  bytes: number;
}

const firstPauseMs = 5_000;
const maxPauseMs = 60_000;
/** The longest time that Node's timers know is little more. */
const maxTotalMs = 24 * 24 * 3_600_000;

type WaitContext = Pick<CommandContext, "now" | "schedule" | "startedAt" | "writeError">;

/**
 * Reports on stderr which answer is waited for, after 5 s and then less and less often. Ends all requests when the time since the start of the command exceeds
 * the value of --registry-timeout. Throws InvocationError for another text than a duration.
 */
export function startRegistryWait(timeoutText: string | undefined, context: WaitContext): RegistryWait {
  const { now, schedule, startedAt } = context;
  const timeout = timeoutText ?? defaultTimeout;
  const timeoutMs = parseTimeout(timeout, `--${flag}`);
  const limit = new AbortController();
  const open = new Set<OpenRequest>();
  const reports = createReports(open, context);
  let cancelLimit: (() => void) | undefined;
  const begin: RequestWatch["begin"] = (place) => {
    const request: OpenRequest = { place, startedAt: now(), bytes: 0 };
    open.add(request);
    cancelLimit ??= schedule(Math.max(0, timeoutMs - (now() - startedAt)), () => limit.abort(timedOut(open, timeout)));
    reports.start();
    return {
      moved: (bytes) => {
        request.bytes += bytes;
      },
      end: () => void open.delete(request),
    };
  };
  return {
    limit: limit.signal,
    watch: { begin },
    totalTimeoutMs: Math.min(timeoutMs + 1_000, maxTotalMs),
    close: () => {
      cancelLimit?.();
      reports.stop();
    },
  };
}

/** Reports the oldest open request as long as there is one. */
function createReports(
  open: ReadonlySet<OpenRequest>,
  { now, schedule, writeError }: WaitContext,
): { start(): void; stop(): void } {
  let cancel: (() => void) | undefined;
  function report(pauseMs: number): void {
    cancel = undefined;
    const [oldest] = open;
    if (oldest === undefined) return;
    const passedMs = now() - oldest.startedAt;
    const others = open.size === 1 ? "" : ` (and for ${open.size - 1} more)`;
    if (passedMs >= firstPauseMs) {
      writeError(`waiting for ${oldest.place}: ${formatBytes(oldest.bytes)} in ${formatAge(passedMs)}${others}\n`);
    }
    const nextMs = Math.min(2 * pauseMs, maxPauseMs);
    cancel = schedule(nextMs, () => report(nextMs));
  }
  return {
    start: () => {
      cancel ??= schedule(firstPauseMs, () => report(firstPauseMs));
    },
    stop: () => cancel?.(),
  };
}

function timedOut([oldest]: Iterable<OpenRequest>, timeout: string): LandscaperError {
  const place = oldest === undefined ? "registries" : `${oldest.place} (${formatBytes(oldest.bytes)} received)`;
  const message = `${place}: no complete answer within ${timeout}; --${flag} DURATION allows more time`;
  return new LandscaperError({ reason: "RegistryUnreachable", message, retry: "never" });
}

function formatBytes(bytes: number): string {
  if (bytes < 10_240) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  return bytes < 10 * 1024 ** 2 ? `${Math.floor(bytes / 1024)} KiB` : `${Math.floor(bytes / 1024 ** 2)} MiB`;
}
