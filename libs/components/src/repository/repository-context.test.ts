import { describe, expect, it } from "@jest/globals";
import { parseRepositoryContext, type RepositorySpec } from "./repository-context.ts";

const registry = (more: Partial<Extract<RepositorySpec, { kind: "registry" }>> = {}): RepositorySpec => ({
  kind: "registry",
  host: "registry.example",
  scheme: undefined,
  subPath: "",
  mapping: "urlPath",
  ...more,
});

describe("a repository context (docs/reference/components.md#repositories)", () => {
  it.each([
    { context: { type: "OCIRegistry", baseUrl: "registry.example" }, spec: registry() },
    { context: { type: "ociRegistry/v1", baseUrl: "registry.example/team/x/" }, spec: registry({ subPath: "team/x" }) },
    {
      context: { type: "OCIRegistry", baseUrl: "http://localhost:5000/team", subPath: "/sub/path/" },
      spec: registry({ host: "localhost:5000", scheme: "http", subPath: "team/sub/path" }),
    },
    {
      context: { type: "OCIRegistry", baseUrl: "registry.example", componentNameMapping: "sha256-digest" },
      spec: registry({ mapping: "sha256-digest" }),
    },
    {
      context: { type: "CommonTransportFormat/v1", filePath: "./ctf", fileFormat: "directory" },
      spec: { kind: "file", filePath: "./ctf" },
    },
    { context: { type: "ComponentArchive", filePath: "a" }, spec: { kind: "file", filePath: "a" } },
    { context: { type: "local", filePath: "components" }, spec: { kind: "local", filePath: "components" } },
    { context: { type: "inline", fileSystem: {} }, spec: { kind: "inline" } },
  ])("is read from $context", ({ context, spec }) => {
    expect(parseRepositoryContext(context, "context")).toEqual(spec);
  });

  it.each([
    { context: {}, message: "context: type: expected a text" },
    {
      context: { type: "S3" },
      message:
        'context: type: expected OCIRegistry, CommonTransportFormat, ComponentArchive, local or inline, found "S3"',
    },
    { context: { type: "OCIRegistry" }, message: "context: baseUrl: expected a text" },
    {
      context: { type: "OCIRegistry", baseUrl: "registry.example/a:1" },
      message: 'context: baseUrl: expected host[:port][/path], found "registry.example/a:1"',
    },
    {
      context: { type: "OCIRegistry", baseUrl: "registry.example", subPath: 5 },
      message: "context: subPath: expected a text",
    },
    {
      context: { type: "OCIRegistry", baseUrl: "registry.example", componentNameMapping: "other" },
      message: 'context: componentNameMapping: expected urlPath or sha256-digest, found "other"',
    },
    { context: { type: "local" }, message: "context: filePath: expected a text" },
  ])("is refused: $message", ({ context, message }) => {
    expect(() => parseRepositoryContext(context, "context")).toThrow(new Error(message));
  });
});
