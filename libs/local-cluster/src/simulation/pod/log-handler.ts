import type { SubresourceHandler } from "../../http/resource-handler.ts";
import type { LineWriter } from "../../http/answer.ts";
import { textAnswer } from "../../http/answer.ts";
import type { ResourceDefinition } from "../../resources/resource-definition.ts";
import type { RestContext } from "../../rest/rest-context.ts";
import { methodNotAllowed, notFound } from "../../status/status-error.ts";
import type { LogOptions } from "./pod-log.ts";
import { chooseContainer, isGoingOn, parseLogOptions, readLog } from "./pod-log.ts";
import type { SimulatedKubelet } from "./simulated-kubelet.ts";

/** The resources with pods/log among them. */
export function withPodLogs(definitions: readonly ResourceDefinition[]): readonly ResourceDefinition[] {
  return definitions.map((definition) =>
    definition.storage === "pods"
      ? { ...definition, subresources: [...definition.subresources, { name: "log", kind: "Pod", verbs: ["get"] }] }
      : definition,
  );
}

/** GET pods/NAME/log: what the annotations script as the container's log; nothing before the pod is on the node. */
export function createLogHandler(context: RestContext, kubelet: SimulatedKubelet): SubresourceHandler {
  return (request, { definition, namespace, name }) => {
    if (request.method !== "GET") throw methodNotAllowed();
    const pod = context.store.collection("pods").get(namespace, name);
    if (pod === undefined) throw notFound(definition, name);
    const given = parseLogOptions(request.query, context.now());
    const options = { ...given, container: chooseContainer(pod.object, given) };
    const known = kubelet.find(pod.uid);
    if (known === undefined) return textAnswer("");
    const text = readLog(pod.object, known, options);
    if (!options.follow || !isGoingOn(known.run, options.container)) return textAnswer(text);
    return {
      contentType: "text/plain; charset=utf-8",
      start: (writer) => {
        if (text !== "") writer.write(text);
        return endWithContainer({ context, kubelet, uid: pod.uid, options }, writer);
      },
    };
  };
}

interface Followed {
  readonly context: RestContext;
  readonly kubelet: SimulatedKubelet;
  readonly uid: string;
  readonly options: LogOptions;
}

/** Ends a log that is followed when its container ends; the scripted lines have all been written before. */
function endWithContainer({ context, kubelet, uid, options }: Followed, writer: LineWriter): () => void {
  return context.store.subscribe("pods", ({ type, current }) => {
    if (current.uid !== uid) return;
    const run = kubelet.find(uid)?.run;
    if (type === "DELETED" || run === undefined || !isGoingOn(run, options.container)) writer.end();
  });
}
