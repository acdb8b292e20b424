import { once } from "node:events";
import type { Server } from "node:https";
import { createServer, request } from "node:https";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { waitFor } from "../wait-for.ts";
import { createCertificateAuthority } from "@landscaper/local-cluster";
import type { ApiProxy, PassedAnswer } from "./api-proxy.ts";
import { startApiProxy } from "./api-proxy.ts";

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly retryAfter: string | undefined;
}

/** An API server that remembers what reached it; a watch sends one event and stays open. */
interface FakeApiServer {
  readonly server: Server;
  readonly seen: string[];
}

async function startFakeApiServer(cert: string, key: string): Promise<FakeApiServer> {
  const seen: string[] = [];
  const server = createServer({ cert, key }, (incoming, response) => {
    let body = "";
    incoming.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk;
    });
    incoming.once("end", () => {
      seen.push(`${incoming.method} ${incoming.url} ${incoming.headers.authorization} ${body}`);
      if (incoming.url?.includes("watch=true") === true) response.write('{"type":"ADDED"}\n');
      else response.end("done");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, seen };
}

describe("startApiProxy", () => {
  let upstream: FakeApiServer;
  let proxy: ApiProxy;
  let ca: string;
  let answers: PassedAnswer[];

  beforeEach(async () => {
    const authority = createCertificateAuthority("upstream authority", Date.now);
    const { cert, key } = authority.issue({ commonName: "upstream", hosts: ["127.0.0.1"] });
    upstream = await startFakeApiServer(cert, key);
    const address = upstream.server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    proxy = await startApiProxy({
      upstream: { url: `https://127.0.0.1:${port}`, ca: authority.cert },
      token: "secret",
      onAnswer: (answer) => void answers.push(answer),
    });
    answers = [];
    const kubeconfig = parse(proxy.kubeconfig) as { clusters: { cluster: Record<string, string> }[] };
    ca = Buffer.from(kubeconfig.clusters[0]!.cluster["certificate-authority-data"]!, "base64").toString();
  });

  afterEach(async () => {
    await proxy.stop();
    upstream.server.closeAllConnections();
    upstream.server.close();
  });

  /** Rejects with the error code when no answer comes. */
  async function send(method: string, path: string, body = ""): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const call = request(
        `${proxy.url}${path}`,
        { method, ca, headers: { authorization: "Bearer t" } },
        (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (chunk: string) => {
            text += chunk;
          });
          response.once("error", reject);
          response.once("end", () => {
            resolve({ status: response.statusCode ?? 0, body: text, retryAfter: response.headers["retry-after"] });
          });
        },
      );
      call.once("error", reject);
      call.end(body);
    });
  }

  it("passes requests on with their credentials and counts the writes of jobs", async () => {
    expect(await send("POST", "/api/v1/namespaces/x/configmaps", "{}")).toEqual({
      status: 200,
      body: "done",
      retryAfter: undefined,
    });
    await send("GET", "/api/v1/namespaces/x/configmaps");
    expect(upstream.seen).toEqual([
      "POST /api/v1/namespaces/x/configmaps Bearer t {}",
      "GET /api/v1/namespaces/x/configmaps Bearer t ",
    ]);
    expect(proxy.writeLog).toEqual(["POST /api/v1/namespaces/x/configmaps"]);
  });

  it("tells of the answers that it passes on, and holds them back on demand", async () => {
    const release = proxy.holdAnswers();
    let isAnswered = false;
    const sent = send("PUT", "/apis/x/v1/things/a", "{}").finally(() => {
      isAnswered = true;
    });
    await waitFor(() => answers.length === 1);
    const request = { body: "{}", contentType: "", began: expect.any(Number) };
    expect(answers).toEqual([
      {
        method: "PUT",
        path: "/apis/x/v1/things/a",
        status: 200,
        body: "done",
        userAgent: "",
        request,
        ended: expect.any(Number),
      },
    ]);
    expect(answers[0]!.ended).toBeGreaterThanOrEqual(answers[0]!.request.began);
    expect({ isAnswered, requests: proxy.requests }).toEqual({ isAnswered: false, requests: 1 });
    release();
    await sent;
    await send("GET", "/apis/x/v1/things/a");
    expect(answers).toHaveLength(2);
  });

  it("strikes when the write is done, and lets nothing through until the blow has fallen", async () => {
    let fell = (): void => undefined;
    const blow = new Promise<void>((resolve) => {
      fell = () => resolve();
    });
    proxy.setPlan(({ write }) =>
      write === 1 ? { type: "strike", answered: true, run: async () => blow } : { type: "pass" },
    );
    expect((await send("PUT", "/apis/x/v1/things/a")).status).toBe(200);
    await expect(send("PUT", "/apis/x/v1/things/b")).rejects.toThrow("socket hang up");
    fell();
    await blow;
    await expect(send("GET", "/apis/x/v1/things/c")).resolves.toMatchObject({ status: 200 });
    expect(upstream.seen.map((line) => line.split(" ")[1])).toEqual(["/apis/x/v1/things/a", "/apis/x/v1/things/c"]);
  });

  it("does the write and loses the answer", async () => {
    proxy.setPlan(() => ({ type: "lose-answer" }));
    await expect(send("POST", "/apis/x/v1/things")).rejects.toThrow("socket hang up");
    expect(upstream.seen.map((line) => line.split(" ")[1])).toEqual(["/apis/x/v1/things"]);
  });

  it("answers by itself", async () => {
    proxy.setPlan(() => ({ type: "answer", status: 429, retryAfterSeconds: 1 }));
    const answer = await send("POST", "/apis/x/v1/things");
    expect({ ...answer, body: JSON.parse(answer.body) as unknown }).toEqual({
      status: 429,
      retryAfter: "1",
      body: {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: "answered 429 by the fault suite",
        reason: "TooManyRequests",
        code: 429,
        details: { retryAfterSeconds: 1 },
      },
    });
    expect(upstream.seen).toEqual([]);
  });

  it("refuses connections while it is away", async () => {
    await proxy.goAway();
    await expect(send("GET", "/api")).rejects.toThrow("ECONNREFUSED");
    await proxy.comeBack();
    await expect(send("GET", "/api")).resolves.toMatchObject({ status: 200 });
  });

  it("cuts watches in the middle", async () => {
    async function cutOnceRunning(): Promise<void> {
      while (proxy.cutWatches() === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const cut = cutOnceRunning();
    await expect(send("GET", "/api/v1/pods?watch=true")).rejects.toThrow("aborted");
    await cut;
  });

  it("answers 502-like failures of the API server with a broken connection", async () => {
    upstream.server.closeAllConnections();
    upstream.server.close();
    await expect(send("GET", "/api")).rejects.toThrow("socket hang up");
  });
});
