import { resources, type KubeObject, type ResourceType } from "@landscaper/api";
import { describeError, reflect, type Client, type Clock, type Logger } from "@landscaper/controller-runtime";
import { readVersion, type EventKind } from "./object-version.ts";
import type { FollowKind } from "./transition-feed.ts";

export interface FollowVersionsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
}

const types: Readonly<Record<EventKind, ResourceType>> = {
  Installation: resources.installation,
  Execution: resources.execution,
  DeployItem: resources.deployItem,
};

/** Lists and watches on an API server, in requests of its own: informers do not have the versions between two states. */
export function followVersions({ client, clock, log }: FollowVersionsOptions): FollowKind {
  return async (kind, observer, signal) => {
    await reflect(
      {
        client,
        type: types[kind],
        clock,
        random: Math.random,
        selection: {},
        from: observer.from,
        wantsHistory: true,
        reduce: reduceObject,
        onList: ({ items, resourceVersion }) => observer.onList(items, resourceVersion),
        onEvent: (type, object) => observer.onVersion(object, type === "DELETED"),
        onBookmark: (resourceVersion) => observer.onBookmark(resourceVersion),
        onRestored: () => log.warn({ kind }, "events: the API server was restored to an older state"),
        ready: () => observer.ready(),
        onFailure: (error, delayMs) =>
          log.warn(
            { kind, delayMs, error: describeError(error) },
            "events: list or watch failed; the publisher retries",
          ),
      },
      signal,
    );
  };
}

interface WithStatus extends KubeObject {
  readonly status?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns the parts of an object that events are made from, with bounded texts: a list holds one for each object. */
export function reduceObject(object: KubeObject): KubeObject {
  const { apiVersion, kind } = object;
  const { namespace, name, uid, resourceVersion, phase, jobID, jobIDFinished, error: lastError } = readVersion(object);
  const reduced: WithStatus = {
    apiVersion,
    kind,
    metadata: { namespace, name, uid, resourceVersion },
    status: { phase, jobID, jobIDFinished, lastError },
  };
  return reduced;
}
