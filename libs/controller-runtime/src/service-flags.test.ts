import { describe, expect, it } from "@jest/globals";
import { answerFlags, parseServiceFlags, type ServiceFlagOptions } from "./service-flags.ts";

const defaults = {
  configFile: undefined,
  kubeconfig: undefined,
  host: undefined,
  metricsPort: undefined,
  logLevel: "info",
  leaderElection: false,
  leaseDurationMs: undefined,
  deployers: [],
  help: false,
  version: false,
};
const elects = { electsLeader: true };

describe("the flags of a service", () => {
  it.each<readonly [string[], Record<string, unknown>]>([
    [[], {}],
    [["--config", "c.yaml"], { configFile: "c.yaml" }],
    [["--config=c.yaml"], { configFile: "c.yaml" }],
    [["--kubeconfig", "host"], { kubeconfig: "host" }],
    [["--landscaper-kubeconfig", "ls"], { kubeconfig: "ls", host: { kubeconfig: undefined } }],
    [["--kubeconfig", "host", "--landscaper-kubeconfig", "ls"], { kubeconfig: "ls", host: { kubeconfig: "host" } }],
    [["--metrics-port", "0"], { metricsPort: 0 }],
    [["--metrics-port", "9090"], { metricsPort: 9090 }],
    [["-v", "debug"], { logLevel: "debug" }],
    [["-v", "silent"], { logLevel: "silent" }],
    [["-v", "0"], { logLevel: "info" }],
    [["-v=3"], { logLevel: "debug" }],
    [["--verbosity", "warn"], { logLevel: "warn" }],
    [["--leader-elect"], { leaderElection: true }],
    [["--leader-elect-lease-duration", "1m"], { leaseDurationMs: 60_000 }],
    [["--leader-elect-lease-duration", "10m"], { leaseDurationMs: 600_000 }],
    [["-h"], { help: true }],
    [["--help"], { help: true }],
    [["--version"], { version: true }],
  ])("%j", (argv, want) => {
    expect(parseServiceFlags(argv, elects)).toEqual({ ...defaults, ...want });
  });

  it.each([
    [["--metrics-port", "many"], '--metrics-port: expected a port or 0, found "many"'],
    [["--metrics-port", "70000"], '--metrics-port: expected a port or 0, found "70000"'],
    [["-v", "loud"], '-v: expected a number or one of debug, info, warn, error, silent, found "loud"'],
    ...["2s", "601s", "24h", "3500ms", "-5s", "none", "long"].map((text): [string[], string] => [
      [`--leader-elect-lease-duration=${text}`],
      `--leader-elect-lease-duration: expected whole seconds from 3s to 10m, found "${text}"`,
    ]),
    [["--unknown"], "Unknown option '--unknown'"],
    [["file"], "Unexpected argument 'file'"],
  ])("%j is refused", (argv, message) => {
    expect(() => parseServiceFlags(argv, elects)).toThrow(message);
  });

  it.each<readonly [flag: string, options: ServiceFlagOptions, hint: string]>([
    ["--kubeconfg", elects, "did you mean --kubeconfig?"],
    ["--metrics-prt=0", elects, "did you mean --metrics-port?"],
    ["--deployer=helm", { ...elects, registersDeployers: true }, "did you mean --deployers?"],
    ["--deployer=helm", elects, "--help lists the flags"],
    ["--lease-duration=5s", elects, "--help lists the flags"],
    ["--colour", elects, "--help lists the flags"],
    ["-x", elects, "--help lists the flags"],
  ])("refuse %s with a hint, given %j", (flag, options, hint) => {
    const message = `Unknown option '${flag.split("=")[0]}'`;
    expect(() => parseServiceFlags([flag], options)).toThrow(expect.objectContaining({ message, hint }));
  });

  it("take the duration of the Lease of a replica that shares its work", () => {
    const shares = { electsLeader: false };
    expect(parseServiceFlags(["--lease-duration=5s"], shares)).toEqual({ ...defaults, leaseDurationMs: 5000 });
    expect(() => parseServiceFlags(["--lease-duration=1s"], shares)).toThrow(
      '--lease-duration: expected whole seconds from 3s to 10m, found "1s"',
    );
    expect(() => parseServiceFlags(["--lease-duration=5s"], elects)).toThrow("Unknown option '--lease-duration'");
  });

  it("take names of deployers to register", () => {
    const registers = { ...elects, registersDeployers: true };
    expect(parseServiceFlags(["--deployers", "manifest, helm,"], registers).deployers).toEqual(["manifest", "helm"]);
    expect(() => parseServiceFlags(["--deployers=helm"], elects)).toThrow("Unknown option '--deployers'");
  });

  it.each(["--leader-elect", "--leader-elect-lease-duration=15s"])(
    "know no %s where replicas share their work",
    (flag) => {
      const name = flag.split("=")[0] ?? "";
      expect(() => parseServiceFlags([flag], { electsLeader: false })).toThrow(`Unknown option '${name}'`);
    },
  );

  it("are listed by the usage, leader election only where there is one", () => {
    const program = { name: "landscaper-core", version: "1.2.3", ...elects };
    const usage = answerFlags({ help: true, version: false }, program) ?? "";
    expect(usage.split("\n").slice(0, 3)).toEqual([
      "usage: landscaper-core [flags]",
      "",
      "  --config FILE                    configuration file (YAML)",
    ]);
    expect(usage).toContain("\n  --leader-elect                   replicas elect a leader by Leases\n");
    const sharing = { ...program, electsLeader: false };
    expect(answerFlags({ help: true, version: false }, sharing)).not.toContain("--leader-elect");
    expect(answerFlags({ help: false, version: true }, program)).toBe("landscaper-core 1.2.3\n");
    expect(answerFlags({ help: false, version: false }, program)).toBeUndefined();
  });
});
