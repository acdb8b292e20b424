import { goTemplateTarget } from "./compare-go-templates.ts";
import { helmArchiveTarget } from "./compare-helm-archives.ts";
import { helmChartTarget } from "./compare-helm-charts.ts";
import { helmSchemaTarget } from "./compare-helm-schemas.ts";
import { helmSetTarget } from "./compare-helm-sets.ts";
import { helmTemplateTarget } from "./compare-helm-templates.ts";
import { helmCommandTargets } from "./helm-commands/helm-command-targets.ts";
import { spiffExpressionTarget } from "./compare-spiff-expressions.ts";
import { spiffInterpolationTarget } from "./compare-spiff-interpolations.ts";
import { spiffOutputTarget } from "./compare-spiff-output.ts";
import { spiffTarget, wholeSpiffTarget } from "./compare-spiff.ts";
import { threeWayTarget } from "./compare-three-way.ts";
import { runFuzz, type FuzzLimits, type FuzzTarget } from "./run-fuzz.ts";

/** A comparison of our engine with the real one. */
export interface Comparison {
  readonly name: string;
  /** Parts of the language to count in a run. */
  readonly words: readonly string[];
  readonly run: (limits: FuzzLimits) => ReturnType<typeof runFuzz>;
}

function comparison<T>(name: string, target: FuzzTarget<T>): Comparison {
  return { name, words: target.words ?? [], run: (limits) => runFuzz(target, limits) };
}

/** Comparisons by language. The comparisons of one language share its time equally. */
export const comparisons: Readonly<Record<string, readonly Comparison[]>> = {
  gotemplate: [comparison("templates", goTemplateTarget)],
  helm: [
    comparison("--set", helmSetTarget),
    comparison("values of charts", helmChartTarget),
    comparison("schemas of values", helmSchemaTarget),
    comparison("whole charts", helmTemplateTarget),
    comparison("damaged archives", helmArchiveTarget),
    ...helmCommandTargets.map(({ name, target }) => comparison(name, target)),
  ],
  patch: [comparison("three-way patches", threeWayTarget)],
  spiff: [
    comparison("documents", spiffTarget),
    comparison("whole documents", wholeSpiffTarget),
    comparison("functions", spiffExpressionTarget),
    comparison("interpolations", spiffInterpolationTarget),
    comparison("YAML output", spiffOutputTarget),
  ],
};
