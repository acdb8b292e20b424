import { describe, expect, it } from "@jest/globals";
import { parseOcmConfiguration } from "./ocm-configuration.ts";
import { repositoriesFor } from "./resolver.ts";

const where = "ConfigMap ocm: .ocmconfig";
const registry = (host: string) => ({ type: "OCIRegistry", baseUrl: host });
const resolvers = {
  type: "ocm.config.ocm.software",
  resolvers: [
    { repository: registry("all.example") },
    { repository: registry("team.example"), prefix: "example.com/team/", priority: 5 },
    { repository: registry("app.example"), prefix: "example.com/team/app" },
    { repository: registry("first.example"), prefix: "example.com", priority: 20 },
  ],
};
const consumer = {
  identity: { type: "OCIRegistry", hostname: "registry.example", port: 5000 },
  credentials: [{ type: "Credentials", properties: { username: "me", password: "sentinel" } }],
};
const credentials = { type: "credentials.config.ocm.software/v1", consumers: [consumer] };

describe("an OCM configuration", () => {
  it("has resolvers and credentials, beside parts that are passed over with a warning", () => {
    const text = JSON.stringify({
      type: "generic.config.ocm.software/v1",
      configurations: [resolvers, credentials, { type: "hash.config.ocm.software" }],
    });
    expect(parseOcmConfiguration(text, where)).toEqual({
      resolvers: [
        { repository: registry("all.example"), prefix: "", priority: 10 },
        { repository: registry("team.example"), prefix: "example.com/team", priority: 5 },
        { repository: registry("app.example"), prefix: "example.com/team/app", priority: 10 },
        { repository: registry("first.example"), prefix: "example.com", priority: 20 },
      ],
      entries: [
        {
          host: "registry.example:5000",
          path: "",
          credential: { username: "me", password: "sentinel" },
          from: `${where}: configurations[1]`,
        },
      ],
      warnings: [
        `${where}: configurations[2]: only resolvers and credentials of an OCM configuration are read; it is passed over`,
      ],
    });
  });

  it.each([
    ["example.com/team/app", ["first.example", "app.example", "all.example", "team.example"]],
    ["example.com/team/apple", ["first.example", "all.example", "team.example"]],
    ["example.com/other", ["first.example", "all.example"]],
    ["example.community/x", ["all.example"]],
  ])("gives the repositories for %s by priority, then by prefix", (name, hosts) => {
    const found = parseOcmConfiguration(JSON.stringify(resolvers), where);
    expect(repositoriesFor(name, found.resolvers).map(({ baseUrl }) => baseUrl)).toEqual(hosts);
  });

  it.each<[unknown, string]>([
    ["a: [sentinel", "expected YAML, found text that is not valid YAML"],
    [[], "expected an object"],
    [{}, "type: expected a text"],
    [{ ...resolvers, resolvers: {} }, "resolvers: expected a list"],
    [{ ...resolvers, resolvers: [{}] }, "resolvers[0]: repository: expected an object"],
    [{ ...resolvers, resolvers: [{ repository: {} }] }, "resolvers[0].repository: type: expected a text"],
    [
      { ...resolvers, resolvers: [{ repository: registry("a.example"), prefix: 1 }] },
      "resolvers[0]: prefix: expected a text",
    ],
    [
      { ...resolvers, resolvers: [{ repository: registry("a.example"), priority: "high" }] },
      "resolvers[0]: priority: expected an integer",
    ],
    [{ type: "generic.config.ocm.software", configurations: {} }, "configurations: expected a list"],
    ["a".repeat(256 * 1024 + 1), "more than the allowed 262144 characters"],
  ])("is refused: %j", (document, problem) => {
    const text = typeof document === "string" ? document : JSON.stringify(document);
    expect(() => parseOcmConfiguration(text, where)).toThrow(new Error(`${where}: ${problem}`));
  });
});
