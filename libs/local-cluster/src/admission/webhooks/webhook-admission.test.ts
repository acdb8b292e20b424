import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { type TestApi, createTestApi } from "@landscaper/testkit";
import type { LocalCluster } from "../../cluster/local-cluster.ts";
import { startLocalCluster } from "../../cluster/start-local-cluster.ts";

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
});
