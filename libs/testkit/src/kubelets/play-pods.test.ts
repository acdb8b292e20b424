import { createCertificateAuthority } from "@landscaper/local-cluster";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { waitFor } from "../wait-for.ts";
import { json, reset, startScriptedApiServer, type ScriptedApiServer } from "../servers/scripted-api-server.ts";
import { playPods } from "./play-pods.ts";

let server: ScriptedApiServer;
beforeEach(async () => {
  const authority = createCertificateAuthority("play-pods", Date.now);
  const tls = authority.issue({ commonName: "server", hosts: ["127.0.0.1"] });
  server = await startScriptedApiServer({ tls });
  server.setDefault(json({ items: [] }));
});
afterEach(async () => server.close());

const looks = (): number => server.requests.filter(({ path }) => path === "/api/v1/pods").length;

it("goes on after a connection error", async () => {
  server.script(json({}), json({}), reset, reset);
  const stop = new AbortController();
  const playing = playPods({ url: server.url }, stop.signal);
  await waitFor(() => looks() >= 3);
  stop.abort();
  await expect(playing).resolves.toBeUndefined();
});

it("rejects with an error other than a connection error", async () => {
  server.setDefault(json({ items: [{ metadata: {} }] }));
  await expect(playPods({ url: server.url }, new AbortController().signal)).rejects.toThrow(TypeError);
});
