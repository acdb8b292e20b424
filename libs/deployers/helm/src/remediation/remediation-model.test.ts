// Remediation against a release that fails, is killed and loses answers at random: how often is it tried, and what is left?
import { expect, it } from "@jest/globals";
import * as fc from "fast-check";
import type { ReleaseRecord, ReleaseStatus } from "@landscaper/helm-release";
import {
  attemptsOf,
  decideRemediation,
  type RemediationDecision,
  type RemediationInput,
} from "./decide-remediation.ts";
import type { Attempts } from "../helm-status.ts";
import type { Remediation } from "./remediation-config.ts";
import { recordOf } from "../../test/release-records.ts";

/**
 * What becomes of one operation: it ends, it fails, it fails and the process dies before the status is written, the process dies in the middle
 * of it.
 */
type Outcome = "ends" | "fails" | "fails unseen" | "dies";

const work = { jobID: "job", inputs: "sha256:1" };

/** One job, with what the cluster and the status keep of it. */
class Model {
  history: ReleaseRecord[];
  failures = 0;
  end: string | undefined;
  #status: Attempts | undefined;
  #ownRevision: number | undefined;
  #time = 0;
  readonly #remediation: Remediation;

  constructor(history: ReleaseRecord[], remediation: Remediation) {
    this.history = history;
    this.#remediation = remediation;
  }

  step(outcome: Outcome): void {
    const observed = { history: this.history, ownRevision: this.#ownRevision };
    const attempts = attemptsOf(this.#status, work, observed);
    const remediations: RemediationInput["remediations"] = { install: this.#remediation, upgrade: this.#remediation };
    const decision = decideRemediation({ ...observed, attempts, remediations });
    this.#perform(decision, { attempts, outcome });
  }

  #perform(decision: RemediationDecision, { attempts, outcome }: { attempts: Attempts; outcome: Outcome }): void {
    switch (decision.type) {
      case "end":
        this.end = decision.done;
        return;
      case "attempt":
        this.#attempt(attempts, outcome);
        return;
      case "uninstall":
        this.#status = decision.next === "end" ? { ...attempts, remedy: { type: "uninstall" } } : attempts;
        if (outcome === "ends") this.history = [];
        else this.#write("uninstalling");
        return;
      case "rollback": {
        const revision = decision.retryOf ?? (this.history.at(-1)?.version ?? 0) + 1;
        this.#status = { ...attempts, remedy: { type: "rollback", to: decision.target.version, revision } };
        this.#record(revision, "pending-rollback");
        this.#settle(outcome);
      }
    }
  }

  #attempt(attempts: Attempts, outcome: Outcome): void {
    this.#status = attempts;
    const newest = this.history.at(-1);
    // As planRelease and Deployment: what was half uninstalled is ended before, and what has failed is tried under its number.
    if (newest?.info.status === "uninstalling") this.history = [];
    const isRetried =
      this.history.length > 0 && newest?.version === this.#ownRevision && newest?.info.status !== "deployed";
    const revision = isRetried ? (newest?.version ?? 0) : (this.history.at(-1)?.version ?? 0) + 1;
    this.#ownRevision = revision;
    this.#record(revision, "pending-upgrade");
    this.#settle(outcome);
    if (outcome === "ends") this.end = "deployed";
    if (outcome === "fails" || outcome === "fails unseen") this.failures++;
    const failure = this.history.at(-1)?.info;
    if (outcome === "fails") {
      this.#status = { ...attempts, failed: attempts.failed + 1, lastFailure: failure?.last_deployed };
    }
  }

  #settle(outcome: Outcome): void {
    if (outcome === "dies") return;
    if (outcome !== "ends") return this.#write("failed");
    this.history = this.history.map((record) =>
      record.info.status === "deployed" ? { ...record, info: { ...record.info, status: "superseded" } } : record,
    );
    this.#write("deployed");
  }

  /** Under a time of its own. */
  #record(version: number, status: ReleaseStatus): void {
    const record = recordOf(version, status);
    const info = { ...record.info, last_deployed: `time ${++this.#time}` };
    this.history = [...this.history.filter((each) => each.version !== version), { ...record, info }];
  }

  #write(status: ReleaseStatus): void {
    const newest = this.history.at(-1);
    if (newest === undefined) return;
    this.history = [...this.history.slice(0, -1), { ...newest, info: { ...newest.info, status } }];
  }
}

const outcomes = fc.array(fc.constantFrom<Outcome>("ends", "fails", "fails unseen", "dies"), { maxLength: 30 });
const remediations = fc.record<Remediation>({
  retries: fc.nat(4),
  strategy: fc.constantFrom("rollback", "uninstall"),
  undoesLast: fc.boolean(),
  timeoutMs: fc.constant(undefined),
});

it("ends, with no attempt more than is wanted, and the release as the end says", () => {
  fc.assert(
    fc.property(outcomes, remediations, fc.boolean(), (script, remediation, wasDeployed) => {
      const model = new Model(wasDeployed ? [recordOf(1, "deployed")] : [], remediation);
      // In the end attempts fail, and what undoes them works.
      const steps = [
        ...script,
        ...Array.from({ length: 40 }, (_, index): Outcome => (index % 2 === 0 ? "fails" : "ends")),
      ];
      for (const outcome of steps) if (model.end === undefined) model.step(outcome);
      expect(model.failures).toBeLessThanOrEqual(remediation.retries + 1);
      if (model.end !== "deployed") expect(model.failures).toBe(remediation.retries + 1);
      const status = model.history.at(-1)?.info.status;
      const want: Readonly<Record<string, readonly unknown[]>> = {
        deployed: ["deployed"],
        "rolled back": ["deployed"],
        uninstalled: [undefined],
        left: ["failed"],
      };
      expect(want[model.end ?? "never"]).toContain(status);
      if (model.end === "rolled back" || model.end === "uninstalled") expect(remediation.undoesLast).toBe(true);
    }),
    { seed: 15, numRuns: 2000 },
  );
});
