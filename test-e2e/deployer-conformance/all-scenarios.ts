import type { Scenario } from "./scenario.ts";
import { circumstances } from "./scenarios/circumstances.ts";
import { deletion } from "./scenarios/deletion.ts";
import { exports } from "./scenarios/exports.ts";
import { interruptions } from "./scenarios/interruptions.ts";
import { jobs } from "./scenarios/jobs.ts";
import { otherWriters } from "./scenarios/other-writers.ts";
import { predecessors } from "./scenarios/predecessors.ts";
import { targets } from "./scenarios/targets.ts";
import { time } from "./scenarios/time.ts";

/** What a deployer has to do, in the order of the protocol. */
export const allScenarios: readonly Scenario[] = [
  ...jobs,
  ...circumstances,
  ...time,
  ...interruptions,
  ...otherWriters,
  ...deletion,
  ...exports,
  ...targets,
  ...predecessors,
];
