import { readFileSync } from "node:fs";
import type { Clock } from "../controller-interface.ts";

/** Pause (ms) between two looks at the files. A kubelet brings a changed Secret within about a minute. */
const lookMs = 5_000;

/** What files held when a process read them. */
export type FileTexts = ReadonlyMap<string, string>;

/** A process that ends because its kubeconfig is another one. */
export class KubeconfigChangedError extends Error {
  override readonly name = "KubeconfigChangedError";

  constructor(file: string) {
    super(`the kubeconfig ${file} has changed: this process ends, to be started again with the new one`);
  }
}

/** The texts of those of the files that are named and can be read; read them before the connections are made of them. */
export function readTexts(files: readonly (string | undefined)[]): FileTexts {
  const texts = new Map<string, string>();
  for (const file of files) {
    const text = file === undefined ? undefined : tryRead(file);
    if (file !== undefined && text !== undefined) texts.set(file, text);
  }
  return texts;
}

function tryRead(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

export interface FollowKubeconfigsOptions {
  /** What the running connections were made of. */
  readonly texts: FileTexts;
  /** Reads the kubeconfigs again; throws for one that cannot be used. */
  readonly load: () => Promise<unknown>;
  readonly clock: Pick<Clock, "sleep">;
}

/**
 * Runs `work` until it ends or `signal` aborts. When a file has another text that can be used, as after the rotation of a mounted Secret, the work
 * is told to end, and this rejects with KubeconfigChangedError once it has: whatever supervises the process starts it again, with the new
 * credentials, certificates and addresses. A file that is missing or cannot be used changes nothing.
 */
export async function followKubeconfigs(
  { texts, load, clock }: FollowKubeconfigsOptions,
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const changed = new AbortController();
  const look = async (): Promise<void> => {
    while (texts.size > 0 && !over.signal.aborted) {
      await clock.sleep(lookMs, AbortSignal.any([signal, over.signal]));
      const file = [...texts.keys()].find((name) => ![undefined, texts.get(name)].includes(tryRead(name)));
      if (file !== undefined && (await canLoad(load))) {
        changed.abort(new KubeconfigChangedError(file));
        return;
      }
    }
  };
  // A sleep that is interrupted rejects.
  const looking = look().catch(() => undefined);
  try {
    await work(AbortSignal.any([signal, changed.signal]));
  } finally {
    over.abort();
    await looking;
  }
  if (changed.signal.aborted && !signal.aborted) throw changed.signal.reason;
}

async function canLoad(load: () => Promise<unknown>): Promise<boolean> {
  try {
    await load();
    return true;
  } catch {
    return false;
  }
}
