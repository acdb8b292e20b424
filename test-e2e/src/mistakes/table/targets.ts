import { kubeResources, type UnstructuredObject } from "@landscaper/api";
import { createCertificateAuthority } from "@landscaper/local-cluster";
import { createKubeconfig } from "@landscaper/testkit";
import type { TestNamespace } from "../../namespaces/test-namespace.ts";
import type { Mistake } from "../mistake.ts";
import { requestToken } from "../../clusters/service-token.ts";
import {
  clusterImport,
  goTemplate,
  inlineInstallation,
  itemsInstallation,
  manifestItem,
} from "../../installations/inline-installation.ts";
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
  {
    area,
    title: "the account of the Target has no rights",
    make: async (scope) => {
      const { target, targetClient } = scope.environment;
      const account = { namespace: scope.targetNamespace, name: "powerless" };
      await targetClient.create(kubeResources.serviceAccount, {
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: account,
      });
      const token = await requestToken(targetClient, account);
      const user = { name: "e2e", server: target.url, ca: target.ca, user: { token } };
      await failWith(scope, withKubeconfig(scope, createKubeconfig(user)));
    },
    place: /Target \S*target|ConfigMap \S*map/,
    cause: /powerless.*cannot (get|create|patch|list)|(may not|not allowed|forbidden).*configmaps/s,
    remedy: /[Gg]rant|[Gg]ive|rights|Role/,
    misleading: /raise the item's timeout/,
  },
  {
    area,
    title: "a Target without any access data",
    make: async (scope) => failWith(scope, targetOf(scope, {})),
    place: /Target \S*target/,
    cause: /config|secretRef/,
    remedy: /spec\.config|secretRef|kubeconfig/,
  },
  {
    area,
    title: "the field of the kubeconfig is misspelt",
    make: async (scope) => failWith(scope, targetOf(scope, { config: { kubeConfig: kubeconfigOf(scope, {}) } })),
    place: /Target \S*target.*(spec\.config|kubeConfig)/s,
    cause: /kubeConfig/,
    remedy: /kubeconfig\b/,
  },
  {
    area,
    title: "the kubeconfig has no current context",
    make: async (scope) =>
      failWith(scope, withKubeconfig(scope, kubeconfigOf(scope, {}).replace(/current-context: .*\n/, ""))),
    place: /Target \S*target.*current-context/s,
    cause: /(missing|no|none|empty|not set|expected)/,
    remedy: /[Ss]et|[Cc]orrect|[Aa]dd/,
  },
  {
    area,
    title: "the server of the kubeconfig has no scheme",
    make: async (scope) =>
      failWith(scope, withKubeconfig(scope, kubeconfigOf(scope, { server: "api.example.test:6443" }))),
    place: /Target \S*target.*server/s,
    cause: /expected an http or https URL/,
    remedy: /such as https:\/\//,
  },
  {
    area,
    title: "the kubeconfig names files",
    make: async (scope) =>
      failWith(
        scope,
        withKubeconfig(
          scope,
          kubeconfigOf(scope, {}).replace(/certificate-authority-data: .*/, "certificate-authority: ca.crt"),
        ),
      ),
    place: /Target \S*target.*certificate-authority\b/s,
    cause: /file|not allowed/,
    remedy: /certificate-authority-data|--flatten/,
  },
  {
    area,
    title: "the kubeconfig runs a program for its credentials",
    make: async (scope) => {
      const exec = "exec: { apiVersion: client.authentication.k8s.io/v1, command: cloud-login }";
      await failWith(scope, withKubeconfig(scope, kubeconfigOf(scope, {}).replace(/token: .*/, exec)));
    },
    place: /Target \S*target.*exec/s,
    cause: /exec|program|command/,
    remedy: /token|client certificate|ServiceAccount/,
  },
  {
    area,
    title: "the certificate authority of the kubeconfig is not base64",
    make: async (scope) =>
      failWith(
        scope,
        withKubeconfig(
          scope,
          kubeconfigOf(scope, {}).replace(/certificate-authority-data: .*/, 'certificate-authority-data: "%%%"'),
        ),
      ),
    place: /Target \S*target.*certificate-authority-data/s,
    cause: /base64|PEM|certificate/,
    remedy: /[Cc]orrect|base64/,
  },
  {
    area,
    title: "the certificate authority of the kubeconfig is not PEM",
    make: async (scope) =>
      failWith(scope, withKubeconfig(scope, kubeconfigOf(scope, { ca: "a certificate of the shop" }))),
    place: /Target \S*target.*certificate-authority-data/s,
    cause: /PEM|certificate/,
    remedy: /[Cc]orrect|PEM/,
    misleading: /raise the item's timeout/,
  },
  {
    area,
    title: "the server of the kubeconfig does not speak TLS",
    make: async (scope, { registry }) =>
      failWith(scope, withKubeconfig(scope, kubeconfigOf(scope, { server: registry.replace("http:", "https:") }))),
    place: /Target \S*target.*https:\/\/127\.0\.0\.1:\d+/s,
    cause: /TLS/,
    remedy: /[Cc]heck|[Cc]orrect/,
    misleading: /raise the item's timeout|EPROTO|ERR_SSL|wrong version number/,
  },
  {
    area,
    title: "the Secret of the Target is a list",
    make: async (scope) =>
      failWith(
        scope,
        { apiVersion: "v1", kind: "Secret", metadata: { name: "access" }, stringData: { kubeconfig: "- a\n" } },
        targetOf(scope, { secretRef: { name: "access", key: "kubeconfig" } }),
      ),
    place: /Target \S*target.*Secret \S*access/s,
    cause: /expected.*found/s,
    remedy: /[Cc]orrect/,
  },
  {
    area,
    title: "a list of Targets has one that does not exist",
    make: async (scope) => {
      await scope.apply(
        scope.target("target"),
        inlineInstallation({
          name: "root",
          blueprint: {
            imports: [{ name: "clusters", type: "targetList", targetType: clusterImport.targetType }],
            deployExecutions: goTemplate("deployItems: []\n"),
          },
          imports: { targets: [{ name: "clusters", targets: ["target", "targte"] }] },
        }),
      );
      await scope.waitForPhase("root", "Failed");
    },
    place: /imports?[. ]"?clusters\b/,
    cause: /target "?(\S+\/)?targte"? (is missing|does not exist|was not found)/i,
    remedy: /did you mean "?target|[Cc]reate (it|the Target|what is missing)/,
  },
  {
    area,
    title: "the name of the Target has another case",
    make: async (scope) => {
      await scope.apply(scope.target("target"), installation(scope, "Target"));
      await scope.waitForPhase("root", "Failed");
    },
    place: /imports?[. ]"?cluster\b/,
    cause: /target "?(\S+\/)?Target"? (is missing|does not exist|was not found)/,
    remedy: /did you mean "?target|[Cc]reate (it|the Target|what is missing)/,
  },
];
