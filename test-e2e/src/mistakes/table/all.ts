import type { ClusterName } from "../../clusters/selected-clusters.ts";
import type { Mistake } from "../mistake.ts";
import { blueprintMistakes } from "./blueprints.ts";
import { chartMistakes } from "./charts.ts";
import { componentMistakes } from "./components.ts";
import { containerMistakes } from "./containers.ts";
import { importMistakes } from "./imports.ts";
import { installationMistakes } from "./installations.ts";
import { itemMistakes } from "./items.ts";
import { objectMistakes } from "./objects.ts";
import { targetMistakes } from "./targets.ts";
import { templateMistakes } from "./templates.ts";

/** Areas whose explanations have words of the API server, or of the connection to it. */
const serverAreas: readonly Mistake["area"][] = ["targets", "objects"];

/** The mistakes that are made on this cluster: all of them on the embedded one. */
export function mistakesOn(cluster: ClusterName): readonly Mistake[] {
  if (cluster === "embedded") return mistakes;
  return mistakes.filter(({ area, isEmbeddedOnly = false }) => serverAreas.includes(area) && !isEmbeddedOnly);
}

export const mistakes: readonly Mistake[] = [
  ...installationMistakes,
  ...importMistakes,
  ...targetMistakes,
  ...blueprintMistakes,
  ...templateMistakes,
  ...componentMistakes,
  ...itemMistakes,
  ...objectMistakes,
  ...chartMistakes,
  ...containerMistakes,
];
