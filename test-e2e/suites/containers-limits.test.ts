// Programs of container items that end otherwise than they wanted on a real node, or do not start: by memory, time, restarts, quotas and images.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, type KubeObject, type ResourceType } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { describeUnless, findProgram, programAbsence, waitFor } from "@landscaper/testkit";
import { writeImageArchive, writeTools } from "../cluster/node-image.ts";
import type { ClusterNode } from "../cluster/node.ts";
import {
  hostNamespace,
  programsAbsence,
  startContainerEnvironment,
  toolsImage,
  type ContainerEnvironment,
} from "../containers/container-environment.ts";
import { startNodeRegistry, type NodeRegistry } from "../containers/node-registry.ts";
import { createProgramScope, untilLetGo, type ProgramScope } from "../containers/program-scope.ts";

const testMs = 300_000;
const user = "robot";
const password = "sentinel-of-the-registry";
const quotaType: ResourceType<KubeObject & { readonly status?: { readonly hard?: object } }> = {
  group: "",
  version: "v1",
  kind: "ResourceQuota",
  plural: "resourcequotas",
  namespaced: true,
};

describeUnless(programsAbsence(), describe)("programs of container items at the limits of a real node", () => {
  let containers: ContainerEnvironment;
  let client: Client;
  let scope: ProgramScope;
  let node: ClusterNode;

  beforeAll(async () => {
    containers = await startContainerEnvironment({
      programs: {},
      config: { pod: { sizeLimit: "32Mi", startGrace: "15s" } },
    });
    const { environment } = containers;
    ({ client } = environment);
    if (environment.hub.node === undefined) throw new Error("the cluster has no node");
    ({ node } = environment.hub);
    scope = await createProgramScope(environment, "limits");
  }, 1_800_000);
  afterAll(async () => containers?.stop());

  async function failureOf(name: string): Promise<{ readonly reason: string; readonly message: string }> {
    const { status } = await scope.waitForEnd(name);
    const { reason = "", message = "" } = status?.lastError ?? {};
    return { reason, message: message.replaceAll(new RegExp(`\\b${name}-[a-z2-7]{8}\\b`, "g"), "POD") };
  }

  it(
    "are ended that take more memory than they may, and the error says so",
    async () => {
      await scope.start("memory", `exec awk 'BEGIN { s = "x"; while (1) s = s s }'`, {
        config: { resources: { limits: { memory: "32Mi" } } },
      });
      expect(await failureOf("memory")).toEqual({
        reason: "ContainerFailed",
        message:
          "Pod POD: the program has ended with exit code 137 (OOMKilled); raise resources.limits.memory of the item",
      });
      expect((await scope.get("memory")).status?.providerStatus).toMatchObject({ exitCode: 137, reason: "OOMKilled" });
      expect(await scope.countStarts("memory")).toBe(1);
    },
    testMs,
  );

  it(
    "are evicted that fill their volume, or the disk of the node beyond their limit, and the state of the run before is kept",
    async () => {
      const write = (mebibytes: number): string =>
        `dd if=/dev/zero of=/data/ls/shared/large bs=1M count=${mebibytes}; ${untilLetGo}`;
      await scope.run("volume", 'echo "run: 1" > "$STATE_PATH/file"');
      await scope.trigger("volume", scope.specOf(`echo "run: 2" > "$STATE_PATH/file"; ${write(48)}`));
      await scope.start("disk", write(24), { config: { resources: { limits: { "ephemeral-storage": "16Mi" } } } });
      const lost = "Pod POD has ended without a result of its program: Evicted:";
      const advice =
        "; the program may have done its work in part; it is run again only by a new job, or by retryPolicy.onPodLoss of the item";
      expect(await failureOf("volume")).toEqual({
        reason: "PodLost",
        message: `${lost} Usage of EmptyDir volume "shared-volume" exceeds the limit "32Mi"${advice}`,
      });
      expect(await failureOf("disk")).toEqual({
        reason: "PodLost",
        message: `${lost} Pod ephemeral local storage usage exceeds the total limit of containers 16Mi${advice}`,
      });
      expect([await scope.countStarts("volume"), await scope.countStarts("disk")]).toEqual([2, 1]);
      await scope.trigger("volume", scope.specOf('cp "$STATE_PATH/file" "$EXPORTS_PATH"'));
      expect((await scope.waitForEnd("volume")).status?.phase).toBe("Succeeded");
      expect(await scope.exportsOf("volume")).toEqual({ run: 1 });
    },
    testMs,
  );

  /** Those of the node that were started so. */
  const countProcesses = (command: string): number =>
    node
      .run(["ps", "-eo", "args"])
      .split("\n")
      .filter((line) => line.startsWith(command)).length;

  it(
    "leave no process behind that they have forked and that ignores signals, when they end or when their time is over",
    async () => {
      const fork = (command: string): string => `setsid sh -c "trap '' TERM HUP; while :; do ${command}; done" &`;
      await scope.start("forks", `${fork("sleep 6666")} ${untilLetGo}; echo "ended: true" > "$EXPORTS_PATH"`);
      await scope.start(
        "deaf",
        `trap '' TERM HUP; echo kept > "$STATE_PATH/file"; ${fork("sleep 7777")} while :; do sleep 7777; done`,
      );
      const [forks, deaf] = [await scope.untilRunning("forks"), await scope.untilRunning("deaf")];
      await waitFor(() => countProcesses("sleep 6666") === 1 && countProcesses("sleep 7777") === 2);
      scope.letGo(forks);
      await client.delete(
        kubeResources.pod,
        { namespace: hostNamespace, name: deaf.metadata.name ?? "" },
        { gracePeriodSeconds: 20 },
      );
      expect((await scope.waitForEnd("forks")).status?.phase).toBe("Succeeded");
      expect(await failureOf("deaf")).toEqual({
        reason: "PodLost",
        message: expect.stringMatching(/^Pod POD has ended without a result of its program: it was deleted; /),
      });
      expect([countProcesses("sleep 6666"), countProcesses("sleep 7777")]).toEqual([0, 0]);
      // wait has kept it before the kubelet has killed the program.
      await scope.trigger("deaf", scope.specOf('echo "kept: $(cat "$STATE_PATH/file")" > "$EXPORTS_PATH"'));
      expect((await scope.waitForEnd("deaf")).status?.phase).toBe("Succeeded");
      expect(await scope.exportsOf("deaf")).toEqual({ kept: "kept" });
    },
    testMs,
  );

  it(
    "go on to the same end when the kubelet is started anew under them",
    async () => {
      await scope.start("restarted", `${untilLetGo}; echo "ended: true" > "$EXPORTS_PATH"`);
      await scope.start("failing", `${untilLetGo}; exit 3`);
      const [pod, failing] = [await scope.untilRunning("restarted"), await scope.untilRunning("failing")];
      await node.restartKubelet();
      scope.letGo(pod);
      scope.letGo(failing);
      const { status } = await scope.waitForEnd("restarted");
      expect(status).toMatchObject({ phase: "Succeeded", providerStatus: { podStatus: { podUID: pod.metadata.uid } } });
      expect(await scope.exportsOf("restarted")).toEqual({ ended: true });
      expect(await failureOf("failing")).toEqual({
        reason: "ContainerFailed",
        message: "Pod POD: the program has ended with exit code 3 (Error)",
      });
      expect([await scope.countStarts("restarted"), await scope.countStarts("failing")]).toEqual([1, 1]);
    },
    testMs,
  );

  it(
    "are ended when their job was interrupted while no deployer ran",
    async () => {
      const deployer = containers.environment.service("container-deployer");
      await scope.start("left", "trap 'exit 1' TERM; while :; do sleep 0.1; done");
      await scope.untilRunning("left");
      await deployer.kill();
      await scope.interrupt("left");
      await deployer.start();
      await waitFor(async () => (await scope.pods("left")).length === 0);
      await scope.waitFor("left", ({ conditions = [] }) => conditions.some(({ reason }) => reason === "JobEnded"));
      const { status } = await scope.get("left");
      expect(status?.lastError?.reason).toBe("InterruptOperation");
      expect(status?.conditions?.find(({ type }) => type === "ProgramRun")).toMatchObject({
        reason: "JobEnded",
        message: expect.stringContaining("the job was ended from outside while no deployer worked on it"),
      });
    },
    testMs,
  );

  describe("in a namespace with a quota", () => {
    const key = { namespace: hostNamespace, name: "no-pods" };

    async function allowPods(pods: string): Promise<void> {
      const body = { apiVersion: "v1", kind: "ResourceQuota", metadata: key, spec: { hard: { pods } } };
      await client.patch(quotaType, key, { type: "apply", body, fieldManager: "test", force: true });
      await waitFor(
        async () => JSON.stringify((await client.get(quotaType, key)).status?.hard) === JSON.stringify({ pods }),
      );
    }
    afterAll(async () => void (await client?.delete(quotaType, key)));

    it(
      "are started as soon as it is raised, and given up at the timeout of their job when it is not",
      async () => {
        await allowPods("0");
        await scope.start("patient", "true");
        const refused = await scope.waitFor("patient", ({ lastError }) => lastError !== undefined);
        expect([refused.status?.phase, refused.status?.lastError?.reason]).toEqual(["Progressing", "QuotaExceeded"]);
        expect(refused.status?.lastError?.message).toMatch(
          /exceeded quota: no-pods, requested: pods=1, used: pods=\d+, limited: pods=0; the job waits until the quota has room; /,
        );
        await allowPods("10");
        expect((await scope.waitForEnd("patient")).status?.phase).toBe("Succeeded");
        await allowPods("0");
        await scope.start("refused", "true", { timeout: "45s" });
        const { reason, message } = await failureOf("refused");
        expect([reason, message]).toEqual(["QuotaExceeded", expect.stringContaining("exceeded quota: no-pods")]);
        expect([await scope.countStarts("patient"), await scope.countStarts("refused")]).toEqual([1, 0]);
      },
      testMs,
    );
  });

  it(
    "run where pod security enforces what is restricted",
    async () => {
      const enforce = async (level: string | null): Promise<void> => {
        const labels = { "pod-security.kubernetes.io/enforce": level };
        await client.patch(
          kubeResources.namespace,
          { name: hostNamespace },
          { type: "merge", body: { metadata: { labels } } },
        );
      };
      await enforce("restricted");
      try {
        const bare = { containers: [{ name: "main", image: toolsImage }] };
        const metadata = { namespace: hostNamespace, name: "bare" };
        const created = client.create(kubeResources.pod, { apiVersion: "v1", kind: "Pod", metadata, spec: bare });
        await expect(created).rejects.toThrow(/violates PodSecurity "restricted:latest"/);
        expect((await scope.run("restricted", "true")).status?.phase).toBe("Succeeded");
      } finally {
        await enforce(null);
      }
    },
    testMs,
  );

  describeUnless(programAbsence("docker-registry"), describe)("from a registry that asks for a password", () => {
    let registry: NodeRegistry;
    const folder = mkdtempSync(join(tmpdir(), "landscaper-node-registry-"));
    beforeAll(async () => {
      registry = await startNodeRegistry({ node, folder: join(folder, "registry"), user, password });
      registry.push(toolsImage, `${registry.host}/team/tools:1`);
      const rootfs = join(folder, "rootfs");
      writeTools(rootfs, findProgram("busybox") ?? "");
      const [foreign, tar] = [`${registry.host}/team/foreign:1`, findProgram("tar") ?? ""];
      const architecture = process.arch === "arm64" ? "amd64" : "arm64";
      const contents = { folder, rootfs, tar, names: [foreign], architecture, config: {} };
      registry.pushArchive(writeImageArchive(contents), foreign);
      const auth = Buffer.from(`${user}:${password}`).toString("base64");
      const dockerConfig = JSON.stringify({ auths: { [registry.host]: { auth } } });
      await client.create(kubeResources.secret, {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { namespace: scope.namespace, name: "pull" },
        type: "kubernetes.io/dockerconfigjson",
        data: { ".dockerconfigjson": Buffer.from(dockerConfig).toString("base64") },
      });
    }, testMs);
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    const withSecret = (image: string) => ({
      config: { image, registryPullSecrets: [{ name: "pull", namespace: scope.namespace }] },
    });

    it(
      "run with the pull secret of their item, and are refused without it; the password is said nowhere",
      async () => {
        const image = `${registry.host}/team/tools:1`;
        await scope.start("stranger", "true", { config: { image } });
        const refused = await failureOf("stranger");
        expect([refused.reason, refused.message]).toEqual([
          "ContainerImageFailed",
          expect.stringMatching(
            /^container main, image 127\.0\.0\.1:5000\/team\/tools:1: (ErrImagePull|ImagePullBackOff): .*(no basic auth|401|authoriz).*; the kubelet has tried for 1\d s; correct the image, /,
          ),
        ]);
        const member = await scope.run("member", "true", withSecret(image));
        expect([member.status?.phase, member.status?.lastError]).toEqual(["Succeeded", undefined]);
        const { items: events } = await client.list(kubeResources.event);
        expect(JSON.stringify([member, await scope.get("stranger"), events])).not.toContain(password);
      },
      testMs,
    );

    it(
      "do not start from an image that is for another architecture, and the error says so",
      async () => {
        const image = `${registry.host}/team/foreign:1`;
        await scope.start("foreign", "true", withSecret(image));
        expect(await failureOf("foreign")).toEqual({
          reason: "ContainerImageFailed",
          message: expect.stringMatching(
            /^container main, image \S+: (ErrImagePull|ImagePullBackOff): .*no match for platform in manifest/,
          ),
        });
        expect(await scope.countStarts("foreign")).toBe(1);
      },
      testMs,
    );
  });
});
