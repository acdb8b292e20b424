// For tests of packages that are built on this one.
export { createFakeClock } from "./fake-clock.ts";
export type { FakeClock } from "./fake-clock.ts";
export { createTestLogger } from "./test-logger.ts";
export type { TestLogger } from "./test-logger.ts";
export { waitFor } from "./wait-for.ts";
export type { WaitOptions } from "./wait-for.ts";
