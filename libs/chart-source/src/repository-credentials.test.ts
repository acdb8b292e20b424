import { describe, expect, it } from "@jest/globals";
import { findRepositoryCredential, parseRepositoryCredentials } from "./repository-credentials.ts";

const where = "Context team/default: configurations.helmChartRepoCredentials";
const header = `Basic ${Buffer.from("me:hunter2").toString("base64")}`;
const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";

async function parse(auths: unknown, secrets: Record<string, string> = {}): Promise<unknown> {
  return await parseRepositoryCredentials(
    { auths },
    {
      where,
      readSecret: async (name, key) => {
        const value = secrets[`${name}/${key}`];
        return await (value === undefined ? Promise.reject(new Error(`no ${name}/${key}`)) : Promise.resolve(value));
      },
    },
  );
}

describe("parseRepositoryCredentials", () => {
  it.each([
    [
      "a header",
      [{ url: "https://a.org/x", authHeader: header }],
      [{ url: new URL("https://a.org/x"), authorization: header, from: `${where}.auths[0]` }],
    ],
    ["no scheme", [{ url: "a.org" }], [{ url: new URL("https://a.org") }]],
    [
      "a Secret",
      [{ url: "https://a.org", secretRef: { name: "s" } }],
      [{ url: new URL("https://a.org"), authorization: header, from: `${where}.auths[0]` }],
    ],
    [
      "a key",
      [{ url: "https://a.org", secretRef: { name: "s", key: "k" } }],
      [{ url: new URL("https://a.org"), authorization: header, from: `${where}.auths[0]` }],
    ],
    ["an authority", [{ url: "https://a.org", customCAData: pem }], [{ url: new URL("https://a.org"), ca: pem }]],
    [
      "one in base64",
      [{ url: "https://a.org", customCAData: Buffer.from(pem).toString("base64") }],
      [{ url: new URL("https://a.org"), ca: pem }],
    ],
    ["nothing", undefined, []],
  ])("reads %s", async (_what, auths, expected) => {
    expect(await parse(auths, { "s/authHeader": `${header}\n`, "s/k": header })).toEqual(expected);
  });

  it.each([
    ["text", `${where}.auths: expected a list`],
    [["hunter2"], `${where}.auths[0]: expected an object`],
    [[{}], `${where}.auths[0].url: expected a URL`],
    [[{ url: "https://a.org", authHeader: "Bearer hunter2" }], `${where}.auths[0].authHeader: expected "Basic "`],
    [[{ url: "https://a.org", secretRef: { name: "bearer" } }], `${where}.auths[0].secretRef: expected "Basic "`],
    [[{ url: "https://a.org", secretRef: {} }], `${where}.auths[0].secretRef.name: expected a text`],
    [[{ url: "https://a.org", secretRef: { name: "s" }, authHeader: header }], `${where}.auths[0]: expected one of`],
    [[{ url: "https://a.org", customCAData: "hunter2" }], `${where}.auths[0].customCAData: expected a certificate`],
    [[{ url: "https://a.org", secretRef: { name: "absent" } }], "no absent/authHeader"],
  ])("refuses %j without repeating it", async (auths, problem) => {
    const error: unknown = await parse(auths, { "bearer/authHeader": "Bearer hunter2" }).catch(
      (caught: unknown) => caught,
    );
    expect(String(error)).toContain(problem);
    expect(String(error)).not.toContain("hunter2");
  });
});

describe("findRepositoryCredential", () => {
  const credentials = ["https://a.org/", "https://a.org/team", "https://a.org:8443/", "http://a.org/"].map((url) => ({
    url: new URL(url),
    authorization: url,
  }));
  it.each([
    ["https://a.org/index.yaml", "https://a.org/"],
    ["https://a.org/team/index.yaml", "https://a.org/team"],
    ["https://a.org/teammate/index.yaml", "https://a.org/"],
    ["https://a.org:443/team", "https://a.org/team"],
    ["https://a.org:8443/team/x", "https://a.org:8443/"],
    ["http://a.org/team/x", "http://a.org/"],
    ["https://b.org/team/x", undefined],
    ["https://a.org.evil.net/team", undefined],
  ])("finds for %s that of %s", (url, expected) => {
    expect(findRepositoryCredential(credentials, new URL(url))?.authorization).toBe(expected);
  });
});
