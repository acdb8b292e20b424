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
  const { context, target, query, form } = serving;
  const { definition, namespace, name } = target;
  const parsed = parseSelection(definition, query);
  const byName = { field: "metadata.name", equal: true, value: name };
  const selection = name === "" ? parsed : { ...parsed, fields: [...parsed.fields, byName] };
  const version = query.get("resourceVersion") ?? "";
  const revision = version === "" ? 0 : parseRevision(version);
  const includeObject = parseIncludeObject(query);
  return {
    start: (writer) => {
      const presentation: Presentation = { definition, form, includeObject, now: context.now() };
      const sink = createSink(writer, presentation, context);
      const request = {
        scope: { definition, namespace, selection },
        from: revision === 0 ? undefined : revision,
        sendInitialEvents: query.get("sendInitialEvents") === "true",
      };
      const bookmark = (): void => sink.bookmark(context.store.revision, false);
      const stopWatch = startWatch(context, request, sink);
      const stopTimers = startTimers(serving, writer, bookmark);
      const stopWaiting = context.resources.onDrop(definition, () => writer.end());
      return () => {
        stopWatch();
        stopWaiting();
        stopTimers();
      };
    },
  };
}

/** Ends the stream after `timeoutSeconds`, and sends bookmarks when they are wanted: every minute and as the last line. */
function startTimers({ query, schedule }: WatchServing, writer: LineWriter, bookmark: () => void): () => void {
  const wantsBookmarks = query.get("allowWatchBookmarks") === "true";
  const timeoutSeconds = Number(query.get("timeoutSeconds") ?? "0");
  const stop: (() => void)[] = [];
  if (wantsBookmarks) stop.push(sendBookmarks(schedule, bookmark));
  if (timeoutSeconds > 0) {
    const end = (): void => {
      if (wantsBookmarks) bookmark();
      writer.end();
    };
    stop.push(schedule(timeoutSeconds * 1000, end));
  }
  return () => {
    for (const end of stop) end();
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
      writer.write(`${JSON.stringify({ type: "BOOKMARK", object: { ...bookmarkType(presentation), metadata } })}\n`);
    },
    error: (status) => {
      writer.write(`${JSON.stringify({ type: "ERROR", object: status })}\n`);
      writer.end();
    },
  };
}

/** A bookmark has the type of the stream's other objects. */
function bookmarkType({ definition, form }: Presentation): Readonly<Record<string, unknown>> {
  switch (form.form) {
    case "object":
    case "discovery":
      return { kind: definition.kind, apiVersion: groupVersionOf(definition) };
    case "metadata":
      return { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${form.version}` };
    case "table":
      return { kind: "Table", apiVersion: `meta.k8s.io/${form.version}`, columnDefinitions: null, rows: [] };
  }
}
