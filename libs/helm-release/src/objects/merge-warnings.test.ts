import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { warnOfMerge } from "./merge-warnings.ts";

const metadata = { name: "dns", namespace: "n" };
const tcp = { name: "tcp", port: 53, protocol: "TCP" };
const udp = { name: "udp", port: 53, protocol: "UDP" };

function service(...ports: readonly object[]): UnstructuredObject {
  return { apiVersion: "v1", kind: "Service", metadata, spec: { ports } };
}

function deployment(...ports: readonly object[]): UnstructuredObject {
  const containers = [{ name: "sidecar" }, { name: "main", ports }];
  return { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { template: { spec: { containers } } } };
}

function cronJob(...ports: readonly object[]): UnstructuredObject {
  const { spec } = deployment(...ports);
  return { apiVersion: "batch/v1", kind: "CronJob", metadata, spec: { jobTemplate: { spec } } };
}

const [tcpInside, udpInside] = [{ containerPort: 53 }, { containerPort: 53, protocol: "UDP" }];
const lost = (kind: string, where = ""): object => ({
  reason: "PortLost",
  message: `${kind} n/dns: ${where}the three-way merge does not keep the port 53/UDP of the chart, because another port has the same number; set updateStrategy: apply, which keeps it`,
});

describe("a port that the three-way merge has lost", () => {
  it.each<[string, UnstructuredObject, UnstructuredObject, readonly object[]]>([
    ["of a Service is reported", service(tcp, udp), service(tcp), [lost("Service")]],
    [
      "of a container is reported",
      deployment(tcpInside, udpInside),
      deployment(tcpInside),
      [lost("Deployment", "container main: ")],
    ],
    [
      "of a CronJob is reported",
      cronJob(tcpInside, udpInside),
      cronJob(tcpInside),
      [lost("CronJob", "container main: ")],
    ],
    ["is not reported if both ports exist", service(tcp, udp), service(udp, tcp), []],
    ["is not reported if its number differs", service(tcp, { ...udp, port: 54 }), service(tcp), []],
    ["is not reported for a kind without ports", { apiVersion: "v1", kind: "ConfigMap", metadata }, service(), []],
  ])("%s", (...[, desired, live, warnings]) => {
    expect(warnOfMerge(live, { desired, before: { object: desired, otherForms: [] } })).toEqual(warnings);
  });
});
