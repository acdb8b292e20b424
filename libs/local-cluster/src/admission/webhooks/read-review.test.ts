import { describe, expect, it } from "@jest/globals";
import type { WebhookAnswer } from "./read-review.ts";
import { readReview } from "./read-review.ts";

const uid = "11111111-2222-3333-4444-555555555555";
const type = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" };
const toBase64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64");

function read(response: object, kind: "mutating" | "validating" = "mutating"): WebhookAnswer {
  return readReview(JSON.stringify({ ...type, response: { uid, ...response } }), { kind, uid });
}

// The e2e suite admission-webhooks-answers compares the problems with those of a real kube-apiserver.
describe("readReview", () => {
  it.each<[response: object, read: object]>([
    [{ allowed: true }, { allowed: true, status: {}, warnings: [], patch: [] }],
    [{}, { allowed: false, status: {}, warnings: [], patch: [] }],
    [
      { allowed: null, warnings: null, status: null },
      { allowed: false, status: {}, warnings: [], patch: [] },
    ],
    [
      { allowed: false, status: { code: 403, message: "m", other: 1 }, warnings: ["w", null] },
      { allowed: false, status: { metadata: {}, code: 403, message: "m" }, warnings: ["w", ""], patch: [] },
    ],
    [
      { allowed: true, patchType: "JSONPatch", patch: toBase64([{ op: "add" }, null]) },
      { allowed: true, status: {}, warnings: [], patch: [{ op: "add" }, {}] },
    ],
    [
      { allowed: true, patchType: "JSONPatch", patch: toBase64(null) },
      { allowed: true, status: {}, warnings: [], patch: [] },
    ],
    [
      { allowed: false, patchType: "JSONPatch", patch: toBase64("unread") },
      { allowed: false, status: {}, warnings: [], patch: [] },
    ],
    [
      { allowed: true, patchType: "MergePatch", patch: toBase64([]) },
      { allowed: true, status: {}, warnings: [], patch: [] },
    ],
  ])("reads %j", (response, expected) => {
    expect(read(response)).toEqual({ response: expected });
  });

  it.each<[text: string, problem: string]>([
    ["null", "received invalid webhook response: webhook response was absent"],
    [
      "[]",
      String.raw`failed to call webhook: couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`,
    ],
    [
      '{"kind":3}',
      "failed to call webhook: couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string",
    ],
    [
      "{}x",
      "failed to call webhook: couldn't get version/kind; json parse error: invalid character 'x' after top-level value",
    ],
    [
      JSON.stringify({ ...type, response: { uid: 5 } }),
      "failed to call webhook: json: cannot unmarshal number into Go struct field AdmissionResponse.response.uid of type types.UID",
    ],
    [JSON.stringify({ response: {} }), `received invalid webhook response: expected response.uid="${uid}", got ""`],
    [
      JSON.stringify({ ...type, kind: undefined, response: { uid } }),
      "received invalid webhook response: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got admission.k8s.io/v1, Kind=",
    ],
  ])("refuses %s", (text, problem) => {
    expect(readReview(text, { kind: "validating", uid })).toEqual({ problem });
  });

  it("refuses patches of validating webhooks, even of a denial", () => {
    const problem = "received invalid webhook response: validating webhook may not return response.patch";
    expect(read({ allowed: false, patch: toBase64([]) }, "validating")).toEqual({ problem });
    expect(read({ allowed: false, patchType: "JSONPatch" }, "validating")).toEqual({ problem: `${problem}Type` });
  });

  it("refuses a patch of a type that it does not know", () => {
    const response = { allowed: true, patchType: "MergePatch", patch: toBase64([{ op: "add" }]) };
    expect(read(response)).toEqual({ problem: 'unsupported patch type "MergePatch"' });
  });
});
