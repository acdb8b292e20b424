// What tests get as `@jest/globals`, see run-natively.mjs: modules that several test files share define their hooks in the file that runs.
import { ModernFakeTimers } from "@jest/fake-timers";

let current;

/** Called for each test file, before it is loaded. */
export function useGlobals(globals) {
  current = globals;
}

function delegate(name) {
  return new Proxy(() => undefined, {
    apply: (_target, _self, args) => current[name](...args),
    get: (_target, property) => current[name][property],
  });
}

export const describe = delegate("describe");
export const expect = delegate("expect");
export const it = delegate("it");
export const beforeAll = delegate("beforeAll");
export const beforeEach = delegate("beforeEach");
export const afterAll = delegate("afterAll");
export const afterEach = delegate("afterEach");

/** The part of it that is about the time of the process; `config` is what it reads of a project's. */
export const jest = new ModernFakeTimers({
  global: globalThis,
  config: { fakeTimers: {}, rootDir: import.meta.dirname },
});
