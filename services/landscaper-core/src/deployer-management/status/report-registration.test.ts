import { describe, expect, it } from "@jest/globals";
import { labels, type Environment, type Installation } from "@landscaper/api";
import { environment, registration } from "../../../test/deployer-management.ts";
import { observedDeployer, type TestDeployerState } from "../../../test/observed-deployers.ts";
import { reportRegistration, type ObservedRegistration } from "./report-registration.ts";

const now = new Date("2026-06-01T00:01:00Z");
const deletionTimestamp = "2026-06-01T00:00:00Z";

function installationIn(name: string, state: Omit<TestDeployerState, "registration"> = {}): Installation {
  const { installation } = observedDeployer({ registration: "a", ...state });
  const own = { [labels.deployerRegistration]: "a", [labels.deployerEnvironment]: name };
  return { ...installation, metadata: { ...installation.metadata, name: `a-${name}`, labels: own } };
}

const report = (fields: Partial<ObservedRegistration>) =>
  reportRegistration({ registration: registration("a"), environments: [], installations: [], ...fields }, now);

const failedToWrite: Environment = {
  ...environment("conflict"),
  status: { deployers: [{ name: "a-conflict", registration: "a", phase: "Failed" }] },
};
const going: Environment = { ...environment("going"), metadata: { name: "going", deletionTimestamp } };
/** Its deployers are gone; its agent keeps it. */
const lingering: Environment = { ...environment("lingering"), metadata: { name: "lingering", deletionTimestamp } };

describe("the status of a registration", () => {
  it("counts Environments by the phase of the deployer", () => {
    const names = ["new", "done", "busy", "failed"];
    const status = report({
      environments: [
        ...names.map((name) => environment(name)),
        failedToWrite,
        going,
        lingering,
        environment("x".repeat(60)),
      ],
      installations: [
        installationIn("done"),
        installationIn("busy", { status: { jobID: "2" } }),
        installationIn("failed", { status: { phase: "Failed" } }),
        installationIn("going", { isDeleting: true }),
      ],
    });
    expect(status.environments).toEqual({ total: 7, succeeded: 1, progressing: 2, failed: 3, deleting: 1 });
    expect(status.lastError).toMatchObject({ reason: "DeployerNameRefused", operation: "InstallDeployer" });
    expect(status.conditions?.find(({ type }) => type === "Stalled")?.status).toBe("True");
  });

  it("is ready when the deployer has succeeded everywhere", () => {
    const status = report({ environments: [environment("done")], installations: [installationIn("done")] });
    expect(status.conditions?.[0]).toMatchObject({
      type: "Ready",
      status: "True",
      message: "the deployer has succeeded in 1 of 1 Environments",
    });
    expect(status).not.toHaveProperty("lastError");
  });

  it("counts what is left while the registration is deleted", () => {
    const given = registration("a");
    const deleted = { ...given, metadata: { ...given.metadata, deletionTimestamp } };
    const environments = [environment("done"), environment("other")];
    const status = report({
      registration: deleted,
      environments,
      installations: [installationIn("done", { isDeleting: true })],
    });
    expect(status.environments).toEqual({ total: 1, succeeded: 0, progressing: 0, failed: 0, deleting: 1 });
  });
});
