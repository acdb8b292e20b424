import { fieldAt, listAt } from "../../src/objects/json.ts";
import { get, patch, post, remove } from "../parity/exchange.ts";
import type { ParityCase } from "../parity/exchange.ts";
import { both, condition, items, template, workloadCase } from "./workload-case.ts";

const batch = ".batch/v1";
const never = { restartPolicy: "Never" };
const gone = (body: unknown) => fieldAt(body, "reason") === "NotFound";
const active = (count: number) => (body: unknown) => (fieldAt(body, "status", "active") ?? 0) === count;
const ready = (count: number) => (body: unknown) => fieldAt(body, "status", "ready") === count;
const failedPods = (count: number) => (body: unknown) => fieldAt(body, "status", "failed") === count;
const stopped = (body: unknown) => fieldAt(body, "status", "terminating") === 0;
const released = (body: unknown) =>
  listAt(body, "items").every((pod) => fieldAt(pod, "metadata", "finalizers") === undefined);

export const jobCases: readonly ParityCase[] = [
  workloadCase("job", (path) => {
    const job = path(`jobs${batch}`, "/job");
    return [
      post(path(`jobs${batch}`), {
        metadata: { name: "job" },
        spec: { completions: 3, parallelism: 2, template: template({}, never) },
      }),
      get(job, condition("Complete", "True")),
      get(path("pods"), both(items(3), released)),
      remove(job, { propagationPolicy: "Background" }),
      get(path("pods"), items(0)),
    ];
  }),
  workloadCase("job that fails", (path) => {
    const job = path(`jobs${batch}`, "/job");
    return [
      post(path(`jobs${batch}`), {
        metadata: { name: "job" },
        spec: {
          backoffLimit: 1,
          template: template({ "exit-code": "3", "exit-message": "no luck" }, never),
        },
      }),
      get(job, condition("Failed", "True")),
      get(path("pods"), both(items(2), released)),
    ];
  }),
  workloadCase("job that succeeds later", (path) => {
    const job = path(`jobs${batch}`, "/job");
    return [
      post(path(`jobs${batch}`), {
        metadata: { name: "job" },
        spec: { template: template({ "exit-code": "3", "exit-times": "1" }, never) },
      }),
      get(job, condition("Complete", "True")),
      get(path("pods"), both(items(2), released)),
    ];
  }),
  workloadCase("job with restarts", (path) => {
    const job = path(`jobs${batch}`, "/job");
    return [
      post(path(`jobs${batch}`), {
        metadata: { name: "job" },
        spec: { backoffLimit: 1, template: template({ "exit-code": "3" }, { restartPolicy: "OnFailure" }) },
      }),
      get(job, condition("Failed", "True")),
    ];
  }),
  workloadCase("job with a deadline", (path) => {
    const job = path(`jobs${batch}`, "/job");
    return [
      post(path(`jobs${batch}`), {
        metadata: { name: "job" },
        spec: { activeDeadlineSeconds: 5, template: template({ "run-duration": "1h" }, never) },
      }),
      get(job, ready(1)),
      get(job, condition("Failed", "True")),
      get(path("pods"), items(0)),
    ];
  }),
  workloadCase("suspended job", (path) => {
    const job = path(`jobs${batch}`, "/job");
    return [
      post(path(`jobs${batch}`), {
        metadata: { name: "job" },
        spec: { suspend: true, template: template({ "run-duration": "1h" }, never) },
      }),
      get(job, condition("Suspended", "True")),
      patch(job, { spec: { suspend: false } }),
      get(job, both(condition("Suspended", "False"), ready(1))),
      patch(job, { spec: { suspend: true } }),
      get(job, both(condition("Suspended", "True"), active(0), stopped)),
      get(path("pods"), items(0)),
      remove(job, { propagationPolicy: "Background" }),
      get(job, gone),
    ];
  }),
  workloadCase("indexed job", (path) => {
    const job = path(`jobs${batch}`, "/job");
    return [
      post(path(`jobs${batch}`), {
        metadata: { name: "job" },
        spec: { completions: 3, parallelism: 3, completionMode: "Indexed", template: template({}, never) },
      }),
      get(job, condition("Complete", "True")),
      get(path("pods"), both(items(3), released)),
    ];
  }),
  workloadCase("job that is removed", (path) => {
    const job = path(`jobs${batch}`, "/job");
    return [
      post(path(`jobs${batch}`), {
        metadata: { name: "job" },
        spec: { ttlSecondsAfterFinished: 0, template: template({}, never) },
      }),
      get(job, gone),
      get(path("pods"), items(0)),
      post(path(`jobs${batch}`), {
        metadata: { name: "job" },
        spec: { parallelism: 2, template: template({ "run-duration": "1h" }, never) },
      }),
      get(job, ready(2)),
      patch(job, { spec: { parallelism: 1 } }),
      get(job, both(active(1), ready(1), stopped)),
      remove(job, { propagationPolicy: "Background" }),
      get(path("pods"), items(0)),
      get(job, gone),
    ];
  }),
  workloadCase("job whose pod is deleted", (path) => {
    const job = path(`jobs${batch}`, "/job");
    return [
      post(path(`jobs${batch}`), {
        metadata: { name: "job" },
        spec: { template: template({ "run-duration": "1h" }, never) },
      }),
      get(job, ready(1)),
      remove(path("pods", "?labelSelector=app=a")),
      get(job, both(ready(1), failedPods(1), stopped)),
      get(path("pods"), items(1)),
    ];
  }),
  workloadCase("job that replaces failed pods only", (path) => {
    const job = path(`jobs${batch}`, "/job");
    return [
      post(path(`jobs${batch}`), {
        metadata: { name: "job" },
        spec: { podReplacementPolicy: "Failed", template: template({ "run-duration": "1h" }, never) },
      }),
      get(job, ready(1)),
      remove(path("pods", "?labelSelector=app=a")),
      get(job, both(ready(1), failedPods(1), stopped)),
      get(path("pods"), items(1)),
    ];
  }),
  workloadCase("job without completions", (path) => {
    const job = path(`jobs${batch}`, "/job");
    return [
      post(path(`jobs${batch}`), {
        metadata: { name: "job" },
        spec: { parallelism: 2, template: template({}, never) },
      }),
      get(job, condition("Complete", "True")),
      get(path("pods"), both(items(2), released)),
    ];
  }),
];
