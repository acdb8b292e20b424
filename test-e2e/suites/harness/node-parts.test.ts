import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { isLeftover, nameOfRun } from "../../cluster/leftovers.ts";
import { linkCount, linkOf, networkScript } from "../../cluster/node-network.ts";
import type { NodeMachine } from "../../cluster/node-tools.ts";
import { findMachineTools } from "../../cluster/node-tools.ts";
import { createCgroups, hasCgroupControllers, removeCgroups } from "../../cluster/pod-cgroups.ts";
import { isStaticProgram } from "../../cluster/static-program.ts";

const machine: NodeMachine = {
  isRoot: true,
  hasCgroups: true,
  findProgram: (name) => `/bin/${name}`,
  hasFile: (path) => path.startsWith("/opt/cni/bin/"),
  isStatic: () => true,
  trySandbox: () => "",
};

describe("findMachineTools", () => {
  it("finds programs and plugins", () => {
    expect(findMachineTools(machine)).toMatchObject({ containerd: "/bin/containerd", cniPlugins: "/opt/cni/bin" });
  });

  const without = (program: string): Partial<NodeMachine> => ({
    findProgram: (name) => (name === program ? undefined : `/bin/${name}`),
  });
  it.each<readonly [what: string, lacks: Partial<NodeMachine>, missing: string, hint: string]>([
    ["root", { isRoot: false }, "this is not root", "as root"],
    ["containerd", without("containerd"), "containerd is not installed", "apt-get install containerd "],
    ["runc", without("runc"), "runc is not installed", "apt-get install runc "],
    ["nftables", without("nft"), "nft is not installed", "apt-get install nftables "],
    ["CNI plugins", { hasFile: () => false }, "the CNI plugins are not installed", "containernetworking-plugins"],
    ["a static busybox", { isStatic: () => false }, "busybox needs shared libraries", "busybox-static"],
    ["cgroups", { hasCgroups: false }, "there is no cgroup v1 with all controllers", "/sys/fs/cgroup"],
    [
      "the right to make namespaces",
      { trySandbox: () => "Operation not permitted" },
      "the system refuses a sandbox (Operation not permitted)",
      "privileged",
    ],
  ])("says what to do without %s", (_what, lacks, ...[missing, hint]) => {
    const found = findMachineTools({ ...machine, ...lacks });
    expect(found).toEqual({ missing, hint: expect.stringContaining(hint) });
  });
});

describe("links between host and node", () => {
  it("have names that a kernel takes, and addresses of their own", () => {
    const links = Array.from({ length: linkCount }, (_, index) => linkOf(index));
    expect(Math.max(...links.map(({ name }) => name.length))).toBeLessThanOrEqual(15);
    const addresses = links.flatMap(({ hostAddress, nodeAddress }) => [hostAddress, nodeAddress]);
    expect(new Set(addresses).size).toBe(2 * linkCount);
    expect(addresses.filter((address) => !/^198\.19(\.(25[0-5]|2[0-4]\d|1?\d?\d)){2}$/.test(address))).toEqual([]);
  });

  it("keep the guard between them and the pods", () => {
    const script = networkScript(linkOf(0));
    expect(script).toContain('oifname "node0" reject');
    expect(script).toContain('iifname "node0" drop');
    expect(script).toContain("ip route add unreachable default");
  });
});

describe("leftovers", () => {
  const isAlive = (pid: number): boolean => pid === 10;
  it.each([
    ["of a process that has ended", "landscaper-e2e-11-0123abcd", true],
    ["of one that lives", "landscaper-e2e-10-0123abcd", false],
    ["without a process", "landscaper-e2e-Ab3dEf", false],
    ["of others", "another-11-0123abcd", false],
    ["that only begin so", "landscaper-e2e-11-0123abcd.log", false],
  ])("names %s", (_what, name, want) => {
    expect(isLeftover(name, isAlive)).toBe(want);
  });

  it("are known by the name that a run gets", () => {
    expect([isLeftover(nameOfRun(), () => true), isLeftover(nameOfRun(), () => false)]).toEqual([false, true]);
  });
});

describe("cgroups", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "landscaper-cgroups-"));
    for (const name of ["cpu", "cpuacct", "cpuset", "memory", "pids", "unified"]) {
      mkdirSync(join(root, name));
      writeFileSync(join(root, name, "cgroup.procs"), "");
    }
    writeFileSync(join(root, "unified", "cgroup.controllers"), "");
    writeFileSync(join(root, "cpuset", "cpuset.cpus"), "0-1\n");
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it("are there when each controller is", () => {
    expect(hasCgroupControllers(root)).toBe(true);
    rmSync(join(root, "memory"), { recursive: true });
    expect(hasCgroupControllers(root)).toBe(false);
  });

  it("are made in all hierarchies of v1, with the processors of the root", () => {
    createCgroups(root, "run");
    expect(readFileSync(join(root, "cpuset/run/cpuset.cpus"), "utf8")).toBe("0-1");
    expect(() => readFileSync(join(root, "unified/run"))).toThrow("ENOENT");
  });

  it("go with those below", async () => {
    mkdirSync(join(root, "pids/run/kubepods/pod"), { recursive: true });
    mkdirSync(join(root, "unified/run/kubepods"), { recursive: true });
    await removeCgroups(root, "run");
    expect(() => readFileSync(join(root, "pids/run"))).toThrow("ENOENT");
    expect(() => readFileSync(join(root, "unified/run"))).toThrow("ENOENT");
  });
});

describe("isStaticProgram", () => {
  /** An ELF header for 64 bits and one program header of each type. */
  function program(...types: readonly number[]): Buffer {
    const bytes = Buffer.alloc(64 + 56 * types.length);
    bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
    bytes.writeBigUInt64LE(64n, 32);
    bytes.writeUInt16LE(56, 54);
    bytes.writeUInt16LE(types.length, 56);
    for (const [index, type] of types.entries()) bytes.writeUInt32LE(type, 64 + 56 * index);
    return bytes;
  }
  it.each([
    ["one with an interpreter", program(1, 3, 2), false],
    ["one without", program(1, 1), true],
    ["a script", Buffer.from("#!/bin/sh\nexit 0\n".repeat(10)), false],
    ["an empty file", Buffer.alloc(0), false],
  ])("knows %s", (_what, bytes, want) => {
    expect(isStaticProgram(bytes)).toBe(want);
  });
});
