import type { KubeObject, ResourceType } from "@landscaper/api";
import { ConnectionError } from "./api-error.ts";
import type { Random } from "../backoff.ts";
import { callFor, sendingOf } from "./call.ts";
import type { WatchEvent, WatchOptions } from "./client-interface.ts";
import type { Clock } from "../controller-interface.ts";
import { metadataAccept } from "./fetch-list.ts";
import type { RequestRunner } from "./request-runner.ts";
import { queryString, resourcePath } from "./resource-path.ts";
import type { Transport } from "./transport.ts";
import { readWatchEvents } from "./watch-stream.ts";

export interface WatchContext {
  readonly runner: RequestRunner;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly progressDeadlineMs: number;
}

/** Opens a watch when iterated. An error answer (410 too) is thrown as ApiError, a broken stream as ConnectionError. */
export async function* watchObjects<T extends KubeObject>(
  context: WatchContext,
  type: ResourceType<T>,
  options: WatchOptions,
): AsyncGenerator<WatchEvent<T>, void> {
  const { runner, clock, random, transport, progressDeadlineMs } = context;
  const path = resourcePath(type, { namespace: options.namespace });
  const response = await runner.open({
    ...callFor("watch", type),
    method: "GET",
    path,
    query: queryString({
      watch: true,
      allowWatchBookmarks: true,
      resourceVersion: options.resourceVersion,
      timeoutSeconds: options.timeoutSeconds ?? Math.round(300 + 300 * random()),
      labelSelector: options.labelSelector,
      fieldSelector: options.fieldSelector,
    }),
    ...(options.metadataOnly === true ? { accept: metadataAccept } : {}),
    isWatch: true,
    ...sendingOf(options),
  });
  options.onOpen?.();
  const request = { method: "WATCH", path };
  const { server } = transport;
  const lineLimit = runner.limits?.object;
  try {
    const events = { type, request, server, clock, progressDeadlineMs, lineLimit };
    for await (const event of readWatchEvents(response.body, events)) {
      yield event.type === "ERROR" ? { type: "ERROR", status: transport.mask(event.status) } : event;
    }
  } catch (error) {
    throw error instanceof ConnectionError
      ? error
      : transport.failure({ method: "GET", path, ...sendingOf(options) }, error);
  }
}
