// Charts and manifests whose pods really run: hooks one after the other, readiness, failures with the words of their containers, and the real helm on
// the same chart. There is no embedded counterpart; `workloads` has played pods on both clusters.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Pod, UnstructuredObject } from "@landscaper/api";
import { kubeResources, resources } from "@landscaper/api";
import { describeUnless, waitFor } from "@landscaper/testkit";
import { packChart, rawChart, type ChartFiles } from "@landscaper/helm-deployer-lib/testing";
import { toolsImage } from "../cluster/node-image.ts";
import { OurHelm } from "../helm-releases/our-helm.ts";
import { createRealHelm } from "../helm-releases/real-helm.ts";
import { oracleAbsence } from "../oracles/build-oracle.ts";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { helmItem, itemsInstallation, manifestItem } from "../src/installations/inline-installation.ts";
import { nodeAbsence } from "../src/clusters/node-absence.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

type Config = Readonly<Record<string, unknown>>;

/** Says when it starts and ends, in hundredths of a second since the machine started. */
const timed = (script: string): string => `echo start $(cut -d' ' -f1 /proc/uptime)
${script}
echo end $(cut -d' ' -f1 /proc/uptime)
`;

function hookJob(name: string, { hook, weight, script }: { hook: string; weight: number; script: string }): string {
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
  annotations: { helm.sh/hook: ${hook}, helm.sh/hook-weight: "${weight}" }
spec:
  backoffLimit: 0
  template:
    metadata: { labels: { part: ${name} } }
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 0
      containers:
        - name: main
          image: ${toolsImage}
          command: [sh, -ec, ${JSON.stringify(timed(script))}]
`;
}

/** A page that is served by two pods and a Service; hooks before and after; a test that reads the page. */
const chart: ChartFiles = {
  "values.yaml": 'migrate: "sleep 1"\n',
  // In the file's order they would run the other way round.
  "templates/before.yaml": [
    hookJob("second", { hook: "pre-install,pre-upgrade", weight: 5, script: "echo second" }),
    hookJob("first", { hook: "pre-install,pre-upgrade", weight: -5, script: "{{ .Values.migrate }}" }),
  ].join("---\n"),
  "templates/after.yaml": hookJob("after", {
    hook: "post-install,post-upgrade",
    weight: 0,
    // kube-proxy may learn of the pods after the deployer has.
    script: "until wget -qO- http://$WEB_SERVICE_HOST; do sleep 0.1; done",
  }),
  "templates/web.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { part: web } }
  template:
    metadata: { labels: { part: web } }
    spec:
      terminationGracePeriodSeconds: 0
      containers:
        - name: main
          image: ${toolsImage}
          command: [sh, -ec, "mkdir /tmp/www; sleep 1; echo the page > /tmp/www/index.html; echo start $(cut -d' ' -f1 /proc/uptime); exec httpd -f -p 8080 -h /tmp/www"]
          readinessProbe: { httpGet: { path: /index.html, port: 8080 }, periodSeconds: 1 }
          securityContext: { runAsUser: 1000, runAsGroup: 3000, runAsNonRoot: true }
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { part: web }, ports: [{ port: 80, targetPort: 8080 }] }
`,
  "templates/check.yaml": `apiVersion: v1
kind: Pod
metadata: { name: check, annotations: { helm.sh/hook: test } }
spec:
  restartPolicy: Never
  terminationGracePeriodSeconds: 0
  containers: [{ name: main, image: "${toolsImage}", command: [sh, -c, "wget -qO- http://$WEB_SERVICE_HOST"] }]
`,
};

describeUnless(nodeAbsence() ?? oracleAbsence("helm"), describe)("on a real node", () => {
  let environment: Environment;
  beforeAll(async () => {
    const services = ["landscaper-core", "helm-deployer", "manifest-deployer"] as const;
    environment = await startEnvironment({ cluster: "real", services, node: true });
  });
  afterAll(async () => environment.stop());

  async function open(name: string): Promise<TestNamespace> {
    const scope = await environment.namespace(name);
    await scope.apply(scope.target("target"));
    return scope;
  }

  async function installation(scope: TestNamespace, config: Config): Promise<UnstructuredObject> {
    const item = { namespace: scope.targetNamespace, config: { chart: await rawChart(chart), ...config } };
    return itemsInstallation([helmItem(item)]);
  }

  async function podsOf(namespace: string, part: string): Promise<Pod[]> {
    return (await environment.targetClient.list(kubeResources.pod, { namespace, labelSelector: `part=${part}` })).items;
  }

  async function logOf({ metadata: { namespace, name } }: Pod): Promise<string> {
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/log`;
    return String(await environment.targetClient.request({ method: "GET", path, accept: "*/*", answer: "text" }));
  }

  /** What hooks and pods of the chart have said of their times, in the order of the words. */
  async function timesIn(namespace: string): Promise<readonly string[]> {
    const found: [at: number, what: string][] = [];
    for (const part of ["first", "second", "web", "after"]) {
      for (const pod of await podsOf(namespace, part)) {
        for (const [, what, at] of (await logOf(pod)).matchAll(/^(start|end) ([\d.]+)$/gm))
          found.push([Number(at), `${part} ${what}`]);
      }
    }
    return found.toSorted(([a], [b]) => a - b).map(([, what]) => what);
  }

  const inOrder = [
    "first start",
    "first end",
    "second start",
    "second end",
    "web start",
    "web start",
    "after start",
    "after end",
  ];

  /** The message of the only item. */
  async function errorOf(scope: TestNamespace): Promise<string> {
    const [item] = (await scope.deployItems("root")).values();
    return item?.status?.lastError?.message ?? "";
  }

  it("installs a chart with hooks, waits for its pods, and takes all of it away", async () => {
    const scope = await open("chart");
    const namespace = scope.targetNamespace;
    await scope.apply(await installation(scope, { helmDeploymentConfig: { install: { wait: true } } }));
    await scope.waitForPhase("root", "Succeeded");
    expect((await scope.findOnTarget(kubeResources.deployment, "web"))?.status).toMatchObject({ readyReplicas: 2 });
    expect(await timesIn(namespace)).toEqual(inOrder);
    const [after] = await podsOf(namespace, "after");
    expect(after === undefined ? "" : await logOf(after)).toContain("the page\n");

    // The real helm knows the release, and its tests run on it.
    const helm = createRealHelm(environment.target.kubeconfig, namespace);
    try {
      expect(await helm.run("test", "app", "--logs")).toMatch(/Phase: +Succeeded[^]*the page\n/);
    } finally {
      helm.dispose();
    }

    await scope.delete(resources.installation, "root");
    await scope.untilGone(resources.installation, "root");
    await scope.waitOnTarget(kubeResources.deployment, "web", (found) => found === undefined);
  });

  it("is no different where the real helm installs and tests", async () => {
    const scope = await open("real-helm");
    const namespace = scope.targetNamespace;
    const folder = mkdtempSync(join(tmpdir(), "landscaper-node-"));
    const file = join(folder, "app.tgz");
    const helm = createRealHelm(environment.target.kubeconfig, namespace);
    try {
      writeFileSync(file, await packChart(chart));
      await helm.run("install", "app", file, "--wait");
      expect(await timesIn(namespace)).toEqual(inOrder);
      expect(await helm.run("test", "app", "--logs")).toMatch(/Phase: +Succeeded[^]*the page\n/);
      // Our tests on its release.
      await new OurHelm(environment.targetClient, { name: "app", namespace, chart: file }).test();
      const check = await environment.targetClient.get(kubeResources.pod, { namespace, name: "check" });
      expect(await logOf(check)).toBe("the page\n");
      await helm.run("uninstall", "app", "--wait");
      // Helm waits for its objects; the garbage collector takes their pods.
      await waitFor(async () => (await podsOf(namespace, "web")).length === 0);
    } finally {
      helm.dispose();
      rmSync(folder, { recursive: true });
    }
  });

  it("names the hook that fails, how it ended and what it said last", async () => {
    const scope = await open("hook-fails");
    await scope.apply(await installation(scope, { values: { migrate: "echo no database; exit 3" } }));
    await scope.waitForPhase("root", "Failed");
    expect(await errorOf(scope)).toMatch(
      /pre-install hook Job \S+first\S* has failed \(BackoffLimitExceeded\); Pod first-\w+, has failed, container main exited with 3 \(Error\); its log ends with: start [\d.]+ \| no database/,
    );
    expect(await podsOf(scope.targetNamespace, "second")).toEqual([]);
  });

  function workload(name: string, container: Config): UnstructuredObject {
    const labels = { part: name };
    const spec = {
      terminationGracePeriodSeconds: 0,
      containers: [{ name: "main", image: toolsImage, ...container }],
    };
    return {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name },
      // A container that crashes is ready for a moment, and its Deployment must not count as available then.
      spec: { minReadySeconds: 5, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    };
  }

  const stuck: readonly (readonly [what: string, container: Config, message: RegExp])[] = [
    [
      "a container that crashes",
      { command: ["sh", "-c", "echo starting; echo no database; exit 7"] },
      /Pod broken-\S+, container main: CrashLoopBackOff, exited with 7 \(Error\); its log ends with: starting \| no database/,
    ],
    [
      "an image that is not there",
      { image: "127.0.0.1:1/missing:1" },
      /Pod broken-\S+, container main: ImagePullBackOff/,
    ],
  ];
  it.each(stuck)("fails a manifest item long before its time for %s", async (_what, container, message) => {
    const scope = await open("stuck");
    const manifest = workload("broken", container);
    const manifests = [{ ...manifest, metadata: { ...manifest.metadata, namespace: scope.targetNamespace } }];
    const config = { readinessChecks: { level: "kstatus" } };
    await scope.apply(itemsInstallation([manifestItem({ manifests, config, item: { timeout: "10m" } })]));
    // No wait of the harness is as long as the item's time.
    await scope.waitForPhase("root", "Failed");
    expect(await errorOf(scope)).toMatch(message);
  });
});
