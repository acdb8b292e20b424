export { treeLimits, transportLimits, type ArchiveLimits } from "./archive/archive-limits.ts";
export { readArchive, readEntries, type ArchivedEntry, type ArchivedFile } from "./archive/read-archive.ts";
export { readTree } from "./archive/read-tree.ts";
export { unpackArchive } from "./archive/unpack-archive.ts";
export type { ArtifactStore, CallOptions } from "./repository/artifact-store.ts";
export { createArtifactRepository } from "./repository/artifact-repository.ts";
export { BlobFolder } from "./repository/blob-folder.ts";
export { openComponentArchive } from "./repository/component-archive.ts";
export { placedError, withPlace } from "./component-error.ts";
export { parseComponentLocation, type ComponentLocation } from "./repository/component-location.ts";
export type { NameMapping } from "./repository/component-names.ts";
export type {
  ComponentName,
  ComponentRepository,
  ComponentVersion,
  DescriptorText,
  LocalContent,
  StoredComponent,
} from "./repository/component-version.ts";
export { openFilesBelow, openLocalRepository, type FilesBelow } from "./repository/local-repository.ts";
export { openFileRepository, type FileRepository } from "./repository/open-files.ts";
export { parseRepositoryContext, type RepositorySpec } from "./repository/repository-context.ts";
export { checkIsAsked } from "./repository/read-component.ts";
export { createRegistryStore } from "./repository/registry-store.ts";
export { listRepositories, openTransportStore } from "./repository/transport-store.ts";
export { verifyComponent, type Verification, type VerifyOptions } from "./verify/verify-component.ts";
export { formatPins, parseChartPin, parsePins, type ChartPin, type ComponentPins } from "./pins/component-pins.ts";
export {
  artifactReference,
  changedError,
  checkPins,
  componentOfKey,
  createChartPinner,
  pinComponents,
  type PinnedChart,
} from "./pins/pin-closure.ts";
export { openInlineRepository } from "./supply/inline-repository.ts";
export { isInlineContext } from "./repository/repository-context.ts";
export { withBlobDigest } from "./verify/compare-digest.ts";
export { verifyClosure, type WantedSignature } from "./verify/verify-closure.ts";
export {
  resolveComponents,
  type ComponentTarget,
  type Described,
  type ResolveOptions,
} from "./resolve/resolve-components.ts";
export { describeOverwrite, overwriteReference, type ComponentReference } from "./overwrite/overwrite-reference.ts";
export {
  digestOfDocument,
  readClosure,
  type Closure,
  type ClosureOptions,
  type ComponentSelection,
} from "./supply/closure.ts";
export {
  describeRequest,
  keyOfRequest,
  type ComponentRequest,
  type ContentRequest,
  type DescriptorRequest,
  type DigestRequest,
} from "./supply/component-request.ts";
export { SuppliesLacking, SupplyReader, type Supplies, type Supply } from "./supply/supplies.ts";
export {
  createComponentSource,
  type ComponentFetcher,
  type ComponentRights,
  type ComponentSource,
  type ComponentSourceOptions,
  type OpenFiles,
  type SeenManifests,
} from "./source/component-source.ts";
export type { FetchChart } from "./source/fetch-chart.ts";
export { parseOcmConfiguration, type OcmConfiguration } from "./source/ocm-configuration.ts";
export { repositoriesFor, type Resolver } from "./source/resolver.ts";
export { gatherSupplies, type GatherOptions } from "./source/gather-supplies.ts";
export { supplyAttempt, tryAttempt, type Attempt } from "./source/supply-attempt.ts";
export { createFolder } from "./write/create-folder.ts";
export { writeWholeFile, type WholeFile } from "./write/write-whole-file.ts";
export { buildComponents } from "./build/build-component.ts";
export type { BuildOptions } from "./build/building.ts";
export { createUrlFetcher } from "./build/fetch-url.ts";
export type { InputTools } from "./build/input-tools.ts";
export { chartArtifact, type PackedChart } from "./build/chart-artifact.ts";
export type { WholeArtifact } from "./archive/pack-artifact.ts";
export { packFiles, gzipped, type FileToPack } from "./archive/pack-files.ts";
export { createRegistryTarget, openFolderTarget, type TargetRepository } from "./write/target-repository.ts";
export {
  isSameComponent,
  transferComponents,
  type Transferred,
  type TransferOptions,
} from "./transfer/transfer-components.ts";
export { signComponent, type SignOptions } from "./sign/sign-component.ts";
export { downloadResource, type DownloadOptions } from "./download/download-resource.ts";
export type { ResolveArtifact } from "./verify/resource-digest.ts";
export { systemErrorCode } from "./system-error.ts";
