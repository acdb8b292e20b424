// For tests that compare the simulation with real controllers.
export { recordWorkload, workloadCases } from "./workload-cases.ts";
