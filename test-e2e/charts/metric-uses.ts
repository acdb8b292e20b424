/** A metric with its labels, as docs/reference/metrics.md has it or as a query uses it. */
export interface MetricLabels {
  readonly name: string;
  readonly labels: readonly string[];
}

/** The metrics of the tables of a page. */
export function documentedMetrics(page: string): MetricLabels[] {
  const rows = page.matchAll(/^\| `(\w+)` \| ([^|]*) \|/gm);
  return [...rows].map(([, name = "", labels = ""]) => ({
    name,
    labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = ""]) => label),
  }));
}

/** The metrics of a query: in ours each has labels in braces. Labels by which a query groups count for all of its metrics. */
export function metricsOf(query: string): MetricLabels[] {
  const grouping = [...query.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, labels = ""]) => labels.split(", "));
  const uses = query.matchAll(/\b([a-z_]\w*)\{([^}]*)\}/g);
  return [...uses].map(([, name = "", selector = ""]) => ({
    name,
    labels: [...[...selector.matchAll(/(\w+)\s*(?:=~|!=|=)/g)].map(([, label = ""]) => label), ...grouping],
  }));
}

/** Prometheus gives them to every series of a ServiceMonitor. */
const labelsOfScrapes = ["namespace", "job", "pod", "le"];

/** What of a query is not documented; the metric of Prometheus itself and those of every process are. */
export function undocumentedUses(query: string, documented: readonly MetricLabels[]): string[] {
  return metricsOf(query).flatMap(({ name, labels }) => {
    if (name === "up" || name.startsWith("process_")) return [];
    const base = name.replace(/_(bucket|sum|count)$/, "");
    const metric = documented.find((each) => each.name === name) ?? documented.find((each) => each.name === base);
    if (metric === undefined) return [`${name} is not documented`];
    const known = new Set([...metric.labels, ...labelsOfScrapes]);
    return labels.filter((label) => !known.has(label)).map((label) => `${name} has no label ${label}`);
  });
}
