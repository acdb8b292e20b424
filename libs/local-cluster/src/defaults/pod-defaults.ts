import { isRecord, listAt, recordAt, stringAt } from "../objects/json.ts";
import type { DefaultsTable } from "./default-function.ts";
import { fill } from "./default-function.ts";

/** 0644 */
const fileMode = 420;

/** Models pkg/apis/core/v1/defaults.go as far as pods go. */
export const podDefaults: DefaultsTable = {
  Container: completeContainer,
  ContainerPort: fill({ protocol: "TCP" }),
  ConfigMapVolumeSource: fill({ defaultMode: fileMode }),
  DownwardAPIVolumeSource: fill({ defaultMode: fileMode }),
  EphemeralContainer: completeContainer,
  GRPCAction: fill({ service: "" }),
  HTTPGetAction: fill({ path: "/", scheme: "HTTP" }),
  HostPathVolumeSource: fill({ type: "" }),
  ObjectFieldSelector: fill({ apiVersion: "v1" }),
  Pod: completePod,
  PodSpec: completePodSpec,
  Probe: fill({ timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }),
  ProjectedVolumeSource: fill({ defaultMode: fileMode }),
  SecretVolumeSource: fill({ defaultMode: fileMode }),
  ServiceAccountTokenProjection: fill({ expirationSeconds: 3600 }),
  Volume: (volume) => {
    if (Object.keys(volume).every((field) => field === "name")) volume["emptyDir"] = {};
  },
};

function completePodSpec(spec: Record<string, unknown>): void {
  fill({
    dnsPolicy: "ClusterFirst",
    restartPolicy: "Always",
    schedulerName: "default-scheduler",
    securityContext: {},
    terminationGracePeriodSeconds: 30,
  })(spec);
  // The older name of the field is a copy of the newer one.
  const account = stringAt(spec, "serviceAccountName") || stringAt(spec, "serviceAccount");
  if (account !== "") Object.assign(spec, { serviceAccountName: account, serviceAccount: account });
  // Only init containers have a policy of their own as long as the feature for the others is off.
  for (const container of listAt(spec, "containers")) if (isRecord(container)) delete container["restartPolicy"];
}

function completeContainer(container: Record<string, unknown>): void {
  fill({
    imagePullPolicy: isLatest(stringAt(container, "image")) ? "Always" : "IfNotPresent",
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
  })(container);
}

/** Whether an image reference means the tag "latest". */
function isLatest(image: string): boolean {
  if (image.includes("@")) return false;
  const [, tag = "latest"] = image.slice(image.lastIndexOf("/") + 1).split(":");
  return tag === "latest";
}

/** What only pods get, not the templates of pods. */
function completePod(pod: Record<string, unknown>): void {
  const spec = pod["spec"];
  if (!isRecord(spec)) return;
  fill({ enableServiceLinks: true })(spec);
  for (const container of [...listAt(spec, "containers"), ...listAt(spec, "initContainers")]) {
    if (!isRecord(container)) continue;
    const limits = recordAt(container, "resources", "limits");
    if (Object.keys(limits).length > 0) {
      const resources = recordAt(container, "resources");
      container["resources"] = { ...resources, requests: { ...limits, ...recordAt(resources, "requests") } };
    }
    if (spec["hostNetwork"] === true) {
      for (const port of listAt(container, "ports")) if (isRecord(port)) port["hostPort"] ??= port["containerPort"];
    }
  }
}
