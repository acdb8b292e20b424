import { kubeResources, LandscaperError, type ObjectKey, type Pod } from "@landscaper/api";
import { describeError, reflect, type Client, type Clock } from "@landscaper/controller-runtime";
import { mainStateOf, type MainState } from "./main-state.ts";

export interface FollowOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: (line: string) => void;
  readonly pod: ObjectKey & { readonly namespace: string };
  /** Aborted when the Pod is stopped. */
  readonly stopped: AbortSignal;
  /** How long the program may take from then on. */
  readonly stopMs: number;
}

/**
 * Resolves to what is known of the program of the Pod when it has ended, by a watch that is taken up again for as long as it takes. A kubelet that stops a Pod does not say that one of its
 * containers has ended before all have: then it resolves `stopMs` later ("open"), or at once when the program could not be started. Throws LandscaperError (PodVanished).
 */
export async function followMain(options: FollowOptions): Promise<MainState> {
  const { client, clock, random, log, pod, stopped, stopMs } = options;
  const ending = new AbortController();
  const seen: { main: MainState; isPodGone: boolean } = { main: { kind: "open" }, isPodGone: false };
  let cancel = (): void => {};
  const end = (): void => ending.abort(new Error("the program has ended"));
  const endIfDone = (): void => {
    const isDone = seen.main.kind === "ended" || (stopped.aborted && seen.main.kind === "not started");
    if (isDone || seen.isPodGone) end();
  };
  const onPod = (found: Pod | undefined): void => {
    if (found === undefined) seen.isPodGone = true;
    else seen.main = mainStateOf(found);
    endIfDone();
  };
  const onStop = (): void => {
    log("the Pod is stopped");
    cancel = clock.schedule(stopMs, end);
    endIfDone();
  };
  if (stopped.aborted) onStop();
  else stopped.addEventListener("abort", onStop, { once: true });
  await reflect<Pod>(
    {
      client,
      clock,
      random,
      type: kubeResources.pod,
      selection: { namespace: pod.namespace, fieldSelector: `metadata.name=${pod.name}` },
      onList: ({ items: [found] }) => onPod(found),
      onEvent: (type, found) => onPod(type === "DELETED" ? undefined : found),
      onFailure: (error, delayMs) => log(`the Pod cannot be watched for ${delayMs} ms: ${textOf(error)}`),
    },
    ending.signal,
  );
  stopped.removeEventListener("abort", onStop);
  cancel();
  if (seen.isPodGone) throw vanished(pod);
  return seen.main;
}

function textOf(error: unknown): string {
  const { type, message } = describeError(error);
  return `${String(type)}: ${String(message)}`;
}

function vanished({ namespace, name }: FollowOptions["pod"]): LandscaperError {
  return new LandscaperError({
    reason: "PodVanished",
    message: `Pod ${namespace}/${name} is not there any more, although its containers run`,
    codes: ["ERR_INTERNAL_PROBLEM"],
    retry: "never",
  });
}
