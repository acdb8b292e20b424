import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { connectionFromKubeconfig, createClient, type Client } from "@landscaper/controller-runtime";
import { createKubeconfig } from "@landscaper/testkit";
import { createTargetCluster } from "@landscaper/resources";
import { readCapabilities } from "./live-capabilities.ts";

const answers: Readonly<Record<string, object>> = {
  "/version": { major: "1", minor: "34+", gitVersion: "v1.34.1-gke.1" },
  "/api": { versions: ["v1"] },
  "/apis": { groups: [] },
  "/api/v1": { resources: [{ name: "pods", kind: "Pod" }] },
};

let server: Server;
let client: Client;
beforeAll(async () => {
  server = createServer(({ url = "" }, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(answers[url] ?? {}));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const kubeconfig = createKubeconfig({ name: "test", server: url, user: { token: "test" } });
  client = createClient({ connection: connectionFromKubeconfig(kubeconfig), userAgent: "test" });
});
afterAll(async () => {
  await client.close();
  server.close();
});

it("reads the version of a cluster with its suffix, and the numbers that the API server returns", async () => {
  const { signal } = new AbortController();
  expect(await readCapabilities(createTargetCluster(client), { elapsedMs: 0, signal })).toEqual({
    kubeVersion: "v1.34.1-gke.1",
    kubeNumbers: { major: "1", minor: "34+" },
    apiVersions: ["v1", "v1/Pod"],
  });
});
