import { describe, expect, it } from "@jest/globals";
import type { SeenRequest } from "./fault-plan.ts";
import { answerByChance, answerInTurn, createRandom, isJobWrite, strikeAtWrite } from "./fault-plan.ts";

const installations = "/apis/landscaper.gardener.cloud/v1alpha1/namespaces/x/installations";

describe("isJobWrite", () => {
  it.each([
    ["a create", "POST", installations, true],
    ["a status update", "PUT", `${installations}/a/status`, true],
    ["a patch", "PATCH", `${installations}/a?fieldManager=core`, true],
    ["a delete", "DELETE", `${installations}/a`, true],
    ["a read", "GET", `${installations}/a`, false],
    ["a watch", "GET", `${installations}?watch=true`, false],
    ["a Lease", "PUT", "/apis/coordination.k8s.io/v1/namespaces/x/leases/core", false],
    ["an event", "POST", "/apis/events.k8s.io/v1/namespaces/x/events", false],
    ["an event of the core group", "POST", "/api/v1/namespaces/x/events", false],
    ["a token review", "POST", "/apis/authentication.k8s.io/v1/tokenreviews", false],
    ["a dry run", "POST", `${installations}?dryRun=All`, false],
    ["a ConfigMap called events", "PUT", "/api/v1/namespaces/x/configmaps/my-events", true],
  ])("%s", (...[, method, path, want]) => {
    expect(isJobWrite(method, path)).toBe(want);
  });
});

const request = (write: number): SeenRequest => ({ method: "PUT", path: installations, write });

describe("strikeAtWrite", () => {
  it("strikes once, at the write with that number", () => {
    const run = async (): Promise<void> => undefined;
    const plan = strikeAtWrite(2, true, run);
    expect([plan(request(1)), plan(request(2)), plan(request(3))]).toEqual([
      { type: "pass" },
      { type: "strike", answered: true, run },
      { type: "pass" },
    ]);
  });
});

describe("answerInTurn", () => {
  it("answers every nth matching request with the next status", () => {
    const plan = answerInTurn({ statuses: [409, 429], matches: ({ method }) => method === "PUT" }, 2);
    const seen = Array.from({ length: 6 }, () => plan(request(1)));
    expect(seen).toEqual([
      { type: "pass" },
      { type: "answer", status: 409 },
      { type: "pass" },
      { type: "answer", status: 429, retryAfterSeconds: 1 },
      { type: "pass" },
      { type: "answer", status: 409 },
    ]);
  });

  it("lets other requests pass and does not count them", () => {
    const plan = answerInTurn({ statuses: [500], matches: ({ method }) => method === "PUT" }, 1);
    expect(plan({ method: "GET", path: installations, write: 0 })).toEqual({ type: "pass" });
    expect(plan(request(1))).toEqual({ type: "answer", status: 500 });
  });
});

describe("answerByChance", () => {
  const matches = ({ method }: SeenRequest): boolean => method === "PUT";

  it("answers about the share that it is told, the same for the same seed", () => {
    const run = (): number => {
      const plan = answerByChance({ statuses: [500], matches }, 0.4, createRandom(7));
      return Array.from({ length: 1000 }, () => plan(request(1))).filter(({ type }) => type === "answer").length;
    };
    expect(run()).toBe(run());
    expect(Math.abs(run() - 400)).toBeLessThan(60);
  });

  it("lets other requests pass", () => {
    const plan = answerByChance({ statuses: [500], matches }, 1, createRandom(7));
    expect(plan({ method: "GET", path: installations, write: 0 })).toEqual({ type: "pass" });
    expect(plan(request(1))).toEqual({ type: "answer", status: 500 });
  });
});
