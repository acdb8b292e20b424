import { afterAll, beforeAll } from "@jest/globals";
import type { Environment, EnvironmentOptions } from "../services/environment.ts";
import { startEnvironment } from "../services/environment.ts";
import type { ItemScope } from "./item-scope.ts";
import { createItemScope } from "./item-scope.ts";

/** Where the tests of a suite with a manifest deployer alone get their places from. */
export interface ItemSuite {
  readonly environment: Environment;
  open(prefix: string): Promise<ItemScope>;
}

/** Starts one environment for all tests of a `describe`, with a manifest deployer and no Landscaper. */
export function useManifestDeployer(options: Omit<EnvironmentOptions, "services">): ItemSuite {
  let environment: Environment | undefined;
  beforeAll(async () => {
    environment = await startEnvironment({ ...options, services: ["manifest-deployer"] });
  }, 120_000);
  afterAll(async () => environment?.stop());
  const started = (): Environment => {
    if (environment === undefined) throw new Error("the environment is not started yet");
    return environment;
  };
  return {
    get environment() {
      return started();
    },
    open: async (prefix) => createItemScope(started(), prefix),
  };
}
