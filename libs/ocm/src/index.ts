export {
  componentText,
  schemaVersionNamed,
  type ComponentDescriptor,
  type RepositoryContext,
  type SchemaVersion,
} from "./component-descriptor.ts";
export type { Element, Reference, Resource, Signature, Source } from "./descriptor-schemas.ts";
export { changeDescriptor, type DescriptorChanges } from "./change-descriptor.ts";
export { formatDescriptor } from "./format-descriptor.ts";
export {
  findByIdentity,
  identityText,
  formatIdentity,
  parseIdentity,
  selectElement,
  selectElements,
  uniqueIdentity,
  type Identity,
} from "./identity.ts";
export { listComponents } from "./list-components.ts";
export { hasNoContent, parseAccess, type Access } from "./parse-access.ts";
export { parseDescriptor } from "./parse-descriptor.ts";
export { formatResourceKey, parseResourceKey, type ResourceKey } from "./resource-key.ts";
export {
  findReferenced,
  findResource,
  lookupIn,
  notFound,
  parseResourceReference,
  selectReference,
  type ComponentLookup,
  type FoundResource,
  type ResourceReference,
} from "./resource-reference.ts";
export { withRepositoryContext } from "./with-repository-context.ts";
export { parseConstructor, type ComponentConstructor, type WithInput } from "./construct/parse-constructor.ts";
export type {
  BinaryInput,
  DirInput,
  DockerInput,
  DockermultiInput,
  FileInput,
  HelmInput,
  Input,
  OciArtifactInput,
  SpiffInput,
  Utf8Input,
  WgetInput,
} from "./construct/input-schemas.ts";
export {
  createSignature,
  signatureAlgorithms,
  type SignatureAlgorithm,
  type SignatureOptions,
} from "./signing/create-signature.ts";
export { canonicalJson } from "./signing/canonical-json.ts";
export { normalise, normalisations } from "./signing/normalise.ts";
export { parseCertificates } from "./signing/certificate-chain.ts";
export {
  createHashNamed,
  hashOf,
  readPublicKey,
  verifySignature,
  type TrustedKeys,
} from "./signing/verify-signature.ts";
