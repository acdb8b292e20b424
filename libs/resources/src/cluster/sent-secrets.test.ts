import { describe, expect, it } from "@jest/globals";
import { maskAnswer, nothingSecret, secretsAt, secretsBut } from "./sent-secrets.ts";

const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "n", labels: { tier: "gold!", "app.io/pin": "x y" } },
  spec: {
    replicas: -1,
    template: { spec: { containers: [{ name: "main", env: [{ name: "PASSWORD", value: "correct-horse" }] }] } },
  },
};
const value = "/spec/template/spec/containers/0/env/0/value";
const ofPassword = secretsAt([value], ["correct-horse"]);
const replicas =
  'Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0';
const inEnv =
  'Deployment.apps "web" is invalid: spec.template.spec.containers[0].env[0].value: Invalid value: "correct-horse": no';

describe("an answer about an object that was sent", () => {
  it.each([
    ["a value of a field that is not secret", replicas, ofPassword, replicas],
    ["all when nothing is secret", inEnv, nothingSecret, inEnv],
    [
      "a plain value, when only the plain ones are known",
      'metadata.labels[tier]: Invalid value: "gold!": no',
      secretsBut(["gold!", 7]),
      'metadata.labels[tier]: Invalid value: "gold!": no',
    ],
    [
      "a default of the server",
      "spec.revisionHistoryLimit: Invalid value: 10: no",
      ofPassword,
      "spec.revisionHistoryLimit: Invalid value: 10: no",
    ],
    [
      "the words of the server, though they are values",
      "json: cannot unmarshal number into Go struct field Deployment.spec.replicas of type string",
      secretsAt([""], ["number", "Deployment.spec.replicas", "string"]),
      "json: cannot unmarshal number into Go struct field Deployment.spec.replicas of type string",
    ],
  ])("shows %s", async (...[, said, secrets, want]) => {
    expect(await maskAnswer(said, { ...deployment, extra: ["number", "string"] }, secrets)).toBe(want);
  });

  it.each([
    ["a secret value", inEnv, ofPassword, inEnv.replace('"correct-horse"', "[...]")],
    ["a secret without its field", "denied: correct-horse is weak", ofPassword, "denied: [...] is weak"],
    [
      "a whole that holds a secret",
      'spec.template.spec: Invalid value: core.PodSpec{Env:"c0rrect-h0rse"}: field is immutable',
      ofPassword,
      "spec.template.spec: Invalid value: [...]: field is immutable",
    ],
    [
      "a secret of the same list, whose order the server may have changed",
      'spec.template.spec.containers[3].env[7].value: Invalid value: "c0rrect-h0rse": no',
      ofPassword,
      "spec.template.spec.containers[3].env[7].value: Invalid value: [...]: no",
    ],
    [
      "a secret that is too short for a search",
      'metadata.labels[app.io/pin]: Invalid value: "x y": no',
      secretsAt(["/metadata/labels/app.io~1pin"], ["x y"]),
      "metadata.labels[app.io/pin]: Invalid value: [...]: no",
    ],
    ["such a number anywhere", replicas, secretsAt([], [-1]), replicas.replace("value: -1", "value: [...]")],
    [
      "what an earlier specification had from a secret",
      'spec.former: Invalid value: "zzz": no',
      secretsAt(["/spec/former"], []),
      "spec.former: Invalid value: [...]: no",
    ],
    [
      "a quote that names no field",
      'parsing time "correct" as "2006": no',
      ofPassword,
      'parsing time [...] as "2006": no',
    ],
    [
      "what is not known to be plain",
      'spec.other: Invalid value: "zzz": no',
      secretsBut(["gold!"]),
      "spec.other: Invalid value: [...]: no",
    ],
    ["all values, when nothing is known to be plain", inEnv, secretsBut([]), inEnv.replace('"correct-horse"', "[...]")],
  ])("masks %s", async (...[, said, secrets, want]) => {
    expect(await maskAnswer(said, deployment, secrets)).toBe(want);
  });

  it("never shows what stands in a Secret", async () => {
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "s" },
      type: "Opaque",
      stringData: { a: "abc-1234" },
    };
    expect(await maskAnswer("denied: abc-1234 of Opaque", secret, nothingSecret)).toBe("denied: [...] of Opaque");
    expect(await maskAnswer('data[b]: Invalid value: "c": no', secret, nothingSecret)).toBe(
      "data[b]: Invalid value: [...]: no",
    );
    expect(await maskAnswer('type: Invalid value: "Opaque": no', secret, nothingSecret)).toBe(
      'type: Invalid value: "Opaque": no',
    );
  });
});
