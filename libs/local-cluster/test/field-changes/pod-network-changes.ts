import type { Fields } from "./combinations.ts";

const container = "spec.containers[0]";
const addresses = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `192.0.2.${i + 1}`);

/** DNS, host ports and namespaces of pods. */
export const podNetworkChanges: Readonly<Record<string, Fields>> = {
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
};
