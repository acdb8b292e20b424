/** What Prometheus has seen, in the notation of `promtool test rules`: a value for each minute. */
export type Series = Readonly<Record<string, string>>;

/** An alert of the charts, with what makes it fire and what does not. */
export interface AlertCase {
  readonly alert: string;
  /** By default the core. */
  readonly chart?: "helm-deployer";
  /** When it is looked at, e.g. "20m". */
  readonly at: string;
  readonly fires: Series;
  /** Beside those of the rule. */
  readonly labels: Readonly<Record<string, string>>;
  readonly description: string;
  /** Each alone must leave it quiet. */
  readonly quiet: readonly Series[];
}

const ofCore = 'namespace="landscaper-system",job="ls-landscaper"';
const ofDeployer = 'namespace="landscaper-system",job="ls-helm-deployer"';
const core = { namespace: "landscaper-system", job: "ls-landscaper" };

const requests = (labels: string): string => `rest_client_requests_total{${ofCore},pod="a",${labels}}`;
const jobs = (result: string): string =>
  `landscaper_job_duration_seconds_count{${ofCore},pod="a",kind="Installation",result="${result}"}`;
const ofController = (metric: string): string => `${metric}{${ofCore},pod="a",controller="installation"}`;
const turn = `landscaper_main_thread_longest_turn_seconds{${ofCore},pod="a"}`;
const ofLease = (metric: string, pod: string): string =>
  `${metric}{${ofCore},pod="${pod}",name="landscaper-core-main"}`;
const lease = (pod: string): string => ofLease("leader_election_master_status", pod);
const longWaits = (pod: string): string => ofLease("leader_election_long_waits_total", pod);

export const alertCases: readonly AlertCase[] = [
  {
    alert: "LandscaperDown",
    at: "10m",
    fires: { [`up{${ofCore},pod="a"}`]: "1 0x20" },
    labels: {},
    description: "Prometheus has reached no pod for five minutes. Jobs of this service stand still.",
    quiet: [{ [`up{${ofCore},pod="a"}`]: "0x20", [`up{${ofCore},pod="b"}`]: "1x20" }],
  },
  {
    alert: "LandscaperRestarting",
    at: "10m",
    fires: { [`process_start_time_seconds{${ofCore},pod="a"}`]: "100 200 300 400 500x20" },
    labels: { ...core, pod: "a" },
    description: "The process of a has started 4 times in 30 minutes. Its log says why it ended.",
    quiet: [{ [`process_start_time_seconds{${ofCore},pod="a"}`]: "100 200x20" }],
  },
  {
    alert: "LandscaperApiServerUnreachable",
    at: "15m",
    fires: { [requests('host="hub:443",code="none"')]: "0+10x30", [requests('host="hub:443",code="200"')]: "0+1x30" },
    labels: { host: "hub:443" },
    description: "More than half of the requests to hub:443 had no answer for five minutes.",
    quiet: [
      { [requests('host="hub:443",code="none"')]: "0+1x30", [requests('host="hub:443",code="200"')]: "0+10x30" },
      { [requests('host="targets",code="none"')]: "0+10x30" },
    ],
  },
  {
    alert: "LandscaperForbidden",
    at: "20m",
    fires: { [requests('host="hub:443",code="403",verb="list",resource="secrets"')]: "0+1x30" },
    labels: { host: "hub:443", verb: "list", resource: "secrets" },
    description: "The API server hub:443 refuses list secrets.",
    quiet: [
      { [requests('host="targets",code="403",verb="list",resource="secrets"')]: "0+1x30" },
      { [requests('host="hub:443",code="200",verb="list",resource="secrets"')]: "0+1x30" },
    ],
  },
  {
    alert: "LandscaperJobsFailing",
    at: "50m",
    fires: { [jobs("Failed")]: "0+3x60", [jobs("Succeeded")]: "0+1x60" },
    labels: { kind: "Installation" },
    description: "75% of the jobs of kind Installation failed in the last 30 minutes.",
    quiet: [
      { [jobs("Failed")]: "0+1x60", [jobs("Succeeded")]: "0+3x60" },
      // Two jobs say nothing.
      { [jobs("Failed")]: "0x30 1x10 2x20", [jobs("Succeeded")]: "0x60" },
    ],
  },
  {
    alert: "LandscaperQueueOld",
    at: "20m",
    fires: { [ofController("landscaper_queue_oldest_age_seconds")]: "0+60x60" },
    labels: { controller: "installation" },
    description: "The oldest key of the controller installation has waited for 20m 0s.",
    quiet: [{ [ofController("landscaper_queue_oldest_age_seconds")]: "0+10x60" }],
  },
  {
    alert: "LandscaperWorkersSaturated",
    at: "20m",
    fires: {
      [ofController("controller_runtime_active_workers")]: "30x60",
      [ofController("controller_runtime_max_concurrent_reconciles")]: "30x60",
      [ofController("workqueue_depth")]: "5x60",
    },
    labels: { ...core, pod: "a", controller: "installation" },
    description: "The controller installation of a has had no free worker for 15 minutes while work waits.",
    quiet: [
      {
        [ofController("controller_runtime_active_workers")]: "30x60",
        [ofController("controller_runtime_max_concurrent_reconciles")]: "30x60",
        [ofController("workqueue_depth")]: "0x60",
      },
      // Items that talk to their targets hold no worker.
      {
        [ofController("controller_runtime_active_workers")]: "60x60",
        [ofController("landscaper_shares_running")]: "40x60",
        [ofController("controller_runtime_max_concurrent_reconciles")]: "30x60",
        [ofController("workqueue_depth")]: "5x60",
      },
    ],
  },
  {
    alert: "LandscaperEventsBehind",
    at: "20m",
    fires: { [`landscaper_events_lag_seconds{${ofCore},pod="a"}`]: "0x3 600x30" },
    labels: { pod: "a" },
    description: "The oldest event of a has waited for 10m 0s. Its /readyz?verbose says why.",
    quiet: [{ [`landscaper_events_lag_seconds{${ofCore},pod="a"}`]: "100x30" }],
  },
  {
    alert: "LandscaperEventsRefused",
    at: "10m",
    fires: { [`landscaper_events_refused_total{${ofCore},pod="a"}`]: "0x3 5x30" },
    labels: { pod: "a" },
    description: "a gave up 5 events that NATS refused. Its log names their subjects.",
    quiet: [{ [`landscaper_events_refused_total{${ofCore},pod="a"}`]: "5x30" }],
  },
  {
    alert: "LandscaperServersResting",
    at: "20m",
    fires: { [`landscaper_circuits_open{${ofCore},pod="a"}`]: "2x30" },
    labels: { pod: "a" },
    description: "a has given 2 servers a rest for 15 minutes.",
    quiet: [{ [`landscaper_circuits_open{${ofCore},pod="a"}`]: "2x10 0x20" }],
  },
  {
    alert: "LandscaperMainThreadBlocked",
    at: "20m",
    fires: { [turn]: "0.2x10 1.5x60" },
    labels: { ...core, pod: "a" },
    description: "The main thread of a was busy for 1.5s without a pause, which puts its Leases at risk.",
    quiet: [{ [turn]: "0.2x10 0.4x60" }, { [turn]: "1.5x60" }],
  },
  {
    alert: "LandscaperLeaseHeld",
    at: "5m",
    fires: { [lease("a")]: "0x20", [lease("b")]: "0x20", [longWaits("a")]: "0 1x20" },
    labels: { name: "landscaper-core-main" },
    description:
      "No pod has held the Lease landscaper-core-main for a minute, and a pod has waited for it longer than three lease durations.",
    // A standby waits as long as another pod leads.
    quiet: [
      { [lease("a")]: "0x20", [lease("b")]: "1x20", [longWaits("a")]: "1x20" },
      { [lease("a")]: "0x20", [longWaits("a")]: "0x20" },
    ],
  },
  {
    alert: "LandscaperNoLeader",
    at: "5m",
    fires: { [lease("a")]: "0x20", [lease("b")]: "0x20" },
    labels: { name: "landscaper-core-main" },
    description: "No pod has held the Lease landscaper-core-main for a minute. Jobs neither start nor end.",
    quiet: [{ [lease("a")]: "0x20", [lease("b")]: "1x20" }],
  },
  {
    alert: "LandscaperDeployItemsWaiting",
    // The jobs fail after five minutes (deployItemTimeouts.pickup), and the items no longer wait.
    at: "4m",
    fires: { [`landscaper_deploy_items_waiting{${ofCore},pod="a",type="example.com/git"}`]: "3x4 0x20" },
    labels: { type: "example.com/git" },
    description: "3 items of the type example.com/git have waited for a deployer for three minutes.",
    quiet: [{ [`landscaper_deploy_items_waiting{${ofCore},pod="a",type="example.com/git"}`]: "3x2 0x20" }],
  },
  {
    alert: "LandscaperNamespaceShared",
    at: "70m",
    fires: { [`landscaper_core_in_deployer_namespace{${ofCore},pod="a"}`]: "1x90" },
    labels: { namespace: "landscaper-system" },
    description:
      "Agents of Environments read Secrets of the namespace landscaper-system, which has the core and its Helm release.",
    quiet: [
      { [`landscaper_core_in_deployer_namespace{${ofCore},pod="a"}`]: "0x90" },
      { [`landscaper_core_in_deployer_namespace{${ofCore},pod="a"}`]: "1x30 0x60" },
    ],
  },
  {
    alert: "LandscaperSharesExhausted",
    chart: "helm-deployer",
    at: "40m",
    fires: { [`landscaper_shares_waiting{${ofDeployer},pod="a",controller="helm"}`]: "7x60" },
    labels: { controller: "helm" },
    description: "7 items have waited for a share of their target for 30 minutes.",
    quiet: [{ [`landscaper_shares_waiting{${ofDeployer},pod="a",controller="helm"}`]: "7x20 0x40" }],
  },
];
