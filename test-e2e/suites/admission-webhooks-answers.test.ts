import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { type Reply, sendRequest, waitFor } from "@landscaper/testkit";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { startTestCluster, type TestCluster } from "../src/clusters/test-cluster.ts";
import { type Fields, type HookServer, type Review, patchOf, startHookServer } from "../src/webhooks/hook-server.ts";

const group = "/apis/admissionregistration.k8s.io/v1";
const namespace = "webhook-answers";
const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
const internal = "Internal error occurred: ";
const kinds = ["mutating", "validating"] as const;
const reviewFields = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" };

/** Failure policies; each webhook configuration has one webhook for each. */
const policies = ["fail", "ignore"] as const;

type Hook = `${(typeof kinds)[number]}-${(typeof policies)[number]}`;

interface Answered {
  readonly code: number;
  readonly message: string;
  readonly body: unknown;
  readonly warnings: readonly string[];
}

const write = (response: ServerResponse, body: unknown, code = 200): void => {
  response.writeHead(code, { "Content-Type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
};

const review = (fields: Fields, more: Fields = {}): HookServer["respond"] => {
  return ({ request }, response) =>
    write(response, { ...reviewFields, response: { uid: request.uid, ...fields }, ...more });
};

const text = (body: string, code = 200): HookServer["respond"] => {
  return (_, response) => write(response, body, code);
};

const cut = (_: Review, response: ServerResponse): void => {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": 1000 });
  response.write("{", () => response.destroy());
};

const drip = (_: Review, response: ServerResponse): void => {
  response.writeHead(200, { "Content-Type": "application/json" });
  const timer = setInterval(() => response.write(" "), 50);
  response.on("close", () => clearInterval(timer));
};

describe.each(clustersUnderTest())("answers of admission webhooks on %s", (name) => {
  let cluster: TestCluster;
  let hooks: HookServer;
  let count = 0;

  const send = (method: "DELETE" | "POST" | "PUT", path: string, body?: unknown): Promise<Reply> =>
    sendRequest({ url: cluster.url, token: cluster.token, caPem: cluster.ca }, { method, path, body });

  const configure = async (kind: (typeof kinds)[number]): Promise<void> => {
    const webhooks = policies.map((policy) => ({
      name: `${kind}-${policy}.example.com`,
      clientConfig: { url: `${hooks.url}/${kind}`, caBundle: hooks.caBundle },
      rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["configmaps"] }],
      objectSelector: { matchLabels: { hook: `${kind}-${policy}` } },
      failurePolicy: policy === "fail" ? "Fail" : "Ignore",
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      timeoutSeconds: 1,
    }));
    const path = `${group}/${kind}webhookconfigurations`;
    const { code, body } = await send("POST", path, { metadata: { name: "webhook-answers" }, webhooks });
    expect([code, body]).toEqual([201, expect.anything()]);
  };
  const objectOf = (hook: Hook): Fields => {
    count += 1;
    return { metadata: { name: `object-${count}`, labels: { hook } }, data: { a: "b" } };
  };
  const toAnswered = ({ code, body, warnings }: Reply): Answered => {
    const { message = "" } = body as { readonly message?: string };
    // The request's uid, and what a real server adds about its sources.
    const plain = message.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "UID").replace(/ in scheme ".*"$/, "");
    return { code, message: plain.replaceAll(/127\.0\.0\.1:\d+/g, "HOST"), body, warnings };
  };
  const create = async (hook: Hook, respond: HookServer["respond"]): Promise<Answered> => {
    hooks.respond = respond;
    return toAnswered(await send("POST", `${configMaps}?dryRun=All`, objectOf(hook)));
  };
  const failureOf = (hook: Hook, problem: string): readonly [number, string] => [
    500,
    `${internal}failed calling webhook "${hook}.example.com": ${problem}`,
  ];

  beforeAll(async () => {
    hooks = await startHookServer();
    cluster = await startTestCluster(name);
    await send("POST", "/api/v1/namespaces", { metadata: { name: namespace } });
    for (const kind of kinds) await configure(kind);
    // The real server reads its configurations from a cache.
    for (const kind of kinds) {
      const refused = async (): Promise<boolean> =>
        (await create(`${kind}-fail`, review({ allowed: false }))).code === 400;
      await waitFor(refused);
    }
  });
  beforeEach(() => {
    hooks.seen.length = 0;
  });
  afterAll(async () => {
    for (const kind of kinds) await send("DELETE", `${group}/${kind}webhookconfigurations/webhook-answers`);
    await send("DELETE", `/api/v1/namespaces/${namespace}`);
    await cluster.stop();
    await hooks.stop();
  });

  it.each<[status: unknown, code: number]>([
    [undefined, 400],
    [{ code: 399 }, 400],
    [{ code: 200, status: "Success" }, 400],
    [{ code: -1 }, 400],
    [{ code: 0 }, 400],
    [{ code: 418, reason: "Teapot" }, 418],
    [{ code: 599 }, 599],
    [{ code: 999 }, 999],
    [{ code: 429, details: { retryAfterSeconds: 7, causes: [{ field: "f", message: "m" }] } }, 429],
  ])("of a denial with the status %j get the code %d", async (status, code) => {
    const denial = await create("validating-fail", review({ allowed: false, warnings: ["w"], status }));
    const { reason, details } = (status ?? {}) as { readonly reason?: string; readonly details?: unknown };
    expect([denial.code, denial.body, denial.warnings]).toEqual([
      code,
      {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: `admission webhook "validating-fail.example.com" denied the request${reason === undefined ? " without explanation" : `: ${reason}`}`,
        code,
        ...(reason === undefined ? {} : { reason }),
        ...(details === undefined ? {} : { details }),
      },
      ['299 - "w"'],
    ]);
  });

  it("of a denial never get a status code that HTTP does not have", async () => {
    const answer = create("validating-fail", review({ allowed: false, status: { code: 99_999 } }));
    if (name !== "embedded") {
      // The real server drops the connection.
      await expect(answer).rejects.toThrow("socket hang up");
      return;
    }
    const { code, message } = await answer;
    expect([code, message]).toEqual([
      500,
      `${internal}admission webhook "validating-fail.example.com" denied the request with the status code 99999, which HTTP does not have. Let the webhook return a code from 400 to 999`,
    ]);
  });

  const typed = "failed to call webhook: json: cannot unmarshal";
  const bad: readonly (readonly [what: string, respond: HookServer["respond"], problem: string])[] = [
    [
      "a code that is a text",
      review({ status: { code: "409" } }),
      `${typed} string into Go struct field Status.response.status.code of type int32`,
    ],
    [
      "a fraction as code",
      review({ status: { code: 409.5 } }),
      `${typed} number 409.5 into Go struct field Status.response.status.code of type int32`,
    ],
    ["another uid", review({ uid: "x" }), 'received invalid webhook response: expected response.uid="UID", got "x"'],
    [
      "no response",
      text(JSON.stringify(reviewFields)),
      "received invalid webhook response: webhook response was absent",
    ],
    ["an empty object", text("{}"), "received invalid webhook response: webhook response was absent"],
    [
      "another version",
      review({}, { apiVersion: "admission.k8s.io/v2" }),
      'failed to call webhook: no kind "AdmissionReview" is registered for version "admission.k8s.io/v2"',
    ],
    [
      "an older version",
      review({}, { apiVersion: "admission.k8s.io/v1beta1" }),
      "failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion",
    ],
    [
      "no version",
      review({}, { apiVersion: undefined }),
      "received invalid webhook response: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=AdmissionReview",
    ],
    [
      "no body",
      text(""),
      "failed to call webhook: 0-length response with status code: 200 and content type: application/json",
    ],
    [
      "half an object",
      text("{"),
      "failed to call webhook: couldn't get version/kind; json parse error: unexpected end of JSON input",
    ],
    [
      "a number",
      text("5"),
      String.raw`failed to call webhook: couldn't get version/kind; json parse error: json: cannot unmarshal number into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`,
    ],
    [
      "a text as allowed",
      review({ allowed: "true" }),
      `${typed} string into Go struct field AdmissionResponse.response.allowed of type bool`,
    ],
    [
      "a text as warnings",
      review({ warnings: "x" }),
      `${typed} string into Go struct field AdmissionResponse.response.warnings of type []string`,
    ],
    [
      "a number as patch",
      review({ patch: 5 }),
      `${typed} number into Go struct field AdmissionResponse.response.patch of type []uint8`,
    ],
    ["HTTP 404", text("x", 404), "failed to call webhook: the server could not find the requested resource"],
    [
      "HTTP 500",
      text("x", 500),
      'failed to call webhook: an error on the server ("unknown") has prevented the request from succeeding',
    ],
    [
      "HTTP 404 with a Status",
      text('{"kind":"Status","apiVersion":"v1","status":"Failure","message":"gone"}', 404),
      "failed to call webhook: gone",
    ],
    [
      "a body that ends early",
      cut,
      "failed to call webhook: unexpected error when reading response body. Please retry. Original error: unexpected EOF",
    ],
    [
      "a body that never ends",
      drip,
      "failed to call webhook: unexpected error when reading response body. Please retry. Original error: context deadline exceeded",
    ],
  ];
  it.each(bad)("with %s fail the request unless failures are ignored", async (...[, respond, problem]) => {
    for (const kind of kinds) {
      const failed = await create(`${kind}-fail`, respond);
      expect([failed.code, failed.message]).toEqual(failureOf(`${kind}-fail`, problem));
      expect((await create(`${kind}-ignore`, respond)).code).toBe(201);
    }
  });

  it("that do not arrive, or close the connection, fail the request", async () => {
    for (const kind of kinds) {
      const post = `failed to call webhook: Post "https://HOST/${kind}?timeout=1s":`;
      const hanging = await create(`${kind}-fail`, () => undefined);
      expect([hanging.code, hanging.message]).toEqual(failureOf(`${kind}-fail`, `${post} context deadline exceeded`));
      const closed = await create(`${kind}-fail`, (_, response) => response.destroy());
      expect([closed.code, closed.message]).toEqual(failureOf(`${kind}-fail`, `${post} EOF`));
    }
  });

  it("without an end are read up to a limit", async () => {
    const limit = 60_000_000;
    let sent = 0;
    const endless = (_: Review, response: ServerResponse): void => {
      const chunk = " ".repeat(65_536);
      response.writeHead(200, { "Content-Type": "application/json" });
      const more = (): void => {
        while (!response.destroyed && sent < limit) {
          sent += chunk.length;
          if (!response.write(chunk)) {
            response.once("drain", more);
            return;
          }
        }
        response.end();
      };
      more();
    };
    expect((await create("validating-fail", endless)).code).toBe(500);
    if (name === "embedded") expect(sent).toBeLessThan(limit);
  });

  it.each<[what: string, response: Fields, mutating: string | undefined, validating: string | undefined]>([
    [
      "a patch without a type",
      { ...patchOf(), patchType: undefined },
      "webhook returned response.patch but not response.patchType",
      "validating webhook may not return response.patch",
    ],
    [
      "a type without a patch",
      { allowed: true, patchType: "JSONPatch" },
      "webhook returned response.patchType but not response.patch",
      "validating webhook may not return response.patchType",
    ],
    ["a patch", patchOf(), undefined, "validating webhook may not return response.patch"],
  ])("with %s fail or succeed by the kind of the webhook", async (...[, response, mutating, validating]) => {
    for (const [kind, problem] of [
      ["mutating", mutating],
      ["validating", validating],
    ] as const) {
      const { code, message } = await create(`${kind}-fail`, review(response));
      const invalid = `received invalid webhook response: ${problem ?? ""}`;
      expect([code, message]).toEqual(problem === undefined ? [201, ""] : failureOf(`${kind}-fail`, invalid));
      expect((await create(`${kind}-ignore`, review(response))).code).toBe(201);
    }
  });

  const encoded = (patch: string, patchType = "JSONPatch"): Fields => ({
    allowed: true,
    patchType,
    patch: Buffer.from(patch).toString("base64"),
  });
  const undecodable = "received undecodable patch in webhook response:";
  it.each<[response: Fields, problem: string]>([
    [{ ...encoded(""), patch: "%%%" }, "failed to call webhook: illegal base64 data at input byte 0"],
    [{ ...encoded(""), patch: "W10" }, "failed to call webhook: illegal base64 data at input byte 0"],
    [encoded("[1,]"), `${undecodable} invalid character ']' looking for beginning of value`],
    [encoded("{}"), `${undecodable} json: cannot unmarshal object into Go value of type jsonpatch.Patch`],
    [encoded("[5]"), `${undecodable} json: cannot unmarshal number into Go value of type jsonpatch.Operation`],
    [encoded('[{"op":"add","path":"/data/x","value":"y"}]', "MergePatch"), 'unsupported patch type "MergePatch"'],
  ])("with the patch of %j fail unless failures are ignored", async (response, problem) => {
    const failed = await create("mutating-fail", review(response));
    expect([failed.code, failed.message]).toEqual(failureOf("mutating-fail", problem));
    expect((await create("mutating-ignore", review(response))).code).toBe(201);
  });

  const copies = Array.from({ length: 100 }, (_, i) => ({
    op: "copy",
    from: "/data",
    path: i % 2 === 0 ? "/data/y" : "/data/x",
  }));
  it.each<[what: string, operations: readonly object[], message: string]>([
    [
      "does not apply",
      [{ op: "remove", path: "/data/none" }],
      "error in remove for path: '/data/none': Unable to remove nonexistent key: none: missing value",
    ],
    ["tests another value", [{ op: "test", path: "/data/a", value: "c" }], "testing value /data/a failed: test failed"],
    ["has an unknown operation", [{ op: "nope", path: "/data/x" }], "Unexpected kind: nope"],
    [
      "copies copies",
      [{ op: "add", path: "/data/a", value: "b".repeat(1000) }, ...copies],
      "Unable to complete the copy, the accumulated size increase of copy is 4217044, exceeding the limit 3145728",
    ],
    [
      "makes a number of a text",
      [{ op: "add", path: "/data/x", value: 5 }],
      "json: cannot unmarshal number into Go struct field ConfigMap.data of type string",
    ],
    [
      "makes metadata a number",
      [{ op: "replace", path: "/metadata", value: 5 }],
      "json: cannot unmarshal number into Go struct field ConfigMap.metadata of type v1.ObjectMeta",
    ],
    [
      "changes the version",
      [{ op: "replace", path: "/apiVersion", value: "v2" }],
      'no kind "ConfigMap" is registered for version "v2"',
    ],
    [
      "makes the kind a number",
      [{ op: "replace", path: "/kind", value: 5 }],
      "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string",
    ],
  ])("with a patch that %s fail even if failures are ignored", async (...[, operations, message]) => {
    for (const policy of policies) {
      const failed = await create(`mutating-${policy}`, review(patchOf(...operations)));
      expect([failed.code, failed.message]).toEqual([500, `${internal}${message}`]);
    }
  });

  const metadata = (field: string, value: unknown): Fields => patchOf({ op: "add", path: `/metadata/${field}`, value });
  const otherNamespace = "the namespace of the provided object does not match the namespace sent on the request";
  const otherUid = "11111111-2222-3333-4444-555555555555";

  it.each<[what: string, response: Fields, code: number, message: string | undefined]>([
    ["another namespace", metadata("namespace", "kube-system"), 400, otherNamespace],
    [
      "a resourceVersion",
      metadata("resourceVersion", "1"),
      500,
      "resourceVersion should not be set on objects to be created",
    ],
    [
      "no name",
      patchOf({ op: "remove", path: "/metadata/name" }),
      422,
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
    [
      "no metadata",
      patchOf({ op: "remove", path: "/metadata" }),
      422,
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
    ["another name", metadata("name", "renamed"), 201, undefined],
    ["a uid", metadata("uid", otherUid), 201, undefined],
    ["no kind", patchOf({ op: "remove", path: "/kind" }), 201, undefined],
  ])(
    "that patch a created object (%s) succeed or fail as on the real server",
    async (...[, response, code, message]) => {
      hooks.respond = review(response);
      // The real server checks some metadata only when it stores the object.
      const answered = toAnswered(await send("POST", configMaps, objectOf("mutating-fail")));
      expect([answered.code, answered.message]).toEqual([code, message ?? ""]);
      const created = (answered.body as { readonly metadata: { readonly name: string; readonly uid?: string } })
        .metadata;
      expect(created.uid).not.toBe(otherUid);
      if (code === 201) await send("DELETE", `${configMaps}/${created.name}`);
    },
  );

  it.each<[what: string, response: Fields, code: number, cause: string | undefined]>([
    ["another namespace", metadata("namespace", "kube-system"), 400, undefined],
    ["a resourceVersion", metadata("resourceVersion", "1"), 409, undefined],
    ["another name", metadata("name", "renamed"), 422, "metadata.name: field is immutable"],
    ["another uid", metadata("uid", otherUid), 422, "metadata.uid: field is immutable"],
    ["another creation time", metadata("creationTimestamp", "2001-01-01T00:00:00Z"), 200, undefined],
    ["no kind", patchOf({ op: "remove", path: "/kind" }), 200, undefined],
  ])(
    "that patch an updated object (%s) succeed or fail as on the real server",
    async (...[, response, code, cause]) => {
      hooks.respond = review({ allowed: true });
      const object = objectOf("mutating-fail");
      const { name: objectName } = object["metadata"] as { readonly name: string };
      expect((await send("POST", configMaps, object)).code).toBe(201);
      hooks.respond = review(response);
      const answered = await send("PUT", `${configMaps}/${objectName}`, { ...object, data: { a: "c" } });
      expect(answered.code).toBe(code);
      const { causes = [] } =
        (answered.body as { readonly details?: { readonly causes?: readonly Fields[] } }).details ?? {};
      const texts = causes.map(({ field, message }) => `${String(field)}: ${String(message).replace(/^.*: /, "")}`);
      expect([...new Set(texts)]).toEqual(cause === undefined ? [] : [cause]);
      await send("DELETE", `${configMaps}/${objectName}`);
    },
  );
});
