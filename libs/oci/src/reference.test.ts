import { describe, expect, it } from "@jest/globals";
import { array, assert, constant, constantFrom, property, record, stringMatching } from "fast-check";
import { formatReference, parseReference } from "./reference.ts";

const digest = `sha256:${"0123456789abcdef".repeat(4)}`;

describe("parseReference", () => {
  it.each([
    ["ubuntu", { host: "docker.io", repository: "library/ubuntu" }],
    ["ubuntu:22.04", { host: "docker.io", repository: "library/ubuntu", tag: "22.04" }],
    ["team/app", { host: "docker.io", repository: "team/app" }],
    ["docker.io/ubuntu", { host: "docker.io", repository: "library/ubuntu" }],
    ["index.docker.io/team/app:1", { host: "docker.io", repository: "team/app", tag: "1" }],
    ["localhost/app", { host: "localhost", repository: "app" }],
    ["localhost:5000/app:1", { host: "localhost:5000", repository: "app", tag: "1" }],
    ["example.org/a/b/c", { host: "example.org", repository: "a/b/c" }],
    ["Example.ORG/a", { host: "example.org", repository: "a" }],
    ["oci://example.org/charts/app:1.0.0_build", { host: "example.org", repository: "charts/app", tag: "1.0.0_build" }],
    ["oci://registry/app", { host: "registry", repository: "app" }],
    ["http://registry:5000/app", { host: "registry:5000", scheme: "http", repository: "app" }],
    ["https://example.org/app:2", { host: "example.org", scheme: "https", repository: "app", tag: "2" }],
    [`example.org/app@${digest}`, { host: "example.org", repository: "app", digest }],
    [`example.org/app:1@${digest}`, { host: "example.org", repository: "app", tag: "1", digest }],
    ["[::1]:5000/app", { host: "[::1]:5000", repository: "app" }],
  ])("reads %s", (text, expected) => {
    expect(parseReference(text)).toEqual(expected);
  });

  it.each([
    ["", 'reference "": expected a repository of lower-case letters'],
    ["example.org/", "expected a repository"],
    ["example.org/App", 'found "App"'],
    ["example.org/a//b", 'found "a//b"'],
    ["example.org/a/../b", 'found "a/../b"'],
    ["example.org/app:", 'found ""'],
    ["example.org/app:-1", 'found "-1"'],
    ["k".repeat(100_000), /^reference "k{200}\.\.\.": expected a repository of [a-z_ ,\-./]+, found "k{200}\.\.\."$/],
    [`example.org/app:${"a".repeat(129)}`, "at most 128"],
    ["example.org/app@sha256:abc", "expected a digest such as sha256:"],
    ["example.org/app@md5:0123456789abcdef0123456789abcdef", "expected a digest"],
    ["ftp://example.org/app", "expected oci://, https://, http:// or no scheme"],
    ["oci://example.org", "expected a repository after the host"],
    [`example.org/${"a".repeat(256)}`, "expected a repository"],
    ["exa_mple.org:5000/app", '"exa_mple.org:5000" is not a host'],
  ])("refuses %j", (text, problem) => {
    expect(() => parseReference(text)).toThrow(problem);
    expect(() => parseReference(text)).toThrow(expect.objectContaining({ reason: "InvalidReference" }));
  });

  it("does not repeat a password that somebody wrote into it", () => {
    for (const scheme of ["https://", ""]) {
      expect(() => parseReference(`${scheme}user:hunter2@example.org/app`)).toThrow(/^(?!.*hunter2)/);
    }
  });

  it("reads back what it writes", () => {
    const part = stringMatching(/^[a-z0-9]{1,8}(?:[._-][a-z0-9]{1,4})?$/);
    const reference = record(
      {
        host: constantFrom("example.org", "localhost:5000", "docker.io", "10.0.0.1:80"),
        repository: array(part, { minLength: 2, maxLength: 4 }).map((parts) => parts.join("/")),
        scheme: constantFrom("http" as const, "https" as const),
        tag: stringMatching(/^\w[\w.-]{0,20}$/),
        digest: constant(digest),
      },
      { requiredKeys: ["host", "repository"] },
    );
    assert(
      property(reference, (value) => {
        expect(parseReference(formatReference(value))).toEqual(value);
      }),
      { seed: 7 },
    );
  });
});
