import type { ValueSchema } from "./value-schema.ts";

/** One line of a panel. */
interface Query {
  readonly expr: string;
  readonly legend: string;
}

interface Panel {
  readonly title: string;
  /** What to make of it. */
  readonly description: string;
  readonly unit?: "s" | "short" | "ops" | "bytes";
  readonly queries: readonly Query[];
}

interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** The pods that the variables of the dashboard select. */
const selected = 'namespace="$namespace", job=~"$job"';
const quantile = (metric: string, by: string): string =>
  `histogram_quantile(0.95, sum by (le, ${by}) (rate(${metric}_bucket{${selected}}[5m])))`;
const rate = (metric: string, by: string): string => `sum by (${by}) (rate(${metric}{${selected}}[5m]))`;

const jobs: Row = {
  title: "Jobs",
  panels: [
    {
      title: "Jobs that ended",
      description: "By kind and result.",
      unit: "ops",
      queries: [{ expr: rate("landscaper_job_duration_seconds_count", "kind, result"), legend: "{{kind}} {{result}}" }],
    },
    {
      title: "Failures by reason",
      description: "docs/errors.md of the project says what each reason means.",
      unit: "ops",
      queries: [{ expr: rate("landscaper_job_failures_total", "kind, reason"), legend: "{{kind}} {{reason}}" }],
    },
    {
      title: "Duration of jobs (95 %)",
      description: "From the trigger of a job to its end.",
      unit: "s",
      queries: [{ expr: quantile("landscaper_job_duration_seconds", "kind, result"), legend: "{{kind}} {{result}}" }],
    },
  ],
};

const objects: Row = {
  title: "Objects",
  panels: [
    {
      title: "Installations by phase",
      description: "New are those that never had a job.",
      queries: [{ expr: `max by (phase) (landscaper_installations{${selected}})`, legend: "{{phase}}" }],
    },
    {
      title: "DeployItems that wait for a deployer",
      description: "By type. More than a moment: no deployer takes items of this type, or of their Targets.",
      queries: [{ expr: `max by (type) (landscaper_deploy_items_waiting{${selected}})`, legend: "{{type}}" }],
    },
    {
      title: "Leaders",
      description: "One pod holds each Lease. None: no work is done.",
      queries: [{ expr: `leader_election_master_status{${selected}} == 1`, legend: "{{name}} {{pod}}" }],
    },
    {
      title: "CloudEvents",
      description: "Refused ones were given up. Gaps: changes before them may have been missed.",
      unit: "ops",
      queries: [
        { expr: rate("landscaper_events_published_total", "pod"), legend: "{{pod}} published" },
        { expr: rate("landscaper_events_refused_total", "pod"), legend: "{{pod}} refused" },
        { expr: rate("landscaper_events_gaps_total", "pod"), legend: "{{pod}} gaps" },
      ],
    },
    {
      title: "CloudEvents that wait for NATS",
      description: "Age of the oldest one.",
      unit: "s",
      queries: [{ expr: `max by (pod) (landscaper_events_lag_seconds{${selected}})`, legend: "{{pod}}" }],
    },
  ],
};

const targets: Row = {
  title: "Targets",
  panels: [
    {
      title: "Shares of targets",
      description: "Items whose targets are talked to, and those that wait for it.",
      queries: [
        { expr: `sum by (controller) (landscaper_shares_running{${selected}})`, legend: "{{controller}} running" },
        { expr: `sum by (controller) (landscaper_shares_waiting{${selected}})`, legend: "{{controller}} waiting" },
      ],
    },
    {
      title: "Limits of shares that were reached",
      description: "Which setting of targets.shares made items wait.",
      unit: "ops",
      queries: [
        { expr: rate("landscaper_share_waits_total", "controller, limit"), legend: "{{controller}} {{limit}}" },
      ],
    },
    {
      title: "Servers that rest",
      description: "Servers of others that did not answer several times in a row.",
      queries: [
        { expr: `sum by (pod) (landscaper_circuits_open{${selected}})`, legend: "{{pod}}" },
        {
          expr: `sum by (pod) (increase(landscaper_circuit_openings_total{${selected}}[5m]))`,
          legend: "{{pod}} openings",
        },
      ],
    },
  ],
};

const controllers: Row = {
  title: "Controllers",
  panels: [
    {
      title: "Reconciliations",
      description: "By controller and result.",
      unit: "ops",
      queries: [
        { expr: rate("controller_runtime_reconcile_total", "controller, result"), legend: "{{controller}} {{result}}" },
      ],
    },
    {
      title: "Workers at work",
      description: "Beside the number of workers.",
      queries: [
        { expr: `sum by (controller) (controller_runtime_active_workers{${selected}})`, legend: "{{controller}}" },
        {
          expr: `sum by (controller) (controller_runtime_max_concurrent_reconciles{${selected}})`,
          legend: "{{controller}} most",
        },
      ],
    },
    {
      title: "Age of the oldest waiting key",
      description: "Grows when workers do not keep up.",
      unit: "s",
      queries: [
        { expr: `max by (controller) (landscaper_queue_oldest_age_seconds{${selected}})`, legend: "{{controller}}" },
      ],
    },
    {
      title: "Waiting keys",
      description: "Depth of the queues.",
      queries: [{ expr: `sum by (controller) (workqueue_depth{${selected}})`, legend: "{{controller}}" }],
    },
    {
      title: "Time in the queue (95 %)",
      description: "Before a worker took a key.",
      unit: "s",
      queries: [{ expr: quantile("workqueue_queue_duration_seconds", "controller"), legend: "{{controller}}" }],
    },
    {
      title: "Time of a reconciliation (95 %)",
      description: "By controller.",
      unit: "s",
      queries: [
        { expr: quantile("controller_runtime_reconcile_time_seconds", "controller"), legend: "{{controller}}" },
      ],
    },
  ],
};

const process: Row = {
  title: "Process and connections",
  panels: [
    {
      title: "Requests to API servers by code",
      description: "none: no answer came. 403: a right is missing.",
      unit: "ops",
      queries: [{ expr: rate("rest_client_requests_total", "host, code"), legend: "{{host}} {{code}}" }],
    },
    {
      title: "Time of requests (95 %)",
      description: "By verb and server.",
      unit: "s",
      queries: [{ expr: quantile("rest_client_request_duration_seconds", "host, verb"), legend: "{{host}} {{verb}}" }],
    },
    {
      title: "Longest turn of the main thread",
      description: "Since the start. More than a second puts Leases at risk.",
      unit: "s",
      queries: [{ expr: `max by (pod) (landscaper_main_thread_longest_turn_seconds{${selected}})`, legend: "{{pod}}" }],
    },
    {
      title: "Memory",
      description: "Resident memory of the main process; threads that render are processes of their own.",
      unit: "bytes",
      queries: [{ expr: `process_resident_memory_bytes{${selected}}`, legend: "{{pod}}" }],
    },
    {
      title: "Starts",
      description: "Starts of each pod's process in the last hour.",
      queries: [{ expr: `changes(process_start_time_seconds{${selected}}[1h])`, legend: "{{pod}}" }],
    },
  ],
};

const rowsOf = { core: [jobs, objects, controllers, process], deployer: [jobs, targets, controllers, process] };

const width = 8;
const height = 8;
const datasource = { type: "prometheus", uid: "${datasource}" };

/** A dashboard of Grafana (schema 39) for the pods of one chart, or of all that the variables select. */
export function dashboardOf(chart: string, kind: keyof typeof rowsOf): ValueSchema {
  let y = 0;
  const panels: ValueSchema[] = [];
  for (const { title, panels: ofRow } of rowsOf[kind]) {
    panels.push({
      id: panels.length + 1,
      type: "row",
      title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: 24, h: 1 },
    });
    y += 1;
    for (const [index, panel] of ofRow.entries()) {
      const gridPos = { x: (index % 3) * width, y: y + Math.floor(index / 3) * height, w: width, h: height };
      panels.push({ id: panels.length + 1, ...panelOf(panel), gridPos });
    }
    y += Math.ceil(ofRow.length / 3) * height;
  }
  return {
    title: `Landscaper: ${chart}`,
    tags: ["landscaper"],
    schemaVersion: 39,
    editable: true,
    refresh: "30s",
    time: { from: "now-6h", to: "now" },
    templating: { list: [datasourceVariable, variable("namespace", namespaces), variable("job", jobNames(chart))] },
    panels,
  };
}

function panelOf({ title, description, unit = "short", queries }: Panel): ValueSchema {
  return {
    type: "timeseries",
    title,
    description,
    datasource,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: "list", placement: "bottom" }, tooltip: { mode: "multi", sort: "desc" } },
    targets: queries.map(({ expr, legend }, index) => ({
      refId: "ABCDEFGH".charAt(index),
      expr,
      legendFormat: legend,
      datasource,
    })),
  };
}

const datasourceVariable = { name: "datasource", label: "Data source", type: "datasource", query: "prometheus" };
const namespaces = "label_values(controller_runtime_max_concurrent_reconciles, namespace)";

/** The jobs whose pods say so: each service has controllers of its own name, so that the list has none of other programs. */
function jobNames(chart: string): string {
  return chart === "landscaper"
    ? 'label_values(leader_election_master_status{namespace="$namespace"}, job)'
    : 'label_values(landscaper_shares_running{namespace="$namespace"}, job)';
}

function variable(name: string, query: string): ValueSchema {
  return {
    name,
    label: name,
    type: "query",
    datasource,
    query,
    refresh: 2,
    includeAll: name === "job",
    multi: name === "job",
  };
}
