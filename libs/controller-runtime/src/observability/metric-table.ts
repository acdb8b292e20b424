/** Every metric of the runtime, besides the process metrics of prom-client (docs/reference/metrics.md). */
export const metricTable = {
  apiRequests: {
    name: "rest_client_requests_total",
    help: 'Requests to API servers; code "none" means that no answer came, host "targets" stands for all servers of others',
    labels: ["code", "method", "host", "verb", "resource"],
  },
  apiRequestDuration: {
    name: "rest_client_request_duration_seconds",
    help: "Time until the answer of a request was read; of a watch, until it was open",
    labels: ["verb", "host"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
  },
  reconciles: {
    name: "controller_runtime_reconcile_total",
    help: "Reconciliations by result: success, requeue (a write lost its race), requeue_after, error",
    labels: ["controller", "result"],
  },
  reconcileErrors: {
    name: "controller_runtime_reconcile_errors_total",
    help: "Reconciliations that failed, lost races not counted",
    labels: ["controller"],
  },
  terminalErrors: {
    name: "controller_runtime_terminal_reconcile_errors_total",
    help: "Reconciliations that failed for good and wait for a change",
    labels: ["controller"],
  },
  reconcileTime: {
    name: "controller_runtime_reconcile_time_seconds",
    help: "Time of one reconciliation",
    labels: ["controller"],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  },
  activeWorkers: {
    name: "controller_runtime_active_workers",
    help: "Keys that are being worked on, those included whose work talks to other servers and holds no worker",
    labels: ["controller"],
  },
  maxReconciles: {
    name: "controller_runtime_max_concurrent_reconciles",
    help: "Workers of a controller",
    labels: ["controller"],
  },
  queueDepth: {
    name: "workqueue_depth",
    help: "Keys that wait for a worker",
    labels: ["name", "controller"],
  },
  queueAdds: {
    name: "workqueue_adds_total",
    help: "Keys that were added and not in the queue yet",
    labels: ["name", "controller"],
  },
  queueRetries: {
    name: "workqueue_retries_total",
    help: "Keys that were added again because their work failed",
    labels: ["name", "controller"],
  },
  queueDuration: {
    name: "workqueue_queue_duration_seconds",
    help: "Time that keys waited before a worker took them",
    labels: ["name", "controller"],
    buckets: [0.001, 0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300],
  },
  workDuration: {
    name: "workqueue_work_duration_seconds",
    help: "Time that keys were worked on",
    labels: ["name", "controller"],
    buckets: [0.001, 0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300],
  },
  unfinishedWork: {
    name: "workqueue_unfinished_work_seconds",
    help: "Time that all keys together have been worked on that are not done yet",
    labels: ["name", "controller"],
  },
  longestRunning: {
    name: "workqueue_longest_running_processor_seconds",
    help: "How long the oldest key has been worked on that is not done yet",
    labels: ["name", "controller"],
  },
  queueAge: {
    name: "landscaper_queue_oldest_age_seconds",
    help: "How long the oldest waiting key has waited",
    labels: ["name", "controller"],
  },
  leader: {
    name: "leader_election_master_status",
    help: "1 where this process holds the Lease, 0 where it waits for it",
    labels: ["name"],
  },
  longWaits: {
    name: "leader_election_long_waits_total",
    help: "Waits for a Lease of more than three lease durations of this process, counted once for each holder",
    labels: ["name"],
  },
  sharesRunning: {
    name: "landscaper_shares_running",
    help: "Keys whose work talks to other servers; they hold no worker",
    labels: ["controller"],
  },
  sharesWaiting: {
    name: "landscaper_shares_waiting",
    help: "Keys that wait until their server, their namespace or the controller has a free share",
    labels: ["controller"],
  },
  shareWaits: {
    name: "landscaper_share_waits_total",
    help: "How often a key had to wait for a share, by the limit that was reached: namespace, server, total",
    labels: ["controller", "limit"],
  },
  circuitOpenings: {
    name: "landscaper_circuit_openings_total",
    help: "How often a foreign server was given a rest because it did not answer several times in a row",
    labels: [],
  },
  circuitsOpen: {
    name: "landscaper_circuits_open",
    help: "Foreign servers that rest now",
    labels: [],
  },
  longestTurn: {
    name: "landscaper_main_thread_longest_turn_seconds",
    help: "Longest processor time since the start that the main thread has worked without a turn for Leases and health checks",
    labels: [],
  },
  informerEvents: {
    name: "landscaper_informer_events_total",
    help: "What informers saw: add, update, delete, relist, error",
    labels: ["kind", "event"],
  },
} as const;
