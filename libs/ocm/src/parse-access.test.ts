import { describe, expect, it } from "@jest/globals";
import { parseAccess } from "./parse-access.ts";

describe("an access (docs/reference/components.md#access)", () => {
  it.each([
    {
      access: { type: "localBlob", localReference: "sha256:1", mediaType: "text/plain", referenceName: "a/b" },
      parsed: { kind: "local", reference: "sha256:1", mediaType: "text/plain" },
    },
    {
      access: { type: "LocalBlob/v1", localReference: "sha256:1" },
      parsed: { kind: "local", reference: "sha256:1", mediaType: undefined },
    },
    {
      access: { type: "localFilesystemBlob", filename: "b.tgz" },
      parsed: { kind: "local", reference: "b.tgz", mediaType: undefined },
    },
    {
      access: { type: "localOciBlob", digest: "sha256:1" },
      parsed: { kind: "local", reference: "sha256:1", mediaType: undefined },
    },
    {
      access: { type: "ociArtifact", imageReference: "r.example/a:1" },
      parsed: { kind: "artifact", reference: "r.example/a:1" },
    },
    {
      access: { type: "ociRegistry", imagereference: "r.example/a:1" },
      parsed: { kind: "artifact", reference: "r.example/a:1" },
    },
    {
      access: { type: "OCIImage/v1", imageReference: "r.example/a:1" },
      parsed: { kind: "artifact", reference: "r.example/a:1" },
    },
    {
      access: { type: "ociBlob", ref: "r.example/a", digest: "sha256:1", size: 5, mediaType: "m" },
      parsed: { kind: "blob", repository: "r.example/a", digest: "sha256:1", size: 5, mediaType: "m" },
    },
    {
      access: { type: "relativeOciReference", reference: "a/b:1" },
      parsed: { kind: "relative-artifact", reference: "a/b:1" },
    },
    {
      access: { type: "helm", helmRepository: "https://charts.example", helmChart: "web:1.0.0" },
      parsed: { kind: "chart", repository: "https://charts.example", chart: "web", version: "1.0.0" },
    },
    {
      access: { type: "Helm", helmRepository: "https://charts.example", helmChart: "web", version: "2.0.0" },
      parsed: { kind: "chart", repository: "https://charts.example", chart: "web", version: "2.0.0" },
    },
    {
      access: {
        type: "helm/v1",
        helmRepository: "https://charts.example",
        helmChart: "web",
        caCert: "c",
        keyring: "k",
      },
      parsed: { kind: "chart", repository: "https://charts.example", chart: "web", ca: "c", keyring: "k" },
    },
    { access: { type: "None" }, parsed: { kind: "none" } },
    { access: { type: "s3/v2", bucketName: "b" }, parsed: { kind: "other", type: "s3/v2" } },
  ])("is read from $access", ({ access, parsed }) => {
    expect(parseAccess(access, "resource")).toEqual(parsed);
  });

  it.each([
    { access: undefined, message: "resource: access: expected where its content lies" },
    { access: { type: "localBlob" }, message: "resource: access.localReference: expected a text" },
    { access: { type: "localFilesystemBlob", fileName: 5 }, message: "resource: access.fileName: expected a text" },
    { access: { type: "ociBlob", digest: "d", size: 1 }, message: "resource: access.imageReference: expected a text" },
    { access: { type: "ociBlob", ref: "r", digest: "d" }, message: "resource: access.size: expected bytes" },
    ...["5", 1.5, -1].map((size) => ({
      access: { type: "ociBlob", ref: "r", digest: "d", size },
      message: "resource: access.size: expected bytes",
    })),
    {
      access: { type: "ociArtifact", imageReference: "" },
      message: "resource: access.imageReference: expected a text",
    },
  ])("is refused: $message", ({ access, message }) => {
    expect(() => parseAccess(access, "resource")).toThrow(new Error(message));
  });
});
