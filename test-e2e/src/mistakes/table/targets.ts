import type { UnstructuredObject } from "@landscaper/api";
import { createCertificateAuthority } from "@landscaper/local-cluster";
import { createKubeconfig } from "@landscaper/testkit";
import type { TestNamespace } from "../../namespaces/test-namespace.ts";
import type { Mistake } from "../mistake.ts";
import { itemsInstallation, manifestItem } from "../../installations/inline-installation.ts";
import { limited, map } from "./build.ts";

const area = "targets";

/** An Installation with a ConfigMap, for the Target of this name. */
const installation = (scope: TestNamespace, target = "target"): UnstructuredObject =>
  itemsInstallation([manifestItem({ manifests: [map(scope)], item: limited })], { target });

function targetOf(scope: TestNamespace, spec: Readonly<Record<string, unknown>>): UnstructuredObject {
  const target = scope.target("target");
  return { ...target, spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", ...spec } };
}

const withKubeconfig = (scope: TestNamespace, kubeconfig: string): UnstructuredObject =>
  targetOf(scope, { config: { kubeconfig } });

async function failWith(scope: TestNamespace, ...objects: readonly UnstructuredObject[]): Promise<void> {
  await scope.apply(...objects, installation(scope));
  await scope.waitForPhase("root", "Failed");
}

/** Fields of the kubeconfig for the target cluster. */
function kubeconfigOf(scope: TestNamespace, changes: Partial<Parameters<typeof createKubeconfig>[0]>): string {
  const { target } = scope.environment;
  return createKubeconfig({ name: "e2e", server: target.url, ca: target.ca, user: { token: "wrong" }, ...changes });
}

/** Certificate of an authority that has not signed the certificate of any server. */
const otherAuthority = createCertificateAuthority("other", Date.now).cert;

export const targetMistakes: readonly Mistake[] = [
  {
    area,
    title: "the name of the Target is misspelt",
    make: async (scope) => {
      await scope.apply(scope.target("target"), installation(scope, "targte"));
      await scope.waitForPhase("root", "Failed");
    },
    place: /imports?[. ]"?cluster\b/,
    cause: /target "?(\S+\/)?targte"? (is missing|does not exist|was not found)/i,
    remedy: /did you mean "?target|[Cc]reate (it|the Target|what is missing)/,
  },
  {
    area,
    title: "the Secret of the Target does not exist",
    make: async (scope) =>
      failWith(scope, targetOf(scope, { secretRef: { name: "cluster-acess", key: "kubeconfig" } })),
    place: /Target \S*target/,
    cause: /Secret \S*cluster-acess\S* (is missing|does not exist|was not found)/i,
    remedy: /[Cc]reate (it|the Secret)|correct secretRef/,
  },
  {
    area,
    title: "the key of the Target's Secret does not exist",
    make: async (scope) =>
      failWith(
        scope,
        { apiVersion: "v1", kind: "Secret", metadata: { name: "access" }, stringData: { config: "{}" } },
        targetOf(scope, { secretRef: { name: "access", key: "kubeconfig" } }),
      ),
    place: /Target \S*target/,
    cause: /Secret \S*access\S* has no key "?kubeconfig/,
    remedy: /[Aa]dd|[Cc]orrect/,
  },
  {
    area,
    title: "the kubeconfig of the Target is not YAML",
    make: async (scope) => failWith(scope, withKubeconfig(scope, "clusters: [\n")),
    place: /Target \S*target\S*.*(spec\.config|kubeconfig)/s,
    cause: /line \d/,
    remedy: /[Cc]orrect the kubeconfig/,
  },
  {
    area,
    title: "the Secret's kubeconfig is not YAML",
    make: async (scope) =>
      failWith(
        scope,
        { apiVersion: "v1", kind: "Secret", metadata: { name: "access" }, stringData: { kubeconfig: "a: b: c" } },
        targetOf(scope, { secretRef: { name: "access", key: "kubeconfig" } }),
      ),
    place: /Target \S*target.*Secret \S*access/s,
    cause: /line \d/,
    remedy: /[Cc]orrect (the kubeconfig|its config|the Secret)/,
  },
  {
    area,
    title: "the token of the kubeconfig is invalid",
    make: async (scope) => failWith(scope, withKubeconfig(scope, kubeconfigOf(scope, {}))),
    place: /Target \S*target/,
    cause: /(token|credentials).*(refused|rejected|invalid)|Unauthorized/s,
    remedy: /(token|credentials|kubeconfig)/,
    misleading: /raise the item's timeout/,
  },
  {
    area,
    title: "the kubeconfig has the certificate authority of another cluster",
    make: async (scope) => failWith(scope, withKubeconfig(scope, kubeconfigOf(scope, { ca: otherAuthority }))),
    place: /Target \S*target.*certificate-authority-data/s,
    cause: /certificate/,
    remedy: /[Cc]orrect|[Uu]pdate/,
    misleading: /raise the item's timeout|Node|self-signed/,
  },
  {
    area,
    title: "no server answers at the address of the kubeconfig",
    make: async (scope) =>
      failWith(scope, withKubeconfig(scope, kubeconfigOf(scope, { server: "https://127.0.0.1:9" }))),
    place: /Target \S*target.*https:\/\/127\.0\.0\.1:9/s,
    cause: /refuse|cannot be reached|no connection/,
    remedy: /[Cc]heck|[Cc]orrect|[Ss]tart/,
    misleading: /raise the item's timeout/,
  },
  {
    area,
    title: "the host of the kubeconfig does not exist",
    make: async (scope) =>
      failWith(scope, withKubeconfig(scope, kubeconfigOf(scope, { server: "https://no-such-host.invalid:6443" }))),
    place: /Target \S*target.*no-such-host\.invalid/s,
    cause: /(name|host).*(resolve|does not exist|unknown)|cannot be resolved/s,
    remedy: /[Cc]heck|[Cc]orrect/,
    misleading: /raise the item's timeout|ENOTFOUND|getaddrinfo/,
  },
  {
    area,
    title: "the kubeconfig names a context that it does not have",
    make: async (scope) =>
      failWith(
        scope,
        withKubeconfig(scope, kubeconfigOf(scope, {}).replace(/current-context: .*/, "current-context: other")),
      ),
    place: /Target \S*target.*current-context/s,
    cause: /"other"/,
    remedy: /[Cc]orrect|[Aa]dd/,
  },
  {
    area,
    title: "the Target is of another type than the blueprint wants",
    make: async (scope) => failWith(scope, targetOf(scope, { type: "example.org/mainframe", config: {} })),
    place: /imports?[. ]"?cluster\b.*Target \S*target|Target \S*target.*imports?[. ]"?cluster\b/s,
    cause: /example\.org\/mainframe.*kubernetes-cluster|kubernetes-cluster.*example\.org\/mainframe/s,
    remedy: /[Uu]se (a|another) Target|targetType/,
  },
];
