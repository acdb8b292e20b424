import { describe, expect, it } from "@jest/globals";
import type { EnvironmentSpec } from "../kinds/environment.ts";
import { awaitsAgent, buildPendingEnvironment } from "./pending-environment.ts";

const pending = buildPendingEnvironment({ name: "edge", namespaces: ["team-a"], server: "https://hub.example" });
const withHost = (hostTarget: Partial<EnvironmentSpec["hostTarget"]>) => ({
  ...pending,
  spec: { ...pending.spec, hostTarget: { ...pending.spec.hostTarget, ...hostTarget } },
});

describe("an Environment", () => {
  it("waits for its agent after an administrator has created it", () => {
    expect(awaitsAgent(pending)).toBe(true);
  });

  it.each<[string, Partial<EnvironmentSpec["hostTarget"]>]>([
    ["a kubeconfig", { config: { kubeconfig: "k" } }],
    ["the Secret with a kubeconfig", { secretRef: { name: "s" } }],
    ["a Target of another type, which may need no access data", { type: "example.org/other" }],
  ])("does not wait with %s", (_, hostTarget) => {
    expect(awaitsAgent(withHost(hostTarget))).toBe(false);
  });
});
