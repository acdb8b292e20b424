import { resources } from "@landscaper/api";
import type { Mistake } from "../mistake.ts";
import { deployment, fail, failWith, limited, map, simulated, succeed, withItem } from "./build.ts";

const area = "objects";
const probe = { readinessProbe: { httpGet: { path: "/ready", port: 8080 } } };
const item = limited;
/** The hint of a timeout, where the cause is known. */
const timeoutHint = /raise the item's timeout/;

export const objectMistakes: readonly Mistake[] = [
  {
    area,
    title: "the namespace of a manifest does not exist",
    make: async (scope) => failWith(scope, map(scope, { metadata: { name: "map", namespace: "shopp" } })),
    place: /item "?item"?.*ConfigMap shopp\/map/s,
    cause: /namespace "?shopp"? (does not exist|not found|is missing)|namespaces? "shopp" not found/,
    remedy: /[Cc]reate the namespace|add (it|a Namespace)|kind: Namespace/,
    misleading: timeoutHint,
  },
  {
    area,
    title: "the CRD of a manifest does not exist",
    make: async (scope) =>
      failWith(scope, {
        apiVersion: "shop.example.org/v1",
        kind: "Till",
        metadata: { name: "till", namespace: scope.targetNamespace },
      }),
    place: /Till \S*till/,
    cause: /(does not serve|no kind|not served).*(shop\.example\.org\/v1|Till)|Till.*(does not serve|not served)/s,
    remedy: /CustomResourceDefinition|CRD/,
    misleading: timeoutHint,
  },
  {
    area,
    title: "the apiVersion of a built-in kind is wrong",
    make: async (scope) => failWith(scope, { ...deployment(scope), apiVersion: "app/v1" }),
    place: /Deployment \S*web/,
    cause: /app\/v1/,
    remedy: /did you mean "?apps\/v1/,
    misleading: timeoutHint,
  },
  {
    area,
    title: "a workload never becomes ready",
    make: async (scope) => {
      await fail(
        scope,
        withItem({ manifests: [deployment(scope, { ...simulated("never-ready", "true"), probe })], item }),
      );
    },
    place: /Deployment \S*web/,
    cause: /0 of 1|not ready|unavailable/,
    remedy: /correct its program or the probe/,
  },
  {
    area,
    title: "the image of a workload does not exist",
    make: async (scope) => {
      const manifests = [
        deployment(scope, { ...simulated("image-pull-failure", "true"), image: "registry.example.test/wbe:1" }),
      ];
      await fail(scope, withItem({ manifests, item }));
    },
    place: /Deployment \S*web.*container "?main/s,
    cause: /registry\.example\.test\/wbe:1/,
    remedy: /[Cc]orrect the image|pull secret|push/i,
    misleading: timeoutHint,
  },
  {
    area,
    title: "the container of a workload crashes",
    isEmbeddedOnly: true,
    make: async (scope) => {
      const { annotations: exit } = simulated("exit-code", "3");
      const { annotations: log } = simulated("log", "cannot open database shop");
      const manifests = [deployment(scope, { annotations: { ...exit, ...log } })];
      await fail(scope, withItem({ manifests, item }));
    },
    place: /Deployment \S*web.*container "?main/s,
    cause: /exited with 3[\s\S]*cannot open database shop/,
    remedy: /kubectl logs|[Cc]orrect|log/,
    misleading: timeoutHint,
  },
  {
    area,
    title: "a workload fits on no node",
    isEmbeddedOnly: true,
    make: async (scope) => {
      const manifests = [deployment(scope, simulated("unschedulable", "0/3 nodes are available: 3 Insufficient cpu"))];
      await fail(scope, withItem({ manifests, item }));
    },
    place: /Deployment \S*web/,
    cause: /Insufficient cpu/,
    remedy: /add (a )?nodes?\b|(lower|reduce|smaller).*requests|capacity/i,
    misleading: timeoutHint,
  },
  {
    area,
    title: "a Deployment is paused",
    make: async (scope) => fail(scope, withItem({ manifests: [deployment(scope, { spec: { paused: true } })], item })),
    place: /Deployment \S*web/,
    cause: /paused/,
    remedy: /[Rr]esume/,
    misleading: timeoutHint,
  },
  {
    area,
    title: "the selector of a Deployment does not match its template",
    make: async (scope) => failWith(scope, deployment(scope, { labels: { app: "wbe" } })),
    place: /Deployment \S*web.*spec\.template\.metadata\.labels/s,
    cause: /selector.*(does not match|must match)/,
    remedy: /[Cc]orrect|[Cc]hange/,
    misleading: timeoutHint,
  },
  {
    area,
    title: "a number in the data of a ConfigMap",
    make: async (scope) => failWith(scope, map(scope, { data: { port: 8080 } })),
    place: /ConfigMap \S*map.*data\.port/s,
    cause: /number|8080/,
    remedy: /quote/,
    misleading: timeoutHint,
  },
  {
    area,
    title: "a boolean in the data of a ConfigMap",
    make: async (scope) => failWith(scope, map(scope, { data: { debug: true } })),
    place: /ConfigMap \S*map.*data\.debug/s,
    cause: /boolean|true/,
    remedy: /quote/,
    misleading: timeoutHint,
  },
  {
    area,
    title: "an invalid object name",
    make: async (scope) =>
      failWith(scope, map(scope, { metadata: { name: "My_Map", namespace: scope.targetNamespace } })),
    place: /ConfigMap \S*My_Map.*metadata\.name/s,
    cause: /lower case|invalid/,
    remedy: /lower case|[Cc]orrect|RFC 1123/,
    misleading: timeoutHint,
  },
  {
    area,
    title: "an immutable field is changed",
    make: async (scope) => {
      await succeed(scope, withItem({ manifests: [deployment(scope)] }));
      const labels = { app: "shop" };
      const changed = deployment(scope, { labels, spec: { selector: { matchLabels: labels } } });
      const spec = { ...(changed["spec"] as object), selector: { matchLabels: labels } };
      await fail(scope, withItem({ manifests: [{ ...changed, spec }], item }));
    },
    place: /Deployment \S*web.*spec\.selector/s,
    cause: /immutable/,
    remedy: /recreate|[Dd]elete/i,
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
    title: "the target cluster is gone before the Installation is deleted",
    make: async (scope) => {
      await succeed(scope, withItem({ manifests: [map(scope)], item }));
      const gone = scope.target("target");
      await scope.apply({
        ...gone,
        spec: {
          type: "landscaper.gardener.cloud/kubernetes-cluster",
          config: {
            kubeconfig: scope.environment.targetKubeconfig.replace(/server: .*/, "server: https://127.0.0.1:9"),
          },
        },
      });
      await scope.delete(resources.installation, "root");
      await scope.until(resources.installation, "root", (found) => found?.status?.phase === "DeleteFailed");
    },
    place: /Target \S*target/,
    cause: /127\.0\.0\.1:9/,
    remedy: /--without-uninstall/,
    misleading: timeoutHint,
  },
  {
    area,
    title: "a CEL readiness check with a syntax error",
    make: async (scope) =>
      fail(
        scope,
        withItem({
          manifests: [map(scope)],
          config: {
            readinessChecks: {
              custom: [
                {
                  name: "ready",
                  resourceSelector: [
                    { apiVersion: "v1", kind: "ConfigMap", name: "map", namespace: scope.targetNamespace },
                  ],
                  cel: "object.data.ready ==",
                },
              ],
            },
          },
          item,
        }),
      ),
    place: /readinessChecks\.custom\[0\]/,
    cause: /cel\b.*(syntax|expected|unexpected|incomplete)/is,
    remedy: /[Cc]orrect/,
    misleading: timeoutHint,
  },
];
