import {
  apiVersion,
  deployerManagementFinalizer,
  environmentKind,
  kubernetesClusterTargetType,
  type Environment,
  type Installation,
  type Target,
} from "@landscaper/api";
import { kubeconfigText, readKubeconfigToken } from "@landscaper/deployer";
import { nameOf, namespaceOf, uidOf } from "../object-reading.ts";
import { controllerReference } from "./rights/build-accounts.ts";
import { pairLabels, pairName, type DeployerManagementSettings, type PairNames } from "./pair.ts";

/** Life of a deployer's token that we ask for; half of it has to pass before it is renewed. */
export const deployerTokenSeconds = 14 * 86_400;

/** The Target of the host of an Environment, as its spec gives it. */
export function buildHostTarget(environment: Environment, { namespace }: DeployerManagementSettings): Target {
  const { labels, annotations, ...spec } = environment.spec.hostTarget;
  const name = nameOf(environment);
  const owner = { apiVersion, kind: environmentKind.type.kind, name, uid: uidOf(environment) };
  return {
    apiVersion,
    kind: "Target",
    metadata: {
      name,
      namespace,
      // Without it deployers could not be uninstalled.
      finalizers: [deployerManagementFinalizer],
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    },
    spec,
  };
}

export interface DeployerTargetFields {
  readonly environment: Environment;
  readonly installation: Installation;
  readonly names: PairNames;
  /** Of the deployer's account; sealed where the Environment has a key for that. */
  readonly token: string;
}

/** The Target by which a deployer reaches the landscaper cluster. */
export function buildDeployerTarget({ environment, installation, names, token }: DeployerTargetFields): Target {
  const { host, apiPath, insecure, serverName, caData, proxyURL } = environment.spec.landscaperClusterConfig;
  // Kubernetes' clients refuse an authority beside insecure.
  const isInsecure = insecure === true;
  const address = {
    server: `${host.replace(/\/+$/, "")}${apiPath === "" ? "" : `/${apiPath.replaceAll(/^\/+|\/+$/g, "")}`}`,
    ...(isInsecure ? { insecureSkipTlsVerify: true } : {}),
    ...(isInsecure || caData === undefined || caData === "" ? {} : { ca: Buffer.from(caData, "base64").toString() }),
    ...(serverName === undefined || serverName === "" ? {} : { tlsServerName: serverName }),
    ...(proxyURL === undefined ? {} : { proxyUrl: proxyURL }),
  };
  const name = pairName(names);
  return {
    apiVersion,
    kind: "Target",
    metadata: {
      name,
      namespace: namespaceOf(installation),
      labels: pairLabels(names),
      ownerReferences: [controllerReference(installation)],
    },
    spec: {
      type: kubernetesClusterTargetType,
      config: { kubeconfig: kubeconfigText(address, { name, user: { token } }) },
    },
  };
}

/** The token in the kubeconfig of a Target that `buildDeployerTarget` has made; undefined when it has none. */
export function readDeployerToken(target: Target | undefined): string | undefined {
  const kubeconfig: unknown = Reflect.get(Object(target?.spec.config), "kubeconfig");
  return typeof kubeconfig === "string" ? readKubeconfigToken(kubeconfig) : undefined;
}
