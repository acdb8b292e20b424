import { describe, expect, it } from "@jest/globals";
import { parseServiceFlags } from "./service-flags.ts";

const defaults = { configFile: undefined, kubeconfig: undefined, metricsPort: 0, logLevel: "info" };

describe("the flags of a deployer", () => {
  it.each<readonly [string[], Record<string, unknown>]>([
    [[], {}],
    [["--config", "c.yaml"], { configFile: "c.yaml" }],
    [["--config=c.yaml"], { configFile: "c.yaml" }],
    [["--kubeconfig", "host"], { kubeconfig: "host" }],
    [["--landscaper-kubeconfig", "ls"], { kubeconfig: "ls" }],
    [["--kubeconfig", "host", "--landscaper-kubeconfig", "ls"], { kubeconfig: "ls" }],
    [["--metrics-port", "0"], { metricsPort: 0 }],
    [["--metrics-port", "9090"], { metricsPort: 9090 }],
    [["-v", "debug"], { logLevel: "debug" }],
    [["-v", "silent"], { logLevel: "silent" }],
    [["-v", "0"], { logLevel: "info" }],
    [["-v=3"], { logLevel: "debug" }],
    [["--verbosity", "warn"], { logLevel: "warn" }],
  ])("%j", (argv, want) => {
    expect(parseServiceFlags(argv)).toEqual({ ...defaults, ...want });
  });

  it.each([
    [["--metrics-port", "many"], '--metrics-port: expected a port or 0, found "many"'],
    [["--metrics-port", "70000"], '--metrics-port: expected a port or 0, found "70000"'],
    [["-v", "loud"], '-v: expected a number or one of debug, info, warn, error, silent, found "loud"'],
    [["--unknown"], "Unknown option '--unknown'"],
    [["file"], "Unexpected argument 'file'"],
  ])("%j is refused", (argv, message) => {
    expect(() => parseServiceFlags(argv)).toThrow(message);
  });
});
