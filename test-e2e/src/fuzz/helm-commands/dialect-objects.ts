import * as fc from "fast-check";
import { oneText, repeated, text } from "../text-arbitrary.ts";
import type { HelmCommand } from "./helm-command.ts";

// Objects of templates in which the versions of Helm differ: .Chart as a map, .Capabilities of any version of Kubernetes; and errors that
// templates within each other raise.
const fieldName = oneText(
  ..."Name Version APIVersion AppVersion Description KubeVersion Type Home Icon Deprecated IsRoot Condition Tags".split(
    " ",
  ),
  ..."Annotations Maintainers Dependencies Keywords Sources Nope name appVersion".split(" "),
);
const item = oneText(
  "(index .Chart.Maintainers 0)",
  "(index .Chart.Dependencies 0)",
  "(first .Chart.Dependencies)",
  "(last .Chart.Maintainers)",
  "(index .Chart.Dependencies 0).ImportValues",
  "(index .Chart.Maintainers 0).Email",
  "(index .Chart.Maintainers 0).Nope",
  "(index .Chart.Dependencies 0).Enabled",
  '(index .Chart.Annotations "a")',
  ".Chart.Annotations.nope",
  ".Subcharts.s.Chart",
  ".Subcharts.s.Chart.Dependencies",
);
const chartValue = fc.oneof(oneText(".Chart"), text`.Chart.${fieldName}`, item);
const chartCall = fc.oneof(
  text`${chartValue}`,
  text`toJson ${chartValue}`,
  text`toYaml ${chartValue}`,
  text`toString ${chartValue}`,
  text`typeOf ${chartValue}`,
  text`kindOf ${chartValue}`,
  text`len ${chartValue}`,
  text`printf "${oneText("%v", "%+v", "%#v", "%s", "%T", "%d", "%q")}" ${chartValue}`,
  text`deepCopy ${chartValue} | toJson`,
  text`empty ${chartValue}`,
  text`default "none" ${chartValue}`,
  text`keys ${chartValue} | sortAlpha`,
  text`values ${chartValue} | len`,
  text`hasKey ${chartValue} "${fieldName}"`,
  text`get ${chartValue} "${fieldName}"`,
  text`index ${chartValue} "${fieldName}"`,
  text`pick ${chartValue} "${fieldName}" "Version"`,
  text`omit ${chartValue} "Maintainers" "Dependencies" "Annotations"`,
  text`dig "${fieldName}" "a" "none" ${chartValue}`,
  text`merge (dict "x" 1) ${chartValue} | toJson`,
  text`set ${chartValue} "${fieldName}" "own" | toJson`,
  text`unset ${chartValue} "${fieldName}" | toJson`,
  text`toToml ${chartValue}`,
  text`toRawJson ${chartValue}`,
  text`mustToPrettyJson ${chartValue}`,
  text`deepEqual ${chartValue} ${chartValue}`,
  text`range $k, $v := ${chartValue} }}{{ $k }}={{ typeOf $v }},{{ end`,
  text`with ${chartValue} }}{{ . }}{{ else }}none{{ end`,
  text`if ${chartValue} }}yes{{ else }}no{{ end`,
  text`and ${chartValue} "x"`,
  text`coalesce ${chartValue} "x"`,
  text`join "," ${chartValue}`,
  text`cat ${chartValue} 1`,
  text`tpl "{{ .Chart.${fieldName} }}" .`,
  text`include "chart" .`,
  text`include "chart" (dict "Chart" ${chartValue})`,
);
const kubeValue = oneText(
  ".Capabilities.KubeVersion",
  ".Capabilities.KubeVersion.Version",
  ".Capabilities.KubeVersion.GitVersion",
  ".Capabilities.KubeVersion.Major",
  ".Capabilities.KubeVersion.String",
  ".Capabilities.HelmVersion",
  ".Capabilities.HelmVersion.KubeClientVersion",
  ".Capabilities.HelmVersion.Version",
  ".Capabilities.APIVersions",
);
const kubeCall = fc.oneof(
  text`${kubeValue}`,
  text`toJson ${kubeValue}`,
  text`toYaml ${kubeValue}`,
  text`typeOf ${kubeValue}`,
  text`semverCompare "${oneText(">=1.30", ">=1.30.0-0", "<1.33.4", "^1.33.0-0", "x")}" ${kubeValue}`,
  text`printf "%s" ${kubeValue}`,
  text`trimPrefix "v" ${kubeValue}`,
);
const errorCall = fc.oneof(
  text`include "${oneText("leaf", "middle", "outer", "fails", "requires", "gone", "tpl", "template", "a: b", "ranges")}" .`,
  text`tpl "{{ include \\"${oneText("leaf", "outer", "gone", "requires")}\\" . }}" .`,
  text`tpl "${oneText("{{ .Values.x.y }}", '{{ fail \\"x: y\\" }}', "{{ if }}", "{{ nope }}", "\\n\\n{{ upper 1 }}")}" .`,
  text`fail "${oneText("x", "one\\ntwo", "a: b", "", 'executing \\"x\\" at <y>: z', "template: x: y", "error calling include:")}"`,
  text`required "${oneText("need", "a: b: c")}" .Values.x`,
  oneText(
    ".Values.x.y.z",
    'index .Values "x" "y"',
    "upper 5",
    "index (list 1) 3",
    'semverCompare "x y" "1"',
    "(.Chart).Name.X",
  ),
  text`include (printf "%s"\n "${oneText("leaf", "gone")}") .`,
  text`include "leaf" . | upper | include "outer"`,
  text`template "${oneText("leaf", "outer", "template")}" .`,
);
const helpers = [
  '{{- define "chart" }}{{ .Chart.Name }}{{ end }}',
  '{{- define "leaf" }}{{ .Values.a.b.c }}{{ end }}',
  '{{- define "middle" }}\n\n{{ include "leaf" . }}{{ end }}',
  '{{- define "outer" }}{{ include "middle" . }}{{ end }}',
  '{{- define "fails" }}{{ fail "no: way" }}{{ end }}',
  '{{- define "requires" }}{{ required "need: x" .Values.x }}{{ end }}',
  '{{- define "gone" }}{{ include "nope" . }}{{ end }}',
  '{{- define "tpl" }}{{ tpl "{{ include `leaf` . }}" . }}{{ end }}',
  '{{- define "template" }}{{ template "middle" . }}{{ end }}',
  '{{- define "a: b" }}{{ include "outer" . }}{{ end }}',
  '{{- define "ranges" }}{{ range list 1 2 }}{{ include "leaf" $ }}{{ end }}{{ end }}',
].join("\n");

const line = fc.oneof(
  { arbitrary: text`- |-\n  {{ ${chartCall} }}\n`, weight: 6 },
  { arbitrary: text`- {{ ${kubeCall} | quote }}\n`, weight: 3 },
);
const body = fc
  .tuple(
    repeated(line, { min: 1, max: 3 }),
    fc.oneof({ arbitrary: oneText(""), weight: 2 }, text`- {{ ${errorCall} }}\n`),
  )
  .map(([lines, error]) => `${lines}${error}`);

const metadata = fc.record(
  {
    apiVersion: fc.constantFrom(..."v2 v2 v2 v2 v2 v2 v2 v1 v1 v1".split(" "), "v3", "V2", "2", "", "v0"),
    kubeVersion: fc.constantFrom(
      ">=1.30.0",
      ">=1.30.0-0",
      "^1.33",
      "<1.33.4",
      "x",
      "",
      "1.33.4-gke.1",
      ">= 1.33.4-gke.1",
    ),
    appVersion: fc.constantFrom("9", 1.1, true),
    deprecated: fc.boolean(),
    description: fc.constantFrom("text", "a: b\nc", ""),
    home: fc.constant("https://example.com/<x>&y"),
    icon: fc.constant("icon"),
    keywords: fc.constantFrom([], ["a", "b"]),
    sources: fc.constantFrom(["https://example.com"], []),
    maintainers: fc.constantFrom(
      [{ name: "n", email: "e@x", url: "u" }],
      [{ name: "only" }, { name: "second" }],
      [],
      [null],
    ),
    annotations: fc.constantFrom({ a: "b" }, { "x/y": "1", b: "<&>" }, {}),
    condition: fc.constant("c"),
    tags: fc.constant("t,u"),
    type: fc.constantFrom(
      ..."application application application application application library".split(" "),
      "other",
      "",
    ),
    dependencies: fc.constantFrom(
      [{ name: "s", version: "*" }],
      [
        {
          name: "s",
          version: "1.x",
          repository: "r",
          alias: "al",
          tags: ["a"],
          condition: "on",
          "import-values": ["x", { child: "a", parent: "b" }],
        },
      ],
      [],
    ),
  },
  { requiredKeys: [] },
);
const kubeVersion = oneText(
  ..."1.33.4 v1.33 1.33.4-gke.1 v1.33.4+k3s1 v1.33.4-eks-1-2+x.y 1.29.9-gke.1 1.30.0-0 1 x 1.33.4.5 01.2.3 1.33-x 1.33.4-".split(
    " ",
  ),
  ..."1.33.4_x V1.33.4 v1.33.4- v1.33.4+ 1.33.04 1.33.4-01 1.33.4-a.01 +1.33 1.33+x 1.33.4~x v 1. 1..2 1.33.4-gke.1+a+b".split(
    " ",
  ),
  " 1.33.4",
  "1.33.4 ",
  "",
);

/** Charts that use .Chart, .Capabilities and templates within each other. */
export const dialectObjects: fc.Arbitrary<HelmCommand> = fc
  .record({
    root: metadata,
    sub: metadata,
    first: body,
    second: fc.option(body, { nil: undefined, freq: 1 }),
    version: fc.option(kubeVersion, { nil: "1.35.0", freq: 1 }),
  })
  .map(({ root, sub, first, second, version }) => ({
    files: {
      "chart/Chart.yaml": JSON.stringify({ apiVersion: "v2", name: "root", version: "1.2.3", ...root }),
      "chart/values.yaml": "text: x\n",
      "chart/templates/_h.tpl": helpers,
      "chart/templates/a.yaml": first,
      "chart/charts/s/Chart.yaml": JSON.stringify({
        apiVersion: "v2",
        name: "s",
        version: "1.2.3",
        ...sub,
        dependencies: [],
      }),
      ...(second === undefined ? {} : { "chart/charts/s/templates/a.yaml": second }),
    },
    words: ["CHART/chart", "--namespace", "ns", `--kube-version=${version}`],
  }));
