import { describe, expect, it } from "@jest/globals";
import { findCredential, parseServerKey, type CredentialEntry } from "./credential.ts";
import { parseDockerConfig } from "./docker-config.ts";
import { parseOcmCredentials } from "./ocm-credentials.ts";

const where = "Secret team/pull";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

function entry(host: string, path: string, username: string): CredentialEntry {
  return { host, path, credential: { username, password: "x" } };
}

describe("findCredential", () => {
  const entries = [
    entry("example.org", "", "all"),
    entry("example.org", "team", "team"),
    entry("example.org", "team/app", "app"),
    entry("example.org", "team", "second"),
    entry("example.org:5000", "", "port"),
    entry("docker.io", "", "hub"),
  ];

  it.each([
    ["example.org", "other", "all"],
    ["example.org", "team", "team"],
    ["example.org", "team/app", "app"],
    ["example.org", "team/app/sub", "app"],
    ["example.org", "team/application", "team"],
    ["example.org", "teammate/app", "all"],
    ["EXAMPLE.org", "other", "all"],
    ["example.org:443", "other", "all"],
    ["example.org:5000", "team/app", "port"],
    ["index.docker.io", "library/ubuntu", "hub"],
    ["registry-1.docker.io", "library/ubuntu", "hub"],
    ["evil-example.org", "team", undefined],
    ["example.org.evil.net", "team", undefined],
    ["example.org:5001", "team", undefined],
  ])("finds for %s/%s that of %s", (host, repository, username) => {
    expect(findCredential(entries, { host, repository })?.credential.username).toBe(username);
  });
});

describe("parseServerKey", () => {
  it.each([
    ["https://index.docker.io/v1/", { host: "docker.io", path: "" }],
    ["example.org", { host: "example.org", path: "" }],
    ["https://example.org/v2/", { host: "example.org", path: "" }],
    ["http://example.org:5000/team/", { host: "example.org:5000", path: "team" }],
    ["example.org/team/v2", { host: "example.org", path: "team" }],
    ["example.org/teamv2", { host: "example.org", path: "teamv2" }],
    ["", undefined],
    ["https://", undefined],
    ["user@example.org", undefined],
    ["[::1]:5000/team", { host: "[::1]:5000", path: "team" }],
  ])("reads %j", (key, expected) => {
    expect(parseServerKey(key)).toEqual(expected);
  });
});

describe("parseDockerConfig", () => {
  it("reads every form of credentials", () => {
    const text = JSON.stringify({
      auths: {
        "a.example.org": { auth: base64("user:pass:word") },
        "b.example.org/team": { username: "u", password: "p" },
        "c.example.org": { identitytoken: "refresh" },
        "d.example.org": { registrytoken: "fixed" },
        "e.example.org": { auth: base64("padded:pw\0\0") },
      },
    });
    expect(parseDockerConfig(text, { where })).toEqual({
      entries: [
        { host: "a.example.org", path: "", credential: { username: "user", password: "pass:word" }, from: where },
        { host: "b.example.org", path: "team", credential: { username: "u", password: "p" }, from: where },
        { host: "c.example.org", path: "", credential: { identityToken: "refresh" }, from: where },
        { host: "d.example.org", path: "", credential: { registryToken: "fixed" }, from: where },
        { host: "e.example.org", path: "", credential: { username: "padded", password: "pw" }, from: where },
      ],
      warnings: [],
    });
  });

  it("reads the legacy form", () => {
    const text = JSON.stringify({ "a.example.org": { auth: base64("u:p") } });
    expect(parseDockerConfig(text, { where, format: "legacy" }).entries).toHaveLength(1);
  });

  it("says what it passes over", () => {
    const text = JSON.stringify({
      auths: { "a.example.org": {}, "???": { auth: base64("u:p") } },
      credsStore: "desktop",
      credHelpers: { "gcr.example.org": "gcloud" },
    });
    expect(parseDockerConfig(text, { where })).toEqual({
      entries: [],
      warnings: [
        `${where}: auths["a.example.org"]: holds no credentials; it is passed over`,
        `${where}: auths: a key is no host and no URL; it is passed over`,
        `${where}: credsStore names a program, which is not run; it is passed over`,
        `${where}: credHelpers["gcr.example.org"] names a program, which is not run; it is passed over`,
      ],
    });
  });

  it.each([
    ["{hunter2", "expected JSON, found text that is none"],
    ["[]", "expected a JSON object"],
    ['{"auths": []}', "auths: expected an object"],
    ['{"auths": {"a.org": "hunter2"}}', 'auths["a.org"]: expected an object'],
    ['{"auths": {"a.org": {"auth": "aHVudGVyMg=="}}}', "auth: expected base64 of user:password"],
    ['{"auths": {"a.org": {"password": ["hunter2"], "username": "u"}}}', "password: expected a text"],
  ])("refuses %s without repeating it", (text, problem) => {
    const read = (): unknown => parseDockerConfig(text, { where });
    expect(read).toThrow(problem);
    expect(read).toThrow(expect.objectContaining({ reason: "InvalidRegistryCredentials" }));
    expect(read).toThrow(/^(?!.*hunter2)/);
  });
});

describe("parseOcmCredentials", () => {
  it("reads consumers of OCI registries", () => {
    const text = `
type: credentials.config.ocm.software
consumers:
  - identity: { type: OCIRegistry, hostname: Example.org, port: 5000, pathprefix: team/ }
    credentials:
      - type: Credentials
        properties: { username: u, password: p, certificateAuthority: PEM }
  - identity: { type: Github, hostname: github.com }
    credentials: [{ type: Credentials, properties: { token: t } }]
`;
    expect(parseOcmCredentials(text, where)).toEqual({
      entries: [
        {
          host: "example.org:5000",
          path: "team",
          credential: { username: "u", password: "p", certificateAuthority: "PEM" },
          from: where,
        },
      ],
      warnings: [
        `${where}: consumers[1]: identity.type: expected an OCI registry, found another type; it is passed over`,
      ],
    });
  });

  it("passes documents of other types over", () => {
    const { entries, warnings } = parseOcmCredentials("type: generic.config.ocm.software/v1", where);
    expect({ entries, warnings }).toEqual({
      entries: [],
      warnings: [`${where}: type: expected credentials.config.ocm.software, found another one; it is passed over`],
    });
  });

  it.each([
    ["a: [hunter2", "expected YAML, found text that is none"],
    ["hunter2", "expected an object"],
    ["{type: credentials.config.ocm.software, consumers: hunter2}", "consumers: expected a list"],
    ["{type: credentials.config.ocm.software, consumers: [{}]}", "consumers[0]: identity: expected an object"],
    [
      "{type: credentials.config.ocm.software, consumers: [{identity: {type: OCIRegistry}}]}",
      "consumers[0]: identity.hostname: expected a text",
    ],
    [
      "{type: credentials.config.ocm.software, consumers: [{identity: {hostname: a.org}, credentials: [hunter2]}]}",
      "credentials[0].properties: expected an object",
    ],
  ])("refuses %s without repeating it", (text, problem) => {
    const read = (): unknown => parseOcmCredentials(text, where);
    expect(read).toThrow(problem);
    expect(read).toThrow(/^(?!.*hunter2)/);
  });
});
