import type { Environment } from "../../src/services/environment.ts";

/** Work of hostile tenants while the healthy one works. Bounded in number and time: ends even without `stop`. */
export interface HostileLoad {
  /** Describes the load for the report: "500 items on 52 servers". */
  describe(): string;
  /** Stops the load, and removes its objects. */
  stop(): Promise<void>;
}

export interface HostilePlace {
  readonly environment: Environment;
  /** Start of the names of its namespaces, which are new. */
  readonly prefix: string;
}

/** Hostile tenants: a share by namespace must hold against several. */
export const hostileTenants = 2;
