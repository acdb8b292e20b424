import type { Abilities, Scenario } from "./scenario.ts";
import { dataFlow } from "./scenarios/data-flow.ts";
import { executions } from "./scenarios/executions.ts";
import { jobProtocol } from "./scenarios/job-protocol.ts";
import { objects } from "./scenarios/objects.ts";
import { operations } from "./scenarios/operations.ts";
import { targets } from "./scenarios/targets.ts";

/** The scenarios that an implementation with these abilities has to pass. */
export function scenariosFor(abilities: Abilities): readonly Scenario[] {
  const all = [...jobProtocol, ...objects, ...dataFlow, ...targets, ...executions, ...operations];
  return all.filter(({ needs }) => needs === undefined || abilities[needs] !== undefined);
}
