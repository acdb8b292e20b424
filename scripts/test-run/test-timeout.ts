/** Timeout of a test, in ms. Above `patienceMs` of libs/testkit: the message of a wait says more than that of jest. */
export const testTimeoutMs = 150_000;
