import { describe, expect, it } from "@jest/globals";
import { createMetrics } from "./create-metrics.ts";
import { metricTable } from "./metric-table.ts";

describe("createMetrics", () => {
  it("shows a counter that its owner keeps as a counter", async () => {
    const metrics = await createMetrics();
    let seen = 2;
    metrics.define.total({ name: "seen_total", help: "Seen.", labels: [] }, () => seen);
    expect((await metrics.render()).text).toContain("# TYPE seen_total counter\nseen_total 2\n");
    seen = 5;
    expect((await metrics.render()).text).toContain("\nseen_total 5\n");
  });

  it("shows every metric of the table, and those of the process", async () => {
    const metrics = await createMetrics();
    const unfinishedMs = () => ({ sum: 6_000, longest: 4_000 });
    metrics.addQueue({ name: "q", depth: () => 3, oldestAgeMs: () => 1_500, processing: () => 2, unfinishedMs });
    metrics.addWorkers("q", 8);
    metrics.observeLeader("core", false);
    metrics.observeLeader("core", true);
    metrics.countLongWait("core");
    metrics.countAdd("q");
    metrics.countRetry("q");
    metrics.observeWork("q", 100);
    metrics.addShares({ name: "c", running: () => 4, waiting: () => 5 });
    metrics.observeShareWait("c", "server");
    metrics.addCircuits(() => 2);
    metrics.addCircuits(() => 1);
    metrics.observeCircuitOpening();
    metrics.observeApiRequest({
      verb: "get",
      method: "GET",
      host: "hub:6443",
      resource: "secrets",
      code: "200",
      durationMs: 3,
    });
    metrics.observeReconcile({ controller: "c", result: "success", durationMs: 20 });
    metrics.observeReconcile({ controller: "c", result: "error", durationMs: 20 });
    metrics.observeReconcile({ controller: "c", result: "dropped", durationMs: 20 });
    metrics.observeReconcile({ controller: "c", result: "conflict", durationMs: 20 });
    metrics.observeQueueWait("q", 50);
    metrics.observeInformer("Secret", "add");
    const { contentType, text } = await metrics.render();
    expect(contentType).toBe("text/plain; version=0.0.4; charset=utf-8");
    for (const { name, help } of Object.values(metricTable)) expect(text).toContain(`# HELP ${name} ${help}\n`);
    const values = text
      .split("\n")
      .filter((line) => /^(?!#|process_|nodejs_|landscaper_main_thread)\w/.test(line) && !line.includes("_bucket"));
    expect(text).toMatch(/^landscaper_main_thread_longest_turn_seconds [\d.e-]+$/m);
    expect(values).toEqual([
      'workqueue_depth{name="q",controller="q"} 3',
      'landscaper_queue_oldest_age_seconds{name="q",controller="q"} 1.5',
      'workqueue_unfinished_work_seconds{name="q",controller="q"} 6',
      'workqueue_longest_running_processor_seconds{name="q",controller="q"} 4',
      'controller_runtime_active_workers{controller="q"} 2',
      'controller_runtime_max_concurrent_reconciles{controller="q"} 8',
      'leader_election_master_status{name="core"} 1',
      'landscaper_shares_running{controller="c"} 4',
      'landscaper_shares_waiting{controller="c"} 5',
      'landscaper_share_waits_total{controller="c",limit="server"} 1',
      "landscaper_circuits_open 3",
      "landscaper_circuit_openings_total 1",
      'leader_election_long_waits_total{name="core"} 1',
      'rest_client_requests_total{verb="get",method="GET",host="hub:6443",resource="secrets",code="200"} 1',
      'rest_client_request_duration_seconds_sum{verb="get",host="hub:6443"} 0.003',
      'rest_client_request_duration_seconds_count{verb="get",host="hub:6443"} 1',
      'controller_runtime_reconcile_total{controller="c",result="success"} 1',
      'controller_runtime_reconcile_total{controller="c",result="error"} 2',
      'controller_runtime_reconcile_total{controller="c",result="requeue"} 1',
      'controller_runtime_reconcile_errors_total{controller="c"} 2',
      'controller_runtime_terminal_reconcile_errors_total{controller="c"} 1',
      'controller_runtime_reconcile_time_seconds_sum{controller="c"} 0.08',
      'controller_runtime_reconcile_time_seconds_count{controller="c"} 4',
      'workqueue_adds_total{name="q",controller="q"} 1',
      'workqueue_retries_total{name="q",controller="q"} 1',
      'workqueue_queue_duration_seconds_sum{name="q",controller="q"} 0.05',
      'workqueue_queue_duration_seconds_count{name="q",controller="q"} 1',
      'workqueue_work_duration_seconds_sum{name="q",controller="q"} 0.1',
      'workqueue_work_duration_seconds_count{name="q",controller="q"} 1',
      'landscaper_informer_events_total{kind="Secret",event="add"} 1',
    ]);
    expect(text).toMatch(/\nprocess_cpu_seconds_total \d/);
  });

  it("keeps nothing global: two sets of metrics live side by side", async () => {
    const [one, two] = [await createMetrics(), await createMetrics()];
    one.observeInformer("Secret", "add");
    expect((await two.render()).text).not.toContain('kind="Secret"');
  });
});
