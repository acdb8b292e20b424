// For tests of other packages: requests and watches without a client library, on a cluster or on any API server.
export { startGardenerApi } from "./testing/gardener-api.ts";
export type { GardenerApi, TestShoot } from "./testing/gardener-api.ts";
export { sendRequest } from "./testing/send-request.ts";
export type { Reply, RequestOptions, Server } from "./testing/send-request.ts";
export { createTestApi, createTestApiFor } from "./testing/test-api.ts";
export type { TestApi } from "./testing/test-api.ts";
export { watchStream } from "./testing/watch-stream.ts";
export type { StreamedEvent, WatchStream } from "./testing/watch-stream.ts";
export { createCertificateAuthority } from "./certificates/certificate-authority.ts";
export type { CertificateAuthority, Credentials } from "./certificates/certificate-authority.ts";
