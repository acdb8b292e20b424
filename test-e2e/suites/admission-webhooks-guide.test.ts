// What the guide to local-cluster says of webhooks: its commands and its configuration.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { describeUnless, programAbsence, sendRequest, type Reply } from "@landscaper/testkit";
import { startTestCluster, type TestCluster } from "../src/clusters/test-cluster.ts";
import { readGuideExamples } from "../src/examples/guide-examples.ts";
import { startHookServer, type HookServer } from "../src/webhooks/hook-server.ts";

const guide = readGuideExamples("cli.md");
const section = guide.commands("local-cluster: a cluster to try things out");
const block = section.find(([first]) => first?.startsWith("openssl ") === true) ?? [];

describeUnless(programAbsence("openssl"), describe)("the webhook of the guide", () => {
  let cluster: TestCluster;
  let hooks: HookServer;
  let folder: string;
  let caBundle: string;

  const post = (path: string, body: unknown): Promise<Reply> =>
    sendRequest({ url: cluster.url, token: cluster.token, caPem: cluster.ca }, { method: "POST", path, body });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "webhooks-guide-"));
    caBundle = execFileSync("bash", ["-euc", block.join("\n")], { cwd: folder, encoding: "utf8", stdio: "pipe" });
    const read = (name: string): string => readFileSync(join(folder, name), "utf8");
    hooks = await startHookServer({ cert: read("tls.crt"), key: read("tls.key"), authority: read("tls.crt") });
    cluster = await startTestCluster("embedded");
  });
  afterAll(async () => {
    await cluster.stop();
    await hooks.stop();
    rmSync(folder, { recursive: true });
  });

  it("is called with the certificate that the commands make", async () => {
    const [configuration] = guide.load("webhook-configuration");
    const text = JSON.stringify(configuration)
      .replace("LS0tLS1CRUdJTi...", caBundle.trim())
      .replace("https://127.0.0.1:9443", hooks.url);
    const path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    expect((await post(path, JSON.parse(text))).code).toBe(201);
    hooks.answer = () => ({ allowed: false, status: { message: "not today" } });
    const { body } = await post("/api/v1/namespaces/default/configmaps", { metadata: { name: "settings" } });
    expect(body).toMatchObject({
      message: 'admission webhook "settings.example.com" denied the request: not today',
    });
  });
});
