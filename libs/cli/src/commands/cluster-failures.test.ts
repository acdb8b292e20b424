import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createKubeconfig, findFreePorts, startEmbeddedCluster, type EmbeddedCluster } from "@landscaper/testkit";
import { runProgram, type Outcome } from "../../test/program.ts";

const commands = ["tree", "why inst/shop", "reconcile inst/shop", "interrupt inst/shop", "delete inst/shop"];

describe("commands on a cluster that cannot do what they ask", () => {
  let cluster: EmbeddedCluster;
  let folder: string;
  beforeAll(async () => {
    cluster = await startEmbeddedCluster({ authorization: "rbac" });
    folder = mkdtempSync(join(tmpdir(), "cluster-failures-"));
  });
  afterAll(async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true });
  });

  async function run(words: string, kubeconfig: string): Promise<Outcome> {
    const file = join(folder, "kubeconfig");
    writeFileSync(file, kubeconfig);
    return await runProgram([...words.split(" "), "--kubeconfig", file, "-n", "default"]);
  }
  const withToken = (token: string, server = cluster.server.url): string =>
    createKubeconfig({ name: "test", server, ca: cluster.server.caPem, user: { token } });

  const place = (): string => `${cluster.server.url} (kubeconfig ${join(folder, "kubeconfig")})`;

  it.each(commands)("%s names the kubeconfig without a current context", async (words) => {
    expect(await run(words, "clusters: []")).toEqual({
      stdout: "",
      stderr: `error: kubeconfig ${join(folder, "kubeconfig")}: current-context is missing\nset current-context to the name of an entry of contexts\n`,
      exitCode: 1,
    });
  });

  it.each(commands)("%s says that Landscaper is not installed", async (words) => {
    const { stdout, stderr, exitCode } = await run(words, cluster.server.kubeconfig);
    expect(stderr.replace(place(), "PLACE")).toMatch(
      /^error: the Landscaper is not installed on the cluster PLACE: it does not serve landscaper\.gardener\.cloud\napply crds\/ of release [\d.]+, or start landscaper-core of this release with crdManagement\.deployCrd\n$/,
    );
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
  });

  it.each(commands)("%s says that the credentials are refused", async (words) => {
    const { stderr, exitCode } = await run(words, withToken("wrong"));
    const refused = `error: the API server ${cluster.server.url} refuses the credentials of the kubeconfig ${join(folder, "kubeconfig")}: GET /apis/landscaper`;
    expect(stderr.slice(0, refused.length)).toBe(refused);
    expect(stderr.slice(refused.length)).toMatch(
      /^\S+: 401 Unauthorized; renew its token or client certificate, or name another kubeconfig\n$/,
    );
    expect(exitCode).toBe(1);
  });

  it.each(commands)("%s says which verb on which resource is missing", async (words) => {
    const { stderr, exitCode } = await run(words, cluster.server.kubeconfigFor({ name: "jo" }));
    expect(stderr).toMatch(
      /^error: GET \/apis\/landscaper\S+: 403 installations\.landscaper\.gardener\.cloud( "shop")? is forbidden: User "jo" cannot (get|list) resource "installations" in API group "landscaper\.gardener\.cloud" in the namespace "default"\n$/,
    );
    expect(exitCode).toBe(1);
  });

  it("says which server does not answer, and why", async () => {
    const [port = 0] = await findFreePorts(1);
    const { stderr, exitCode } = await run("tree", withToken("any", `https://127.0.0.1:${port}`));
    expect(stderr).toMatch(
      new RegExp(
        `^error: GET /apis/landscaper\\S+: no answer from https://127\\.0\\.0\\.1:${port}/? \\(connection refused; start the server, or correct clusters\\[.*\\]\\.cluster\\.server of the kubeconfig .*\\)\n$`,
      ),
    );
    expect(exitCode).toBe(1);
  });
});
