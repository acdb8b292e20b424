import { describe, expect, it } from "@jest/globals";
import { createMetrics } from "./create-metrics.ts";
import { metricTable } from "./metric-table.ts";

describe("createMetrics", () => {
  it("shows every metric of the table, and those of the process", async () => {
    const metrics = await createMetrics();
    metrics.addQueue({ name: "q", depth: () => 3, oldestAgeMs: () => 1_500, processing: () => 2 });
    metrics.addShares({ name: "c", running: () => 4, waiting: () => 5 });
    metrics.observeShareWait("c", "server");
    metrics.addCircuits(() => 2);
    metrics.addCircuits(() => 1);
    metrics.observeCircuitOpening();
    metrics.addEventStats(() => ({ published: 7, dropped: 1, buffered: 2 }));
    metrics.observeApiRequest({ verb: "get", resource: "secrets", code: "200", durationMs: 3 });
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
      .filter((line) => /^landscaper_(?!main_thread)/.test(line) && !line.includes("_bucket"));
    expect(text).toMatch(/^landscaper_main_thread_longest_turn_seconds [\d.e-]+$/m);
    expect(values).toEqual([
      'landscaper_queue_depth{queue="q"} 3',
      'landscaper_queue_oldest_age_seconds{queue="q"} 1.5',
      'landscaper_queue_processing{queue="q"} 2',
      'landscaper_shares_running{controller="c"} 4',
      'landscaper_shares_waiting{controller="c"} 5',
      'landscaper_share_waits_total{controller="c",limit="server"} 1',
      "landscaper_circuits_open 3",
      "landscaper_circuit_openings_total 1",
      'landscaper_api_requests_total{verb="get",resource="secrets",code="200"} 1',
      'landscaper_api_request_duration_seconds_sum{verb="get"} 0.003',
      'landscaper_api_request_duration_seconds_count{verb="get"} 1',
      'landscaper_reconcile_total{controller="c",result="success"} 1',
      'landscaper_reconcile_total{controller="c",result="error"} 1',
      'landscaper_reconcile_total{controller="c",result="dropped"} 1',
      'landscaper_reconcile_total{controller="c",result="conflict"} 1',
      'landscaper_reconcile_errors_total{controller="c"} 2',
      'landscaper_reconcile_duration_seconds_sum{controller="c"} 0.08',
      'landscaper_reconcile_duration_seconds_count{controller="c"} 4',
      'landscaper_queue_wait_seconds_sum{queue="q"} 0.05',
      'landscaper_queue_wait_seconds_count{queue="q"} 1',
      'landscaper_informer_events_total{kind="Secret",event="add"} 1',
      "landscaper_events_published_total 7",
      "landscaper_events_dropped_total 1",
      "landscaper_events_buffered 2",
    ]);
    expect(text).toMatch(/\nprocess_cpu_seconds_total \d/);
  });

  it("keeps nothing global: two sets of metrics live side by side", async () => {
    const [one, two] = [await createMetrics(), await createMetrics()];
    one.observeInformer("Secret", "add");
    expect((await two.render()).text).not.toContain('kind="Secret"');
  });
});
