// The configurations of what makes a node. Paths are those inside the sandbox, where /run, /var/lib and /var/log are its own.
import { stringify } from "yaml";
import { bridgeName, podRange } from "./node-network.ts";

export const nodeName = "e2e-node";
export const containerdSocket = "/run/containerd/containerd.sock";
/** Has HOST:PORT/hosts.toml of registries; it is read for each image that is pulled. */
export const registriesFolder = "/run/containerd/registries";

export interface ContainerdFiles {
  /** The folder of the plugins. */
  readonly cniPlugins: string;
  /** The folder of `cniConfig`. */
  readonly cniConfigs: string;
  readonly pauseImage: string;
}

/** containerd's config.toml. A test run may not lower its out-of-memory score, and needs no profiles of AppArmor. */
export function containerdConfig({ cniPlugins, cniConfigs, pauseImage }: ContainerdFiles): string {
  const text = JSON.stringify;
  return `version = 2
root = "/var/lib/containerd"
state = "/run/containerd"
oom_score = 0
disabled_plugins = ["io.containerd.internal.v1.opt", "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.devmapper"]
[grpc]
address = ${text(containerdSocket)}
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = ${text(pauseImage)}
restrict_oom_score_adj = true
disable_apparmor = true
[plugins."io.containerd.grpc.v1.cri".registry]
config_path = ${text(registriesFolder)}
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = ${text(cniPlugins)}
conf_dir = ${text(cniConfigs)}
[plugins."io.containerd.grpc.v1.cri".containerd]
snapshotter = "overlayfs"
default_runtime_name = "runc"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
SystemdCgroup = false
`;
}

/** Pods on the bridge, with its address as their gateway. */
export function cniConfig(): string {
  return JSON.stringify({
    cniVersion: "0.4.0",
    name: "pods",
    plugins: [
      {
        type: "bridge",
        bridge: bridgeName,
        isGateway: true,
        hairpinMode: true,
        ipam: { type: "host-local", ranges: [[{ subnet: podRange }]], routes: [{ dst: "0.0.0.0/0" }] },
      },
    ],
  });
}

export interface KubeletFiles {
  readonly address: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  /** Of the pods, below the root of each hierarchy. */
  readonly cgroup: string;
}

export function kubeletConfig({ address, ca, cert, key, cgroup }: KubeletFiles): string {
  return stringify({
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    address,
    containerRuntimeEndpoint: `unix://${containerdSocket}`,
    authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509: { clientCAFile: ca } },
    authorization: { mode: "Webhook" },
    tlsCertFile: cert,
    tlsPrivateKeyFile: key,
    cgroupDriver: "cgroupfs",
    cgroupRoot: `/${cgroup}`,
    podLogsDir: "/var/log/pods",
    oomScoreAdj: 0,
    failCgroupV1: false,
    failSwapOn: false,
    // The test run's memory and disk are not the node's to guard.
    evictionHard: {},
    imageGCHighThresholdPercent: 100,
    // What pods may write is, and this is how soon the kubelet knows what they have written.
    localStorageCapacityIsolation: true,
    volumeStatsAggPeriod: "10s",
    enforceNodeAllocatable: [],
    makeIPTablesUtilChains: false,
    // Nobody answers names; Services are found by the environment.
    resolvConf: "",
    // Pods of tests come in bursts.
    registryPullQPS: 0,
    eventRecordQPS: 0,
    kubeAPIQPS: 100,
    kubeAPIBurst: 200,
    shutdownGracePeriod: "0s",
    healthzPort: 0,
    // How soon a Secret that has changed is in the pods.
    syncFrequency: "10s",
  });
}

export function proxyConfig({
  address,
  kubeconfig,
}: {
  readonly address: string;
  readonly kubeconfig: string;
}): string {
  return stringify({
    apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
    kind: "KubeProxyConfiguration",
    mode: "nftables",
    clientConnection: { kubeconfig },
    clusterCIDR: podRange,
    hostnameOverride: nodeName,
    bindAddress: address,
    nodePortAddresses: [`${address}/32`],
    healthzBindAddress: "",
    metricsBindAddress: "127.0.0.1:10249",
    oomScoreAdj: 0,
    conntrack: { maxPerCore: 0, min: 0 },
  });
}
