import { awaitsAgent, type Installation } from "@landscaper/api";
import { nameOf } from "../../object-reading.ts";
import type { Pair } from "../pair.ts";
import { madeFrom, templateHash } from "./template-hash.ts";

/** Why the Installation of a deployer is neither made nor changed now (docs/reference/deployer-management.md#rollout). */
export type Hold = "suspended" | "rollout" | "itemsRemain" | "awaitsAgent";

/**
 * What keeps a deployer from getting the present template of its registration. One that has it already is kept in order, and a registration
 * without `rollout` holds nothing back; what the status chooses counts for the generation that it is about.
 */
export function findHold(
  { registration, environment }: Pair,
  installation: Installation | undefined,
): Hold | undefined {
  if (environment.spec.suspend === true) return "suspended";
  if (awaitsAgent(environment)) return "awaitsAgent";
  const { spec, status, metadata } = registration;
  if (spec.rollout === undefined) return undefined;
  if (installation !== undefined && madeFrom(installation) === templateHash(registration)) return undefined;
  const isOfGeneration = status?.observedGeneration === metadata.generation;
  const isChosen = isOfGeneration && status?.rollout?.environments.includes(nameOf(environment)) === true;
  return isChosen ? undefined : "rollout";
}
