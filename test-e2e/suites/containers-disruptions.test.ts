// Pods of container items that do not start at once, or that a real cluster ends or changes: registries that are away, drains, taints, preemption, meshes and quotas.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, type KubeObject, type Pod, type ResourceType } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { describeUnless, programAbsence, waitFor } from "@landscaper/testkit";
import { nodeName } from "../cluster/node-files.ts";
import {
  hostNamespace,
  programsAbsence,
  startContainerEnvironment,
  toolsImage,
  type ContainerEnvironment,
} from "../containers/container-environment.ts";
import { startNodeRegistry, type NodeRegistry } from "../containers/node-registry.ts";
import { createProgramScope, untilLetGo, type ProgramOptions, type ProgramScope } from "../containers/program-scope.ts";
import { createKubectl, findKubectl, type Kubectl } from "../src/clients/kubectl.ts";

const testMs = 300_000;
const user = "robot";
const password = "sentinel-of-the-registry";
/** Nothing listens there. */
const nobody = "127.0.0.1:5001";

const scheduling = { group: "scheduling.k8s.io", version: "v1", namespaced: false };
const priorityClassType: ResourceType = { ...scheduling, kind: "PriorityClass", plural: "priorityclasses" };
const admission = { group: "admissionregistration.k8s.io", version: "v1beta1", namespaced: false };
const policyType: ResourceType = {
  ...admission,
  kind: "MutatingAdmissionPolicy",
  plural: "mutatingadmissionpolicies",
};
const bindingType: ResourceType = {
  ...admission,
  kind: "MutatingAdmissionPolicyBinding",
  plural: "mutatingadmissionpolicybindings",
};
const core = { group: "", version: "v1" };
const nodeType: ResourceType<KubeObject & { readonly status?: { readonly allocatable?: Record<string, string> } }> = {
  ...core,
  kind: "Node",
  plural: "nodes",
  namespaced: false,
};
const quotaType: ResourceType<KubeObject & { readonly status?: { readonly hard?: object } }> = {
  ...core,
  kind: "ResourceQuota",
  plural: "resourcequotas",
  namespaced: true,
};
const limitRangeType: ResourceType = { ...core, kind: "LimitRange", plural: "limitranges", namespaced: true };

const again: ProgramOptions = { config: { retryPolicy: { onPodLoss: true, limit: 1 } } };
/** Program that exports the name of its Pod once the test releases it. `onStop`: its reaction to SIGTERM. */
const patient = (onStop: string): string =>
  `trap '${onStop}' TERM; ${untilLetGo}; echo "pod: $POD_NAME" > "$EXPORTS_PATH"`;

describeUnless(programsAbsence() ?? programAbsence("docker-registry"), describe)(
  "programs of container items in a cluster that disturbs them",
  () => {
    let containers: ContainerEnvironment;
    let client: Client;
    let scope: ProgramScope;
    let kubectl: Kubectl;
    let registry: NodeRegistry;
    const folder = mkdtempSync(join(tmpdir(), "landscaper-node-registry-"));

    beforeAll(async () => {
      const pod = {
        startGrace: "90s",
        labels: { "example.com/team": "a" },
        annotations: { "example.com/note": "b" },
        priorityClassName: "programs",
      };
      containers = await startContainerEnvironment({ programs: {}, config: { pod } });
      const { environment } = containers;
      ({ client } = environment);
      const { node, kubeconfig } = environment.hub;
      if (node === undefined) throw new Error("the cluster has no node");
      kubectl = createKubectl(findKubectl() ?? "", kubeconfig);
      scope = await createProgramScope(environment, "disruptions");
      await addPriorityClass("programs", 10);
      registry = await startNodeRegistry({ node, folder: join(folder, "registry"), user, password });
      registry.push(toolsImage, `${registry.host}/team/tools:1`);
      const auth = Buffer.from(`${user}:${password}`).toString("base64");
      const dockerConfig = JSON.stringify({ auths: { [registry.host]: { auth } } });
      await client.create(kubeResources.secret, {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { namespace: scope.namespace, name: "pull" },
        type: "kubernetes.io/dockerconfigjson",
        data: { ".dockerconfigjson": Buffer.from(dockerConfig).toString("base64") },
      });
    }, 1_800_000);
    afterAll(async () => {
      kubectl?.dispose();
      rmSync(folder, { recursive: true, force: true });
      await containers?.stop();
    });

    async function addPriorityClass(name: string, value: number): Promise<void> {
      const body = { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name }, value };
      await client.create(priorityClassType, body);
    }

    async function run(...args: readonly string[]): Promise<void> {
      const { status, stderr } = await kubectl.run(args);
      if (status !== 0) throw new Error(`kubectl ${args.join(" ")}: ${stderr}`);
    }

    /** Each as `name: reason: message`, with POD instead of the names of Pods. */
    async function failureOf(name: string): Promise<string> {
      const { status } = await scope.waitForEnd(name);
      const { reason, message = "" } = status?.lastError ?? {};
      return `${reason}: ${message.replaceAll(new RegExp(`\\b${name}-[a-z2-7]{8}\\b`, "g"), "POD")}`;
    }

    /** Releases the second Pod of the item, and returns how the job ends. */
    async function finishAgain(name: string, first: Pod): Promise<unknown> {
      const second = await scope.untilRunning(name, first);
      scope.letGo(second);
      const { status } = await scope.waitForEnd(name);
      const exported = await scope.exportsOf(name);
      return { phase: status?.phase, isOfSecond: JSON.stringify(exported).includes(second.metadata.name ?? "?") };
    }
    const succeededAgain = { phase: "Succeeded", isOfSecond: true };

    const withSecret = (image: string): ProgramOptions => ({
      config: {
        image: `${registry.host}/${image}`,
        registryPullSecrets: [{ name: "pull", namespace: scope.namespace }],
      },
    });
    const says = (text: string) => (status: object) => JSON.stringify(status).includes(text);

    it(
      "run once when their registry is back, and never when it stays away for too long",
      async () => {
        await registry.stop();
        await scope.start("later", 'echo "ran: true" > "$EXPORTS_PATH"', withSecret("team/tools:1"));
        await scope.start("never", "true", { config: { image: `${nobody}/team/tools:1` } });
        await scope.waitFor("later", says("ImagePullBackOff"));
        await registry.start();
        expect((await scope.waitForEnd("later")).status?.phase).toBe("Succeeded");
        expect([await scope.exportsOf("later"), await scope.countStarts("later")]).toEqual([{ ran: true }, 1]);
        expect(await failureOf("never")).toMatch(
          /^ContainerImageFailed: container main, image \S+: (ErrImagePull|ImagePullBackOff): .*; the kubelet has tried for 9\d s; correct the image, /,
        );
        const left = (await scope.pods("never")).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
        expect(left).toEqual([]);
        await waitFor(async () => (await scope.pods("never")).length === 0);
      },
      testMs,
    );

    it(
      "have the labels, the annotations and the priority of the configuration",
      async () => {
        await scope.start("labelled", untilLetGo);
        const pod = await scope.untilRunning("labelled");
        expect(pod).toMatchObject({
          metadata: { labels: { "example.com/team": "a" }, annotations: { "example.com/note": "b" } },
          spec: { priorityClassName: "programs", priority: 10 },
        });
        scope.letGo(pod);
        expect((await scope.waitForEnd("labelled")).status?.phase).toBe("Succeeded");
      },
      testMs,
    );

    it(
      "are run again when their node is drained, however they end, and not without a policy",
      async () => {
        await scope.start("obedient", patient("exit 0"), again);
        await scope.start("failing", patient("exit 1"), again);
        await scope.start("deaf", patient(""), { ...again, timeout: "100s" });
        await scope.start("once", patient("exit 1"));
        const names = ["obedient", "failing", "deaf", "once"] as const;
        const pods = await Promise.all([
          scope.untilRunning("obedient"),
          scope.untilRunning("failing"),
          scope.untilRunning("deaf"),
          scope.untilRunning("once"),
        ]);
        const selector = `deployitem.container.deployer.landscaper.gardener.cloud/namespace=${scope.namespace}`;
        const drained = run("drain", nodeName, `--pod-selector=${selector}`, "--force", "--delete-emptydir-data");
        await waitFor(async () => {
          const live = (await Promise.all(names.map((name) => scope.pods(name)))).flat();
          const uids = new Set(pods.map(({ metadata }) => metadata.uid));
          return live.every(({ metadata }) => !uids.has(metadata.uid) || metadata.deletionTimestamp !== undefined);
        });
        await run("uncordon", nodeName);
        const [obedient, failing, deaf] = pods;
        const ends = [
          finishAgain("obedient", obedient),
          finishAgain("failing", failing),
          finishAgain("deaf", deaf),
          failureOf("once"),
        ];
        expect(await Promise.all(ends)).toEqual([
          succeededAgain,
          succeededAgain,
          succeededAgain,
          expect.stringMatching(
            /^PodLost: Pod POD has ended without a result of its program: EvictionByEvictionAPI: .*; the program has ended with exit code 1 \(Error\); /,
          ),
        ]);
        await drained;
      },
      testMs,
    );

    it(
      "are run again when a taint or another client removes their Pod",
      async () => {
        await scope.start("by-hand", patient("exit 0"), again);
        await scope.start("tainted", patient("exit 143"), again);
        const pods = [await scope.untilRunning("by-hand"), await scope.untilRunning("tainted")] as const;
        await run("delete", "pod", "-n", hostNamespace, pods[0].metadata.name ?? "", "--wait=false");
        expect(await finishAgain("by-hand", pods[0])).toEqual(succeededAgain);
        await run("taint", "nodes", nodeName, "test=1:NoExecute");
        await waitFor(async () => {
          const [pod] = (await scope.pods("tainted")).filter(({ metadata }) => metadata.uid === pods[1].metadata.uid);
          return pod === undefined || pod.metadata.deletionTimestamp !== undefined;
        });
        await run("taint", "nodes", nodeName, "test-");
        expect(await finishAgain("tainted", pods[1])).toEqual(succeededAgain);
      },
      testMs,
    );

    it(
      "are run again when the scheduler preempts them for a Pod of higher priority",
      async () => {
        await addPriorityClass("important", 1000);
        const { status } = await client.get(nodeType, { name: nodeName });
        const kibibytes = Number(/^\d+/.exec(status?.allocatable?.["memory"] ?? "")?.[0]);
        const requests = { memory: `${Math.floor(kibibytes * 0.6)}Ki` };
        await scope.start("preempted", patient("exit 0"), { config: { ...again.config, resources: { requests } } });
        const first = await scope.untilRunning("preempted");
        const important = { namespace: hostNamespace, name: "important" };
        await client.create(kubeResources.pod, {
          apiVersion: "v1",
          kind: "Pod",
          metadata: important,
          spec: {
            priorityClassName: "important",
            terminationGracePeriodSeconds: 0,
            containers: [{ name: "c", image: toolsImage, command: ["sleep", "1000"], resources: { requests } }],
          },
        });
        await waitFor(async () => (await client.get(kubeResources.pod, important)).status?.phase === "Running", {
          timeoutMs: 120_000,
        });
        await client.delete(kubeResources.pod, important);
        expect(await finishAgain("preempted", first)).toEqual(succeededAgain);
      },
      testMs,
    );

    it(
      "end when they are done, although an added container still runs",
      async () => {
        const container = `Object.spec.containers{name: "proxy", image: "${toolsImage}", command: ["sh", "-c", "trap 'exit 0' TERM; while :; do sleep 0.1; done"]}`;
        const metadata = { name: "mesh" };
        const apiVersion = "admissionregistration.k8s.io/v1beta1";
        const name = `object.metadata.labels["container.deployer.landscaper.gardener.cloud/name"]`;
        await client.create(policyType, {
          apiVersion,
          kind: "MutatingAdmissionPolicy",
          metadata,
          spec: {
            failurePolicy: "Fail",
            reinvocationPolicy: "Never",
            matchConstraints: {
              resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
            },
            matchConditions: [{ name: "ours", expression: `${name}.startsWith("meshed-")` }],
            mutations: [
              {
                patchType: "JSONPatch",
                jsonPatch: { expression: `[JSONPatch{op: "add", path: "/spec/containers/-", value: ${container}}]` },
              },
            ],
          },
        } as KubeObject);
        await client.create(bindingType, {
          apiVersion,
          kind: "MutatingAdmissionPolicyBinding",
          metadata,
          spec: { policyName: "mesh" },
        } as KubeObject);
        await waitFor(async () => {
          const probe = { namespace: hostNamespace, name: "probe" };
          const labels = { "container.deployer.landscaper.gardener.cloud/name": "meshed-probe" };
          const created = await client.create(
            kubeResources.pod,
            {
              apiVersion: "v1",
              kind: "Pod",
              metadata: { ...probe, labels },
              spec: {
                schedulingGates: [{ name: "example.com/never" }],
                containers: [{ name: "main", image: toolsImage }],
              },
            },
            { dryRun: true },
          );
          const added: unknown = created.spec?.["containers"];
          return Array.isArray(added) && added.length === 2;
        });
        const script = 'echo "a: 1" > "$EXPORTS_PATH"; echo kept > "$STATE_PATH/file"';
        await scope.start("meshed-well", script);
        await scope.start("meshed-badly", `echo kept > "$STATE_PATH/file"; exit 3`);
        expect((await scope.waitForEnd("meshed-well")).status?.phase).toBe("Succeeded");
        expect(await scope.exportsOf("meshed-well")).toEqual({ a: 1 });
        expect(await failureOf("meshed-badly")).toBe(
          "ContainerFailed: Pod POD: the program has ended with exit code 3 (Error)",
        );
        await waitFor(
          async () => (await scope.pods("meshed-well")).length + (await scope.pods("meshed-badly")).length === 0,
        );
        await scope.trigger("meshed-badly", scope.specOf('echo "state: $(cat "$STATE_PATH/file")" > "$EXPORTS_PATH"'));
        expect((await scope.waitForEnd("meshed-badly")).status?.phase).toBe("Succeeded");
        expect(await scope.exportsOf("meshed-badly")).toEqual({ state: "kept" });
      },
      testMs,
    );

    it(
      "run under quotas and limits of CPU and memory, and their error names the settings when they have none",
      async () => {
        const namespace = hostNamespace;
        const hard = { "requests.cpu": "4", "requests.memory": "4Gi", "limits.cpu": "8", "limits.memory": "8Gi" };
        const limits = [
          { type: "Container", min: { cpu: "50m", memory: "32Mi" }, maxLimitRequestRatio: { cpu: "10" } },
        ];
        const quota = { namespace, name: "usual" };
        await client.create(quotaType, {
          apiVersion: "v1",
          kind: "ResourceQuota",
          metadata: quota,
          spec: { hard },
        } as KubeObject);
        await client.create(limitRangeType, {
          apiVersion: "v1",
          kind: "LimitRange",
          metadata: quota,
          spec: { limits },
        } as KubeObject);
        await waitFor(async () => {
          const { status } = await client.get(quotaType, quota);
          return status?.hard !== undefined;
        });
        try {
          const resources = { requests: { cpu: "100m", memory: "64Mi" }, limits: { cpu: "500m", memory: "128Mi" } };
          await scope.start("unmeasured", "true");
          const measured = await scope.run("measured", "true", { config: { resources } });
          expect([measured.status?.phase, measured.status?.lastError]).toEqual(["Succeeded", undefined]);
          expect(await failureOf("unmeasured")).toMatch(
            /^PodRefused: the host cluster refuses Pod POD: .*(must specify|minimum|ratio).*; set `resources` of the item; /,
          );
        } finally {
          await client.delete(quotaType, quota);
          await client.delete(limitRangeType, quota);
        }
      },
      testMs,
    );
  },
);
