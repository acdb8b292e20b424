import { parseRevision } from "../rest/list-objects.ts";
import type { RestContext, RestTarget } from "../rest/rest-context.ts";
import { parseSelection } from "../rest/selection.ts";
import { groupVersionOf } from "../resources/resource-definition.ts";
import { startWatch } from "../watch/start-watch.ts";
import type { LineWriter, StreamAnswer } from "./answer.ts";
import type { MediaForm } from "./negotiate.ts";
import type { Presentation } from "./present.ts";
import { parseIncludeObject, presentEvent } from "./present.ts";

/** How often a quiet watch that wants bookmarks gets one. */
const bookmarkIntervalMs = 60_000;

/** Timers of streams; cancelled by the returned function. */
export type Schedule = (ms: number, callback: () => void) => () => void;

export interface WatchServing {
  readonly context: RestContext;
  readonly target: RestTarget;
  readonly query: URLSearchParams;
  readonly form: MediaForm;
  readonly schedule: Schedule;
}

/** GET with watch=true: one JSON line per event until `timeoutSeconds` have passed. */
export function serveWatch(serving: WatchServing): StreamAnswer {
  const { context, target, query, form, schedule } = serving;
  const { definition, namespace, name } = target;
  const parsed = parseSelection(definition, query);
  const byName = { field: "metadata.name", equal: true, value: name };
  const selection = name === "" ? parsed : { ...parsed, fields: [...parsed.fields, byName] };
  const version = query.get("resourceVersion") ?? "";
  const revision = version === "" ? 0 : parseRevision(version);
  const includeObject = parseIncludeObject(query);
  const timeoutSeconds = Number(query.get("timeoutSeconds") ?? "0");
  return {
    start: (writer) => {
      const presentation: Presentation = { definition, form, includeObject, now: context.now() };
      const sink = createSink(writer, presentation, context);
      const request = {
        scope: { definition, namespace, selection },
        from: revision === 0 ? undefined : revision,
        sendInitialEvents: query.get("sendInitialEvents") === "true",
      };
      const stop = [startWatch(context, request, sink)];
      if (timeoutSeconds > 0) stop.push(schedule(timeoutSeconds * 1000, () => writer.end()));
      if (query.get("allowWatchBookmarks") === "true")
        stop.push(sendBookmarks(schedule, () => sink.bookmark(context.store.revision, false)));
      return () => {
        for (const end of stop) end();
      };
    },
  };
}

function sendBookmarks(schedule: Schedule, send: () => void): () => void {
  let cancel = (): void => undefined;
  const next = (): void => {
    cancel = schedule(bookmarkIntervalMs, () => {
      send();
      next();
    });
  };
  next();
  return () => cancel();
}

function createSink(
  writer: LineWriter,
  presentation: Presentation,
  context: RestContext,
): Parameters<typeof startWatch>[2] {
  const { definition } = presentation;
  let isFirst = true;
  return {
    event: (type, stored) => {
      const object = presentEvent({ ...presentation, now: context.now() }, stored, isFirst);
      isFirst = false;
      writer.write(`{"type":"${type}","object":${object}}\n`);
    },
    bookmark: (revision, initialEventsEnd) => {
      const metadata = {
        resourceVersion: String(revision),
        ...(initialEventsEnd ? { annotations: { "k8s.io/initial-events-end": "true" } } : {}),
      };
      const object = { kind: definition.kind, apiVersion: groupVersionOf(definition), metadata };
      writer.write(`${JSON.stringify({ type: "BOOKMARK", object })}\n`);
    },
    error: (status) => {
      writer.write(`${JSON.stringify({ type: "ERROR", object: status })}\n`);
      writer.end();
    },
  };
}
