import { otherSamples } from "./other-samples.ts";
import type { Sample } from "./sample.ts";
import { workloadSamples } from "./workload-samples.ts";

/** One valid object of each built-in kind. */
export const samples: readonly Sample[] = [...workloadSamples, ...otherSamples];
