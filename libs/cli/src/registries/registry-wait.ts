import { LandscaperError } from "@landscaper/api";
import type { RequestWatch } from "@landscaper/oci";
import type { CommandContext, OptionDefinition } from "../command.ts";
import { parseTimeout } from "../parse-timeout.ts";
import { formatAge } from "../tree/format-tree.ts";

const flag = "registry-timeout";
const defaultTimeout = "10m";
const help = `time limit of the command for all answers of registries and repositories (default: ${defaultTimeout})`;

/** `--registry-timeout`, for commands that read from registries. */
export const registryTimeoutOption: OptionDefinition = { syntax: `--${flag} <duration>`, description: help };

/** `--registry-timeout` for commands with Helm's flags. */
export const registryTimeoutFlag = { name: flag, kind: "text", treatment: "used", help: `<duration> ${help}` } as const;

/** Options of a registry client that report slow answers and enforce the time limit. */
export interface RegistryWait {
  readonly limit: AbortSignal;
  readonly watch: RequestWatch;
  /** Time limit of a single request, above the limit of all requests. */
  readonly totalTimeoutMs: number;
  /** Stops the timers, which would keep the process alive. */
  close(): void;
}

interface OpenRequest {
  readonly place: string;
  readonly startedAt: number;
  bytes: number;
}

const firstPauseMs = 5_000;
const maxPauseMs = 60_000;
/** Slightly below the longest delay that Node's timers support. */
const maxTotalMs = 24 * 24 * 3_600_000;

type WaitContext = Pick<CommandContext, "now" | "schedule" | "startedAt" | "writeError">;

/**
 * Reports on stderr the answer that the command waits for, after 5 s and then at growing intervals. Aborts all requests when the time since the start of the
 * command exceeds the value of --registry-timeout. Throws InvocationError if the value is not a duration.
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

/** Reports the oldest open request until no request is open. */
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
  const message = `${place}: no complete answer within ${timeout}; allow more time with --${flag} DURATION`;
  return new LandscaperError({ reason: "RegistryUnreachable", message, retry: "never" });
}

function formatBytes(bytes: number): string {
  if (bytes < 10_240) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  return bytes < 10 * 1024 ** 2 ? `${Math.floor(bytes / 1024)} KiB` : `${Math.floor(bytes / 1024 ** 2)} MiB`;
}
