import { resources, type KubeObject, type ResourceType } from "@landscaper/api";
import { createInformer, createSystemClock, type Client, type Logger } from "@landscaper/controller-runtime";
import { loadTree } from "./load-tree.ts";
import type { TreeObjects } from "./object-index.ts";

export interface WatchTreeOptions {
  readonly client: Client;
  readonly namespace: string;
  /** Aborts the first look at the cluster, and the watch. */
  readonly signal: AbortSignal;
  /** Ends the watch after the first look. The consumer gets at least the objects of the first look. */
  readonly until?: AbortSignal | undefined;
  /** Told what the watch has trouble with; it goes on by itself. */
  readonly warn: (text: string) => void;
  /** Yields also without a change after so many ms, for what shows ages. */
  readonly tickMs?: number | undefined;
}

/** Changes that come together are shown together. */
const pauseMs = 100;

/**
 * The objects of a namespace, now and after each change, until a signal is aborted or the consumer has seen enough. What the first
 * look at the cluster fails with is thrown; later trouble is told, and the watch resumes.
 */
export async function* watchTree(options: WatchTreeOptions): AsyncGenerator<TreeObjects> {
  const { client, namespace, tickMs } = options;
  const ended = new AbortController();
  const until = options.until ?? ended.signal;
  const signal = AbortSignal.any([options.signal, until, ended.signal]);
  const clock = createSystemClock();
  let wake: () => void = () => {};
  const log = toLogger(options.warn);
  const watch = <T extends KubeObject>(type: ResourceType<T>) => {
    const informer = createInformer({ client, type, namespace, clock, log });
    informer.addHandler({ onAdd: () => wake(), onUpdate: () => wake(), onDelete: () => wake() });
    return informer;
  };
  const [installations, executions, deployItems] = [
    watch(resources.installation),
    watch(resources.execution),
    watch(resources.deployItem),
  ];
  signal.addEventListener("abort", () => wake());
  const informers = [installations, executions, deployItems];
  let unseen = await firstLook(options);
  if (unseen === undefined) return;
  let running: Promise<unknown> = Promise.resolve();
  try {
    running = Promise.all(informers.map((informer) => informer.run(signal)));
    await Promise.all(informers.map((informer) => informer.waitForSync(signal)));
    while (!signal.aborted) {
      const changed = new Promise<void>((resolve) => (wake = resolve));
      unseen = undefined;
      yield {
        installations: installations.lister.list(),
        executions: executions.lister.list(),
        deployItems: deployItems.lister.list(),
      };
      const cancel = tickMs === undefined ? undefined : clock.schedule(tickMs, wake);
      await changed;
      cancel?.();
      await clock.sleep(pauseMs, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    ended.abort();
    await running;
  }
  if (unseen !== undefined && !options.signal.aborted) yield unseen;
}

/** Returns undefined if the signal is aborted. */
async function firstLook({ client, namespace, signal }: WatchTreeOptions): Promise<TreeObjects | undefined> {
  try {
    return await loadTree(client, { namespace, signal });
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

function toLogger(warn: (text: string) => void): Logger {
  const tell: Logger["warn"] = (_fields, message) => warn(`warning: ${message}\n`);
  const log: Logger = { debug: () => {}, info: () => {}, warn: tell, error: tell, child: () => log };
  return log;
}
