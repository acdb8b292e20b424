import type { Combinations } from "./combinations.ts";

const base = "small";
const small = { containers: [{ name: "main", image: "image:1" }], automountServiceAccountToken: false };
const container = "spec.containers[0]";
const addresses = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `192.0.2.${i + 1}`);

/** Pods with few fields. */
export const podCombinations: Readonly<Record<string, readonly Combinations[]>> = {
  Pod: [
    {
      base,
      from: { spec: small },
      changes: {
        "dnsPolicy None without dnsConfig": { "spec.dnsPolicy": "None" },
        "dnsPolicy None without a server": { "spec.dnsPolicy": "None", "spec.dnsConfig": { searches: ["a.b"] } },
        "dnsPolicy None with a server": { "spec.dnsPolicy": "None", "spec.dnsConfig": { nameservers: ["192.0.2.1"] } },
        "three DNS servers": { "spec.dnsConfig": { nameservers: addresses(3) } },
        "four DNS servers": { "spec.dnsConfig": { nameservers: addresses(4) } },
        "33 DNS search paths": { "spec.dnsConfig": { searches: addresses(33).map((_, i) => `d${i}.example`) } },
        "DNS search paths of 2049 characters": {
          "spec.dnsConfig": {
            searches: addresses(11).map((_, i) => `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.d${i}`),
          },
        },
        "a DNS option without a name": { "spec.dnsConfig": { options: [{ value: "1" }] } },
        "hostNetwork with equal ports": {
          "spec.hostNetwork": true,
          [`${container}.ports`]: [{ containerPort: 80, hostPort: 80 }],
        },
        "hostNetwork with differing ports": {
          "spec.hostNetwork": true,
          [`${container}.ports`]: [{ containerPort: 80, hostPort: 81 }],
        },
        "hostNetwork without host ports": { "spec.hostNetwork": true, [`${container}.ports`]: [{ containerPort: 80 }] },
        "hostNetwork with differing ports of an init container": {
          "spec.hostNetwork": true,
          "spec.initContainers": [{ name: "init", image: "image:1", ports: [{ containerPort: 80, hostPort: 81 }] }],
        },
        "one host port twice": {
          [`${container}.ports`]: [
            { containerPort: 80, hostPort: 8080 },
            { containerPort: 81, hostPort: 8080 },
          ],
        },
        "one host port of two containers": {
          "spec.containers": ["a", "b"].map((name) => ({
            name,
            image: "image:1",
            ports: [{ containerPort: 80, hostPort: 8080 }],
          })),
        },
        "one host port of two protocols": {
          [`${container}.ports`]: [
            { containerPort: 80, hostPort: 8080 },
            { containerPort: 80, hostPort: 8080, protocol: "UDP" },
          ],
        },
        "one port name of two containers": {
          "spec.containers": ["a", "b"].map((name) => ({
            name,
            image: "image:1",
            ports: [{ name: "web", containerPort: 80 }],
          })),
        },
        "a shared process namespace and hostPID": { "spec.shareProcessNamespace": true, "spec.hostPID": true },
        "a user namespace and hostNetwork": { "spec.hostUsers": false, "spec.hostNetwork": true },
        "a user namespace and hostPID": { "spec.hostUsers": false, "spec.hostPID": true },
        "a user namespace and hostIPC": { "spec.hostUsers": false, "spec.hostIPC": true },
        "a user namespace and block devices": {
          "spec.hostUsers": false,
          "spec.volumes": [{ name: "v", persistentVolumeClaim: { claimName: "c" } }],
          [`${container}.volumeDevices`]: [{ name: "v", devicePath: "/dev/a" }],
        },
        "hostnameOverride with setHostnameAsFQDN": { "spec.hostnameOverride": "a", "spec.setHostnameAsFQDN": true },
        "hostnameOverride with hostNetwork": { "spec.hostnameOverride": "a", "spec.hostNetwork": true },
        "hostAliases with hostNetwork": {
          "spec.hostAliases": [{ ip: "192.0.2.1", hostnames: ["a"] }],
          "spec.hostNetwork": true,
        },
        "Windows with fields of Linux": {
          "spec.os": { name: "windows" },
          "spec.hostPID": true,
          "spec.shareProcessNamespace": true,
          "spec.securityContext": { runAsUser: 1, fsGroup: 1, seccompProfile: { type: "RuntimeDefault" } },
          [`${container}.securityContext`]: { runAsUser: 1, privileged: false, capabilities: { add: ["A"] } },
        },
        "Linux with fields of Windows": {
          "spec.os": { name: "linux" },
          "spec.securityContext": { windowsOptions: { runAsUserName: "a" } },
          [`${container}.securityContext`]: { windowsOptions: { runAsUserName: "a" } },
        },
        "a Windows host process without hostNetwork": {
          "spec.securityContext": { windowsOptions: { hostProcess: true } },
        },
        "a Windows host process with hostNetwork": {
          "spec.hostNetwork": true,
          "spec.securityContext": { windowsOptions: { hostProcess: true } },
        },
        "runAsNonRoot with root": { "spec.securityContext": { runAsNonRoot: true, runAsUser: 0 } },
        "a local seccomp profile without a file": { "spec.securityContext": { seccompProfile: { type: "Localhost" } } },
        "a seccomp file of another type": {
          "spec.securityContext": { seccompProfile: { type: "RuntimeDefault", localhostProfile: "a" } },
        },
        "an absolute seccomp file": {
          "spec.securityContext": { seccompProfile: { type: "Localhost", localhostProfile: "/a" } },
        },
        "a local AppArmor profile without a name": {
          "spec.securityContext": { appArmorProfile: { type: "Localhost" } },
        },
        "an AppArmor name of another type": {
          "spec.securityContext": { appArmorProfile: { type: "Unconfined", localhostProfile: "a" } },
        },
        "an AppArmor name with spaces": {
          "spec.securityContext": { appArmorProfile: { type: "Localhost", localhostProfile: " a" } },
        },
        "privileged without escalation": {
          [`${container}.securityContext`]: { privileged: false, allowPrivilegeEscalation: false },
        },
        "SYS_ADMIN without escalation": {
          [`${container}.securityContext`]: {
            allowPrivilegeEscalation: false,
            capabilities: { add: ["CAP_SYS_ADMIN"] },
          },
        },
        "two probes of one handler": {
          [`${container}.livenessProbe`]: { exec: { command: ["a"] }, tcpSocket: { port: 80 } },
        },
        "a liveness probe with two successes": {
          [`${container}.livenessProbe`]: { exec: { command: ["a"] }, successThreshold: 2 },
        },
        "a readiness probe with a grace period": {
          [`${container}.readinessProbe`]: { exec: { command: ["a"] }, terminationGracePeriodSeconds: 1 },
        },
        "a hook that sleeps beyond the grace period": {
          "spec.terminationGracePeriodSeconds": 5,
          [`${container}.lifecycle`]: { preStop: { sleep: { seconds: 6 } } },
        },
        "a hook that sleeps as long as the grace period": {
          "spec.terminationGracePeriodSeconds": 5,
          [`${container}.lifecycle`]: { preStop: { sleep: { seconds: 5 } } },
        },
        "a hook that does not sleep": { [`${container}.lifecycle`]: { postStart: { sleep: { seconds: 0 } } } },
        "a stop signal without an operating system": { [`${container}.lifecycle`]: { stopSignal: "SIGTERM" } },
        "a stop signal of Linux": {
          "spec.os": { name: "linux" },
          [`${container}.lifecycle`]: { stopSignal: "SIGUSR1" },
        },
        "a stop signal of Linux on Windows": {
          "spec.os": { name: "windows" },
          [`${container}.lifecycle`]: { stopSignal: "SIGUSR1" },
        },
        "restart rules without a policy": {
          [`${container}.restartPolicyRules`]: [{ action: "Restart", exitCodes: { operator: "In", values: [1] } }],
        },
        "a container with a restart policy": { [`${container}.restartPolicy`]: "Always" },
        "an init container with another restart policy": {
          "spec.initContainers": [{ name: "init", image: "image:1", restartPolicy: "Never" }],
        },
        "an init container with a probe": {
          "spec.initContainers": [{ name: "init", image: "image:1", livenessProbe: { exec: { command: ["a"] } } }],
        },
        "a sidecar with a probe": {
          "spec.initContainers": [
            { name: "init", image: "image:1", restartPolicy: "Always", livenessProbe: { exec: { command: ["a"] } } },
          ],
        },
        "a request beyond its limit": {
          [`${container}.resources`]: { requests: { cpu: "2" }, limits: { cpu: "1" } },
        },
        "a limit without a request": { [`${container}.resources`]: { limits: { cpu: "1" } } },
        "an extended resource without a limit": {
          [`${container}.resources`]: { requests: { "example.com/gpu": "1" } },
        },
        "a fraction of an extended resource": { [`${container}.resources`]: { limits: { "example.com/gpu": "1.5" } } },
        "huge pages without memory": { [`${container}.resources`]: { limits: { "hugepages-2Mi": "2Mi" } } },
        "huge pages with memory": { [`${container}.resources`]: { limits: { "hugepages-2Mi": "2Mi", memory: "1Gi" } } },
        "huge pages of a fraction": {
          [`${container}.resources`]: { limits: { "hugepages-2Mi": "3Mi", memory: "1Gi" } },
        },
        "huge pages of a bad size": {
          [`${container}.resources`]: { limits: { "hugepages-2Xi": "2Mi", memory: "1Gi" } },
        },
        "resources of the pod": { "spec.resources": { requests: { cpu: "1" }, limits: { cpu: "2" } } },
        "resources of the pod below those of its containers": {
          "spec.resources": { requests: { cpu: "1" } },
          [`${container}.resources`]: { requests: { cpu: "2" } },
        },
        "storage of the pod": { "spec.resources": { requests: { "ephemeral-storage": "1Gi" } } },
        "a request beyond the limit of the pod": { "spec.resources": { requests: { cpu: "3" }, limits: { cpu: "2" } } },
        "a container limit beyond that of the pod": {
          "spec.resources": { limits: { cpu: "2" } },
          [`${container}.resources`]: { limits: { cpu: "3" } },
        },
        "Exists with a value": { "spec.tolerations": [{ key: "a", operator: "Exists", value: "b" }] },
        "Equal without a key": { "spec.tolerations": [{ operator: "Equal", value: "b" }] },
        "a toleration of nothing": { "spec.tolerations": [{}] },
        "Exists without a key": { "spec.tolerations": [{ operator: "Exists" }] },
        "seconds without NoExecute": {
          "spec.tolerations": [{ key: "a", operator: "Exists", effect: "NoSchedule", tolerationSeconds: 5 }],
        },
        "minDomains with ScheduleAnyway": {
          "spec.topologySpreadConstraints": [
            { maxSkew: 1, minDomains: 2, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway" },
          ],
        },
        "matchLabelKeys without a selector": {
          "spec.topologySpreadConstraints": [
            { maxSkew: 1, matchLabelKeys: ["a"], topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" },
          ],
        },
        "matchLabelKeys of the selector": {
          "spec.topologySpreadConstraints": [
            {
              maxSkew: 1,
              matchLabelKeys: ["a"],
              labelSelector: { matchExpressions: [{ key: "a", operator: "Exists" }] },
              topologyKey: "zone",
              whenUnsatisfiable: "DoNotSchedule",
            },
          ],
        },
        "a node affinity that compares texts": {
          "spec.affinity": {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Gt", values: ["x"] }] }],
              },
            },
          },
        },
        "a node affinity that compares two numbers": {
          "spec.affinity": {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Gt", values: ["1", "2"] }] }],
              },
            },
          },
        },
        "a node affinity of two names": {
          "spec.affinity": {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["a", "b"] }] }],
              },
            },
          },
        },
        "a node affinity of another field": {
          "spec.affinity": {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchFields: [{ key: "metadata.uid", operator: "In", values: ["a"] }] }],
              },
            },
          },
        },
        "label keys of affinity that match and do not": {
          "spec.affinity": {
            podAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                { topologyKey: "a", labelSelector: {}, matchLabelKeys: ["x"], mismatchLabelKeys: ["x"] },
              ],
            },
          },
        },
        "gates with a node": { "spec.schedulingGates": [{ name: "example.com/gate" }], "spec.nodeName": "a" },
        "a gate twice": { "spec.schedulingGates": [{ name: "a" }, { name: "a" }] },
        "a claim with two sources": {
          "spec.resourceClaims": [{ name: "a", resourceClaimName: "b", resourceClaimTemplateName: "c" }],
        },
        "a claim that no pod has": { [`${container}.resources`]: { claims: [{ name: "a" }] } },
        "a volume with two sources": { "spec.volumes": [{ name: "v", emptyDir: {}, hostPath: { path: "/a" } }] },
        "a mount and a device of one volume": {
          "spec.volumes": [{ name: "v", persistentVolumeClaim: { claimName: "c" } }],
          [`${container}.volumeMounts`]: [{ name: "v", mountPath: "/a" }],
          [`${container}.volumeDevices`]: [{ name: "v", devicePath: "/dev/a" }],
        },
        "a device of a folder": {
          "spec.volumes": [{ name: "v", emptyDir: {} }],
          [`${container}.volumeDevices`]: [{ name: "v", devicePath: "/dev/a" }],
        },
        "a device twice": {
          "spec.volumes": [{ name: "v", persistentVolumeClaim: { claimName: "c" } }],
          [`${container}.volumeDevices`]: [
            { name: "v", devicePath: "/dev/a" },
            { name: "v", devicePath: "/dev/a" },
          ],
        },
        "a device path with dots": {
          "spec.volumes": [{ name: "v", persistentVolumeClaim: { claimName: "c" } }],
          [`${container}.volumeDevices`]: [{ name: "v", devicePath: "/dev/../a" }],
        },
        "a recursive read-only mount that is writable": {
          "spec.volumes": [{ name: "v", emptyDir: {} }],
          [`${container}.volumeMounts`]: [{ name: "v", mountPath: "/a", recursiveReadOnly: "Enabled" }],
        },
        "a recursive read-only mount": {
          "spec.volumes": [{ name: "v", emptyDir: {} }],
          [`${container}.volumeMounts`]: [{ name: "v", mountPath: "/a", readOnly: true, recursiveReadOnly: "Enabled" }],
        },
        "a recursive read-only mount with propagation": {
          "spec.volumes": [{ name: "v", emptyDir: {} }],
          [`${container}.volumeMounts`]: [
            {
              name: "v",
              mountPath: "/a",
              readOnly: true,
              recursiveReadOnly: "IfPossible",
              mountPropagation: "HostToContainer",
            },
          ],
        },
        "a propagated mount of an unprivileged container": {
          "spec.volumes": [{ name: "v", emptyDir: {} }],
          [`${container}.volumeMounts`]: [{ name: "v", mountPath: "/a", mountPropagation: "Bidirectional" }],
        },
        "a projected path twice": {
          "spec.volumes": [
            {
              name: "v",
              projected: {
                sources: ["a", "b"].map((name) => ({ configMap: { name, items: [{ key: "k", path: "same" }] } })),
              },
            },
          ],
        },
        "two sources in one projection": {
          "spec.volumes": [
            { name: "v", projected: { sources: [{ configMap: { name: "a" }, secret: { name: "b" } }] } },
          ],
        },
        "huge pages of a volume without a limit": {
          "spec.volumes": [{ name: "v", emptyDir: { medium: "HugePages" } }],
        },
        "an ephemeral claim": {
          "spec.volumes": [
            {
              name: "v",
              ephemeral: {
                volumeClaimTemplate: {
                  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
                },
              },
            },
          ],
        },
        "an ephemeral claim without a size": {
          "spec.volumes": [
            { name: "v", ephemeral: { volumeClaimTemplate: { spec: { accessModes: ["ReadWriteOnce"] } } } },
          ],
        },
        "an image volume": {
          "spec.volumes": [{ name: "v", image: { reference: "image:1", pullPolicy: "Always" } }],
        },
        "a variable of two sources": {
          [`${container}.env`]: [
            {
              name: "A",
              valueFrom: { fieldRef: { fieldPath: "metadata.name" }, configMapKeyRef: { name: "a", key: "b" } },
            },
          ],
        },
        "a variable of a label": {
          [`${container}.env`]: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.labels['a']" } } }],
        },
        "a variable of all labels": {
          [`${container}.env`]: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.labels" } } }],
        },
        "a variable of an unknown version": {
          [`${container}.env`]: [
            { name: "A", valueFrom: { fieldRef: { apiVersion: "v9", fieldPath: "metadata.name" } } },
          ],
        },
        "annotations of AppArmor": {
          "metadata.annotations": { "container.apparmor.security.beta.kubernetes.io/main": "other" },
        },
        "annotations of an unknown container": {
          "metadata.annotations": { "container.apparmor.security.beta.kubernetes.io/other": "runtime/default" },
        },
        "a priority and its class": { "spec.priorityClassName": "system-node-critical", "spec.priority": 5 },
        "a class of the system": { "spec.priorityClassName": "system-cluster-critical" },
        "a bad sysctl": { "spec.securityContext": { sysctls: [{ name: "Kernel.a", value: "1" }] } },
        "a sysctl of IPC with hostIPC": {
          "spec.hostIPC": true,
          "spec.securityContext": { sysctls: [{ name: "kernel.shm_rmid_forced", value: "1" }] },
        },
      },
    },
    {
      base: "scheduled",
      from: {
        spec: {
          ...small,
          nodeName: "node",
          activeDeadlineSeconds: 100,
          terminationGracePeriodSeconds: 5,
          tolerations: [{ key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 }],
        },
      },
      changes: {
        "a shorter deadline": { "spec.activeDeadlineSeconds": 99 },
        "a longer deadline": { "spec.activeDeadlineSeconds": 101 },
        "no deadline": { "spec.activeDeadlineSeconds": null },
        "another grace period": { "spec.terminationGracePeriodSeconds": 1 },
        "another image": { [`${container}.image`]: "image:2" },
        "an image with spaces": { [`${container}.image`]: " image:2" },
        "a longer toleration": { "spec.tolerations[0].tolerationSeconds": 6 },
        "another node": { "spec.nodeName": "other" },
        "another selector": { "spec.nodeSelector": { a: "b" } },
      },
    },
    {
      base: "gated",
      from: { spec: { ...small, schedulingGates: [{ name: "a" }, { name: "b" }], nodeSelector: { a: "b" } } },
      changes: {
        "one gate less": { "spec.schedulingGates": [{ name: "b" }] },
        "no gates": { "spec.schedulingGates": null },
        "another gate": { "spec.schedulingGates": [{ name: "a" }, { name: "c" }] },
        "a stricter selector": { "spec.nodeSelector": { a: "b", c: "d" } },
        "a looser selector": { "spec.nodeSelector": null },
        "a new affinity": {
          "spec.affinity": {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Exists" }] }],
              },
            },
          },
        },
        "a node": { "spec.nodeName": "a" },
      },
    },
  ],
};
