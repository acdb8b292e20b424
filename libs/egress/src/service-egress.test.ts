import { describe, expect, it } from "@jest/globals";
import type { EgressConfiguration } from "@landscaper/api";
import { createServiceEgress } from "./service-egress.ts";

const surroundings = {
  servers: ["https://hub.example:6443/prefix", undefined, "no URL"],
  env: { KUBERNETES_SERVICE_HOST: "192.0.2.1" },
};
const byRule = (rule: string): string => `denied by the rule "${rule}" of egress.profile`;

/** Only judged, never requested. */
describe("the policy of a service", () => {
  it.each<readonly [string, Partial<EgressConfiguration>, string, string]>([
    ["by default, the metadata service", {}, "http://169.254.169.254/", byRule("link-local")],
    ["by default, its own API server", {}, "https://hub.example:6443/", "permitted"],
    ["by default, its own API server in the cluster", {}, "https://192.0.2.1/", "permitted"],
    ["hardened, its own API server", { profile: "hardened" }, "https://hub.example:6443/", byRule("cluster")],
    ["hardened, its own API server in the cluster", { profile: "hardened" }, "https://192.0.2.1/", byRule("cluster")],
    ["hardened, another server", { profile: "hardened" }, "https://api.example/", "permitted"],
    ["what its configuration denies", { deny: ["api.example"] }, "https://api.example/", "egress.deny"],
  ])("%s", (...[, settings, url, want]) => {
    let verdict = "permitted";
    try {
      createServiceEgress(settings, surroundings).checkUrl(new URL(url));
    } catch (error) {
      verdict = (error as Error).message;
    }
    expect(verdict).toContain(want);
  });
});
