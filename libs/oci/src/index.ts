export { certificatesIn, type FindCertificates } from "./host-certificates.ts";
export { answerError } from "./answer-error.ts";
export { createContentCache, type ContentCache, type ContentCacheOptions } from "./content/content-cache.ts";
export {
  credentialSecrets,
  findCredential,
  type Credential,
  type CredentialEntry,
  type Credentials,
} from "./credentials/credential.ts";
export { mediaTypes, type Descriptor, type ImageManifest, type Manifest } from "./content/descriptor.ts";
export { digestOf, isDigest, matchesDigest } from "./content/digest.ts";
export { parseDockerConfig } from "./credentials/docker-config.ts";
export { isObject, mediaTypeOfManifest, parseImageManifest } from "./content/image-manifest.ts";
export { parseOcmCredentials } from "./credentials/ocm-credentials.ts";
export { joinCredentials, parsePullSecret } from "./credentials/pull-secret.ts";
export { formatReference, parseReference, type ImageReference, type RepositoryReference } from "./reference.ts";
export { createRegistryClient, type RegistryClient, type RegistryClientOptions } from "./registry-client.ts";
export type { RequestWatch, WatchedRequest } from "./request-watch.ts";
export { readBody } from "./read-body.ts";
export { readBounded } from "./content/read-bounded.ts";
export type { CallOptions, Limits, RegistrySession } from "./registry-session.ts";
export {
  createTransport as createHttpTransport,
  type Transport as HttpTransport,
  type TransportOptions as HttpTransportOptions,
  placeOf as placeOfUrl,
} from "./transport.ts";
export { serverOf } from "./schemes.ts";
export type { TokenRealms } from "./authorization/token-realms.ts";
export { digestMismatch, verifyContent } from "./content/verify-content.ts";
