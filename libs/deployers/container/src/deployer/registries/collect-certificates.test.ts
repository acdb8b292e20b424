import { describe, expect, it } from "@jest/globals";
import type { CredentialEntry } from "@landscaper/oci";
import { collectCertificates, type CertificateSources } from "./collect-certificates.ts";

const place = (host: string) => ({ host, repository: "team" });
const places = { component: place("parts.example:443"), blueprint: place("blueprints.example:5000") };
const all = {
  "parts.example": { ca: "parts ca" },
  "blueprints.example:5000": { ca: "blueprints ca", client: { cert: "cert", key: "key" } },
  "resolver.example": { ca: "resolver ca" },
  "tokens.example": { ca: "tokens ca" },
  "registry-1.docker.io": { ca: "hub ca" },
  "other.example": { ca: "other ca", client: { cert: "other cert", key: "other key" } },
};
const ocmConfig = JSON.stringify({
  type: "ocm.config.ocm.software",
  resolvers: [{ repository: { type: "OCIRegistry", baseUrl: "https://resolver.example/team" }, prefix: "example.com" }],
});
const none: CertificateSources = {
  places: { component: undefined, blueprint: undefined },
  ocmConfig: "",
  credentials: [],
  tokenRealms: [],
  find: (host) => Promise.resolve(new Map(Object.entries(all)).get(host)),
};
const pick = (...hosts: readonly (keyof typeof all)[]) => Object.fromEntries(hosts.map((host) => [host, all[host]]));

describe("the certificates for the registries of an item", () => {
  it.each<[string, Partial<CertificateSources>, object]>([
    ["without component", {}, {}],
    ["with component and blueprint", { places }, pick("parts.example", "blueprints.example:5000")],
    ["of Docker Hub", { places: { ...none.places, component: place("docker.io") } }, pick("registry-1.docker.io")],
    ["with repositories of the OCM configuration", { ocmConfig }, pick("resolver.example")],
    [
      "with an OCM configuration that cannot be read",
      { places, ocmConfig: "[" },
      pick("parts.example", "blueprints.example:5000"),
    ],
    [
      "whose tokens come from another host",
      {
        places: { ...places, blueprint: undefined },
        tokenRealms: [
          { registry: "parts.example", realm: "tokens.example" },
          { registry: "third.example", realm: "other.example" },
        ],
      },
      pick("parts.example", "tokens.example"),
    ],
    ["where the deployer has none", { places, find: undefined }, {}],
  ])("%s", async (_title, sources, expected) => {
    expect(await collectCertificates({ ...none, ...sources })).toEqual(expected);
  });

  it("have the authority that a credential brings beside those of the operator", async () => {
    const credentials: CredentialEntry[] = [
      { host: "parts.example", path: "", credential: { certificateAuthority: "own ca" } },
      { host: "other.example", path: "", credential: { certificateAuthority: "not needed" } },
    ];
    const component = place("parts.example");
    const sources = { ...none, places: { component, blueprint: undefined }, credentials };
    expect(await collectCertificates(sources)).toEqual({ "parts.example": { ca: "parts ca\nown ca" } });
    expect(await collectCertificates({ ...sources, find: undefined })).toEqual({ "parts.example": { ca: "own ca" } });
  });
});
