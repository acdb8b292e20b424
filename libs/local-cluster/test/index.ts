// For tests of other packages: requests and watches without a client library, on a cluster or on any API server.
export { startGardenerApi } from "./gardener-api.ts";
export type { GardenerApi, TestShoot } from "./gardener-api.ts";
export { sendRequest } from "./send-request.ts";
export type { Reply, RequestOptions, Server } from "./send-request.ts";
export { createTestApi, createTestApiFor } from "./test-api.ts";
export type { TestApi } from "./test-api.ts";
export { watchStream } from "./watch-stream.ts";
export type { StreamedEvent, WatchStream } from "./watch-stream.ts";
export { createCertificateAuthority } from "../src/certificates/certificate-authority.ts";
export type { CertificateAuthority, Credentials } from "../src/certificates/certificate-authority.ts";
