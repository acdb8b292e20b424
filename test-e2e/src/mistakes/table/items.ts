import type { TestNamespace } from "../../namespaces/test-namespace.ts";
import type { Mistake } from "../mistake.ts";
import { fail, failWith, limited, map, succeed, withItem } from "./build.ts";

const area = "objects";
const item = limited;
/** The hint of a timeout, where the cause is known. */
const timeoutHint = /raise the item's timeout/;

/** A configuration with a readiness check "ready" of the ConfigMap. */
const checks = (scope: TestNamespace, cel: string) => {
  const resourceSelector = [{ apiVersion: "v1", kind: "ConfigMap", name: "map", namespace: scope.targetNamespace }];
  return { readinessChecks: { custom: [{ name: "ready", resourceSelector, cel }] } };
};

/** Mistakes in items and in the configuration of the manifest deployer. */
export const itemMistakes: readonly Mistake[] = [
  {
    area,
    title: "no deployer serves the type of an item",
    make: async (scope) => {
      await fail(scope, withItem({ manifests: [map(scope)], item: { type: "landscaper.gardener.cloud/manifest" } }));
    },
    place: /item "?item"?/,
    cause:
      /landscaper\.gardener\.cloud\/manifest\b.*(no deployer|not served)|no deployer.*landscaper\.gardener\.cloud\/manifest\b/s,
    remedy: /landscaper\.gardener\.cloud\/kubernetes-manifest/,
    misleading: timeoutHint,
  },
  {
    area,
    title: "a policy of a manifest is misspelt",
    make: async (scope) => {
      const manifests = [{ policy: "mange", manifest: map(scope) }];
      await fail(scope, withItem({ manifests: [], config: { manifests } }));
    },
    place: /item "?item"?.*manifests\[0\]\.policy/s,
    cause: /"mange"|expected one of .*"manage"/,
    remedy: /did you mean "?manage/,
  },
  {
    area,
    title: "the update strategy is misspelt",
    make: async (scope) => fail(scope, withItem({ manifests: [map(scope)], config: { updateStrategy: "ptach" } })),
    place: /item "?item"?.*updateStrategy/s,
    cause: /"ptach"|expected one of .*"patch"/,
    remedy: /did you mean "?patch/,
  },
  {
    area,
    title: "the kind of the provider configuration is misspelt",
    make: async (scope) => fail(scope, withItem({ manifests: [map(scope)], config: { kind: "ProviderConfig" } })),
    place: /item "?item"?.*kind/s,
    cause: /"ProviderConfig"|expected "ProviderConfiguration"/,
    remedy: /ProviderConfiguration/,
  },
  {
    area,
    title: "the version of the provider configuration does not exist",
    make: async (scope) =>
      fail(
        scope,
        withItem({
          manifests: [map(scope)],
          config: { apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1" },
        }),
      ),
    place: /item "?item"?.*apiVersion/s,
    cause:
      /"manifest\.deployer\.landscaper\.gardener\.cloud\/v1"|expected "manifest\.deployer\.landscaper\.gardener\.cloud\/v1alpha/,
    remedy: /v1alpha2/,
  },
  {
    area,
    title: "a field of the provider configuration is misspelt",
    make: async (scope) =>
      succeed(scope, withItem({ manifests: [map(scope)], config: { readinessCheck: { disableDefault: true } } })),
    place: /DeployItem item .*readinessCheck/s,
    cause: /readinessCheck"?.*(unknown|not known)|(unknown|not known).*readinessCheck/s,
    remedy: /did you mean "?readinessChecks/,
  },
  {
    area,
    title: "the timeout of an item is not a duration",
    make: async (scope) => fail(scope, withItem({ manifests: [map(scope)], item: { timeout: "5 minutes" } })),
    place: /item "?item"?.*timeout/s,
    cause: /5 minutes|not a duration/,
    remedy: /5m|such as/,
  },
  {
    area,
    title: "the name of an item has capital letters",
    make: async (scope) => fail(scope, withItem({ name: "Web_Server", manifests: [map(scope)] })),
    place: /Web_Server/,
    cause: /lower case|a-z/,
    remedy: /\b([Rr]ename|[Uu]se)\b/,
    misleading: /422|Unprocessable/,
  },
  {
    area,
    title: "an item depends on one that does not exist",
    make: async (scope) => fail(scope, withItem({ manifests: [map(scope)], item: { dependsOn: ["databse"] } })),
    place: /item "?item"?.*dependsOn/s,
    cause: /databse/,
    remedy: /[Cc]orrect|[Aa]dd|[Rr]emove/,
  },
  {
    area,
    title: "a CEL readiness check with a syntax error",
    make: async (scope) =>
      fail(
        scope,
        withItem({
          manifests: [map(scope)],
          config: checks(scope, "object.data.ready =="),
          item,
        }),
      ),
    place: /readinessChecks\.custom\[0\]/,
    cause: /cel\b.*(syntax|expected|unexpected|incomplete)/is,
    remedy: /[Cc]orrect/,
    misleading: timeoutHint,
  },
  {
    area,
    title: "the policy of a manifest is in capital letters",
    make: async (scope) => {
      const manifests = [{ policy: "Manage", manifest: map(scope) }];
      await fail(scope, withItem({ manifests: [], config: { manifests } }));
    },
    place: /item "?item"?.*manifests\[0\]\.policy/s,
    cause: /"Manage"|expected one of .*"manage"/,
    remedy: /did you mean "?manage/,
  },
  {
    area,
    title: "the manifests of an item are an object",
    make: async (scope) => fail(scope, withItem({ manifests: [], config: { manifests: { manifest: map(scope) } } })),
    place: /item "?item"?.*manifests/s,
    cause: /expected (a list|an array).*(object|map)/s,
    remedy: /list|\[|"- "/,
  },
  {
    area,
    title: "a manifest is a text",
    make: async (scope) => failWith(scope, "apiVersion: v1\nkind: ConfigMap\n"),
    place: /item "?item"?.*manifests\[0\]/s,
    cause: /expected (an object|a map|a mapping).*(text|string)/s,
    remedy: /[Rr]emove|[Cc]orrect|without|such as/,
  },
  {
    area,
    title: "an item depends on itself",
    make: async (scope) => fail(scope, withItem({ manifests: [map(scope)], item: { dependsOn: ["item"] } })),
    place: /items? .*(dependsOn|depend on)/s,
    cause: /itself|cycle|item => item/,
    remedy: /[Cc]orrect|[Rr]emove/,
  },
  {
    area,
    title: "an item without a Target",
    make: async (scope) => fail(scope, withItem({ manifests: [map(scope)], item: { target: undefined } })),
    place: /item "?item"?/,
    cause: /no target|target.*(missing|required)|needs (a|one)/is,
    remedy: /[Aa]dd target|target: |import/,
  },
  {
    area,
    title: "a readiness check that is never met",
    make: async (scope) =>
      fail(
        scope,
        withItem({
          manifests: [map(scope, { data: { state: "new" } })],
          config: checks(scope, 'object.data.state == "done"'),
          item,
        }),
      ),
    place: /ConfigMap \S*map.*ready|ready.*ConfigMap \S*map/s,
    cause: /object\.data\.state == "done"|"?state"?.*new|check ready: .*cel is false/s,
    remedy: /[Cc]orrect|[Ll]ook at the object/,
  },
  {
    area,
    title: "an export of an item reads a field that its object does not have",
    make: async (scope) => {
      const fromResource = { apiVersion: "v1", kind: "ConfigMap", name: "map", namespace: scope.targetNamespace };
      const entry = { key: "address", jsonPath: ".data.adress", fromResource };
      const config = { exports: { exports: [entry] } };
      await fail(scope, withItem({ manifests: [map(scope, { data: { address: "a" } })], config, item }));
    },
    place: /item "?item"?.*(exports|export (of key )?"?address)/s,
    cause: /\.data\.adress/,
    remedy: /did you mean|[Cc]orrect/,
  },
  {
    area,
    title: "the timeout of an item is a number",
    make: async (scope) => fail(scope, withItem({ manifests: [map(scope)], item: { timeout: 300 } })),
    place: /"item".*timeout/s,
    cause: /300|number/,
    remedy: /5m|such as|"300s"|[Cc]orrect the field/,
  },
];
