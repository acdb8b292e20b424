// What `landscaper why` says of objects that are given, for table tests.
import type { DeployItem, Execution, Installation } from "@landscaper/api";
import { now } from "./objects.ts";
import type { Subject } from "../src/why/explain-context.ts";
import { explain } from "../src/why/explain.ts";
import { formatExplanation } from "../src/why/format-explanation.ts";

export interface World {
  readonly installations?: readonly Installation[];
  readonly executions?: readonly Execution[];
  readonly deployItems?: readonly DeployItem[];
  readonly targets?: readonly string[];
}

/** The lines. */
export function why(subject: Subject, world: World): readonly string[] {
  const { installations = [], executions = [], deployItems = [], targets = [] } = world;
  const objects = { installations, executions, deployItems };
  return formatExplanation(explain({ subject, objects, targets: new Set(targets) }, now))
    .trimEnd()
    .split("\n");
}
