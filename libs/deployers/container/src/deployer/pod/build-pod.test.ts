import { describe, expect, it } from "@jest/globals";
import { settingsOf } from "../../../test/container-bench.ts";
import { buildPod, type PodPlan } from "./build-pod.ts";

const plan: PodPlan = {
  name: "item-abcdefgh",
  item: { namespace: "n", name: "item", uid: "u" },
  generation: 3,
  operation: "RECONCILE",
  main: { image: "registry.example/p:1", command: ["/p"], args: ["-v"], imagePullPolicy: "IfNotPresent" },
  resources: { limits: { memory: "1Gi" } },
  objects: { config: "c", target: "t", ocmConfig: "o", serviceAccount: "item-wait" },
  labels: { a: "b" },
  graceSeconds: 90,
  deadlineSeconds: 600,
};
const settings = settingsOf(
  { pod: { resources: { requests: { cpu: "1m" }, limits: { cpu: "1" } }, sizeLimit: "2Gi" } },
  "pods",
);

const env = (name: string, value: string) => ({ name, value });
const common = [
  env("IMPORTS_PATH", "/data/ls/shared/imports/import.json"),
  env("EXPORTS_PATH", "/data/ls/shared/exports/values"),
  env("COMPONENT_DESCRIPTOR_PATH", "/data/ls/shared/component_descriptor.json"),
  env("TARGET_PATH", "/data/ls/shared/targets/target.json"),
  env("CONTENT_PATH", "/data/ls/shared/content"),
  env("STATE_PATH", "/data/ls/shared/state"),
  { name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
  { name: "POD_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } },
];
const ofItem = [env("DEPLOY_ITEM_NAME", "item"), env("DEPLOY_ITEM_NAMESPACE", "n")];
const unprivileged = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
const helper = {
  imagePullPolicy: "IfNotPresent",
  terminationMessagePath: "/dev/termination-log",
  terminationMessagePolicy: "FallbackToLogsOnError",
  resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { cpu: "1", memory: "256Mi" } },
  securityContext: { ...unprivileged, readOnlyRootFilesystem: true },
};
const shared = { name: "shared-volume", mountPath: "/data/ls/shared" };
const readOnly = (name: string, mountPath: string) => ({ name, mountPath, readOnly: true });
const token = {
  defaultMode: 0o440,
  sources: [
    { serviceAccountToken: { path: "token", expirationSeconds: 3600 } },
    { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
    { downwardAPI: { items: [{ path: "namespace", fieldRef: { fieldPath: "metadata.namespace" } }] } },
  ],
};
const secret = (name: string, secretName: string, more: object = {}) => ({
  name,
  secret: { secretName, defaultMode: 0o440, ...more },
});

describe("the Pod of a run", () => {
  it("is the one of the contract", () => {
    expect(buildPod(plan, settings)).toEqual({
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name: "item-abcdefgh",
        namespace: "pods",
        labels: { a: "b", "deployitem.container.deployer.landscaper.gardener.cloud/generation": "3" },
        finalizers: ["container.deployer.landscaper.gardener.cloud/finalizer"],
      },
      spec: {
        schedulingGates: [{ name: "container.deployer.landscaper.gardener.cloud/recorded" }],
        restartPolicy: "Never",
        terminationGracePeriodSeconds: 90,
        activeDeadlineSeconds: 600,
        serviceAccountName: "item-wait",
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          runAsGroup: 3000,
          fsGroup: 2000,
          seccompProfile: { type: "RuntimeDefault" },
        },
        volumes: [
          { name: "shared-volume", emptyDir: { sizeLimit: "2Gi" } },
          { name: "serviceaccount-init", projected: token },
          { name: "serviceaccount-wait", projected: token },
          secret("configuration", "c"),
          secret("job", "c", { items: [{ key: "job.json", path: "job.json" }] }),
          secret("target", "t"),
          { name: "ocm-configuration", configMap: { name: "o" } },
        ],
        initContainers: [
          {
            ...helper,
            name: "init",
            image: "registry.example/init:1",
            env: [
              ...common,
              ...ofItem,
              env("CONFIGURATION_PATH", "/data/ls/internal/configuration.json"),
              env("REGISTRY_SECRETS_DIR", "/data/ls/registry_secrets"),
              env("OCM_CONFIGURATION_PATH", "/data/ls/ocm/.ocmconfig"),
            ],
            volumeMounts: [
              readOnly("configuration", "/data/ls/internal"),
              readOnly("ocm-configuration", "/data/ls/ocm"),
              readOnly("target", "/data/ls/targets"),
              readOnly("serviceaccount-init", "/var/run/secrets/kubernetes.io/serviceaccount"),
              shared,
            ],
          },
          {
            ...helper,
            name: "wait",
            restartPolicy: "Always",
            image: "registry.example/wait:1",
            env: [...common, ...ofItem],
            volumeMounts: [
              readOnly("job", "/data/ls/internal"),
              readOnly("serviceaccount-wait", "/var/run/secrets/kubernetes.io/serviceaccount"),
              shared,
            ],
          },
        ],
        containers: [
          {
            name: "main",
            image: "registry.example/p:1",
            imagePullPolicy: "IfNotPresent",
            command: ["/p"],
            args: ["-v"],
            env: [...common, env("OPERATION", "RECONCILE")],
            terminationMessagePath: "/dev/termination-log",
            terminationMessagePolicy: "FallbackToLogsOnError",
            resources: { requests: { cpu: "1m" }, limits: { memory: "1Gi" } },
            securityContext: unprivileged,
            volumeMounts: [shared],
          },
        ],
      },
    });
  });

  it("has the settings for all Pods, and keeps its own labels", () => {
    const resources = { requests: { cpu: "50m" } };
    const placed = settingsOf(
      {
        initContainer: { resources },
        waitContainer: { resources: {} },
        pod: {
          labels: { a: "other", "sidecar.istio.io/inject": "false" },
          annotations: { "example.com/note": "a b" },
          priorityClassName: "high",
          runtimeClassName: "gvisor",
        },
      },
      "pods",
    );
    const { metadata, spec } = buildPod(plan, placed);
    expect(metadata).toMatchObject({
      labels: { a: "b", "sidecar.istio.io/inject": "false" },
      annotations: { "example.com/note": "a b" },
    });
    expect(spec).toMatchObject({
      priorityClassName: "high",
      runtimeClassName: "gvisor",
      initContainers: [
        { name: "init", resources },
        { name: "wait", resources: {} },
      ],
    });
  });

  it("gets pull secrets, nodes and tolerations where there are some, and no deadline where the item has none", () => {
    const objects = { ...plan.objects, imagePullSecret: "i", blueprintPullSecret: "b", componentPullSecret: "d" };
    const placed = settingsOf(
      { pod: { nodeSelector: { disk: "fast" }, tolerations: [{ key: "k", operator: "Exists" }] }, logs: "off" },
      "pods",
    );
    const { spec } = buildPod({ ...plan, objects, deadlineSeconds: undefined }, placed);
    expect(spec).toMatchObject({
      imagePullSecrets: [{ name: "i" }],
      nodeSelector: { disk: "fast" },
      tolerations: [{ key: "k", operator: "Exists" }],
      containers: [{ name: "main", terminationMessagePolicy: "File" }],
    });
    expect(spec).not.toHaveProperty("activeDeadlineSeconds");
    expect(spec?.["volumes"]).toEqual(
      expect.arrayContaining([secret("blueprint-pull-secret", "b"), secret("cd-pull-secret", "d")]),
    );
    expect((spec?.["initContainers"] as { volumeMounts: unknown[] }[] | undefined)?.[0]?.volumeMounts).toEqual(
      expect.arrayContaining([
        readOnly("blueprint-pull-secret", "/data/ls/registry_secrets/blueprint-pull-secret"),
        readOnly("cd-pull-secret", "/data/ls/registry_secrets/cd-pull-secret"),
      ]),
    );
  });
});
