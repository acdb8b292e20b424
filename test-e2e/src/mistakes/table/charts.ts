import { gzip, tarOf } from "@landscaper/components/testing";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { helmItem, itemsInstallation } from "../../installations/inline-installation.ts";
import type { TestNamespace } from "../../namespaces/test-namespace.ts";
import type { Mistake } from "../mistake.ts";
import { deployment, fail, limited, simulated, succeed } from "./build.ts";

const area = "charts";
const probe = { readinessProbe: { httpGet: { path: "/ready", port: 8080 } } };
const web = { helmChartName: "web", helmChartVersion: "1.0.0" };
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
    place: /item "?item"?.*chart\.ref/s,
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
    place: /item "?item"?.*chart\.helmChartRepo/s,
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
  {
    area,
    title: "the reference of a chart does not exist",
    make: async (scope, { registry }) => failWith(scope, { chart: { ref: `${registry}/charts/wbe:1.0.0` } }, limited),
    place: /item "?item"?.*chart\.ref/s,
    cause:
      /charts\/wbe\S*1\.0\.0: not found|charts\/wbe:1\.0\.0.*(not found|does not exist|no such)|(not found|does not exist|no such).*charts\/wbe:1\.0\.0/s,
    remedy: /[Cc]orrect|[Pp]ush/,
  },
  {
    area,
    title: "the repository of a chart has no index",
    make: async (scope, { registry }) =>
      failWith(scope, { chart: { helmChartRepo: { ...web, helmChartRepoUrl: registry } } }, limited),
    place: /item "?item"?.*chart\.helmChartRepo/s,
    cause: /index\.yaml.*404|404.*index\.yaml/s,
    remedy: /[Cc]orrect (the reference|.*(helmChartRepoUrl|URL))|[Cc]heck/s,
  },
  {
    area,
    title: "the host of a chart repository does not exist",
    make: async (scope) =>
      failWith(scope, { chart: { helmChartRepo: { ...web, helmChartRepoUrl: "charts.example.test" } } }, limited),
    place: /item "?item"?.*chart\.helmChartRepo/s,
    cause: /charts\.example\.test does not exist/,
    remedy: /[Cc]orrect/,
    misleading: /ENOTFOUND|getaddrinfo/,
  },
  {
    area,
    title: "an archive without Chart.yaml",
    make: async (scope) => {
      const raw = gzip(await tarOf({ name: "web/values.yaml", content: "key: value\n" })).toString("base64");
      await failWith(scope, { chart: { archive: { raw } } });
    },
    place: /item "?item"?.*chart/s,
    cause: /Chart\.yaml/,
    remedy: /helm package|[Pp]ack|[Aa]dd/,
  },
  {
    area,
    title: "a chart template includes one that does not exist",
    make: async (scope) =>
      failWithFiles(scope, {
        "templates/_names.tpl": '{{ define "web.name" }}web{{ end }}',
        "templates/map.yaml": template.replace(".Values.key", 'include "web.nmae" .'),
      }),
    place: /templates\/map\.yaml:4/,
    cause: /web\.nmae/,
    remedy: /did you mean "?web\.name/,
  },
  {
    area,
    title: "a chart template calls an unknown function",
    make: async (scope) => failWithFiles(scope, { "templates/map.yaml": template.replace("| quote", "| qoute") }),
    place: /templates\/map\.yaml:4/,
    cause: /qoute/,
    remedy: /did you mean "?quote/,
  },
  {
    area,
    title: "a document of a chart without a kind",
    make: async (scope) =>
      failWithFiles(scope, { "templates/map.yaml": template.replace("kind: ConfigMap\n", "") }, { item: limited }),
    place: /templates\/map\.yaml/,
    cause: /kind/,
    remedy: /[Aa]dd|[Cc]orrect/,
  },
  {
    area,
    title: "a chart wants another version of Kubernetes",
    make: async (scope) =>
      failWithFiles(scope, {
        "Chart.yaml": 'apiVersion: v2\nname: web\nversion: 1.0.0\nkubeVersion: ">= 9.0.0"\n',
        "templates/map.yaml": template,
      }),
    place: /kubeVersion/,
    cause: />= 9\.0\.0.*v?1\.\d+/s,
    remedy: /[Uu]pgrade|another version|[Uu]se|[Cc]orrect/,
  },
  {
    area,
    title: "a chart misses its dependency",
    make: async (scope) =>
      failWithFiles(scope, {
        "Chart.yaml":
          'apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies: [{ name: store, version: 1.0.0, repository: "https://charts.example.test" }]\n',
        "templates/map.yaml": template,
      }),
    place: /Chart\.yaml|dependencies/,
    cause: /store/,
    remedy: /helm dependency (update|build)/,
  },
  {
    area,
    title: "the values of a chart are a text",
    make: async (scope) =>
      failWithFiles(scope, { "templates/map.yaml": template }, { config: { values: "key: value" } }),
    place: /item "?item"?.*values/s,
    cause: /expected (an object|a map|a mapping).*(text|string)/s,
    remedy: /[Rr]emove|[Cc]orrect|without/,
  },
  {
    area,
    title: "a field of the release configuration is misspelt",
    make: async (scope) => {
      const chart = await rawChart({ "values.yaml": "key: value\n", "templates/map.yaml": template });
      const config = { chart, vaules: { key: "a" } };
      await succeed(scope, itemsInstallation([helmItem({ namespace: scope.targetNamespace, config })]));
    },
    place: /DeployItem item .*vaules/s,
    cause: /vaules"?.*(unknown|not known)|(unknown|not known).*vaules/s,
    remedy: /did you mean "?values/,
  },
  {
    area,
    title: "the timeout of an installation with Helm is not a duration",
    make: async (scope) =>
      failWithFiles(
        scope,
        { "templates/map.yaml": template },
        { config: { helmDeploymentConfig: { install: { timeout: "5 minutes" } } } },
      ),
    place: /item "?item"?.*helmDeploymentConfig\.install\.timeout/s,
    cause: /expected a duration.*found "5 minutes"/,
    remedy: /did you mean "5m"/,
  },
  {
    area,
    title: "the namespace of a release does not exist",
    make: async (scope) => {
      const chart = await rawChart({ "values.yaml": "key: value\n", "templates/map.yaml": template });
      await fail(scope, itemsInstallation([helmItem({ namespace: "shopp", config: { chart }, item: limited })]));
    },
    place: /item "?item"?/,
    cause: /namespace "?shopp"? (does not exist|not found|is missing)|namespaces? "shopp" not found/,
    remedy: /createNamespace|[Cc]reate the namespace/,
    misleading: /raise the item's timeout/,
  },
  {
    area,
    title: "the values of a release come from a Secret that does not exist",
    make: async (scope) =>
      failWithFiles(
        scope,
        { "templates/map.yaml": template },
        { config: { valuesFrom: [{ kind: "Secret", name: "vaules" }] }, item: limited },
      ),
    place: /item "?item"?.*valuesFrom/s,
    cause: /Secret \S*vaules\S*.*(is missing|does not exist|was not found)/s,
    remedy: /[Cc]reate|[Cc]orrect/,
  },
  {
    area,
    title: "a library chart is installed",
    make: async (scope) =>
      failWithFiles(scope, { "Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\ntype: library\n" }),
    place: /item "?item"?.*chart|Chart\.yaml/s,
    cause: /library/,
    remedy: /application|depend/,
  },
  {
    area,
    title: "the version of a chart in its Chart.yaml is not semantic",
    make: async (scope) =>
      failWithFiles(scope, {
        "Chart.yaml": "apiVersion: v2\nname: web\nversion: latest\n",
        "templates/map.yaml": template,
      }),
    place: /Chart\.yaml.*version|version.*Chart\.yaml/s,
    cause: /latest/,
    remedy: /1\.\d\.\d|semantic|[Cc]orrect/,
  },
];
