import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { helmItem, itemsInstallation } from "../../installations/inline-installation.ts";
import type { TestNamespace } from "../../namespaces/test-namespace.ts";
import type { Mistake } from "../mistake.ts";
import { deployment, fail, limited, simulated } from "./build.ts";

const area = "charts";
const probe = { readinessProbe: { httpGet: { path: "/ready", port: 8080 } } };
type Files = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, unknown>>;

const template = `apiVersion: v1
kind: ConfigMap
metadata: { name: map }
data: { key: {{ .Values.key | quote }} }
`;

async function failWith(scope: TestNamespace, config: Fields, item: Fields = {}): Promise<void> {
  await fail(scope, itemsInstallation([helmItem({ namespace: scope.targetNamespace, config, item })]));
}

interface Options {
  /** Other fields of the ProviderConfiguration. */
  readonly config?: Fields;
  /** Other fields of the deploy item. */
  readonly item?: Fields;
}

async function failWithFiles(scope: TestNamespace, files: Files, { config, item }: Options = {}): Promise<void> {
  await failWith(scope, { chart: await rawChart({ "values.yaml": "key: value\n", ...files }), ...config }, item);
}

export const chartMistakes: readonly Mistake[] = [
  {
    area,
    title: "the registry of a chart refuses the connection",
    make: async (scope) => failWith(scope, { chart: { ref: "127.0.0.1:9/charts/web:1.0.0" } }, limited),
    place: /item "?item"?.*chart/s,
    cause: /127\.0\.0\.1:9.*refuse|refuse.*127\.0\.0\.1:9/is,
    remedy: /[Cc]heck|[Cc]orrect/,
  },
  {
    area,
    title: "the repository of a chart refuses the connection",
    make: async (scope) =>
      failWith(
        scope,
        {
          chart: {
            helmChartRepo: {
              helmChartRepoUrl: "http://127.0.0.1:9/charts",
              helmChartName: "web",
              helmChartVersion: "1.0.0",
            },
          },
        },
        limited,
      ),
    place: /item "?item"?.*(chart|helmChartRepo)/s,
    cause: /127\.0\.0\.1:9.*refuse|refuse.*127\.0\.0\.1:9/is,
    remedy: /[Cc]heck|[Cc]orrect/,
  },
  {
    area,
    title: "a template of a chart has a syntax error",
    make: async (scope) => failWithFiles(scope, { "templates/map.yaml": template.replace("}} }", "} }") }),
    place: /templates\/map\.yaml:4/,
    cause: /unexpected "}"/,
    remedy: /[Cc]orrect/,
  },
  {
    area,
    title: "a template of a chart reads a missing value",
    make: async (scope) =>
      failWithFiles(scope, { "templates/map.yaml": template.replace(".Values.key", ".Values.web.key") }),
    place: /templates\/map\.yaml:4/,
    cause: /nil pointer|\.web/,
    remedy: /values|[Ss]et/,
  },
  {
    area,
    title: "a chart requires a value",
    make: async (scope) =>
      failWithFiles(scope, {
        "templates/map.yaml": template.replace(".Values.key", 'required "set web.host" .Values.host'),
      }),
    place: /templates\/map\.yaml:4/,
    cause: /set web\.host/,
    remedy: /values/,
  },
  {
    area,
    title: "values do not fit the schema of the chart",
    make: async (scope) =>
      failWithFiles(
        scope,
        {
          "templates/map.yaml": template,
          "values.schema.json": JSON.stringify({ properties: { replicas: { type: "integer" } } }),
        },
        { config: { values: { replicas: "two" } } },
      ),
    place: /replicas/,
    cause: /integer.*string|string.*integer/s,
    remedy: /[Cc]orrect.*values|values/,
  },
  {
    area,
    title: "the output of a chart template is not YAML",
    make: async (scope) => failWithFiles(scope, { "templates/map.yaml": `${template}a: b: c\n` }),
    place: /templates\/map\.yaml.*(line 5|:5)/s,
    cause: /YAML|mapping/,
    remedy: /[Cc]orrect/,
  },
  {
    area,
    title: "the chart is not an archive",
    make: async (scope) => failWith(scope, { chart: { archive: { raw: Buffer.from("web").toString("base64") } } }),
    place: /chart\.archive\.raw/,
    cause: /gzip|archive/,
    remedy: /helm package|tar|[Pp]ack/,
    misleading: /unexpected EOF|incorrect header check/,
  },
  {
    area,
    title: "the archive of a chart is not base64",
    make: async (scope) => failWith(scope, { chart: { archive: { raw: "%%%" } } }),
    place: /chart\.archive\.raw/,
    cause: /base64/,
    remedy: /[Cc]orrect|base64/,
  },
  {
    area,
    title: "a release name that is too long",
    make: async (scope) =>
      failWithFiles(scope, { "templates/map.yaml": template }, { config: { name: "a".repeat(60) } }),
    place: /item "?item"?.*name/s,
    cause: /53/,
    remedy: /[Ss]horten|at most 53/,
  },
  {
    area,
    title: "a workload of a release never becomes ready",
    make: async (scope) => {
      const web = JSON.stringify({
        ...deployment(scope, { ...simulated("never-ready", "true"), probe }),
        metadata: { name: "web" },
      });
      await failWithFiles(
        scope,
        { "templates/web.yaml": web },
        { config: { helmDeploymentConfig: { install: { wait: true, timeout: "2s" } } }, item: limited },
      );
    },
    place: /Deployment \S*web/,
    cause: /0 of 1|not ready|unavailable/,
    remedy: /correct its program or the probe/,
  },
  {
    area,
    title: "a hook of a release fails",
    make: async (scope) => {
      const { annotations } = simulated("exit-code", "1");
      const job = {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: "migrate", annotations: { "helm.sh/hook": "pre-install" } },
        spec: {
          backoffLimit: 0,
          template: {
            metadata: { annotations },
            spec: { restartPolicy: "Never", containers: [{ name: "main", image: "registry.example.test/migrate:1" }] },
          },
        },
      };
      await failWithFiles(scope, { "templates/migrate.yaml": JSON.stringify(job) });
    },
    place: /hook.*migrate|migrate.*hook/s,
    cause: /exit code 1|BackoffLimitExceeded|failed/,
    remedy: /kubectl logs|[Cc]orrect/,
  },
  {
    area,
    title: "an object of the chart exists already",
    make: async (scope) => {
      const configMap = { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true };
      const metadata = { name: "map", namespace: scope.targetNamespace };
      await scope.environment.targetClient.create(configMap, { apiVersion: "v1", kind: "ConfigMap", metadata });
      await failWithFiles(scope, { "templates/map.yaml": template });
    },
    place: /ConfigMap \S*map/,
    cause: /exists/,
    remedy: /takeOwnership/,
  },
  {
    area,
    title: "both chart.ref and chart.archive",
    make: async (scope) => failWith(scope, { chart: { ref: "127.0.0.1:9/a:1", archive: { raw: "" } } }, limited),
    place: /item "?item"?.*chart/s,
    cause: /both|(exactly|only) one|more than one/,
    remedy: /[Rr]emove|only one|exactly one/,
  },
];
