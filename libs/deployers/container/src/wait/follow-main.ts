import { kubeResources, LandscaperError, type ObjectKey, type Pod } from "@landscaper/api";
import { describeError, reflect, type Client, type Clock } from "@landscaper/controller-runtime";
import { mainStateOf, patienceOf, timeToPack, type MainState } from "./main-state.ts";
import { WatchGap } from "./watch-gap.ts";

export interface FollowOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: (line: string) => void;
  readonly pod: ObjectKey & { readonly namespace: string };
  /** Grace period of the Pod in seconds, from the job file. */
  readonly graceSeconds: number;
  /** Aborted when the kubelet stops the container: the program has ended. */
  readonly stopped: AbortSignal;
}

interface Seen {
  main: MainState;
  isPodGone: boolean;
  pod: Pod | undefined;
  /** When the kubelet stopped wait. */
  stoppedAt: number | undefined;
}

/**
 * Resolves to what is known of the program of the Pod when it has ended, by a watch that is taken up again for as long as it takes. "open": of a Pod that is deleted a while before the kubelet kills a
 * program that does not end; or the kubelet has stopped wait, and the API server does not tell why. Throws LandscaperError (PodVanished), once
 * the kubelet has stopped wait.
 */
export async function followMain(options: FollowOptions): Promise<MainState> {
  const { client, clock, random, log, pod, graceSeconds, stopped } = options;
  const ending = new AbortController();
  // Times are of a clock that nobody sets: that of the API server may show another time of day.
  const seen: Seen = {
    main: { kind: "open" },
    isPodGone: false,
    pod: undefined,
    stoppedAt: undefined,
  };
  const gap = new WatchGap();
  let cancel = (): void => {};
  let due = Number.POSITIVE_INFINITY;
  const end = (): void => ending.abort(new Error("the program has ended"));
  const endAt = (time: number): void => {
    if (time >= due) return;
    due = time;
    cancel();
    cancel = clock.schedule(Math.max(time - clock.elapsed(), 0), end);
  };
  const limitPatience = (): void => {
    if (seen.stoppedAt !== undefined) endAt(seen.stoppedAt + patienceOf(seen.pod, graceSeconds));
  };
  const endIfDone = (): void => {
    if (seen.main.kind === "ended" || seen.isPodGone) end();
  };
  const onPod = (found: Pod | undefined): void => {
    if (found === undefined) seen.isPodGone = true;
    else {
      seen.main = mainStateOf(found);
      seen.pod = found;
      limitPatience();
      const packMs = timeToPack(found);
      const elapsedMs = clock.elapsed();
      // The Pod may have been deleted while it was not watched.
      if (packMs !== undefined) endAt((gap.since(elapsedMs) ?? elapsedMs) + packMs);
    }
    endIfDone();
  };
  const onStop = (): void => {
    log("the Pod is stopped");
    seen.stoppedAt = clock.elapsed();
    limitPatience();
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
      onOpen: () => gap.open(clock.elapsed()),
      onEvent: (type, found) => onPod(type === "DELETED" ? undefined : found),
      onFailure: (error, delayMs) => {
        gap.lose(clock.elapsed());
        log(`the Pod cannot be watched for ${delayMs} ms: ${textOf(error)}`);
      },
    },
    ending.signal,
  );
  stopped.removeEventListener("abort", onStop);
  cancel();
  if (!seen.isPodGone) return seen.main;
  log("the Pod is not there any more");
  await untilStopped(options);
  throw vanished(pod);
}

/**
 * Resolves when the kubelet stops wait. If wait ended before while its program runs, the kubelet would start it again: then its Pod may be gone, and its
 * rights may be those of the next Pod.
 */
export async function untilStopped({
  clock,
  log,
  stopped,
}: Pick<FollowOptions, "clock" | "log" | "stopped">): Promise<void> {
  if (stopped.aborted) return;
  log("wait ends when the kubelet stops it");
  await clock.sleep(Number.POSITIVE_INFINITY, stopped).catch(() => {});
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
