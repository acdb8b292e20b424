import { describe, expect, it } from "@jest/globals";
import { parsePullSecret } from "./pull-secret.ts";

const encode = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64");
const auth = (user: string) => ({ auth: encode(`${user}:sentinel`) });
const entry = (host: string, username: string, key: string) => ({
  host,
  path: "",
  credential: { username, password: "sentinel" },
  from: `Secret pull: ${key}`,
});

describe("a pull secret", () => {
  it("has credentials under all three keys", () => {
    const consumer = {
      identity: { type: "OCIRegistry", hostname: "c.example" },
      credentials: [{ type: "Credentials", properties: { username: "c", password: "sentinel" } }],
    };
    const data = {
      ".dockerconfigjson": encode({ auths: { "a.example": auth("a") } }),
      ".dockercfg": encode({ "b.example": auth("b") }),
      ".ocmcredentialconfig": encode({ type: "credentials.config.ocm.software", consumers: [consumer] }),
      other: encode("nothing"),
    };
    expect(parsePullSecret(data, "Secret pull")).toEqual({
      entries: [
        entry("a.example", "a", ".dockerconfigjson"),
        entry("b.example", "b", ".dockercfg"),
        entry("c.example", "c", ".ocmcredentialconfig"),
      ],
      warnings: [],
    });
  });

  it("without any of the keys gives a warning", () => {
    expect(parsePullSecret({ password: encode("sentinel"), constructor: "" }, "Secret pull")).toEqual({
      entries: [],
      warnings: [
        "Secret pull: has none of the keys .dockerconfigjson, .dockercfg and .ocmcredentialconfig; it is passed over",
      ],
    });
  });

  it("is refused by Secret and key, without its content", () => {
    expect(() => parsePullSecret({ ".dockerconfigjson": encode("sentinel") }, "Secret pull")).toThrow(
      new Error("Secret pull: .dockerconfigjson: expected JSON, found text that is none"),
    );
  });
});
