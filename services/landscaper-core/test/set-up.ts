// Cluster, core and deployer of one test file.
import { afterAll, beforeAll } from "@jest/globals";
import {
  startEmbeddedCluster,
  type EmbeddedCluster,
  type TestNamespace,
  startTestDeployer,
  type TestDeployer,
} from "@landscaper/testkit";
import { startTestCore, type TestCore, type TestCoreOptions } from "./core.ts";

export interface TestSetUp {
  readonly cluster: EmbeddedCluster;
  readonly core: TestCore;
  readonly deployer: TestDeployer;
  namespace(name: string): Promise<TestNamespace>;
}

function started<T>(part: T | undefined): T {
  if (part === undefined) throw new Error("nothing runs before the first test");
  return part;
}

/** Starts everything before the tests of a file and stops it after them; read the fields inside of tests only. */
export function setUpCore(options: TestCoreOptions = {}): TestSetUp {
  let cluster: EmbeddedCluster | undefined;
  let core: TestCore | undefined;
  let deployer: TestDeployer | undefined;
  beforeAll(async () => {
    cluster = await startEmbeddedCluster({ crds: true });
    core = startTestCore(cluster.connect("core"), options);
    deployer = startTestDeployer(cluster.connect("deployer"));
  });
  afterAll(async () => {
    await Promise.all([core?.stop(), deployer?.stop()]);
    await cluster?.stop();
  });
  return {
    get cluster() {
      return started(cluster);
    },
    get core() {
      return started(core);
    },
    get deployer() {
      return started(deployer);
    },
    namespace: (name) => started(cluster).createNamespace(name),
  };
}
