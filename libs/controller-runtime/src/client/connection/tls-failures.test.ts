import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { createCertificateAuthority, type CertificateAuthority } from "@landscaper/local-cluster";
import { createClient } from "../create-client.ts";
import { createSystemClock } from "../../system-clock.ts";
import { connectionFromKubeconfig } from "./connection-from-kubeconfig.ts";

const dayMs = 86_400_000;
const hub = createCertificateAuthority("hub", Date.now);
const changed = createCertificateAuthority("hub", Date.now);
const field = "clusters[hub].cluster.certificate-authority-data of the kubeconfig";

let stop: (() => void) | undefined;
afterEach(() => stop?.());

async function listen(server: Server | ReturnType<typeof createHttpServer>): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return (server.address() as AddressInfo).port;
}

interface Serving {
  readonly by: CertificateAuthority;
  readonly hosts?: readonly string[];
  /** Sends the certificate of the authority, too. */
  readonly sendsAuthority?: boolean;
}

async function serve({ by, hosts = ["127.0.0.1"], sendsAuthority }: Serving): Promise<number> {
  const { cert, key } = by.issue({ commonName: "api", hosts });
  const chain = sendsAuthority === true ? `${cert}${by.cert}` : cert;
  return await listen(createServer({ cert: chain, key }, (_request, response) => response.end("{}")));
}

/** The part in brackets of what users read after a write to the server at the port of loopback. */
async function failureAt(port: number, ca: string | undefined): Promise<string> {
  const cluster = {
    server: `https://127.0.0.1:${port}`,
    ...(ca === undefined ? {} : { "certificate-authority-data": Buffer.from(ca).toString("base64") }),
  };
  const kubeconfig = {
    "current-context": "hub",
    contexts: [{ name: "hub", context: { cluster: "hub", user: "" } }],
    clusters: [{ name: "hub", cluster }],
  };
  const connection = connectionFromKubeconfig(JSON.stringify(kubeconfig));
  const client = createClient({ connection, clock: { ...createSystemClock(), sleep: () => Promise.resolve() } });
  try {
    const metadata = { namespace: "n", name: "a" };
    await client.create(kubeResources.configMap, { apiVersion: "v1", kind: "ConfigMap", metadata });
    return "";
  } catch (error) {
    const start = `POST /api/v1/namespaces/n/configmaps: no answer from https://127.0.0.1:${port} (`;
    expect(error).toMatchObject({ name: "ConnectionError", message: expect.stringContaining(start) });
    return (error as Error).message.slice(start.length, -1);
  } finally {
    await client.close();
  }
}

const notSigned = `the server certificate is not signed by ${field}; update that field if the authority of the server has changed`;
const untrusted = `the server certificate is not signed by a trusted authority; set ${field}`;

describe("the error of a TLS connection names the server and the field to correct", () => {
  it.each([
    ["another authority of the same name", { by: changed }, hub.cert, notSigned],
    ["another authority, which the server sends", { by: changed, sendsAuthority: true }, hub.cert, notSigned],
    ["another authority of another name", { by: createCertificateAuthority("new hub", Date.now) }, hub.cert, notSigned],
    ["an authority that the kubeconfig lacks", { by: hub }, undefined, untrusted],
    [
      "an authority that the kubeconfig lacks and the server sends",
      { by: hub, sendsAuthority: true },
      undefined,
      untrusted,
    ],
    [
      "another name",
      { by: hub, hosts: ["other.example"] },
      hub.cert,
      "the server certificate is not valid for the name 127.0.0.1; correct clusters[hub].cluster.server or tls-server-name of the kubeconfig",
    ],
  ])("of a server with %s", async (...[, serving, ca, message]) => {
    expect(await failureAt(await serve(serving), ca)).toBe(message);
  });

  it("of a server whose certificate has expired", async () => {
    const old = createCertificateAuthority("hub", () => Date.now() - 31 * dayMs);
    expect(await failureAt(await serve({ by: old }), old.cert)).toBe(
      `the server certificate or its authority has expired; renew it on the server, update ${field} if the authority has changed, and check the local clock`,
    );
  });

  it("of a server whose certificate is not valid yet", async () => {
    const future = createCertificateAuthority("hub", () => Date.now() + dayMs);
    expect(await failureAt(await serve({ by: future }), future.cert)).toBe(
      "the server certificate or its authority is not valid yet; check the local clock and that of the server",
    );
  });

  it("of a server without TLS", async () => {
    const port = await listen(createHttpServer((_request, response) => response.end("{}")));
    expect(await failureAt(port, hub.cert)).toBe(
      "the server does not answer with TLS; check scheme and port of its URL",
    );
  });
});
