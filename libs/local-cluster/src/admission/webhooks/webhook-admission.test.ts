import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { type TestApi, createTestApi } from "@landscaper/testkit";
import { createCertificateAuthority } from "../../certificates/certificate-authority.ts";
import type { LocalCluster } from "../../cluster/local-cluster.ts";
import { startLocalCluster } from "../../cluster/start-local-cluster.ts";
import { listenHttps, type HttpsListener } from "../../http/https-server.ts";
import { stringAt } from "../../objects/json.ts";

const configurations = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
const configMaps = "/api/v1/namespaces/default/configmaps";

const configuration = (clientConfig: object, fields: object = {}): object => ({
  metadata: { name: "hooks" },
  webhooks: [
    {
      name: "hook.example.com",
      clientConfig,
      rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      ...fields,
    },
  ],
});

// What webhooks do with requests is compared with the real server in the e2e suite admission-webhooks; here stands what only this server does.
describe("admission webhooks", () => {
  let cluster: LocalCluster;
  let api: TestApi;
  beforeAll(async () => {
    cluster = await startLocalCluster();
    api = createTestApi(cluster);
  });
  beforeEach(() => api.delete(`${configurations}/hooks`));
  afterAll(() => cluster.stop());

  const bad: readonly (readonly [string, object, string])[] = [
    [
      "of a Service",
      { service: { namespace: "default", name: "hook" } },
      "this API server has no network of Services. Replace service default/hook in clientConfig by a url on loopback",
    ],
    [
      "of another machine",
      { url: "https://hooks.example.com/validate" },
      "this API server calls webhooks on loopback only, and not on hooks.example.com. Use a url with 127.0.0.1",
    ],
  ];
  for (const [what, clientConfig, problem] of bad) {
    it(`${what} fail with the remedy, unless their failure is ignored`, async () => {
      await api.post(configurations, configuration(clientConfig));
      const { code, body } = await api.post(configMaps, { metadata: { name: "refused" } });
      const text = `failed calling webhook "hook.example.com": failed to call webhook: ${problem}`;
      expect([code, body]).toEqual([
        500,
        expect.objectContaining({ reason: "InternalError", message: `Internal error occurred: ${text}` }),
      ]);
      expect((await api.get(`${configMaps}/refused`)).code).toBe(404);
      await api.delete(`${configurations}/hooks`);
      await api.post(configurations, configuration(clientConfig, { failurePolicy: "Ignore" }));
      expect((await api.post(`${configMaps}?dryRun=All`, { metadata: { name: "ignored" } })).code).toBe(201);
    });
  }

  it("never prevent the removal of their configuration", async () => {
    const rules = [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] }];
    await api.post(configurations, configuration({ url: "https://127.0.0.1:1/hook" }, { rules }));
    expect((await api.post(configMaps, { metadata: { name: "refused" } })).code).toBe(500);
    expect((await api.delete(`${configurations}/hooks`)).code).toBe(200);
    expect((await api.post(`${configMaps}?dryRun=All`, { metadata: { name: "accepted" } })).code).toBe(201);
  });

  describe("whose certificate is refused", () => {
    const newAuthority = () => createCertificateAuthority("hooks", Date.now);
    const [authority, other] = [newAuthority(), newAuthority()];
    const { cert, key } = authority.issue({ commonName: "hook", hosts: ["127.0.0.1"] });
    const encode = (pem: string): string => Buffer.from(pem).toString("base64");
    let hook: HttpsListener;
    beforeAll(async () => {
      hook = await listenHttps({ certPem: cert, keyPem: key }, 0, (_request, response) => response.end("{}"));
    });
    afterAll(() => hook.close());

    it.each([
      [
        "because there is no caBundle",
        { host: "127.0.0.1", fields: {} },
        "the server certificate is not signed by a trusted authority; set clientConfig.caBundle of the webhook",
      ],
      [
        "because of another caBundle",
        { host: "127.0.0.1", fields: { caBundle: encode(other.cert) } },
        "the server certificate is not signed by clientConfig.caBundle of the webhook; update that field if the authority of the server has changed",
      ],
      [
        "because of its names",
        { host: "localhost", fields: { caBundle: encode(authority.cert) } },
        "the server certificate is not valid for the name localhost; correct clientConfig.url of the webhook, or issue a certificate with this name as subject alternative name (SAN)",
      ],
    ])("%s fail with the remedy", async (_reason, { host, fields }, problem) => {
      const url = `https://${host}:${hook.port}/hook`;
      await api.post(configurations, configuration({ url, ...fields }));
      const { body } = await api.post(configMaps, { metadata: { name: "refused" } });
      expect(stringAt(body, "message")).toBe(
        `Internal error occurred: failed calling webhook "hook.example.com": failed to call webhook: Post "${url}?timeout=10s": ${problem}`,
      );
    });

    it("fail on a caBundle without certificates", async () => {
      const url = `https://127.0.0.1:${hook.port}/hook`;
      await api.post(configurations, configuration({ url, caBundle: encode("nonsense") }));
      const { body } = await api.post(configMaps, { metadata: { name: "refused" } });
      expect(stringAt(body, "message")).toContain("is not signed by clientConfig.caBundle of the webhook");
    });
  });
});
