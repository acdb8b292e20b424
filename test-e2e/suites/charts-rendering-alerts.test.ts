// Alert rules and dashboards of the charts: promtool takes the rules, each alert fires when it is to and is quiet otherwise, all metrics are those of
// docs/reference/metrics.md, and the guide has a runbook for each alert.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { describeUnless, findProgram, programAbsence } from "@landscaper/testkit";
import { stringify } from "yaml";
import { type AlertCase, alertCases, type Series } from "../charts/alert-cases.ts";
import { documentedMetrics, metricsOf, undocumentedUses } from "../charts/metric-uses.ts";
import { type PackedCharts, packCharts, serviceCharts } from "../charts/packed-charts.ts";
import { type ChartObject, openChart } from "../charts/rendered-chart.ts";

const docs = (name: string): string => readFileSync(join(import.meta.dirname, "../../docs", name), "utf8");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface RuleSpec {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
}

interface Dashboard {
  readonly title: string;
  readonly templating: { readonly list: readonly { readonly query: string }[] };
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}

let charts: PackedCharts;
const rules = new Map<string, RuleSpec>();
const dashboards = new Map<string, Dashboard>();

beforeAll(async () => {
  charts = packCharts();
  for (const chart of serviceCharts) {
    const { render } = await openChart(charts.path(chart));
    const rendering = render({ prometheusRule: { enabled: true }, dashboard: { enabled: true } });
    rules.set(chart, rendering.find("PrometheusRule")["spec"] as RuleSpec); // promtool checks it
    dashboards.set(chart, dashboardOf(rendering.find("ConfigMap", `ls-${chart}-dashboard`), `ls-${chart}.json`));
  }
});
afterAll(() => charts.dispose());

function dashboardOf(map: ChartObject, key: string): Dashboard {
  return JSON.parse(String(Reflect.get(Object(map["data"]), key))) as Dashboard; // as Grafana reads it
}

const allRules = (): Rule[] => [...rules.values()].flatMap(({ groups }) => groups.flatMap((group) => [...group.rules]));
const chartOf = ({ chart }: AlertCase): string => chart ?? "landscaper";

function promtool(...words: readonly string[]): string {
  try {
    return execFileSync(findProgram("promtool") ?? "promtool", words, { encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    return `${String(Reflect.get(Object(error), "stdout"))}${String(Reflect.get(Object(error), "stderr"))}`;
  }
}

function ruleFile(chart: string): string {
  const file = join(charts.folder, `${chart}-rules.yaml`);
  writeFileSync(file, stringify(rules.get(chart)));
  return file;
}

/** What promtool says when it looks at an alert after these series. */
function testAlert(alertCase: AlertCase, series: Series, expected: readonly object[]): string {
  const chart = chartOf(alertCase);
  const { alert, at } = alertCase;
  const file = join(charts.folder, `${alert}.yaml`);
  const input = Object.entries(series).map(([name, values]) => ({ series: name, values }));
  const alerts = [{ eval_time: at, alertname: alert, exp_alerts: expected }];
  const tests = [{ interval: "1m", input_series: input, alert_rule_test: alerts }];
  writeFileSync(file, stringify({ rule_files: [ruleFile(chart)], evaluation_interval: "1m", tests }));
  return promtool("test", "rules", file);
}

const succeeded = /^Unit Testing: .*\n {2}SUCCESS\n\n$/;

describeUnless(programAbsence("promtool"), describe)("alert rules", () => {
  it.each(serviceCharts)("of %s are taken by promtool", (chart) => {
    const count = rules.get(chart)?.groups[0]?.rules.length ?? 0;
    expect(count).toBeGreaterThan(10);
    expect(promtool("check", "rules", ruleFile(chart))).toContain(`SUCCESS: ${count} rules found`);
  });

  it.each(alertCases)("$alert fires, and its text says why", (alertCase) => {
    const { alert, labels, description, fires } = alertCase;
    const rule = rules.get(chartOf(alertCase))?.groups[0]?.rules.find((each) => each.alert === alert);
    const expected = [
      { exp_labels: { ...labels, ...rule?.labels }, exp_annotations: { ...rule?.annotations, description } },
    ];
    expect(testAlert(alertCase, fires, expected)).toMatch(succeeded);
  });

  it.each(alertCases)("$alert is quiet without its cause", (alertCase) => {
    for (const series of alertCase.quiet) expect(testAlert(alertCase, series, [])).toMatch(succeeded);
  });
});

describe("alerts", () => {
  it("have a case each above", () => {
    const names = new Set(allRules().map(({ alert }) => alert));
    expect(alertCases.map(({ alert }) => alert).toSorted()).toEqual([...names].toSorted());
  });

  it("have a runbook each in the guide, which has no other", () => {
    const headings = [...docs("guide/operations.md").matchAll(/^### (Landscaper\w+)$/gm)].map(([, name = ""]) => name);
    expect(headings.toSorted()).toEqual([...new Set(allRules().map(({ alert }) => alert))].toSorted());
  });

  it("say how bad they are, and look at the pods of their release alone", () => {
    for (const { expr, labels } of allRules()) {
      expect(["critical", "warning", "info"]).toContain(labels["severity"]);
      for (const use of metricsOf(expr)) expect(use.labels.slice(0, 2)).toEqual(["namespace", "job"]);
    }
  });

  it("can be left out, and name their runbook", async () => {
    const { render } = await openChart(charts.path("mock-deployer"));
    const prometheusRule = {
      enabled: true,
      disabled: ["LandscaperDown"],
      runbookUrl: "https://example.com/operations",
    };
    const spec = render({ prometheusRule }).find("PrometheusRule")["spec"] as RuleSpec; // as above
    const left = spec.groups.flatMap((group) => group.rules);
    expect(left.map(({ alert }) => alert)).not.toContain("LandscaperDown");
    expect(left[0]?.annotations["runbook_url"]).toBe("https://example.com/operations#landscaperrestarting");
  });
});

describe("metrics", () => {
  const documented = documentedMetrics(docs("reference/metrics.md"));

  it("of alerts and dashboards are documented, with their labels", () => {
    const expressions = [...dashboards.values()].flatMap(({ panels, templating }) => [
      ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
      ...templating.list.map(({ query }) => query),
    ]);
    expect(expressions.length).toBeGreaterThan(50);
    const all = [...allRules().map(({ expr }) => expr), ...expressions];
    expect(all.flatMap((query) => undocumentedUses(query, documented))).toEqual([]);
  });

  it.each([
    ['rate(landscaper_jobs_total{namespace="a"}[5m])', "landscaper_jobs_total is not documented"],
    [
      'sum by (reasons) (landscaper_job_failures_total{kind="a"})',
      "landscaper_job_failures_total has no label reasons",
    ],
    ['leader_election_master_status{lease="a"}', "leader_election_master_status has no label lease"],
  ])("of %s would be named", (query, problem) => {
    expect(undocumentedUses(query, documented)).toEqual([problem]);
  });
});
