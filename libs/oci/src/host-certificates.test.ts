import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { createCertificateAuthority } from "@landscaper/local-cluster";
import { certificatesIn } from "./host-certificates.ts";
import { createTransport, type Transport } from "./transport.ts";

const { signal } = new AbortController();
const authority = createCertificateAuthority("operator authority", Date.now);
const serving = authority.issue({ commonName: "registry", hosts: ["127.0.0.1"] });
const folder = mkdtempSync(join(tmpdir(), "landscaper-certificates-"));

/** Whom a server has let in, by the name in the certificate; "" for one without. */
interface AskingServer {
  readonly host: string;
  readonly clients: string[];
  readonly server: Server;
}

/** It asks for a client certificate, and redirects paths below /to/ to where they say. */
async function startServer(): Promise<AskingServer> {
  const clients: string[] = [];
  const tls = { ...serving, ca: authority.cert, requestCert: true, rejectUnauthorized: false };
  const server = createServer(tls, (request, response) => {
    const { CN = "" } = (request.socket as TLSSocket).getPeerCertificate().subject ?? {};
    clients.push(Array.isArray(CN) ? CN.join(",") : CN);
    const target = /^\/to\/(.*)$/.exec(request.url ?? "")?.[1];
    if (target === undefined) response.end("content");
    else response.writeHead(307, { location: `https://${target}/` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, clients, server };
}

function write(host: string, files: Readonly<Record<string, string>>): void {
  rmSync(join(folder, host), { recursive: true, force: true });
  mkdirSync(join(folder, host), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, host, name), text);
}

function clientFiles(commonName: string): Readonly<Record<string, string>> {
  const { cert, key } = authority.issue({ commonName });
  return { "client.cert": cert, "client.key": key };
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("certificates of the operator for a host", () => {
  let one: AskingServer;
  let other: AskingServer;
  let transport: Transport;
  beforeAll(async () => {
    [one, other] = await Promise.all([startServer(), startServer()]);
  });
  afterAll(() => {
    for (const { server } of [one, other]) {
      server.closeAllConnections();
      server.close();
    }
  });
  beforeEach(() => {
    for (const { clients } of [one, other]) clients.length = 0;
    transport = createTransport({ userAgent: "test", retries: 0, certificates: certificatesIn(folder) });
  });
  afterEach(async () => transport.close());
  const get = async (host: string, path = "/"): Promise<number> => {
    const answer = await transport.send({ method: "GET", url: new URL(`https://${host}${path}`), signal });
    await answer.body.dump();
    return answer.status;
  };

  it("are its authority and the client's certificate, which is shown to no other host", async () => {
    write(one.host, { "ca.crt": authority.cert, ...clientFiles("landscaper") });
    write(other.host, { "ca.crt": authority.cert });
    expect([await get(one.host), await get(other.host), await get(one.host, `/to/${other.host}`)]).toEqual([
      200, 200, 200,
    ]);
    expect([one.clients, other.clients]).toEqual([
      ["landscaper", "landscaper"],
      ["", ""],
    ]);
  });

  it("are trusted for that host alone", async () => {
    write(one.host, { "ca.crt": authority.cert });
    rmSync(join(folder, other.host), { recursive: true, force: true });
    expect(await get(one.host)).toBe(200);
    await expect(get(other.host)).rejects.toMatchObject({ reason: "RegistryUnreachable" });
  });

  it("are read again when they were renewed", async () => {
    for (const name of ["before", "after"]) {
      write(one.host, { "ca.crt": authority.cert, ...clientFiles(name) });
      expect(await get(one.host)).toBe(200);
    }
    expect(one.clients).toEqual(["before", "after"]);
  });

  it.each([
    [{ "a.cert": "-----BEGIN CERTIFICATE-----" }, "a.cert has no a.key"],
    [{ "a.cert": "", "a.key": "", "b.cert": "" }, "expected one client certificate, found a.cert and b.cert"],
    [{ "ca.crt": "sentinel" }, "ca.crt: expected PEM"],
  ])("that are not as they should be are an error: %j", async (files, problem) => {
    write(one.host, files);
    const error: unknown = await get(one.host).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      reason: "InvalidConfiguration",
      message: `certificates of the service for ${one.host}: ${problem}`,
    });
    expect(String(error)).not.toContain("sentinel");
  });

  it.each(["..", ".", "none", "a/b"])("are not there for %j", async (host) => {
    writeFileSync(join(folder, "stray.crt"), authority.cert);
    expect(await certificatesIn(join(folder, "sub"))(host)).toBeUndefined();
  });
});
