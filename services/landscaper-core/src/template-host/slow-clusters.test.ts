// Templates that ask a cluster which never answers: who waits for it.
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { resources } from "@landscaper/api";
import { createForeignServers, toForeignServerLimits } from "@landscaper/controller-runtime";
import { waitFor } from "@landscaper/testkit";
import { installation, target } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";

/** No request ends by itself while the test runs, however slow the machine is. */
const patient = {
  connectTimeout: "10m",
  answerTimeout: "10m",
  totalTimeout: "10m",
  maxObjectMiB: 8,
  maxListMiB: 64,
  unansweredRequests: 3,
  longestRest: "1m",
};
const foreignServers = createForeignServers({ limits: toForeignServerLimits(patient, "targets.requests") });
const setUp = setUpCore({ foreignServers, workers: { installations: 2, executions: 2, deployItems: 2, contexts: 2 } });

const clusterType = "landscaper.gardener.cloud/kubernetes-cluster";

let server: Server;
const sockets = new Set<Socket>();
beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
const asking = {
  imports: [{ name: "cluster", type: "target", targetType: clusterType }],
  exports: [{ name: "result", type: "data", schema: {} }],
  export: 'exports: { result: {{ getServiceAccountKubeconfig "robot" "default" 3600 .imports.cluster | toJson }} }\n',
};

describe("Installations whose templates ask a cluster that does not answer", () => {
  it("hold no worker: those of other namespaces are done meanwhile", async () => {
    const slow = await setUp.namespace("slow");
    const { port } = server.address() as AddressInfo; // It listens on TCP.
    const kubeconfig = JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster: { server: `https://127.0.0.1:${port}` } }],
      users: [{ name: "u", user: { token: "t" } }],
    });
    const made = target("cluster", { kubeconfig });
    await slow.create(resources.target, { ...made, spec: { ...made.spec, type: clusterType } });
    const names = Array.from({ length: 8 }, (_, index) => `asking-${index}`);
    for (const name of names) {
      const imports = { targets: [{ name: "cluster", target: "cluster" }] };
      const exports = { data: [{ name: "result", dataRef: `result-${name}` }] };
      await slow.create(resources.installation, installation({ name, blueprint: asking, imports, exports }));
    }
    await waitFor(() => sockets.size === 2);
    const waiting = [...sockets];
    const quick = await setUp.namespace("quick");
    await quick.create(resources.installation, installation({ name: "root", blueprint: {} }));
    await quick.until(resources.installation, "root", (found) => found?.status?.phase === "Succeeded");
    // As many as there are workers wait for the cluster, the same as before.
    expect(waiting.filter((socket) => sockets.has(socket))).toEqual(waiting);
    // The core need not wait for them when it ends.
    server.close();
    for (const socket of sockets) socket.destroy();
  });
});
