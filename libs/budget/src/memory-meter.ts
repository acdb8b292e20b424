import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The memory of a process. */
export interface MemoryMeter {
  /** Bytes in use, garbage among them. */
  inUse(): number;
  /** Frees the garbage. Takes about a millisecond for each MiB that stays. */
  collect(): void;
}

/** That of this process, or of this worker thread. */
export const processMemory: MemoryMeter = {
  inUse: () => {
    const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
    return heap + external;
  },
  collect: () => {
    collector ??= provideCollector();
    collector();
  },
};

let collector: (() => void) | undefined;

/** V8 gives the function to contexts that are made after the flag was set. */
function provideCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  return typeof collect === "function" ? () => void collect() : () => undefined;
}
