import { describe, expect, it } from "@jest/globals";
import type { DeployItem } from "@landscaper/api";
import { planJob, type RawJobPlan } from "../../bench/containers/raw-jobs.ts";
import type { Exchange } from "../../bench/replay/exchange.ts";
import { kindOf } from "../../bench/replay/exchange.ts";

const item: DeployItem = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "DeployItem",
  metadata: { name: "recorded", namespace: "bench" },
  spec: { type: "bench.test/raw" },
};

function exchange(kind: string, began: number, more: Partial<Exchange> = {}): Exchange {
  const [method = "", resource = ""] = kind.split(" ");
  const [plural = "", subresource] = resource.split("/");
  const path = `/api/v1/namespaces/bench/${plural}/recorded${subresource === undefined ? "" : `/${subresource}`}`;
  const answer = { status: 200, responseBody: "{}" };
  return { method, path, contentType: "", requestBody: "", ...answer, began, ended: began + 1, ...more };
}

const start = [
  "POST secrets",
  "GET secrets",
  "POST secrets",
  "POST configmaps",
  "POST serviceaccounts",
  "POST roles",
  "POST rolebindings",
  "POST pods",
  "PUT deployitems/status",
  "PATCH pods",
];
const finish = ["GET secrets", "POST secrets", "POST secrets", "PATCH pods", "DELETE pods", "PUT deployitems/status"];
const job = [
  exchange("PUT deployitems/status", 0),
  ...start.map((kind, index) => exchange(kind, 10 + index, kind === "GET secrets" ? { status: 404 } : {})),
  exchange("PUT deployitems/status", 50),
  ...finish.map((kind, index) => exchange(kind, 100 + index)),
  exchange("POST events", 110),
];

const kindsOf = ({ parts }: RawJobPlan): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(parts).map(([part, groups]) => [
      part,
      groups.flatMap(({ exchanges }) => exchanges.map(({ exchange: each }) => kindOf(each))),
    ]),
  );

describe("the recording of a container job", () => {
  it("divides its requests into pickup, start, run of the Pod, and finish", () => {
    const recording = planJob(item, job.toReversed(), { podEnded: 105 });
    expect(kindsOf(recording.product)).toEqual({
      pickup: ["PUT deployitems/status"],
      start,
      running: ["PUT deployitems/status"],
      finish: [...finish, "POST events"],
    });
    // The list has no reads of missing objects, no Events, and no writes while the Pod runs.
    expect(kindsOf(recording.contract)).toEqual({
      pickup: ["PUT deployitems/status"],
      start: start.filter((kind) => kind !== "GET secrets"),
      running: [],
      finish,
    });
    expect(recording.readsOfWait.map(kindOf)).toEqual(["GET secrets"]);
  });

  it("fails if a part is missing", () => {
    expect(() => planJob(item, job.slice(0, 5), { podEnded: 105 })).toThrow(
      /^the recorded job has no start \(PATCH pods after the pickup\) and no finish \(a request after the end of the Pod at 105 ms\); its requests: /,
    );
    expect(() => planJob(item, [], { podEnded: 105 })).toThrow(
      "the recorded job has no pickup (PUT deployitems/status) and no start (PATCH pods after the pickup) and no finish (a request after the end of the Pod at 105 ms); its requests: none",
    );
    expect(() => planJob(item, job, {})).toThrow(
      /^the recorded job has no finish \(a request after the end of the Pod at NaN ms\); its requests: \w+ \S+ at \d+ ms, /,
    );
  });
});
