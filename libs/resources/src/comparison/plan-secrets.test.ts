import { describe, expect, it } from "@jest/globals";
import { isFormerSecret } from "./plan-secrets.ts";

describe("a field whose value may have been secret", () => {
  it.each([
    [".data.password", ["/data/password"], true],
    [".data.user", ["/data/password"], false],
    [".data", ["/data/password"], true],
    [".data.login.password", ["/data/login"], true],
    ['.metadata.labels["app.io/x"]', ["/metadata/labels/app.io~1x"], true],
    [".spec.containers[name=main].env[name=A].value", ["/spec/containers/0/env/3/value"], true],
    [".spec.containers[name=main].image", ["/spec/containers/0/env/3/value"], false],
    [".spec.replicas", [""], true],
    [".spec.replicas", [], false],
  ])("%s with %j: %s", (field, former, want) => {
    expect(isFormerSecret(field, former)).toBe(want);
  });
});
