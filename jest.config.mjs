// One jest project per package, found by its package.json. `npm run unit -- --selectProjects api` runs one.
import { readFileSync } from "node:fs";
import { listPackageFolders } from "./scripts/package-folders.ts";
import { testTimeoutMs } from "./scripts/test-run/test-timeout.ts";

const suites = "test-e2e";
const packages = listPackageFolders(import.meta.dirname).filter((dir) => dir !== suites);
const project = (dir, name, testMatch) => ({
  displayName: name,
  rootDir: `${import.meta.dirname}/${dir}`,
  testMatch,
  testEnvironment: "node",
  testRunner: `${import.meta.dirname}/scripts/test-run/run-natively.mjs`,
  globalTeardown: `${import.meta.dirname}/scripts/test-run/stop-worker-clusters.mjs`,
  transform: {},
});

export default {
  maxWorkers: 2,
  workerIdleMemoryLimit: "1GB",
  // Workers end by themselves (scripts/test-run/end-worker.mjs), however busy the processors are.
  workerGracefulExitTimeout: 20_000,
  testTimeout: testTimeoutMs,
  reporters: [`${import.meta.dirname}/scripts/test-run/failure-reporter.mjs`, "default"],
  testSequencer: `${import.meta.dirname}/scripts/test-run/long-suites-first.mjs`,
  cacheDirectory: `${import.meta.dirname}/node_modules/.cache/jest`,
  projects: [
    ...packages.map((dir) => {
      const { name } = JSON.parse(readFileSync(`${import.meta.dirname}/${dir}/package.json`, "utf8"));
      return project(dir, name.replace("@landscaper/", ""), ["<rootDir>/{src,test}/**/*.test.ts"]);
    }),
    project("scripts", "scripts", ["<rootDir>/**/*.test.ts"]),
    project(suites, "e2e", ["<rootDir>/suites/**/*.test.ts"]),
  ],
};
