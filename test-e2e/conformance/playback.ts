import type { Api, Item } from "../src/kits/plain-api.ts";
import { isConflict } from "../src/kits/plain-api.ts";
import { deleteWithoutUninstall, finalizer, isFinal } from "../src/kits/contract-names.ts";

/** The type that the suite's own deployer serves. */
export const playbackType = "conformance.test/playback";

/** What the suite's deployer does with an item; the ProviderConfiguration of its items. */
export interface Playback {
  /** "Hold": it is picked up, and ended by the scenario. */
  readonly outcome?: "Succeeded" | "Failed" | "Hold";
  readonly onDelete?: "Succeeded" | "Failed" | "Hold";
  readonly exports?: unknown;
  /** For scenarios that change an item. */
  readonly text?: string;
}

/** A deployer as the contract wants it. Its log tells what it was asked for. */
export interface Deployer {
  /** "install NAME" and "uninstall NAME" in the order of pickup, with the names that items have in their Execution. */
  readonly log: readonly string[];
  /** What an implementation did that the contract forbids. */
  readonly violations: readonly string[];
  /** Ends an item that is held. */
  finish(item: Item, phase: "Succeeded" | "Failed" | "DeleteFailed"): Promise<void>;
  /** Ends the uninstallation of an item that is held. */
  release(item: Item): Promise<void>;
  stop(): Promise<void>;
}

const pauseMs = 40;
const now = (): string => new Date().toISOString();

function playbackOf(item: Item): Playback {
  // Only the suite writes items of its type.
  const config: Playback = item.spec?.["config"] ?? {};
  return config;
}

const isOpen = ({ status }: Item): boolean => (status?.jobID ?? "") !== "" && status?.jobID !== status?.jobIDFinished;

/** Starts a deployer for one namespace; `nameOf` says how the log calls an item. */
export function startPlayback(api: Api, nameOf: (item: Item) => string): Deployer {
  const log: string[] = [];
  const violations: string[] = [];
  const jobs = new Map<string, string>();
  const stopping = new AbortController();

  /** A job may be replaced only when it has ended (seed-002, "Status"). */
  function watchJob(item: Item): void {
    const { uid = "", name } = item.metadata;
    const { jobID = "" } = item.status ?? {};
    const before = jobs.get(uid);
    if (before !== undefined && before !== jobID) violations.push(`${name}: job ${before} was replaced while open`);
    if (isOpen(item)) jobs.set(uid, jobID);
    else jobs.delete(uid);
  }

  async function write(item: Item, status: Readonly<Record<string, unknown>>): Promise<Item> {
    return api.putStatus({ ...item, status: { ...item.status, ...status } });
  }

  async function pickUp(item: Item): Promise<Item> {
    const isDeleted = item.metadata.deletionTimestamp !== undefined;
    log.push(`${isDeleted ? "uninstall" : "install"} ${nameOf(item)}`);
    return write(item, {
      phase: isDeleted ? "Deleting" : "Progressing",
      observedGeneration: item.metadata.generation ?? 0,
      lastReconcileTime: now(),
      deployer: { identity: "conformance", name: "playback", version: "v1" },
    });
  }

  async function writeExports(item: Item): Promise<Readonly<Record<string, unknown>>> {
    const { exports } = playbackOf(item);
    if (exports === undefined) return {};
    const { name, namespace } = item.metadata;
    const secret = `${name}-export`;
    const stringData = { config: JSON.stringify(exports) };
    if ((await api.find("Secret", secret)) === undefined) {
      await api.create({ apiVersion: "v1", kind: "Secret", metadata: { name: secret }, stringData });
    } else await api.patch("Secret", secret, { stringData });
    return { exportRef: { name: secret, namespace } };
  }

  async function finish(item: Item, phase: string): Promise<void> {
    const exported = phase === "Succeeded" ? await writeExports(item) : {};
    const lastError = {
      operation: "Playback",
      reason: "Asked",
      message: "the playback says so",
      lastTransitionTime: now(),
      lastUpdateTime: now(),
    };
    await write(item, {
      ...exported,
      phase,
      jobIDFinished: item.status?.jobID,
      lastError: phase === "Succeeded" ? undefined : lastError,
    });
    jobs.delete(item.metadata.uid ?? "");
  }

  async function release({ metadata: { name, finalizers = [], uid = "" } }: Item): Promise<void> {
    await api.patch("DeployItem", name, {
      metadata: { finalizers: finalizers.filter((each) => each !== finalizer) },
    });
    jobs.delete(uid);
  }

  async function end(item: Item): Promise<void> {
    const { outcome = "Succeeded", onDelete = "Succeeded" } = playbackOf(item);
    if (item.metadata.deletionTimestamp === undefined) {
      if (outcome !== "Hold") await finish(item, outcome);
      return;
    }
    const [key = ""] = Object.keys(deleteWithoutUninstall);
    if (item.metadata.annotations?.[key] === "true" || onDelete === "Succeeded") await release(item);
    else if (onDelete === "Failed") await finish(item, "DeleteFailed");
  }

  async function act(item: Item): Promise<void> {
    watchJob(item);
    if (!isOpen(item)) return;
    const phase = item.status?.phase ?? "";
    if (phase !== "" && !isFinal(phase)) return;
    try {
      await end(await pickUp(item));
    } catch (error) {
      // Somebody else has written the item: the next round sees what. It is picked up again if it must be.
      if (!isConflict(error)) throw error;
    }
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      const items = await api.list("DeployItem");
      await Promise.all(items.filter(({ spec }) => spec?.["type"] === playbackType).map(act));
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  })();
  const failure = running.catch((error: unknown) => error);

  return {
    log,
    violations,
    finish,
    release,
    async stop() {
      stopping.abort();
      const error = await failure;
      if (error !== undefined) throw error;
    },
  };
}
