import type { KubeObject, ObjectKey, ResourceType } from "@landscaper/api";
import { isNotFound } from "./api-error.ts";
import type { Random } from "../backoff.ts";
import { callFor, sendingOf } from "./call.ts";
import type { Client, DeleteOptions, ListOptions, ObjectList } from "./client-interface.ts";
import type { Connection } from "./connection/connection.ts";
import type { Clock } from "../controller-interface.ts";
import type { ForeignServer } from "../foreign/foreign-servers.ts";
import { fetchList } from "./fetch-list.ts";
import { noMetrics } from "../observability/metrics-interface.ts";
import type { ApiRequestSample, RuntimeMetrics } from "../observability/metrics-interface.ts";
import { parseObject } from "./parse-answer.ts";
import { createRequestRunner } from "./request-runner.ts";
import { resourcePath } from "./resource-path.ts";
import { createSystemClock } from "../system-clock.ts";
import { streamText } from "./stream-text.ts";
import { createTransport } from "./transport.ts";
import { watchObjects } from "./watch-objects.ts";
import type { WatchContext } from "./watch-objects.ts";
import { deleteObject, patchObject, writeObject } from "./write-object.ts";
import type { WriteContext } from "./write-object.ts";

export interface ClientOptions {
  readonly connection: Connection;
  readonly clock?: Clock | undefined;
  readonly metrics?: RuntimeMetrics | undefined;
  readonly random?: Random | undefined;
  /** Also the field manager of writes that name none. */
  readonly userAgent?: string | undefined;
  /** Requests in flight at most; more wait. Default 64. */
  readonly maxConnections?: number | undefined;
  /** Longest wait for the start of an answer, and between two pieces of it. Default 60 s. */
  readonly requestTimeoutMs?: number | undefined;
  /** For a server that somebody else runs: limits of time and size, and the state that its clients share. */
  readonly foreign?: ForeignServer | undefined;
  /** Longest silence of a watch. Default 150 s (API servers send a bookmark every minute). */
  readonly watchProgressDeadlineMs?: number | undefined;
}

interface ClientContext extends WriteContext, WatchContext {}

/** A client for one API server. It opens connections when first used; `close` cuts them all, watches too. */
export function createClient(options: ClientOptions): Client {
  const clock = options.clock ?? createSystemClock();
  const random = options.random ?? Math.random;
  const userAgent = options.userAgent ?? "landscaper";
  const { metrics = noMetrics, foreign } = options;
  const transport = createTransport({
    connection: options.connection,
    userAgent,
    maxConnections: options.maxConnections ?? 64,
    requestTimeoutMs: options.requestTimeoutMs ?? foreign?.limits.answerTimeoutMs ?? 60_000,
    connectTimeoutMs: foreign?.limits.connectTimeoutMs,
  });
  const host = foreign === undefined ? new URL(transport.server).host : "targets";
  const onRequest = (sample: Omit<ApiRequestSample, "host">): void => metrics.observeApiRequest({ ...sample, host });
  const context: ClientContext = {
    runner: createRequestRunner({ transport, clock, random, onRequest, foreign }),
    transport,
    clock,
    random,
    fieldManager: fieldManagerOf(userAgent),
    progressDeadlineMs: options.watchProgressDeadlineMs ?? 150_000,
  };
  return { ...readMethods(context), ...writeMethods(context), ...otherMethods(context) };
}

/** The name alone, without the version, as kubectl does. */
function fieldManagerOf(userAgent: string): string {
  return userAgent.split("/")[0] ?? userAgent;
}

function readMethods({ runner }: ClientContext): Pick<Client, "get" | "find" | "list"> {
  const get: Client["get"] = async (type, key, options) => {
    const path = resourcePath(type, key);
    return parseObject(await runner.run({ ...callFor("get", type), method: "GET", path, ...sendingOf(options) }), type);
  };
  return {
    get,
    find: async (type, key, options) => {
      try {
        return await get(type, key, options);
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
    list: <T extends KubeObject>(type: ResourceType<T>, options: ListOptions = {}): Promise<ObjectList<T>> =>
      fetchList(runner, type, options),
  };
}

function writeMethods(context: ClientContext): Pick<Client, "create" | "update" | "updateStatus" | "patch" | "delete"> {
  return {
    create: (type, object, options) => writeObject(context, { verb: "create", method: "POST", type, object }, options),
    update: (type, object, options) => writeObject(context, { verb: "update", method: "PUT", type, object }, options),
    updateStatus: (type, object, options) =>
      writeObject(context, { verb: "update", method: "PUT", type, object, subresource: "status" }, options),
    patch: (type, key, patch) => patchObject(context, { type, key, patch }),
    delete: <T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, options: DeleteOptions = {}) =>
      deleteObject(context.runner, { type, key }, options),
  };
}

function otherMethods(
  context: ClientContext,
): Pick<Client, "watch" | "request" | "stream" | "mask" | "server" | "close"> {
  const { runner, transport } = context;
  return {
    server: transport.server,
    mask: (value) => transport.mask(value),
    watch: (type, options) => watchObjects(context, type, options),
    request: async ({ body, ...request }) => {
      const verb = request.method.toLowerCase();
      const encoded = body === undefined ? {} : { body: JSON.stringify(body) };
      return runner.run({ ...request, ...encoded, verb, resource: "other" });
    },
    stream: (request) => streamText({ runner, transport }, request),
    close: () => transport.close(),
  };
}
