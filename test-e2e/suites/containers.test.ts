// Programs of container items on a real node: what they find, how they fail, and what hostile ones get.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, resources, type KubeObject, type ResourceType } from "@landscaper/api";
import { containerLabels } from "@landscaper/container-deployer-lib";
import type { Client } from "@landscaper/controller-runtime";
import { describeUnless, waitFor } from "@landscaper/testkit";
import { startChild } from "../cluster/child.ts";
import {
  hostNamespace,
  programsAbsence,
  startContainerEnvironment,
  type ContainerEnvironment,
} from "../containers/container-environment.ts";
import { createProgramScope, untilLetGo, type ProgramScope } from "../containers/program-scope.ts";
import { createUserShell } from "../src/examples/user-shell.ts";

const testMs = 300_000;
const accountPath = "/var/run/secrets/kubernetes.io/serviceaccount";
const serviceType: ResourceType = {
  group: "",
  version: "v1",
  kind: "Service",
  plural: "services",
  namespaced: true,
};

/** A token of a ServiceAccount in a text. */
const findToken = (text: string): string | undefined => /eyJ[\w-]{8,}\.eyJ[\w-]{8,}\./.exec(text)?.[0];

describeUnless(programsAbsence(), describe)("programs of container items on a real node", () => {
  let containers: ContainerEnvironment;
  let client: Client;
  let scope: ProgramScope;
  let namespace: string;

  beforeAll(async () => {
    containers = await startContainerEnvironment({
      programs: {},
      config: { allowedImages: ["node.landscaper.test"], pod: { startGrace: "15s" } },
    });
    ({ client } = containers.environment);
    scope = await createProgramScope(containers.environment, "programs");
    ({ namespace } = scope);
  }, 1_800_000);
  afterAll(async () => containers?.stop());

  async function addTarget(name: string, spec: object): Promise<void> {
    await scope.createTarget({ metadata: { name, namespace }, spec: { type: "example.org/any", ...spec } });
  }

  async function addSecret(name: string, texts: Readonly<Record<string, string>>): Promise<void> {
    const entries = Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString("base64")]);
    const data: Record<string, string> = Object.fromEntries(entries);
    await client.create(kubeResources.secret, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name, namespace },
      type: "Opaque",
      data,
    });
  }

  /** Secrets of an item on the host, by the names of their types. */
  async function hostSecrets(name: string): Promise<ReadonlyMap<string, string>> {
    const labelSelector = `${containerLabels.itemNamespace}=${namespace},${containerLabels.itemName}=${name}`;
    const { items } = await client.list(kubeResources.secret, { namespace: hostNamespace, labelSelector });
    return new Map(
      items.map(({ metadata, data = {} }) => [
        metadata.labels?.[containerLabels.type] ?? "",
        Object.values(data)
          .map((value) => Buffer.from(value, "base64").toString("latin1"))
          .join("\n"),
      ]),
    );
  }

  const errorOf = async (name: string) => {
    const { status } = await scope.waitForEnd(name);
    const { reason, message = "" } = status?.lastError ?? {};
    const podName = /\b(\S+-[a-z2-7]{8}): /.exec(message)?.[1] ?? "no Pod";
    return [reason, message.replace(podName, "POD")];
  };

  it(
    "finds a Target with the access data as text, in each of its forms",
    async () => {
      await addSecret("with-key", { config: '{"foo":"bar"}', other: "x" });
      await addSecret("whole", { foo: "bar" });
      const specs = {
        inline: { config: { foo: "bar" } },
        keyed: { secretRef: { name: "with-key", key: "config" } },
        whole: { secretRef: { name: "whole" } },
      };
      const run = async ([name, spec]: readonly [string, object]): Promise<void> => {
        await addTarget(name, spec);
        const { status } = await scope.run(name, 'cp "$TARGET_PATH" "$EXPORTS_PATH"', { target: name });
        expect([name, status?.phase, status?.lastError]).toEqual([name, "Succeeded", undefined]);
        const { target, content } = (await scope.exportsOf(name)) as { target: KubeObject; content: string };
        const live: KubeObject = await client.get(resources.target, { namespace, name });
        // The core protects a Target as soon as an item uses it, so its other metadata may have changed.
        const { uid, generation, creationTimestamp } = live.metadata;
        expect(target).toMatchObject({ ...live, metadata: { name, namespace, uid, generation, creationTimestamp } });
        expect(target.metadata).not.toHaveProperty("managedFields");
        expect([name, JSON.parse(content)]).toEqual([name, { foo: "bar" }]);
      };
      await Promise.all(Object.entries(specs).map(run));
      await scope.run("aimless", 'echo "target: $(cat "$TARGET_PATH")" > "$EXPORTS_PATH"');
      expect(await scope.exportsOf("aimless")).toEqual({ target: null });
    },
    testMs,
  );

  it(
    "finds large imports, content and its state as files of its own user, and exports what this run has written",
    async () => {
      const script = `
      [ "$OPERATION" = RECONCILE ] || exit 0
      runs=$(($(cat "$STATE_PATH/runs" 2>/dev/null || echo 0) + 1)); echo $runs > "$STATE_PATH/runs"
      [ $runs -lt 3 ] || exit 0
      { echo "runs: $runs"; echo "user: '$(id -u):$(id -g)'"
        echo "content: '$(stat -c %u:%g "$CONTENT_PATH/blueprint.yaml")'"
        echo "state: '$(stat -c %u:%g "$STATE_PATH/runs")'"
        echo "imports: $(wc -c < "$IMPORTS_PATH")"; } > "$EXPORTS_PATH"`;
      const importValues = { text: "x".repeat(900 * 1024) };
      const filesystem = {
        "blueprint.yaml": "apiVersion: landscaper.gardener.cloud/v1alpha1\nkind: Blueprint\nimports: []\n",
      };
      await scope.run("files", script, { config: { importValues, blueprint: { inline: { filesystem } } } });
      const found = {
        user: "1000:3000",
        content: "1000:2000",
        state: "1000:2000",
        imports: JSON.stringify(importValues).length,
      };
      expect(await scope.exportsOf("files")).toEqual({ runs: 1, ...found });
      await scope.trigger("files");
      await scope.waitForEnd("files");
      expect(await scope.exportsOf("files")).toEqual({ runs: 2, ...found });
      await scope.trigger("files");
      const { status } = await scope.waitForEnd("files");
      expect([status?.phase, await scope.exportsOf("files")]).toEqual(["Succeeded", undefined]);
      await scope.remove("files");
      await scope.waitUntilGone("files");
      expect([...(await hostSecrets("files")).keys()]).toEqual([]);
    },
    testMs,
  );

  it(
    "says why it has failed, and nothing secret",
    async () => {
      await addTarget("secret-access", { config: { token: "hidden-in-target" } });
      await scope.start("exits", 'echo begin; cat "$IMPORTS_PATH"; echo; cat "$TARGET_PATH"; echo; echo end; exit 7', {
        target: "secret-access",
        config: { importValues: { password: "hidden-in-imports" } },
      });
      await scope.start("unknown-command", "", { config: { command: ["/no/such/program"] } });
      await scope.start("no-image", "", { config: { image: "node.landscaper.test/absent:1" } });
      await scope.start("other-image", "", { config: { image: "other.landscaper.test/tools:1" } });
      await scope.start("no-yaml", 'printf "a: 1\\nb: [1\\n" > "$EXPORTS_PATH"');
      await scope.start("no-mapping", 'echo "[1]" > "$EXPORTS_PATH"');
      await scope.start("too-large", 'head -c 1000001 /dev/zero > "$EXPORTS_PATH"');
      await scope.start("link-in-state", 'mkdir "$STATE_PATH/a"; ln -s /etc/passwd "$STATE_PATH/a/b"');
      const [reason, message = ""] = await errorOf("exits");
      expect(reason).toBe("ContainerFailed");
      expect(message).toMatch(
        /^Pod POD: the program has ended with exit code 7 \(Error\); the end of its log:\nbegin\n[^]*\nend$/,
      );
      expect((await scope.get("exits")).status?.providerStatus).toMatchObject({ exitCode: 7 });
      const invalid = "the file that the program has written to EXPORTS_PATH:";
      const advice = "; the program has run; correct what it exports, and trigger again";
      const unsaved = "Pod POD: what the program has left is not saved:";
      const wanted = {
        "unknown-command": [
          "ContainerFailed",
          expect.stringMatching(/^Pod POD: the program .* 128 \(StartError\)[^]*"\/no\/such\/program"/),
        ],
        "no-image": [
          "ContainerImageFailed",
          expect.stringMatching(
            /^container main, image node.landscaper.test\/absent:1: (ErrImagePull|ImagePullBackOff): .*failed to resolve/,
          ),
        ],
        "other-image": [
          "ImageNotAllowed",
          "spec.config: image: image other.landscaper.test/tools is not allowed: expected one of node.landscaper.test",
        ],
        "no-yaml": [
          "ContainerExportsInvalid",
          `${invalid} line 3, column 1: expected JSON or YAML, found a text that is neither: did not find expected ',' or ']'${advice}`,
        ],
        "no-mapping": [
          "ContainerExportsInvalid",
          `${invalid} expected a mapping of names to values, found a list${advice}`,
        ],
        "too-large": [
          "ContainerWaitFailed",
          `${unsaved} ExportsRefused: exports: EXPORTS_PATH has 1000001 bytes, more than the allowed 1000000`,
        ],
        "link-in-state": [
          "ContainerWaitFailed",
          `${unsaved} StateRefused: state: "a/b" is a link; expected files and folders`,
        ],
      };
      const names = Object.keys(wanted);
      const found = await Promise.all(names.map(async (name) => [name, await errorOf(name)]));
      expect(Object.fromEntries(found)).toEqual(wanted);
      const { items: events } = await client.list(kubeResources.event, { namespace });
      const said = JSON.stringify([(await scope.get("exits")).status, events]);
      expect(said).not.toMatch(/hidden-in/);
      expect(await scope.countStarts("other-image")).toBe(0);
    },
    testMs,
  );

  it(
    "has its time to end at an interrupt, in which no other program runs",
    async () => {
      await scope.start("deaf", "trap '' TERM; while :; do sleep 1; done");
      const pod = await scope.untilRunning("deaf");
      await scope.interrupt("deaf");
      const [ending] = await waitFor(async () => {
        const pods = await scope.pods("deaf");
        return pods.some(({ metadata }) => metadata.deletionTimestamp !== undefined) ? pods : false;
      });
      expect(ending?.metadata).toMatchObject({ uid: pod.metadata.uid, deletionGracePeriodSeconds: 90 });
      await scope.trigger("deaf", scope.specOf("true"));
      await scope.waitFor("deaf", ({ conditions = [] }) =>
        conditions.some(({ message }) => message.includes(`${pod.metadata.name} to end`)),
      );
      expect(await scope.countStarts("deaf")).toBe(1);
      await scope.deleteByForce(pod);
      expect((await scope.waitForEnd("deaf")).status?.phase).toBe("Succeeded");
      expect(await scope.countStarts("deaf")).toBe(2);
    },
    testMs,
  );

  it(
    "has its time to end when its deletion is interrupted, and is run once more by the next job",
    async () => {
      const script = `[ "$OPERATION" = DELETE ] || exit 0; trap 'echo saved > "$STATE_PATH/kept"; exit 1' TERM
        [ -e "$STATE_PATH/kept" ] || while :; do sleep 0.1; done`;
      await scope.run("leaving", script);
      await scope.remove("leaving");
      const pod = await scope.untilRunning("leaving");
      await scope.interrupt("leaving");
      await scope.waitFor("leaving", ({ conditions = [] }) =>
        conditions.some(({ reason, message }) => reason === "JobEnded" && message.includes("90 s to end")),
      );
      await waitFor(async () => (await scope.pods("leaving")).length === 0);
      expect((await scope.get("leaving")).status).toMatchObject({
        phase: "Failed",
        lastError: { reason: "InterruptOperation" },
        providerStatus: { lastOperation: "DELETE", podStatus: { podUID: pod.metadata.uid } },
      });
      await scope.trigger("leaving");
      await scope.waitUntilGone("leaving");
      expect(await scope.countStarts("leaving")).toBe(3);
    },
    testMs,
  );

  it(
    "is lost with its Pod, and runs again only where the item says so",
    async () => {
      await scope.start("once", untilLetGo);
      await scope.start("again", untilLetGo, { config: { retryPolicy: { onPodLoss: true, limit: 1 } } });
      await scope.deleteByForce(await scope.untilRunning("once"));
      const first = await scope.untilRunning("again");
      await scope.deleteByForce(first);
      scope.letGo(await scope.untilRunning("again", first));
      expect((await scope.waitForEnd("again")).status).toMatchObject({
        phase: "Succeeded",
        providerStatus: { podStatus: { attempt: 1 } },
      });
      expect(await scope.countStarts("again")).toBe(2);
      const { lastError } = (await scope.waitForEnd("once")).status ?? {};
      expect([lastError?.reason, lastError?.message]).toEqual([
        "PodLost",
        expect.stringMatching(/^Pod once-\S+ has ended without a result of its program: it was deleted; /),
      ]);
      expect(await scope.countStarts("once")).toBe(1);
    },
    testMs,
  );

  it(
    "takes back before its item is gone, unless the item is to go without",
    async () => {
      await scope.run("stays", '[ "$OPERATION" = RECONCILE ]; echo 1 > "$STATE_PATH/made"');
      await scope.remove("stays");
      const failed = await scope.waitFor("stays", ({ phase }) => phase === "DeleteFailed");
      expect(failed.status?.lastError?.reason).toBe("ContainerFailed");
      expect((await hostSecrets("stays")).has("state-index")).toBe(true);
      const body = { metadata: { annotations: { [annotations.containerForceCleanup]: "true" } } };
      await client.patch(resources.deployItem, { namespace, name: "stays" }, { type: "merge", body });
      await scope.trigger("stays");
      await scope.waitUntilGone("stays");
      expect([[...(await hostSecrets("stays")).keys()], await scope.countStarts("stays")]).toEqual([[], 2]);
    },
    testMs,
  );

  it(
    "gets no token, neither by a link that others follow nor by itself",
    async () => {
      await client.create(serviceType, {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "neighbour", namespace: hostNamespace },
        spec: { ports: [{ port: 80 }] },
      } as KubeObject);
      await scope.start(
        "bare",
        `echo "token: '$(ls -A /var/run/secrets 2>/dev/null)'" > "$EXPORTS_PATH"
       echo "services: '$(env | grep _SERVICE_ | cut -d= -f1 | sort | xargs)'" >> "$EXPORTS_PATH"`,
      );
      await scope.start("file-link", `ln -s ${accountPath}/token "$EXPORTS_PATH"`);
      await scope.start("folder-link", `cd /data/ls/shared; rm -r exports; ln -s ${accountPath} exports`);
      await scope.start("state-link", `rm -r "$STATE_PATH"; ln -s ${accountPath} "$STATE_PATH"`);
      const unsaved = "Pod POD: what the program has left is not saved:";
      const refused = {
        "file-link": `${unsaved} ExportsRefused: exports: EXPORTS_PATH is a link; expected a file`,
        "folder-link": `${unsaved} ExportsRefused: exports: EXPORTS_PATH is a link; expected a file`,
        "state-link": `${unsaved} StateRefused: state: STATE_PATH is a link; expected a folder`,
      };
      for (const [name, message] of Object.entries(refused)) {
        expect([name, await errorOf(name)]).toEqual([name, ["ContainerWaitFailed", message]]);
        expect([...(await hostSecrets(name)).keys()].filter((type) => /state|export/.test(type))).toEqual([]);
      }
      await scope.waitForEnd("bare");
      // Where the API server is, the kubelet tells every container.
      const services = ["KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT", "KUBERNETES_SERVICE_PORT_HTTPS"];
      expect(await scope.exportsOf("bare")).toEqual({ token: "", services: services.join(" ") });
      const secrets = await Promise.all(["file-link", "folder-link", "state-link", "bare"].map(hostSecrets));
      const items = await client.list(resources.deployItem, { namespace });
      const events = await client.list(kubeResources.event);
      const log = readFileSync(containers.environment.service("container-deployer").logFile, "utf8");
      expect(findToken(containers.environment.hub.token)).toBeDefined();
      const texts = [JSON.stringify([items, events]), log, ...secrets.flatMap((each) => [...each.values()])];
      expect(texts.map(findToken).filter(Boolean)).toEqual([]);
    },
    testMs,
  );

  it(
    "runs once although the deployer is killed while it runs, and ends while none is there",
    async () => {
      const deployer = containers.environment.service("container-deployer");
      await scope.start(
        "survivor",
        `runs=$(($(cat "$STATE_PATH/runs" 2>/dev/null || echo 0) + 1)); echo $runs > "$STATE_PATH/runs"
       ${untilLetGo}; echo "runs: $runs" > "$EXPORTS_PATH"`,
      );
      const pod = await scope.untilRunning("survivor");
      await deployer.kill();
      scope.letGo(pod);
      await waitFor(async () => (await scope.pods("survivor"))[0]?.status?.phase === "Succeeded");
      await deployer.start();
      const { status } = await scope.waitForEnd("survivor");
      expect(status).toMatchObject({ phase: "Succeeded", providerStatus: { podStatus: { podUID: pod.metadata.uid } } });
      expect([await scope.exportsOf("survivor"), await scope.countStarts("survivor")]).toEqual([{ runs: 1 }, 1]);
    },
    testMs,
  );

  it(
    "is read while it writes, by landscaper logs",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "landscaper-logs-"));
      try {
        const { targetKubeconfig } = containers.environment;
        writeFileSync(join(folder, "kubeconfig"), targetKubeconfig, { mode: 0o600 });
        const { env } = createUserShell({ folder, programs: [], kubeconfig: "kubeconfig" });
        await scope.start("talks", `echo first; ${untilLetGo}; echo last`);
        const pod = await scope.untilRunning("talks");
        const logFile = join(folder, "log");
        const command = join(import.meta.dirname, "../../bin/landscaper");
        const args = ["logs", "di/talks", "-f", "-n", namespace];
        const reader = startChild({ name: "landscaper logs", command, args, env, logFile });
        await waitFor(() => readFileSync(logFile, "utf8") === "first\n");
        scope.letGo(pod);
        expect(await reader.whenEnded).toBe("exit code 0");
        expect(readFileSync(logFile, "utf8")).toBe("first\nlast\n");
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    testMs,
  );
});
