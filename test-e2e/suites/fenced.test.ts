// A fenced cluster as docs/guide/fenced-clusters.md has it, with a real node behind a real packet filter.
import { type AddressInfo, connect, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, type KubeObject, type Pod } from "@landscaper/api";
import { describeUnless, openNamespace, programAbsence } from "@landscaper/testkit";
import { toolsImage } from "../cluster/node-image.ts";
import { startFencedCluster, type FencedCluster } from "../fenced/fenced-cluster.ts";
import { nodeAbsence } from "../src/node-absence.ts";

const suiteMs = 1_800_000;
const testMs = 300_000;

/** How a connection to a server ends: "open", or the error's code, such as ECONNREFUSED. */
async function dial(port: number, host: string): Promise<string> {
  return await new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 5000 });
    const end = (result: string): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once("connect", () => end("open"));
    socket.once("timeout", () => end("timeout"));
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}

describeUnless(nodeAbsence() ?? programAbsence("docker-registry"), describe)("a fenced cluster", () => {
  let fenced: FencedCluster;
  beforeAll(async () => {
    fenced = await startFencedCluster({ services: ["landscaper-core"] });
  }, suiteMs);
  afterAll(async () => fenced?.stop());

  it(
    "cannot be dialled from outside, and dials the landscaper cluster and the registry alone",
    async () => {
      const { node, environment, registry, client, formerUrl } = fenced;
      const kubeletPort = 10_250;
      // Both listen on this address, and the first was dialled there before the fence.
      expect(await dial(Number(formerUrl.port), formerUrl.hostname)).toBe("ECONNREFUSED");
      expect(await dial(kubeletPort, formerUrl.hostname)).toBe("ECONNREFUSED");

      const other = createServer((socket) => socket.destroy());
      await new Promise<void>((resolve) => other.listen(0, node.hostAddress, resolve));
      try {
        const { port } = other.address() as AddressInfo; // it listens on TCP
        expect(await dial(port, node.hostAddress)).toBe("open");
        const places = [environment.hub.url, `http://${registry.host}`, `http://${node.hostAddress}:${port}`];
        const dials = [...places.map((place) => new URL(place)), { hostname: "203.0.113.1", port: "443" }].map(
          ({ hostname, port: at }) =>
            `busybox nc -w 3 ${hostname} ${at} </dev/null >/dev/null 2>&1 && echo open || echo refused`,
        );
        const script = dials.join("\n");
        const expected = "open\nopen\nrefused\nrefused\n";
        expect(node.run(["busybox", "sh", "-c", script])).toBe(expected);

        const key = { namespace: "default", name: "guest" };
        const containers = [{ name: "main", image: toolsImage, command: ["sh", "-c", script] }];
        const pod: KubeObject & { spec: object } = {
          apiVersion: "v1",
          kind: "Pod",
          metadata: key,
          spec: { restartPolicy: "Never", containers },
        };
        await client.create(kubeResources.pod, pod as Pod);
        const waits = { timeoutMs: 60_000, describe: async () => "the pod has not ended" };
        const isOver = (found: Pod | undefined): boolean => found?.status?.phase === "Succeeded";
        await openNamespace(client, key.namespace, waits).until(kubeResources.pod, key.name, isOver);
        const path = "/api/v1/namespaces/default/pods/guest/log";
        expect(await client.request({ method: "GET", path, accept: "*/*", answer: "text" })).toBe(expected);
      } finally {
        other.close();
      }
    },
    testMs,
  );
});
