import { ContentBudget, processMemory, processorClock } from "@landscaper/budget";
import type { Budget } from "@landscaper/gotemplate";

const mebibyte = 1024 * 1024;

/** Bytes of all that a chart renders to. */
export const maxRenderedBytes = 64 * mebibyte;

/**
 * What one rendering may take on the user's own machine: time and memory that it really takes, so that no honest chart comes to the limits,
 * and one without an end ends.
 */
export function startCommandBudget(): Budget {
  const limits = { timeMs: 600_000, memoryBytes: 768 * mebibyte };
  return {
    content: new ContentBudget({ ...limits, clock: processorClock, memory: processMemory }),
    maxOutput: maxRenderedBytes,
  };
}
