// Many roots with all that an Installation usually has; some with a subinstallation, some that wait for another one's export.
import type { Installation } from "@landscaper/api";
import { isJobOpen, labels, resources } from "@landscaper/api";
import {
  clusterImport,
  dataObject,
  dataParameter,
  goTemplate,
  inlineInstallation,
} from "../src/installations/inline-installation.ts";
import { runInParallel } from "../src/kits/run-in-parallel.ts";
import { subInstallationTemplate } from "../src/installations/sub-installations.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { triggerJob } from "../src/namespaces/trigger-job.ts";

const text = { type: "string" };
const targets = [{ name: "cluster", target: "cluster" }];

/** One item that exports what it imports. */
const blueprint = {
  imports: [clusterImport, dataParameter("value", text)],
  exports: [dataParameter("result", text)],
  deployExecutions: goTemplate(`
deployItems:
  - name: item
    type: landscaper.gardener.cloud/mock
    target: { import: cluster }
    config:
      apiVersion: mock.deployer.landscaper.gardener.cloud/v1alpha1
      kind: ProviderConfiguration
      export: { result: {{ .imports.value | quote }} }
`),
  exportExecutions: goTemplate('exports: { result: {{ index .values.deployitems "item" "result" }} }\n'),
};

const child = subInstallationTemplate({
  name: "child",
  blueprint,
  imports: { targets, data: [{ name: "value", dataRef: "value" }] },
  exports: { data: [{ name: "result", dataRef: "child-result" }] },
});

/** Every tenth root has a subinstallation, and the one after it imports what that root exports. */
const hasChild = (index: number): boolean => index % 10 === 0;
const isDependent = (index: number): boolean => index % 10 === 1;

function rootOf(index: number): ReturnType<typeof inlineInstallation> {
  return inlineInstallation({
    name: `root-${index}`,
    blueprint: hasChild(index) ? { ...blueprint, subinstallations: [child] } : blueprint,
    imports: {
      targets,
      data: [{ name: "value", dataRef: isDependent(index) ? `result-${index - 1}` : `value-${index}` }],
    },
    exports: { data: [{ name: "result", dataRef: `result-${index}` }] },
    // Its job starts when its exporter's has ended, once for each of them.
    triggered: !isDependent(index),
  });
}

/** Objects that are written at a time. */
const atOnce = 16;

export interface Landscape {
  /** Installations, subinstallations included; as many Executions and DeployItems. */
  readonly installations: number;
  /** Creates everything; each root gets its first job. */
  create(): Promise<void>;
  /** Gives every root another value, and its second job. */
  change(): Promise<void>;
  /** What the roots export after the job of that number: one line for each that is wrong. */
  findWrongExports(job: 1 | 2): Promise<string[]>;
}

const valueOf = (index: number, job: 1 | 2): string => `value ${isDependent(index) ? index - 1 : index} of job ${job}`;

/** `count` roots in the namespace. */
export function createLandscape(scope: TestNamespace, count: number): Landscape {
  const { client } = scope.environment;
  const indexes = Array.from({ length: count }, (_, index) => index);
  return {
    installations: count + indexes.filter(hasChild).length,
    async create() {
      await scope.apply(scope.target("cluster"));
      // Dependents first: they have to be there when their exporters end.
      const order = indexes.toSorted((a, b) => Number(isDependent(b)) - Number(isDependent(a)));
      await runInParallel(count, atOnce, async (at) => {
        const index = order[at] ?? 0;
        if (!isDependent(index)) await scope.apply(dataObject(`value-${index}`, valueOf(index, 1)));
        await scope.apply(rootOf(index));
      });
    },
    async change() {
      await runInParallel(count, atOnce, async (index) => {
        if (isDependent(index)) return;
        const namespace = scope.name;
        const body = { data: valueOf(index, 2) };
        await client.patch(resources.dataObject, { namespace, name: `value-${index}` }, { type: "merge", body });
        await triggerJob(client, resources.installation, { namespace, name: `root-${index}` });
      });
    },
    async findWrongExports(job) {
      const objects = new Map((await scope.list(resources.dataObject)).map((object) => [object.metadata.name, object]));
      return indexes.flatMap((index) => {
        const found = objects.get(`result-${index}`)?.data;
        return found === valueOf(index, job) ? [] : [`result-${index}: ${JSON.stringify(found)}`];
      });
    },
  };
}

/** Roots whose last job has ended, of those that were not there before. */
export function countFinished(installations: Iterable<Installation>, before: ReadonlySet<string>): number {
  let count = 0;
  for (const { metadata, status } of installations) {
    const isRoot = metadata.labels?.[labels.encompassedBy] === undefined;
    const job = status?.jobID;
    if (isRoot && job !== undefined && !isJobOpen(status) && !before.has(job)) count += 1;
  }
  return count;
}
