import {
  agentFinalizer,
  annotations,
  apiVersion,
  environmentKind,
  kubernetesClusterTargetType,
  type Environment,
  type EnvironmentSpec,
} from "@landscaper/api";
import type { ClusterAddress } from "@landscaper/deployer";
import type { AgentSettings } from "./agent-settings.ts";
import { accessKey } from "./build-host-objects.ts";

/** How deployers of the host reach the landscaper cluster: as the agent does. Credentials are no part of it. */
function landscaperClusterConfigOf({
  server,
  ca,
  insecureSkipTlsVerify,
  tlsServerName,
}: ClusterAddress): EnvironmentSpec["landscaperClusterConfig"] {
  const { origin, pathname } = new URL(server);
  const path = pathname.replaceAll(/^\/+|\/+$/g, "");
  return {
    host: origin,
    apiPath: path === "" ? "" : `/${path}`,
    insecure: insecureSkipTlsVerify === true,
    ...(tlsServerName === undefined ? {} : { serverName: tlsServerName }),
    caData: ca === undefined ? "" : Buffer.from(ca).toString("base64"),
  };
}

function specOf(settings: AgentSettings): EnvironmentSpec {
  const { environment, names, namespace, targetSelectors, landscaper } = settings;
  const secretRef = { key: accessKey, name: names.accessSecret, namespace };
  return {
    hostTarget: {
      type: kubernetesClusterTargetType,
      annotations: { [annotations.environment]: environment },
      config: { kubeconfig: { secretRef } },
    },
    namespace,
    landscaperClusterConfig: landscaperClusterConfigOf(landscaper),
    targetSelectors: [...targetSelectors],
  };
}

/** The Environment as the agent wants it, over the one that is there; whether it is suspended, users say (docs/reference/deployer-management.md#agent). */
export function buildEnvironment(settings: AgentSettings, existing: Environment | undefined): Environment {
  const metadata = existing?.metadata ?? { name: settings.environment };
  const { finalizers = [] } = metadata;
  const suspend = existing?.spec.suspend;
  const isMarked = finalizers.includes(agentFinalizer);
  return {
    ...(existing ?? { apiVersion, kind: environmentKind.type.kind }),
    metadata: { ...metadata, finalizers: isMarked ? finalizers : [...finalizers, agentFinalizer] },
    spec: { ...specOf(settings), ...(suspend === undefined ? {} : { suspend }) },
  };
}
