// For recording and for the e2e suites: the exchanges that this server answers as the real one does.
export { numberLiterals } from "./cases/number-cases.ts";
export { parityCases } from "./cases/index.ts";
export type { ParityCase } from "./exchange.ts";
export { readRecorded, recordCase } from "./recordings.ts";
export { runCase } from "./run-case.ts";
