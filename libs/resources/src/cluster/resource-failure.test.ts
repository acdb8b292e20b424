import { describe, expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import { ApiError, ConnectionError } from "@landscaper/controller-runtime";
import { combineFailures, resourceFailure, unknownKind } from "./resource-failure.ts";
import { missingNamespace } from "./resource-reference.ts";

const reference = { apiVersion: "v1", kind: "Secret", name: "credentials", namespace: "n" };
const request = { method: "POST", path: "/api/v1/namespaces/n/secrets" };

function apiError(status: number, message: string, reason = ""): ApiError {
  return new ApiError(request, { status, statusObject: { message, reason, code: status } });
}

async function failure(error: unknown, sent?: unknown): Promise<LandscaperError> {
  const described = await resourceFailure(error, { verb: "create", reference, sent });
  if (described instanceof LandscaperError) return described;
  throw new TypeError("not described");
}

describe("the message of a failure", () => {
  it.each<readonly [number, string, readonly string[]]>([
    [401, "TargetUnauthorized", ["ERR_UNAUTHORIZED"]],
    [403, "TargetForbidden", []],
    [404, "TargetRefused", []],
    [409, "TargetConflict", []],
    [422, "TargetRefused", []],
    [500, "TargetUnavailable", []],
    [503, "TargetUnavailable", []],
  ])("of status %i has reason %s and codes %j", async (status, reason, codes) => {
    const { message, reason: found, codes: foundCodes } = await failure(apiError(status, "the server says no"));
    expect([message, found, foundCodes]).toEqual(["create Secret n/credentials: the server says no", reason, codes]);
  });

  it("of an object in a namespace that is being deleted does not advise to grant rights", async () => {
    const message =
      'secrets "credentials" is forbidden: unable to create new content in namespace n because it is being terminated';
    const causes = [
      { reason: "NamespaceTerminating", message: "namespace n is being terminated", field: "metadata.namespace" },
    ];
    const error = new ApiError(request, {
      status: 403,
      statusObject: { message, reason: "Forbidden", details: { causes } },
    });
    expect(await failure(error)).toMatchObject({
      message: `create Secret n/credentials: ${message}`,
      reason: "TargetNamespaceTerminating",
      retry: "backoff",
      hint: expect.stringContaining('"kubectl get namespace n -o yaml" names what keeps it') as unknown,
    });
  });

  it.each([
    [413, "Request entity too large: limit is 3145728"],
    [500, "etcdserver: request is too large"],
  ])("of an object that is too large ends the job: %i", async (status, said) => {
    expect(await failure(apiError(status, said))).toMatchObject({
      message: `create Secret n/credentials: ${said}`,
      reason: "TargetObjectTooLarge",
      codes: ["ERR_CONFIGURATION_PROBLEM"],
      retry: "never",
    });
  });

  it("of an object whose namespace does not exist says so", async () => {
    const said = 'namespaces "n" not found';
    const error = new ApiError(
      { method: "POST", path: "/" },
      { status: 404, statusObject: { message: said, reason: "NotFound", details: { name: "n", kind: "namespaces" } } },
    );
    expect(await failure(error)).toMatchObject({
      message: `create Secret n/credentials: ${said}`,
      reason: "TargetNamespaceMissing",
      hint: "create namespace n, or add its manifest to the item",
      retry: "backoff",
    });
  });

  it.each([
    [400, "the object is malformed", "briefly"],
    [422, "spec.x: Invalid value: field is immutable", "briefly"],
    [422, "secrets is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no", "briefly"],
    [500, "failed to create typed patch object (n/s; /v1, Kind=Secret): .foo: field not declared in schema", "briefly"],
    [400, 'admission webhook "w.example" denied the request: no latest', "backoff"],
    [404, 'namespaces "n" not found', "backoff"],
    [403, "forbidden", "backoff"],
    [409, "conflict", "backoff"],
    [500, "oh", "backoff"],
  ])("with status %i (%s) is tried again: %s", async (status, said, retry) => {
    expect((await failure(apiError(status, said))).retry).toBe(retry);
  });

  it("of many is final where one of them is, and keeps a hint", async () => {
    const down = await failure(apiError(500, "oh"));
    const refused = await failure(apiError(422, "no"));
    const never = new LandscaperError({ message: "never", reason: "R", retry: "never", hint: "do it" });
    const of = (...failures: LandscaperError[]): unknown => {
      const { retry, hint } = combineFailures(failures, 5);
      return [retry, hint];
    };
    expect([of(down, down), of(down, refused), of(refused, never)]).toEqual([
      ["backoff", undefined],
      ["briefly", undefined],
      ["never", "do it"],
    ]);
  });

  it("knows a webhook that cannot be called", async () => {
    const said = 'failed calling webhook "w.example": connection refused';
    expect((await failure(apiError(500, said))).codes).toEqual(["ERR_WEBHOOK"]);
  });

  it.each([
    [403, 'admission webhook "w.example" denied the request: no latest'],
    [400, 'admission webhook "w.example" denied the request: no latest'],
    [500, 'Internal error occurred: admission webhook "w.example" denied the request without explanation'],
    [422, "secrets \"credentials\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no"],
    [500, "failed to create typed patch object (n/credentials; /v1, Kind=Secret): .foo: field not declared in schema"],
  ])("takes a refusal with status %i for one, whatever the status: %s", async (status, said) => {
    expect(await failure(apiError(status, said))).toMatchObject({
      message: `create Secret n/credentials: ${said}`,
      reason: "TargetRefused",
      codes: [],
    });
  });

  it("says the status when the server says nothing", async () => {
    const silent = new ApiError(request, { status: 418, statusObject: {} });
    expect((await failure(silent)).message).toBe("create Secret n/credentials: status 418");
  });

  it("says that no answer came", async () => {
    const error = new ConnectionError(request, {
      server: "https://t.example",
      problem: "ECONNREFUSED",
      maybeSent: false,
    });
    expect((await failure(error)).message).toBe(
      "create Secret n/credentials: POST /api/v1/namespaces/n/secrets: no answer from https://t.example (ECONNREFUSED)",
    );
    expect(await failure(error)).toMatchObject({ reason: "TargetUnreachable", host: "t.example" });
  });

  it.each([new Error("abort"), new LandscaperError({ message: "m", reason: "r" })])(
    "leaves %s alone",
    async (error) => {
      expect(await resourceFailure(error, { verb: "get", reference })).toBe(error);
    },
  );
});

describe("values of the manifest in a server's answer", () => {
  const sent = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "credentials", namespace: "n", labels: { app: "credentials", tier: "sentinel-label" } },
    stringData: { password: "sentinel-value", note: 'a "quoted" sentinel' },
  };

  it("are masked, also in base64 and JSON-escaped", async () => {
    const base64 = Buffer.from("sentinel-value").toString("base64");
    const said = `denied: sentinel-value, ${base64}, a \\"quoted\\" sentinel, sentinel-label`;
    expect((await failure(apiError(403, said), sent)).message).toBe(
      "create Secret n/credentials: denied: [...], [...], [...], [...]",
    );
  });

  it("are masked where the server quotes what it found", async () => {
    const said = 'Secret "credentials" is invalid: data: Invalid value: "something else": too long';
    expect((await failure(apiError(422, said), sent)).message).toBe(
      'create Secret n/credentials: Secret "credentials" is invalid: data: Invalid value: [...]: too long',
    );
  });

  it("are not masked where they are the object's own name", async () => {
    expect((await failure(apiError(409, 'secrets "credentials" already exists'), sent)).message).toBe(
      'create Secret n/credentials: secrets "credentials" already exists',
    );
  });
});

describe("an object that the server cannot decode", () => {
  const sent = { apiVersion: "v1", kind: "Secret", metadata: { name: "credentials" }, stringData: { port: 8080 } };

  it.each([
    [400, "json: cannot unmarshal number into Go struct field Secret.stringData of type string"],
    [500, "failed to create typed patch object (n/credentials; /v1, Kind=Secret): expected string"],
  ])("ends the job, and its error names the field: %i", async (status, said) => {
    expect(await failure(apiError(status, said), sent)).toMatchObject({
      message: "Secret n/credentials: stringData.port: expected a string, found a number",
      hint: "quote the value",
      reason: "InvalidManifest",
      codes: ["ERR_CONFIGURATION_PROBLEM"],
      retry: "never",
    });
  });

  it("keeps other answers", async () => {
    expect((await failure(apiError(422, "no"), sent)).reason).toBe("TargetRefused");
    expect((await failure(apiError(400, "no"), { ...sent, stringData: {} })).reason).toBe("TargetRefused");
  });
});

describe("a change of an immutable field", () => {
  it.each([
    "spec.selector: Invalid value: {}: field is immutable",
    "spec: Forbidden: updates to statefulset spec for fields other than 'replicas' are forbidden",
    "spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`",
    "spec.clusterIPs[0]: Invalid value: []: may not change once set",
    "spec: Forbidden: spec is immutable after creation except resources.requests",
  ])("has two remedies: %s", async (said) => {
    expect(await failure(apiError(422, said))).toMatchObject({
      reason: "TargetRefused",
      hint: "delete the object, so that the next job creates it anew, or restore the old value of the field",
      retry: "briefly",
    });
  });

  it("is not assumed for other answers", async () => {
    expect((await failure(apiError(422, "spec.replicas: Invalid value: -1"))).hint).toBeUndefined();
    expect((await failure(apiError(404, "field is immutable"))).hint).toBeUndefined();
  });
});

describe("failures that are found without the server", () => {
  it("an unknown kind", () => {
    expect(unknownKind({ apiVersion: "example.org/v1", kind: "Thing", name: "a" }).message).toBe(
      "Thing a: the target cluster serves no kind Thing in example.org/v1",
    );
  });

  it("a missing namespace ends the job", () => {
    const error = missingNamespace({ apiVersion: "v1", kind: "ConfigMap", name: "a" });
    expect(error.message).toBe("ConfigMap a: metadata.namespace is missing, but kind ConfigMap is namespaced");
    const { reason, retry, codes } = error;
    expect([reason, retry, codes]).toEqual(["InvalidManifest", "never", ["ERR_CONFIGURATION_PROBLEM"]]);
  });
});

describe("many failures", () => {
  const named = (
    name: string,
    options: Partial<ConstructorParameters<typeof LandscaperError>[0]> = {},
  ): LandscaperError =>
    new LandscaperError({ message: `create ConfigMap n/${name}: no`, reason: "TargetForbidden", ...options });

  it("one is itself", () => {
    const one = named("a");
    expect(combineFailures([one], 5)).toBe(one);
  });

  it("several are counted, named and keep their codes", () => {
    const error = combineFailures([named("a"), named("b", { codes: ["ERR_UNAUTHORIZED"] })], 5);
    expect(error.message).toBe("2 of 5 objects failed: create ConfigMap n/a: no; create ConfigMap n/b: no");
    expect([error.codes, error.retry]).toEqual([["ERR_UNAUTHORIZED"], "backoff"]);
  });

  it("very many are named in part", () => {
    const error = combineFailures(
      ["a", "b", "c", "d", "e", "f", "g"].map((name) => named(name)),
      7,
    );
    expect(error.message).toMatch(/^7 of 7 objects failed: .*n\/e: no; and 2 more$/);
  });

  it("one that cannot be helped makes all so", () => {
    expect(combineFailures([named("a"), named("b", { retry: "never" })], 2).retry).toBe("never");
  });
});
