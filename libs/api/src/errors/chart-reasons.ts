import { entry } from "./reason-entry.ts";

/** Of charts and their releases. */
export const releaseReasons = {
  InvalidRelease: entry(
    "The manifest of a Helm release is none, the release is kept in a form of a newer Helm, or what is no record has the name of the next.",
    "Correct the template that the message names, go on with that Helm, or delete what is in the way.",
  ),
  ReleaseTooLarge: entry(
    "Chart, values and manifest of a release do not fit into a Secret of 1 MiB.",
    "Make the chart smaller, for example by .helmignore.",
  ),
  ReleaseBusy: entry(
    "Another client works on the same release, and has created or changed the revision that the job was to write.",
    "No action needed; Landscaper retries. Two items must not have one release.",
  ),
  ReleaseOwnership: entry(
    "An object of the chart exists already and belongs to no release, or to another one.",
    "Delete it, rename it in the chart, or set takeOwnership in helmDeploymentConfig.",
  ),
  DuplicateObject: entry(
    "The chart of a release has an object more than once. Helm cannot install such a chart.",
    "Remove the other copies from the chart. With `updateStrategy: apply`, or with `takeOwnership` in helmDeploymentConfig, the copies are written one after the other.",
  ),
  InvalidChart: entry(
    "A chart cannot be read, is none that can be installed, or does not accept the values.",
    "Correct the chart, or the values that it refuses.",
  ),
  ChartRenderingFailed: entry(
    "A template of a chart failed, or its output is not a manifest.",
    "Correct the template or the values; the message has file, line and column. If the other version of Helm accepts the chart, the message names the `helmVersion` to set.",
  ),
  ChartLimitExceeded: entry(
    "Reading or rendering a chart took more time or memory than the deployer gives it.",
    "Use a smaller chart or smaller values, or raise `rendering` in the configuration of the helm deployer.",
  ),
  ChartHooksRefused: entry(
    "A chart with hooks is to be deployed without a Helm release, and nobody would run them.",
    "Set helmDeployment to true, or `hooks` to apply or skip.",
  ),
  ValuesMissing: entry(
    "valuesFrom names an object, or an entry of it, that is not there.",
    "Create it in the namespace of the deploy item, correct valuesFrom, or set optional.",
  ),
  InvalidValues: entry(
    "What valuesFrom names cannot be merged into the values of the chart.",
    "Correct the content of the object, or targetPath, as the message says; contents are not shown.",
  ),
  PostRenderingFailed: entry(
    "A patch of postRender matches no object of the chart, or does not apply.",
    "Correct the patch that the message names, or its target.",
  ),
  ChartCredentialsMissing: entry(
    "The Context names a Secret with credentials that does not exist, or lacks the key.",
    "Create the Secret, or correct the Context.",
  ),
  ReleaseFailed: entry(
    "An install or upgrade of a release has failed; the history of the release has the cause.",
    "Correct chart or values, or what the message names on the target, and trigger again.",
  ),
  ReleaseTimeout: entry(
    "An attempt to install or upgrade a release did not end within its `timeout`.",
    "Correct what it waited for, as the message says, or set a longer `timeout`.",
  ),
  InvalidRollback: entry(
    "The annotation that asks for a rollback names no revision of the release.",
    "Set it to one of the revisions that the message lists, or remove it.",
  ),
  HookFailed: entry(
    "A hook of the chart failed.",
    "Read the cause in the message; correct the hook and trigger again.",
  ),
} as const;

/** Of registries and repositories. */
export const registryReasons = {
  InvalidChartSource: entry(
    "What `chart` of the configuration names cannot be a chart.",
    "Correct the field that the message names.",
  ),
  ChartNotFound: entry(
    "The repository has no chart of this name, or no version that fits.",
    "Correct name or version; the message says what there is.",
  ),
  InvalidReference: entry(
    "A text names no content of an OCI registry.",
    "Write it like registry.example.org/path/name:1.2.0.",
  ),
  InvalidRegistryCredentials: entry(
    "A pull secret or docker config file does not have the shape that it must have.",
    "Correct the field that the message names; values are not shown.",
  ),
  RegistryUnauthorized: entry(
    "The registry wants credentials, or refused those of the pull secret.",
    "Correct the pull secret of the Context for this host and path; if the Context has none, add one.",
  ),
  RegistryForbidden: entry(
    "The registry does not allow this user to read the repository.",
    "Give the user of the pull secret the right.",
  ),
  RegistryNotFound: entry(
    "The registry has no such repository, tag or digest.",
    "Correct the reference, or push the content.",
  ),
  RegistryUnavailable: entry(
    "The registry answered 429 or 5xx, even after retries.",
    "No action needed; Landscaper retries. Check the registry if the error persists.",
  ),
  RegistryUnreachable: entry(
    "No connection to the registry, or it broke: network, name, proxy or certificate.",
    "Check the host, the proxy settings and the certificate authority of the credentials.",
  ),
  RegistryRefused: entry(
    "The registry refused the request for another reason.",
    "Look up the status and the code that the message names in the registry's log.",
  ),
  InvalidRegistryAnswer: entry(
    "What the registry sent is no valid answer.",
    "Check that the reference names an OCI registry.",
  ),
  DigestMismatch: entry(
    "Content is not what its digest names: it was changed, cut off, or the tag has moved.",
    "Check the registry and what lies between; nothing of it was used.",
  ),
  ContentTooLarge: entry(
    "Content is larger than what is allowed.",
    "Make it smaller, or raise the limit in the configuration.",
  ),
  InvalidComponent: entry(
    "A component version, or a file of its repository, is not as the Open Component Model has it, or is another one than was asked for.",
    "Look at what the message names; build and push the component again.",
  ),
  ComponentNotFound: entry(
    "No repository that is known for the component has this version of it.",
    "Push the component version, or correct name, version or `repositoryContext`; then trigger again.",
  ),
  RepositoryContextMissing: entry(
    "Nothing says where the component is.",
    "Set `repositoryContext` in the Installation or its Context, or a resolver in the OCM configuration of the Context.",
  ),
  TooManyPackedRepositories: entry(
    "More packed component repositories are in use than the service unpacks at a time.",
    "No action needed; Landscaper retries. Unpack repositories below `registry.local.rootPath` that are used often.",
  ),
  InvalidArchive: entry(
    "An archive is damaged, too large, or has something in it that is no file or leads out of it.",
    "Pack it again, as tar with files and folders alone.",
  ),
} as const;
