import type { FuzzTarget } from "../run-fuzz.ts";
import { helmCommandTarget } from "./compare-helm-commands.ts";
import { dialectObjects } from "./dialect-objects.ts";
import { dialectTexts } from "./dialect-texts.ts";
import { dialectValues } from "./dialect-values.ts";
import type { HelmCommand } from "./helm-command.ts";
import { helmCases } from "./helm-cases.ts";

interface NamedTarget {
  readonly name: string;
  readonly target: FuzzTarget<HelmCommand>;
}

/** Comparisons with the command of Helm 4; what the versions differ in also with that of Helm 3. */
export const helmCommandTargets: readonly NamedTarget[] = [
  { name: "Helm 4: --set", target: helmCommandTarget(helmCases.sets, ["4"]) },
  { name: "Helm 4: values of charts", target: helmCommandTarget(helmCases.charts, ["4"]) },
  { name: "Helm 4: schemas of values", target: helmCommandTarget(helmCases.schemas, ["4"]) },
  { name: "Helm 4: whole charts", target: helmCommandTarget(helmCases.templates, ["4"]) },
  { name: "Helm 4: damaged archives", target: helmCommandTarget(helmCases.archives, ["4"]) },
  { name: "both versions: values", target: helmCommandTarget(dialectValues, ["3", "4"]) },
  { name: "both versions: rendered texts", target: helmCommandTarget(dialectTexts, ["3", "4"]) },
  { name: "both versions: objects and errors", target: helmCommandTarget(dialectObjects, ["3", "4"]) },
];
