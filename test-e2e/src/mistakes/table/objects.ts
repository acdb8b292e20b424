import { resources } from "@landscaper/api";
import type { Mistake } from "../mistake.ts";
import { deployment, fail, failWith, limited, map, simulated, succeed, withItem } from "./build.ts";

const area = "objects";
const probe = { readinessProbe: { httpGet: { path: "/ready", port: 8080 } } };
const item = limited;
/** The hint of a timeout, where the cause is known. */
const timeoutHint = /raise the item's timeout/;

/** Mistakes in objects and workloads of the target. */
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
    title: "the CRD of a manifest serves another version",
    make: async (scope) =>
      failWith(scope, {
        apiVersion: "batch/v1beta9",
        kind: "Job",
        metadata: { name: "till", namespace: scope.targetNamespace },
      }),
    place: /Job \S*till/,
    cause: /batch\/v1beta9/,
    remedy: /did you mean "?batch\/v1|set apiVersion to batch\/v1,/,
    misleading: timeoutHint,
  },
  {
    area,
    title: "a manifest without a kind",
    make: async (scope) => failWith(scope, { apiVersion: "v1", metadata: { name: "map" } }),
    place: /item "?item"?.*manifests\[0\]/s,
    cause: /kind/,
    remedy: /[Aa]dd|[Ss]et|[Cc]orrect|expected/,
  },
  {
    area,
    title: "a manifest without a name",
    make: async (scope) => failWith(scope, map(scope, { metadata: { namespace: scope.targetNamespace } })),
    place: /item "?item"?.*manifests\[0\].*metadata\.name/s,
    cause: /missing|required|expected/,
    remedy: /[Aa]dd|[Ss]et|such as|[Cc]orrect the field/,
  },
  {
    area,
    title: "the image of one of two containers does not exist",
    isEmbeddedOnly: true,
    make: async (scope) => {
      const { annotations } = simulated("image-pull-failure.side", "true");
      const web = deployment(scope, { annotations });
      const containers = [
        { name: "main", image: "registry.example.test/web:1" },
        { name: "side", image: "registry.example.test/sied:1" },
      ];
      const spec = web["spec"] as { readonly template: object };
      const template = { metadata: { labels: { app: "web" }, annotations }, spec: { containers } };
      await fail(scope, withItem({ manifests: [{ ...web, spec: { ...spec, template } }], item }));
    },
    place: /Deployment \S*web.*container "?side/s,
    cause: /registry\.example\.test\/sied:1/,
    remedy: /[Cc]orrect the image|pull secret|push/i,
    misleading: timeoutHint,
  },
  {
    area,
    title: "a StatefulSet never becomes ready",
    make: async (scope) => {
      const { annotations } = simulated("never-ready", "true");
      const { spec, ...web } = deployment(scope, { annotations, probe });
      const set = { ...web, kind: "StatefulSet", spec: { ...(spec as object), serviceName: "web" } };
      await fail(scope, withItem({ manifests: [set], item }));
    },
    place: /StatefulSet \S*web/,
    cause: /0 of 1|not ready|unavailable/,
    remedy: /correct its program or the probe/,
  },
  {
    area,
    title: "a label of a manifest is invalid",
    make: async (scope) => {
      const metadata = { name: "map", namespace: scope.targetNamespace, labels: { app: "my shop" } };
      await failWith(scope, map(scope, { metadata }));
    },
    place: /ConfigMap \S*map.*metadata\.labels/s,
    cause: /my shop/,
    remedy: /[Cc]orrect|alphanumeric/,
    misleading: timeoutHint,
  },
];
