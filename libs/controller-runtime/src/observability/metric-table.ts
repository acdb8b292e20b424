/** Every metric of the runtime, besides the process metrics of prom-client. The README's table shows the same. */
export const metricTable = {
  apiRequests: {
    name: "landscaper_api_requests_total",
    help: 'Requests to API servers; code "none" means that no answer came',
    labels: ["verb", "resource", "code"],
  },
  apiRequestDuration: {
    name: "landscaper_api_request_duration_seconds",
    help: "Time until the answer of a request was read; of a watch, until it was open",
    labels: ["verb"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
  },
  reconciles: {
    name: "landscaper_reconcile_total",
    help: "Reconciliations by result: success, requeue, conflict, error (tried again), dropped (waits for a change)",
    labels: ["controller", "result"],
  },
  reconcileErrors: {
    name: "landscaper_reconcile_errors_total",
    help: "Reconciliations that failed, lost races not counted",
    labels: ["controller"],
  },
  reconcileDuration: {
    name: "landscaper_reconcile_duration_seconds",
    help: "Time of one reconciliation",
    labels: ["controller"],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  },
  queueDepth: {
    name: "landscaper_queue_depth",
    help: "Keys that wait for a worker",
    labels: ["queue"],
  },
  queueAge: {
    name: "landscaper_queue_oldest_age_seconds",
    help: "How long the oldest waiting key has waited",
    labels: ["queue"],
  },
  queueProcessing: {
    name: "landscaper_queue_processing",
    help: "Keys that are being worked on",
    labels: ["queue"],
  },
  queueWait: {
    name: "landscaper_queue_wait_seconds",
    help: "Time that keys waited before a worker took them",
    labels: ["queue"],
    buckets: [0.001, 0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300],
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
  eventsPublished: {
    name: "landscaper_events_published_total",
    help: "CloudEvents that NATS has acknowledged",
  },
  eventsDropped: {
    name: "landscaper_events_dropped_total",
    help: "CloudEvents given up because NATS was away for too long",
  },
  eventsBuffered: {
    name: "landscaper_events_buffered",
    help: "CloudEvents that wait for NATS",
  },
  informerEvents: {
    name: "landscaper_informer_events_total",
    help: "What informers saw: add, update, delete, relist, error",
    labels: ["kind", "event"],
  },
} as const;
