import { fromPlain, type GoMap, isMap } from "@landscaper/golang";
import { TemplateError } from "@landscaper/gotemplate";
import { ChartError } from "../src/chart/chart-error.ts";
import { folderOf } from "../src/chart/chart-folder.ts";
import { loadChartFolder } from "../src/chart/load-chart.ts";
import { checkDependencies, processDependencies } from "../src/dependencies/process-dependencies.ts";
import { formatTemplate } from "../src/manifests/format-template.ts";
import { renderChart } from "../src/rendering/render-chart.ts";
import { renderValues } from "../src/values/render-values.ts";

/** A chart in "chart/" with a user's values; see test-e2e/oracles/helm/template.go. */
export interface TemplateCase {
  readonly files: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** What `helm template --include-crds` prints, and the notes that it does not; or the error alone. */
export interface TemplateCaseResult {
  readonly out: string;
  readonly notes?: string;
  readonly error?: string;
}

/** What we make of a case. */
export async function runTemplateCase({ files, values }: TemplateCase): Promise<TemplateCaseResult> {
  const own = Object.entries(files).map(([path, text]) => [path.replace(/^chart\//, ""), Buffer.from(text)] as const);
  try {
    const loaded = await loadChartFolder(folderOf(new Map(own), "ROOT/chart"));
    checkDependencies(loaded);
    const plain = fromPlain(values);
    const given: GoMap = isMap(plain) ? plain : new Map();
    const chart = processDependencies(loaded, given);
    const rendered = renderChart(chart, {
      values: renderValues(chart, given),
      release: { name: "rel", namespace: "ns" },
      capabilities: { kubeVersion: "v1.35.0" },
    });
    const out = formatTemplate(rendered, { includesCrds: true });
    return { out, ...(rendered.notes === "" ? {} : { notes: rendered.notes }) };
  } catch (error) {
    if (error instanceof ChartError || error instanceof TemplateError) return { out: "", error: error.message };
    throw error;
  }
}
