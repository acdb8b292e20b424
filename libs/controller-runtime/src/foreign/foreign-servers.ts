import { createHash } from "node:crypto";
import { parseConfiguredDuration } from "@landscaper/api";
import type { ForeignRequestsConfiguration } from "@landscaper/api";
import type { Random } from "../backoff.ts";
import type { Connection } from "../client/connection/connection.ts";
import { noMetrics } from "../observability/metrics-interface.ts";
import type { RuntimeMetrics } from "../observability/metrics-interface.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";
import { createLargeAnswers } from "./large-answers.ts";
import type { LargeAnswers } from "./large-answers.ts";

/** A limit of an answer's size, and the setting that raises it. */
export interface SizeLimit {
  readonly bytes: number;
  readonly setting: string;
}

export interface ForeignServerLimits {
  /** Until a connection stands, TLS included. */
  readonly connectTimeoutMs: number;
  /** Until the first byte of the answer, and between two parts of it. */
  readonly answerTimeoutMs: number;
  /** Of a whole request that is not a watch; 0 = no limit. */
  readonly totalTimeoutMs: number;
  /** Of an answer that is one object or a text, and of an event of a watch. */
  readonly object: SizeLimit;
  /** Of all pages of a list together. */
  readonly list: SizeLimit;
  /** Requests in a row without an answer after which a server rests. */
  readonly failures: number;
  /** Longest rest. */
  readonly maxPauseMs: number;
}

const mebibyte = 2 ** 20;

export const defaultForeignServerLimits: ForeignServerLimits = {
  connectTimeoutMs: 10_000,
  answerTimeoutMs: 30_000,
  totalTimeoutMs: 60_000,
  object: { bytes: 8 * mebibyte, setting: "targets.requests.maxObjectMiB" },
  list: { bytes: 64 * mebibyte, setting: "targets.requests.maxListMiB" },
  failures: 3,
  maxPauseMs: 60_000,
};

/** `place` is where the settings stand in the configuration file. */
export function toForeignServerLimits(settings: ForeignRequestsConfiguration, place: string): ForeignServerLimits {
  return {
    connectTimeoutMs: parseConfiguredDuration(settings.connectTimeout, `${place}.connectTimeout`),
    answerTimeoutMs: parseConfiguredDuration(settings.answerTimeout, `${place}.answerTimeout`),
    totalTimeoutMs: parseConfiguredDuration(settings.totalTimeout, `${place}.totalTimeout`),
    object: { bytes: settings.maxObjectMiB * mebibyte, setting: `${place}.maxObjectMiB` },
    list: { bytes: settings.maxListMiB * mebibyte, setting: `${place}.maxListMiB` },
    failures: settings.unansweredRequests,
    maxPauseMs: parseConfiguredDuration(settings.longestRest, `${place}.longestRest`),
  };
}

/** What a client needs for a server that somebody else runs: it may be slow, gone, or hostile. */
export interface ForeignServer {
  readonly limits: ForeignServerLimits;
  readonly breaker: CircuitBreaker;
  readonly largeAnswers: LargeAnswers;
  /** The breaker has opened. */
  readonly onOpening: () => void;
}

/** The foreign servers of a process. */
export interface ForeignServers {
  /** Clients with an equal connection share its state. */
  of(connection: Connection): ForeignServer;
}

export interface ForeignServersOptions {
  readonly limits?: ForeignServerLimits | undefined;
  readonly random?: Random | undefined;
  readonly metrics?: Pick<RuntimeMetrics, "observeCircuitOpening" | "addCircuits"> | undefined;
}

/** Servers whose state is kept at most; the one that was asked for least recently is forgotten first. */
const maxServers = 2_000;
const firstPauseMs = 5_000;
/** Large answers in memory at a time. */
const largeAnswerLimits = { total: 10, perServer: 2 };

export function createForeignServers(options: ForeignServersOptions = {}): ForeignServers {
  const { limits = defaultForeignServerLimits, random = Math.random, metrics = noMetrics } = options;
  const largeAnswers = createLargeAnswers(largeAnswerLimits);
  const breakers = new Map<string, CircuitBreaker>();
  metrics.addCircuits(() => [...breakers.values()].filter(({ isOpen }) => isOpen).length);
  const { failures, maxPauseMs } = limits;
  const pause = { baseMs: Math.min(firstPauseMs, maxPauseMs), maxMs: maxPauseMs };
  return {
    of(connection) {
      const key = identify(connection);
      const breaker = breakers.get(key) ?? new CircuitBreaker({ failures, pause, random });
      breakers.delete(key);
      breakers.set(key, breaker);
      const [oldest = ""] = breakers.keys();
      if (breakers.size > maxServers) breakers.delete(oldest);
      return { limits, breaker, largeAnswers, onOpening: () => metrics.observeCircuitOpening() };
    },
  };
}

/**
 * Server, authorities, and credentials: a server may keep silent for one user alone, by requests that this user chooses, and that must
 * not count for others.
 */
function identify(connection: Connection): string {
  const { server, ca, cert, token, username, password, tlsServerName, proxyUrl } = connection;
  const parts = [server, ca, cert, token, username, password, tlsServerName, proxyUrl];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64");
}
