// Workloads that go through their status (design.md §4 without a node): what kubectl and the manifest deployer make of them. The embedded cluster
// simulates controllers and pods; on the real one its own controllers work, and the same pods are played.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { resources } from "@landscaper/api";
import { stringify } from "yaml";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { itemsInstallation, manifestItem } from "../src/installations/inline-installation.ts";
import type { Kubectl } from "../src/clients/kubectl.ts";
import { createKubectl, findKubectl } from "../src/clients/kubectl.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const program = findKubectl();

type Script = Readonly<Record<string, string>>;

/** A pod template; `script` without the prefix of the annotations. */
function template(name: string, script: Script = {}, spec: object = {}): object {
  const annotations = Object.entries(script).map(([key, value]) => [
    `simulation.landscaper.gardener.cloud/${key}`,
    value,
  ]);
  return {
    metadata: { labels: { app: name }, annotations: Object.fromEntries(annotations) },
    spec: { containers: [{ name: "main", image: "registry.example.test/main:1" }], ...spec },
  };
}

function workload(kind: "Deployment" | "StatefulSet" | "DaemonSet", name: string, spec: object): UnstructuredObject {
  const selector = { matchLabels: { app: name } };
  const own = kind === "StatefulSet" ? { serviceName: name } : {};
  return { apiVersion: "apps/v1", kind, metadata: { name }, spec: { selector, ...own, ...spec } };
}

function job(name: string, script: Script, spec: object = {}): UnstructuredObject {
  const pods = template(name, script, { restartPolicy: "Never" });
  return { apiVersion: "batch/v1", kind: "Job", metadata: { name }, spec: { template: pods, ...spec } };
}

// plan-run.ts leaves this suite out, and says so, where there is no kubectl and on a cluster of the user's.
describe.each(clustersUnderTest())("workloads on %s", (cluster) => {
  let environment: Environment;
  let kubectl: Kubectl;

  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core", "manifest-deployer"],
      workloads: true,
    });
    kubectl = createKubectl(program ?? "", environment.target.kubeconfig);
  });
  afterAll(async () => {
    kubectl.dispose();
    await environment.stop();
  });

  describe("kubectl", () => {
    let scope: TestNamespace;
    beforeAll(async () => {
      scope = await environment.namespace("workloads");
    });

    async function run(...args: readonly string[]): Promise<string> {
      const result = await kubectl.run(["-n", scope.targetNamespace, ...args]);
      expect({ args, stderr: result.stderr, status: result.status }).toEqual({ args, stderr: "", status: 0 });
      return result.stdout;
    }
    async function apply(object: UnstructuredObject): Promise<void> {
      const result = await kubectl.run(["-n", scope.targetNamespace, "apply", "-f", "-"], { stdin: stringify(object) });
      expect({ stderr: result.stderr, status: result.status }).toEqual({ stderr: "", status: 0 });
    }
    const rollout = (of: string): Promise<string> => run("rollout", "status", of, "--timeout=60s");

    it("follows a Deployment from its rollout over an update and back to its end", async () => {
      await apply(workload("Deployment", "web", { replicas: 2, template: template("web") }));
      expect(await rollout("deployment/web")).toMatch(/deployment "web" successfully rolled out\n$/);
      expect(await run("wait", "deployment/web", "--for=condition=Available", "--timeout=60s")).toBe(
        "deployment.apps/web condition met\n",
      );
      await run("set", "image", "deployment/web", "main=registry.example.test/main:2");
      expect(await rollout("deployment/web")).toMatch(/successfully rolled out\n$/);
      await run("rollout", "undo", "deployment/web");
      expect(await rollout("deployment/web")).toMatch(/successfully rolled out\n$/);
      expect(await run("rollout", "history", "deployment/web")).toMatch(/^2 .*\n3 /m);
      await run("scale", "deployment/web", "--replicas=3");
      expect(await rollout("deployment/web")).toMatch(/successfully rolled out\n$/);
      expect(await run("get", "deployment", "web", "-o", "jsonpath={.status.readyReplicas}")).toBe("3");
      // Older ones do not name the namespace.
      const told = await run("delete", "deployment", "web", "--cascade=foreground", "--timeout=60s");
      expect(told.replace(` from ${scope.targetNamespace} namespace`, "")).toBe('deployment.apps "web" deleted\n');
      expect(await run("get", "pods,replicasets", "-l", "app=web", "-o", "name")).toBe("");
    });

    it("says why a rollout does not end", async () => {
      const spec = { progressDeadlineSeconds: 1, template: template("slow", { "never-ready": "true" }) };
      await apply(workload("Deployment", "slow", spec));
      const result = await kubectl.run(["-n", scope.targetNamespace, "rollout", "status", "deployment/slow"]);
      expect(result.status).toBe(1);
      expect(result.stderr).toBe('error: deployment "slow" exceeded its progress deadline\n');
    });

    it("waits for StatefulSets, DaemonSets and Jobs", async () => {
      await apply(workload("StatefulSet", "db", { replicas: 2, template: template("db") }));
      await apply(workload("DaemonSet", "agent", { template: template("agent") }));
      await apply(job("backup", {}));
      await apply(job("broken", { "exit-code": "3" }, { backoffLimit: 0 }));
      expect(await rollout("statefulset/db")).toMatch(/partitioned roll out complete|rolling update complete/);
      expect(await rollout("daemonset/agent")).toMatch(/daemon set "agent" successfully rolled out\n$/);
      const met = (name: string): string => `job.batch/${name} condition met\n`;
      expect(await run("wait", "job/backup", "--for=condition=Complete", "--timeout=60s")).toBe(met("backup"));
      expect(await run("wait", "job/broken", "--for=condition=Failed", "--timeout=60s")).toBe(met("broken"));
      expect(await run("get", "pods", "-l", "app=db", "-o", "jsonpath={.items[*].metadata.name}")).toBe("db-0 db-1");
    });

    // Logs come from a kubelet, and the pods of the real cluster have none.
    if (cluster === "real") return;
    it("prints logs", async () => {
      const script = { log: "one\ntwo\nthree", "exit-code.side": "1", "log.side": "side fails" };
      const containers = ["main", "side"].map((name) => ({ name, image: "registry.example.test/main:1" }));
      await apply(workload("Deployment", "talk", { template: template("talk", script, { containers }) }));
      const crashed = "jsonpath={.status.containerStatuses[1].lastState.terminated.exitCode}=1";
      await run("wait", "pods", "-l", "app=talk", `--for=${crashed}`, "--timeout=60s");
      expect(await run("logs", "deployment/talk", "-c", "main")).toBe("one\ntwo\nthree\n");
      expect(await run("logs", "deployment/talk", "-c", "main", "--tail=1")).toBe("three\n");
      expect(await run("logs", "deployment/talk", "-c", "side", "--previous")).toBe("side fails\n");
      let showed = (): void => undefined;
      const shown = new Promise<void>((resolve) => (showed = resolve));
      const args = ["-n", scope.targetNamespace, "logs", "-f", "deployment/talk", "-c", "main"];
      const follow = kubectl.run(args, { onStdout: () => showed() });
      await shown;
      await run("delete", "deployment", "talk", "--cascade=foreground");
      expect((await follow).stdout).toBe("one\ntwo\nthree\n");
    });
  });

  describe("the manifest deployer", () => {
    /** Deploys one object and answers how its item ended. */
    async function deploy(
      name: string,
      object: UnstructuredObject,
      level: string,
    ): Promise<{ readonly phase: string; readonly message: string }> {
      const scope = await environment.namespace(name);
      await scope.apply(scope.target("target"));
      const manifest = { ...object, metadata: { ...object.metadata, namespace: scope.targetNamespace } };
      const item = manifestItem({
        manifests: [manifest],
        config: { readinessChecks: { level } },
        item: { timeout: "60s" },
      });
      await scope.apply(itemsInstallation([item]));
      const ended = await scope.until(resources.installation, "root", (found) =>
        ["Succeeded", "Failed"].includes(found?.status?.phase ?? ""),
      );
      const live = (await scope.deployItems("root")).get("item");
      const error = live === undefined ? ended?.status?.lastError : live.status?.lastError;
      return { phase: ended?.status?.phase ?? "", message: error?.message ?? "" };
    }

    const good: readonly (readonly [kind: string, object: UnstructuredObject])[] = [
      [
        "Deployment",
        workload("Deployment", "web", { replicas: 2, template: template("web", { "ready-delay": "1s" }) }),
      ],
      ["StatefulSet", workload("StatefulSet", "db", { replicas: 2, template: template("db") })],
      ["DaemonSet", workload("DaemonSet", "agent", { template: template("agent") })],
      ["Job", job("backup", { "run-duration": "1s" })],
    ];
    for (const level of ["default", "kstatus"]) {
      it.each(good)(`waits for a %s (${level})`, async (kind, object) => {
        expect(await deploy(`good-${level}-${kind.toLowerCase()}`, object, level)).toEqual({
          phase: "Succeeded",
          message: "",
        });
      });
    }

    const log = cluster === "embedded" ? "its log ends with: starting | no database" : "its log cannot be read";
    const scripted = { log: "starting\nno database" };
    const bad: readonly (readonly [what: string, object: UnstructuredObject, ...messages: string[]])[] = [
      [
        "an image that is not there",
        workload("Deployment", "web", { template: template("web", { "image-pull-failure": "true" }) }),
        "container main: ImagePullBackOff",
      ],
      [
        "a container that crashes",
        workload("Deployment", "web", { template: template("web", { ...scripted, "exit-code": "7" }) }),
        `container main: CrashLoopBackOff, exited with 7 (Error); ${log}`,
      ],
      [
        "a rollout that gets stuck",
        workload("Deployment", "web", {
          progressDeadlineSeconds: 1,
          template: template("web", { "never-ready": "true" }),
        }),
        "has made no progress for too long (ProgressDeadlineExceeded)",
      ],
      [
        "a Job that fails",
        job("migrate", { ...scripted, "exit-code": "7" }, { backoffLimit: 0 }),
        "has failed (BackoffLimitExceeded); Pod migrate-",
        `container main exited with 7 (Error); ${log}`,
      ],
    ];
    it.each(bad)("names %s", async (what, object, ...messages) => {
      const { phase, message } = await deploy(what.toLowerCase().replaceAll(/\W+/g, "-"), object, "kstatus");
      for (const part of messages) expect(message).toContain(part);
      expect(phase).toBe("Failed");
    });
  });
});
