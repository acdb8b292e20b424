import type { Combinations } from "./combinations.ts";

const labels = { app: "sample" };
const ports = [{ name: "web", port: 80 }];

/** Services, and what refers to them or to addresses. */
export const serviceCombinations: Readonly<Record<string, readonly Combinations[]>> = {
  Service: [
    {
      base: "ClusterIP",
      from: { spec: { type: "ClusterIP", selector: labels, ports } },
      changes: {
        "two IP families in a cluster with one": { "spec.ipFamilies": ["IPv4", "IPv6"], "spec.ipFamilyPolicy": null },
        "two IP families with SingleStack": {
          "spec.ipFamilies": ["IPv4", "IPv6"],
          "spec.ipFamilyPolicy": "SingleStack",
        },
        "two IP families with PreferDualStack": {
          "spec.ipFamilies": ["IPv4", "IPv6"],
          "spec.ipFamilyPolicy": "PreferDualStack",
        },
        "two IP families with RequireDualStack": {
          "spec.ipFamilies": ["IPv4", "IPv6"],
          "spec.ipFamilyPolicy": "RequireDualStack",
        },
        "PreferDualStack alone": { "spec.ipFamilies": null, "spec.ipFamilyPolicy": "PreferDualStack" },
        "RequireDualStack alone": { "spec.ipFamilies": null, "spec.ipFamilyPolicy": "RequireDualStack" },
        "RequireDualStack with one family": {
          "spec.ipFamilies": ["IPv4"],
          "spec.ipFamilyPolicy": "RequireDualStack",
        },
        "IPv6 in a cluster without": { "spec.ipFamilies": ["IPv6"], "spec.clusterIP": null, "spec.clusterIPs": null },
        "three families": { "spec.ipFamilies": ["IPv4", "IPv6", "IPv4"] },
        "families in the other order": {
          "spec.ipFamilies": ["IPv6", "IPv4"],
          "spec.ipFamilyPolicy": "RequireDualStack",
        },
        "two cluster IPs of one family": {
          "spec.clusterIP": "203.0.113.1",
          "spec.clusterIPs": ["203.0.113.1", "203.0.113.2"],
        },
        "two cluster IPs of two families": {
          "spec.clusterIP": "203.0.113.1",
          "spec.clusterIPs": ["203.0.113.1", "2001:db8::1"],
          "spec.ipFamilyPolicy": "RequireDualStack",
        },
        "three cluster IPs": {
          "spec.clusterIP": "203.0.113.1",
          "spec.clusterIPs": ["203.0.113.1", "2001:db8::1", "203.0.113.2"],
        },
        "a list of cluster IPs without the first": { "spec.clusterIP": null, "spec.clusterIPs": ["203.0.113.1"] },
        "cluster IPs that do not match": { "spec.clusterIP": "203.0.113.1", "spec.clusterIPs": ["203.0.113.2"] },
        "an IPv6 address as the only family IPv4": {
          "spec.clusterIP": "2001:db8::1",
          "spec.clusterIPs": ["2001:db8::1"],
          "spec.ipFamilies": ["IPv4"],
        },
        "None and an address": { "spec.clusterIP": "None", "spec.clusterIPs": ["None", "203.0.113.1"] },
        headless: { "spec.clusterIP": "None", "spec.clusterIPs": ["None"] },
        "headless without ports": { "spec.clusterIP": "None", "spec.clusterIPs": ["None"], "spec.ports": null },
        "an external IP on loopback": { "spec.externalIPs": ["127.0.0.1"] },
        "an external IP twice": { "spec.externalIPs": ["192.0.2.1", "192.0.2.1"] },
        "an external IP and externalTrafficPolicy": {
          "spec.externalIPs": ["192.0.2.1"],
          "spec.externalTrafficPolicy": "Local",
        },
        "externalTrafficPolicy without an external IP": { "spec.externalTrafficPolicy": "Cluster" },
        "a node port": { "spec.ports[0].nodePort": 30_100 },
        "a node port beyond the range with NodePort": { "spec.type": "NodePort", "spec.ports[0].nodePort": 29_999 },
        "two ports with one node port": {
          "spec.type": "NodePort",
          "spec.ports": [
            { name: "a", port: 80, nodePort: 30_100 },
            { name: "b", port: 81, nodePort: 30_100 },
          ],
        },
        "one node port for two protocols": {
          "spec.type": "NodePort",
          "spec.ports": [
            { name: "a", port: 80, nodePort: 30_100 },
            { name: "b", port: 80, protocol: "UDP", nodePort: 30_100 },
          ],
        },
        "LoadBalancer with two protocols": {
          "spec.type": "LoadBalancer",
          "spec.ports": [
            { name: "a", port: 80 },
            { name: "b", port: 80, protocol: "UDP" },
          ],
        },
        "LoadBalancer with a health check port and policy Cluster": {
          "spec.type": "LoadBalancer",
          "spec.externalTrafficPolicy": "Cluster",
          "spec.healthCheckNodePort": 30_200,
        },
        "LoadBalancer with a health check port beyond the range": {
          "spec.type": "LoadBalancer",
          "spec.externalTrafficPolicy": "Local",
          "spec.healthCheckNodePort": 29_999,
        },
        "LoadBalancer with the health check port of a port": {
          "spec.type": "LoadBalancer",
          "spec.externalTrafficPolicy": "Local",
          "spec.healthCheckNodePort": 30_200,
          "spec.ports[0].nodePort": 30_200,
        },
        "LoadBalancer without node ports": {
          "spec.type": "LoadBalancer",
          "spec.allocateLoadBalancerNodePorts": false,
        },
        "LoadBalancer on port 10250": { "spec.type": "LoadBalancer", "spec.ports[0].port": 10_250 },
        "session affinity without its configuration": {
          "spec.sessionAffinity": "ClientIP",
          "spec.sessionAffinityConfig": null,
        },
        "session affinity None with a configuration": {
          "spec.sessionAffinity": "None",
          "spec.sessionAffinityConfig": { clientIP: { timeoutSeconds: 10 } },
        },
        ExternalName: { "spec.type": "ExternalName", "spec.externalName": "example.com" },
        "ExternalName without addresses": {
          spec: { type: "ExternalName", externalName: "example.com" },
        },
        "ExternalName with a cluster IP": {
          spec: { type: "ExternalName", externalName: "example.com", clusterIP: "203.0.113.1" },
        },
        "a class without LoadBalancer": { "spec.loadBalancerClass": "example.com/class" },
        "source ranges without LoadBalancer": { "spec.loadBalancerSourceRanges": ["10.0.0.0/8"] },
        "a source range with spaces": {
          "spec.type": "LoadBalancer",
          "spec.loadBalancerSourceRanges": [" 10.0.0.0/8 "],
        },
        "source ranges as an annotation": {
          "spec.type": "LoadBalancer",
          "metadata.annotations": { "service.beta.kubernetes.io/load-balancer-source-ranges": "10.0.0.0/33" },
        },
        "topology annotation and trafficDistribution": {
          "spec.trafficDistribution": "PreferClose",
          "metadata.annotations": { "service.kubernetes.io/topology-mode": "Auto" },
        },
      },
    },
    {
      base: "NodePort",
      from: { spec: { type: "NodePort", selector: labels, ports: [{ name: "web", port: 80, nodePort: 30_300 }] } },
      changes: {
        "as ClusterIP": { "spec.type": "ClusterIP" },
        "as ClusterIP without its node port": { "spec.type": "ClusterIP", "spec.ports": ports },
        "another node port": { "spec.ports[0].nodePort": 30_301 },
        headless: { "spec.clusterIP": "None", "spec.clusterIPs": ["None"] },
        "as ExternalName": { "spec.type": "ExternalName", "spec.externalName": "example.com" },
      },
    },
    {
      base: "written",
      isWritten: true,
      from: {
        spec: {
          type: "LoadBalancer",
          externalTrafficPolicy: "Local",
          healthCheckNodePort: 30_401,
          selector: labels,
          ports: [{ name: "web", port: 80, nodePort: 30_400 }],
        },
      },
      changes: {
        "a taken node port": {},
        "a free node port": { "spec.ports[0].nodePort": 30_402, "spec.healthCheckNodePort": null },
        "the first node port": { "spec.ports[0].nodePort": 30_000, "spec.healthCheckNodePort": null },
        "the last node port": { "spec.ports[0].nodePort": 32_767, "spec.healthCheckNodePort": null },
        "a node port below the range": { "spec.ports[0].nodePort": 29_999, "spec.healthCheckNodePort": null },
        "a node port beyond the range": { "spec.ports[0].nodePort": 32_768, "spec.healthCheckNodePort": null },
        "a node port that is no port": { "spec.ports[0].nodePort": 65_536, "spec.healthCheckNodePort": null },
        "a negative node port": { "spec.ports[0].nodePort": -1, "spec.healthCheckNodePort": null },
        "a taken health check port": { "spec.ports[0].nodePort": 30_402 },
        "a health check port below the range": {
          "spec.ports[0].nodePort": 30_402,
          "spec.healthCheckNodePort": 29_999,
        },
        "a health check port beyond the range": {
          "spec.ports[0].nodePort": 30_402,
          "spec.healthCheckNodePort": 32_768,
        },
        "the health check port of a port": { "spec.ports[0].nodePort": 30_402, "spec.healthCheckNodePort": 30_402 },
        "a taken port of another protocol": { "spec.ports[0].protocol": "UDP", "spec.healthCheckNodePort": null },
        "an address beyond the range": {
          "spec.ports[0].nodePort": 30_402,
          "spec.healthCheckNodePort": null,
          "spec.clusterIP": "203.0.113.1",
          "spec.clusterIPs": ["203.0.113.1"],
        },
      },
    },
    {
      base: "headless",
      from: { spec: { clusterIP: "None", selector: labels, ports } },
      changes: {
        "with an address": { "spec.clusterIP": "203.0.113.1", "spec.clusterIPs": ["203.0.113.1"] },
        "as NodePort": { "spec.type": "NodePort" },
        "without a selector": { "spec.selector": null },
        "with RequireDualStack": { "spec.ipFamilyPolicy": "RequireDualStack", "spec.ipFamilies": null },
        "with IPv6": { "spec.ipFamilies": ["IPv6"] },
        "with an external IP": { "spec.externalIPs": ["192.0.2.1"] },
      },
    },
    {
      base: "ExternalName",
      from: { spec: { type: "ExternalName", externalName: "example.com" } },
      changes: {
        "as ClusterIP without ports": { "spec.type": "ClusterIP" },
        "as ClusterIP": { "spec.type": "ClusterIP", "spec.ports": ports },
        "with an external IP": { "spec.externalIPs": ["192.0.2.1"] },
        "with ports and a selector": { "spec.ports": ports, "spec.selector": labels },
        "with externalTrafficPolicy": { "spec.externalTrafficPolicy": "Cluster" },
        "with internalTrafficPolicy": { "spec.internalTrafficPolicy": "Cluster" },
        "with IP families": { "spec.ipFamilies": ["IPv4"], "spec.ipFamilyPolicy": "SingleStack" },
      },
    },
  ],
  Endpoints: [
    {
      base: "",
      changes: {
        "two ports without names": { "subsets[0].ports": [{ port: 80 }, { port: 81 }] },
        "one port without a name": { "subsets[0].ports": [{ port: 80 }] },
        "IPv4 and IPv6": { "subsets[0].addresses": [{ ip: "10.0.0.1" }, { ip: "2001:db8::1" }] },
      },
    },
  ],
  EndpointSlice: [
    {
      base: "",
      changes: {
        "IPv6 addresses as IPv4": { "endpoints[0].addresses": ["2001:db8::1"] },
        "an IPv6 slice": { addressType: "IPv6", "endpoints[0].addresses": ["2001:db8::1"] },
        "an IPv6 slice on loopback": { addressType: "IPv6", "endpoints[0].addresses": ["::1"] },
        "IPv4 addresses as IPv6": { addressType: "IPv6" },
        "a slice of names": { addressType: "FQDN", "endpoints[0].addresses": ["example.com"] },
        "a slice of bad names": { addressType: "FQDN", "endpoints[0].addresses": ["example", "a..b"] },
        "101 addresses of an endpoint": {
          "endpoints[0].addresses": Array.from({ length: 101 }, (_, i) => `10.0.0.${i}`),
        },
        "two ports without names": { ports: [{ port: 80 }, { port: 81 }] },
        "a zone hint twice": { "endpoints[0].hints": { forZones: [{ name: "a" }, { name: "a" }] } },
        "nine zone hints": {
          "endpoints[0].hints": { forZones: Array.from({ length: 9 }, (_, i) => ({ name: `zone-${i}` })) },
        },
        "deprecated topology": { "endpoints[0].deprecatedTopology": { "kubernetes.io/hostname": "n" } },
      },
    },
  ],
  Ingress: [
    {
      base: "",
      changes: {
        "a port by name and number": { "spec.defaultBackend.service.port": { name: "web", number: 80 } },
        "no rules and no backend": { "spec.rules": null, "spec.defaultBackend": null },
        "a class and its annotation": { "metadata.annotations": { "kubernetes.io/ingress.class": "class" } },
        "the annotation of a class alone": {
          "spec.ingressClassName": null,
          "metadata.annotations": { "kubernetes.io/ingress.class": "class" },
        },
        "a resource and a service": {
          "spec.defaultBackend.resource": { apiGroup: "example.com", kind: "Bucket", name: "a" },
        },
        "a resource": {
          "spec.defaultBackend": { resource: { apiGroup: "example.com", kind: "Bucket", name: "a" } },
        },
        "a resource without a name": {
          "spec.defaultBackend": { resource: { apiGroup: "example.com", kind: "Bucket", name: "" } },
        },
        "a path without a type": { "spec.rules[0].http.paths[0].pathType": null },
        "an empty path of any implementation": {
          "spec.rules[0].http.paths[0].pathType": "ImplementationSpecific",
          "spec.rules[0].http.paths[0].path": "",
        },
        "a relative path of any implementation": {
          "spec.rules[0].http.paths[0].pathType": "ImplementationSpecific",
          "spec.rules[0].http.paths[0].path": "a",
        },
        "TLS with a wildcard": { "spec.tls[0].hosts": ["*.example.com", "*"] },
      },
    },
  ],
  IngressClass: [
    {
      base: "",
      changes: {
        "a namespaced parameter without a namespace": { "spec.parameters.scope": "Namespace" },
        "a namespaced parameter": { "spec.parameters.scope": "Namespace", "spec.parameters.namespace": "default" },
        "a parameter of the cluster with a namespace": { "spec.parameters.namespace": "default" },
        "a controller of 251 characters": { "spec.controller": `example.com/${"a".repeat(239)}` },
        "two slashes": { "spec.controller": "example.com/a/b" },
      },
    },
  ],
  NetworkPolicy: [
    {
      base: "",
      changes: {
        "an exception beyond its range": { "spec.ingress[0].from[0].ipBlock.except": ["192.0.2.0/24"] },
        "an exception of the same size": { "spec.ingress[0].from[0].ipBlock.except": ["10.0.0.0/8"] },
        "an exception of the other family": { "spec.ingress[0].from[0].ipBlock.except": ["2001:db8::/64"] },
        "an exception that is wider": { "spec.ingress[0].from[0].ipBlock.except": ["0.0.0.0/0"] },
        "a block together with a selector": { "spec.ingress[0].from[0].podSelector": {} },
        "an end port below its port": { "spec.ingress[0].ports[0].endPort": 79 },
        "an end port of a name": { "spec.ingress[0].ports[0].port": "web" },
        "an end port alone": { "spec.ingress[0].ports[0].port": null },
        "three policy types": { "spec.policyTypes": ["Ingress", "Egress", "Ingress"] },
        "a policy type twice": { "spec.policyTypes": ["Ingress", "Ingress"] },
        "a type without its rules": { "spec.policyTypes": ["Ingress"], "spec.egress": null },
        "rules without their type": { "spec.policyTypes": ["Ingress"] },
      },
    },
  ],
  Node: [
    {
      base: "",
      changes: {
        "two ranges of one family": { "spec.podCIDRs": ["10.1.0.0/24", "10.2.0.0/24"] },
        "two ranges of two families": { "spec.podCIDRs": ["10.1.0.0/24", "2001:db8::/64"] },
        "three ranges": { "spec.podCIDRs": ["10.1.0.0/24", "2001:db8::/64", "10.3.0.0/24"] },
        "ranges that do not match": { "spec.podCIDR": "10.9.0.0/24" },
        "a list of ranges alone": { "spec.podCIDR": null },
        "two taints of one key and effect": {
          "spec.taints": [
            { key: "a", value: "b", effect: "NoSchedule" },
            { key: "a", value: "c", effect: "NoSchedule" },
          ],
        },
        "two taints of one key": {
          "spec.taints": [
            { key: "a", value: "b", effect: "NoSchedule" },
            { key: "a", value: "b", effect: "NoExecute" },
          ],
        },
      },
    },
  ],
};
