import { describe, expect, it } from "@jest/globals";
import { connectionSecrets, maskConnection, maskConnectionIn } from "./connection-mask.ts";

const token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9AAAA.c2lnbmF0dXJlLXZhbHVlLTEyMzQ1";
const secrets = connectionSecrets({
  values: [token, "hunter2", "-----BEGIN KEY-----\nMIIEpAIBAAKCAQEA7dq\n-----END KEY-----\n", undefined, ""],
  urls: ["https://user%40x:pa%3Ass%40word@proxy.example:3128", "https://charts.example/a.tgz?sig=s3cr3t-signature&v=1"],
});
const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("what comes from the other end of a connection", () => {
  it.each([
    ["its token", `no access for ${token}`, "no access for [...]"],
    ["the header", `got "Bearer ${token}"`, 'got "Bearer [...]"'],
    ["a part of the token", "signature c2lnbmF0dXJlLXZhbHVlLTEyMzQ1", "signature [...]"],
    ["base64 of it", `got ${base64(token)}.`, "got [...]."],
    ["base64 of a text around it", `got ${base64(`Bearer ${token}`)}`, "got QmVhcmVyIG[...]"],
    ["a password, as a word", "hunter2 of hunter25", "[...] of hunter25"],
    ["a line of a key", "MIIEpAIBAAKCAQEA7dq", "[...]"],
    ["user and password of a proxy", "user@x and pa:ss@word, pa%3Ass%40word", "[...] and [...], [...]"],
    ["the header of the proxy", base64("user@x:pa:ss@word"), "[...]"],
    ["the query of a URL", "a.tgz?sig=s3cr3t-signature&v=1", "a.tgz?[...]"],
    ["a value of the query", "bad s3cr3t-signature", "bad [...]"],
    ["nothing else", "namespaces is forbidden: User alice", "namespaces is forbidden: User alice"],
  ])("hides %s", (_name, text, want) => {
    expect(maskConnection(text, secrets)).toBe(want);
  });

  it("is not what a token says of its account", () => {
    const claims = Buffer.from('{"sub":"system:serviceaccount:shop:me","ns":"shop-target"}').toString("base64");
    const ofToken = connectionSecrets({ values: [`eyJhbGciOiJSUzI1NiJ9.${claims}.c2lnbmF0dXJlLXZhbHVl`] });
    const text = 'ServiceAccount shop-target/default: forbidden: User "system:serviceaccount:shop:me"';
    expect(maskConnection(`${text} ${claims}`, ofToken)).toBe(`${text} [...]`);
    expect(maskConnectionIn([text], ofToken)).toEqual([text]);
  });

  it("is masked in every text of a Status", () => {
    const status = { reason: token, details: { causes: [{ message: `x ${token}` }], retryAfterSeconds: 3 } };
    expect(maskConnectionIn(status, secrets)).toEqual({
      reason: "[...]",
      details: { causes: [{ message: "x [...]" }], retryAfterSeconds: 3 },
    });
  });
});
