import { registryReasons, releaseReasons } from "./chart-reasons.ts";
import { containerReasons } from "./container-reasons.ts";
import type { ErrorCode } from "./error.ts";
import { entry, type ReasonEntry } from "./reason-entry.ts";
import { targetReasons } from "./target-reasons.ts";

/** What a code does to the job (core.md §2.9, §2.7). */
export const errorCodeCatalogue: Readonly<Record<ErrorCode, string>> = {
  ERR_UNAUTHORIZED: "Credentials were refused. The job ends; give other credentials and trigger again.",
  ERR_CLEANUP: "Something could not be cleaned up. Landscaper retries.",
  ERR_CONFIGURATION_PROBLEM: "What the user wrote cannot work. The job ends; correct it and trigger again.",
  ERR_INTERNAL_PROBLEM: "A fault of Landscaper. The job ends; please report it.",
  ERR_TIMEOUT: "The allowed time is over. The job ends; find out what was waited for, or allow more time.",
  ERR_CYCLIC_DEPENDENCIES: "Things depend on each other in a ring, which the message prints. The job ends.",
  ERR_WEBHOOK: "An admission webhook of the cluster did not answer. Landscaper retries.",
  ERR_UNFINISHED: "Sub-objects are still at work. No error: the job goes on when they have ended.",
  ERR_FOR_INFO_ONLY: "For information, such as a conflict of two writers. Landscaper retries.",
  ERR_NO_RETRY: "Trying again would not help: the job goes on when something has changed.",
};

const inputReasons = {
  InvalidInput: entry(
    "A file, template result or provider configuration does not have the shape that it must have.",
    "Correct the field that the message names.",
  ),
  UnknownFields: entry(
    "A blueprint, a template or a provider configuration has unknown fields, and `fieldValidation` is `Strict`.",
    "Correct the fields that the message names.",
  ),
  StrictValidation: entry(
    "Something would be left out, and `fieldValidation` is `Strict`: a List within a List, an object twice with different content, a second YAML document of an execution, a repeated key of a YAML file.",
    "Correct what the message names.",
  ),
  EmptyingHeldBack: entry(
    "The job would leave no object, no deploy item or no subinstallation where there was one. Nothing was touched.",
    'Correct the blueprint or its values; if it is meant, annotate the root Installation with `landscaper.gardener.cloud/allow-empty: "true"`.',
  ),
  PruningHeldBack: entry(
    "The job would remove a Namespace, a PersistentVolumeClaim, or a custom resource definition with instances. Nothing was touched.",
    'To keep the object, put it back with `policy: keep`, or in a chart with the annotation `helm.sh/resource-policy: keep`. To delete it with everything in it, annotate the root Installation with `landscaper.gardener.cloud/allow-prune: "true"`.',
  ),
  VerificationRequired: entry(
    "The operator demands verified signatures and the Installation has no `spec.verification`, or it has one and no component that could be signed. Nothing is deployed.",
    "Set `spec.verification.signatureName` and `spec.componentDescriptor`.",
  ),
  ExtractVerifyInfo: entry(
    "The key or the certificate authority that a signature is to be verified with cannot be read: the Context has no entry for the signature, or the Secret that it names is not there, may not be used, or holds something else.",
    "Correct `verificationSignatures` of the Context, or the Secret that the message names; for a Secret of another namespace, ask the operator for `signatureVerification.secretNamespaces`.",
  ),
  VerifySignature: entry(
    "A component could not be verified: it does not bear the signature, a digest is not the signed one, the signature is not of the given key, its certificate is of an unknown authority or of another name, or something that it covers cannot be read. Nothing is deployed.",
    "Get the component from where it was signed, sign it again, or correct key or authority in the Context, as the message says.",
  ),
  ComponentChanged: entry(
    "A component is another one than the job was rendered with: its tag, or that of a resource, was moved meanwhile. The message has both digests.",
    "Trigger the root Installation again when the change is meant; otherwise put the tag back.",
  ),
  RightsMissing: entry(
    "The account of a service may not do what the message names. The service is not ready until the right is granted.",
    "Grant the rules of [rights](reference/rights.md); the charts do.",
  ),
  KindsNotServed: entry(
    "The landscaper cluster does not serve the kinds of Landscaper, or not in the version of this release: it is not installed there, or its CustomResourceDefinitions are of another release.",
    "Apply `crds/` of this release, or start landscaper-core with `crdManagement.deployCrd`.",
  ),
  DeployerNameRefused: entry(
    "A deployer cannot be installed in an Environment, because its Installation could not have the name REGISTRATION-ENVIRONMENT: that is too long, or not a DNS label.",
    "Create the DeployerRegistration or the Environment with another name.",
  ),
  DeployerConflict: entry(
    "Something that belongs to a deployer of an Environment has a name that is taken: by an object of another origin, or by a deployer whose names are put together alike. It is left alone.",
    "Delete the object that the message names, or create the DeployerRegistration or the Environment with another name.",
  ),
  NamespaceMissing: entry(
    "spec.namespaces of an Environment names a namespace that does not exist or is being deleted. Its deployers get no new rights there; they work in the other namespaces.",
    "Create the namespace, which gives them their rights at once, or remove it from spec.namespaces. If the namespace is being deleted, wait until it no longer exists: the deployers need their rights for the uninstallations.",
  ),
  AgentSecretsOmitted: entry(
    "The DeployItems that the agent of an Environment installs name more Secrets than the Role of the agent can list. The agent cannot read the others.",
    "Use fewer DeployItems with the Target of the Environment's host.",
  ),
  AgentSecretRefused: entry(
    "The API server does not let an agent read a Secret. The core lists the Secrets that an agent may read in a Role.",
    "Follow the hint. The agent retries, and continues once the Role lists the Secret.",
  ),
  TokenSealed: entry(
    "The agent cannot open a token in the values of a deployer: it is sealed for another key, such as one of a Secret of the host that was deleted.",
    "Wait: the core seals a new token when the agent has published its key in `spec.sealingKey` of the Environment. If that does not help, look whether something else changes the Environment.",
  ),
  DeployersWaitInRing: entry(
    "Deployers of an Environment wait for each other: each has deploy items of a type that the next one serves, and no other deployer has taken them.",
    "Start a deployer that serves one of the types by other means, such as its chart.",
  ),
  InvalidCronSpec: entry(
    "A text is no cron specification.",
    'Write five fields such as "0 2 * * MON-FRI", or "@hourly", or "@every 90m"; "TZ=Europe/Berlin " may come first.',
  ),
  InvalidDuration: entry("A text is no duration.", 'Write it like "90s" or "1h30m", or "none".'),
  InvalidDeployItems: entry(
    "The deploy items of an Execution cannot be read, or break a rule.",
    "Correct the deploy execution of the blueprint that the message names.",
  ),
  InvalidDefaultValue: entry(
    "The default of an import does not fit its schema.",
    "Correct the default in blueprint.yaml.",
  ),
  SchemaValidationFailed: entry(
    "An import or export value does not fit the JSON schema that the blueprint gives.",
    "Correct the value at the path that the message names, or the schema.",
  ),
  TemplatingFailed: entry(
    "A template of the blueprint could not be rendered.",
    "Correct the template at the file, line and column that the message names.",
  ),
  ContentLimitExceeded: entry(
    "What the message names takes more processor time or memory than it may, is nested too deep, or gives too much.",
    "Make it smaller, or split it up; the limits of a whole job are `rendering` in the configuration of landscaper-core. See docs/guide/security.md.",
  ),
  CyclicDependencies: entry(
    "Deploy items or Installations need each other in a ring.",
    "Break the ring that the message prints: remove one of its imports, exports or dependencies.",
  ),
} as const;

const installationReasons = {
  CalculateContext: entry(
    "The Context of the Installation cannot be used.",
    "Create what the message names in the namespace of the Installation, or correct its name.",
  ),
  GetComponentVersion: entry(
    "The component version cannot be fetched.",
    "Check name, version, repository context and credentials.",
  ),
  ResolveBlueprint: entry(
    "The blueprint cannot be found or read.",
    "Check spec.blueprint, and that the resource is a blueprint.",
  ),
  GetPredecessors: entry(
    "It is not clear which sibling comes before this one.",
    "Let only one Installation export each DataObject or Target.",
  ),
  AllPredecessorsSucceeded: entry(
    "A sibling whose exports are imported has failed, or never ran.",
    "Correct the failure of that sibling, and trigger the sibling; this one follows when it succeeds.",
  ),
  BlueprintFileMissing: entry(
    "A blueprint names a file that it does not have.",
    "Add the file to the blueprint, or correct its path.",
  ),
  ImportsSatisfied: entry("An import does not exist.", "Create or correct what the message names, and trigger again."),
  ImportUnreadable: entry(
    "An imported Secret or ConfigMap has invalid YAML.",
    "Correct the key that the message names.",
  ),
  ImportTypeMismatch: entry(
    "An Installation gives an import data or a Target of another type than the blueprint expects.",
    "Use a Target of that type, or change type or targetType of the import in the blueprint.",
  ),
  ImportNotSatisfied: entry(
    "The blueprint requires an import that the Installation does not give.",
    "Add it to spec.imports or spec.importDataMappings, or correct its name there.",
  ),
  ConstructImports: entry("The import values could not be built.", "Correct the mapping that the message names."),
  RenderImportExecutions: entry(
    "An import execution failed, or reported errors of its own.",
    "Correct the imports or the template as the message says.",
  ),
  CreateOrUpdateImports: entry(
    "Copies of the imports could not be written.",
    "Remove what the API server's message names, such as a policy that refuses them; then trigger the Installation again.",
  ),
  EnsureSubinstallations: entry(
    "The nested Installations could not be made.",
    "Correct the installation template that the message names.",
  ),
  ObjectTooLarge: entry(
    "What was to be written is more than the API server stores in one object: about 1.5 MiB, 1 MiB for the exports of a deploy item.",
    "Import and export less, or split it over several deploy items or Installations.",
  ),
  ReconcileExecution: entry("The deploy items could not be rendered or written.", "Correct the deploy execution."),
  CheckImportsHash: entry("Imports changed while the job was running.", "Trigger again."),
  CheckObservedGeneration: entry("The spec changed while the job was running.", "Trigger again."),
  ConstructExports: entry(
    "The exports could not be built, or one that the Installation wants is missing.",
    "Correct the export execution that the message names.",
  ),
  ExportNotDeclared: entry(
    "The Installation exports a name that the blueprint does not declare.",
    "Correct the name in spec.exports, or add the export to the blueprint.",
  ),
  CreateOrUpdateExports: entry(
    "An export could not be written, often because it belongs to another Installation.",
    "Give the export another name.",
  ),
  ChildMissing: entry("A sub-object was deleted while the job was running.", "Trigger again."),
  comparePredecessorMaps: entry("A sibling ran again while the job started.", "No action needed; Landscaper retries."),
  compareImportHashes: entry("Imports changed while the job started.", "No action needed; Landscaper retries."),
  JobIDFinished: entry("A sub-object has failed.", "Follow the path in the message to the first failure."),
  SiblingImport: entry(
    "The Installation is to be deleted, but a sibling imports what it exports.",
    'Delete the sibling first, or set the annotation `landscaper.gardener.cloud/delete-ignore-successors: "true"` on this Installation.',
  ),
  InstallationNotDeleted: entry(
    "A sub-object could not be deleted.",
    "Follow the path in the message. If the target is lost, run `landscaper delete INSTALLATION -n NAMESPACE --without-uninstall`. The objects stay on the target.",
  ),
} as const;

const executionReasons = {
  DeployItemsFailed: entry("A deploy item has failed.", "Follow the message to the first failure."),
  DeployItemMissing: entry("A deploy item was deleted while the job was running.", "Trigger again."),
  DeployItemConflict: entry(
    "An object with the name of a deploy item has another owner.",
    "Delete or rename that object.",
  ),
  DeployItemAmbiguous: entry(
    "Another core has worked on the Execution, and several DeployItems claim to be the same deploy item.",
    "Find out which of them the previous core created, delete the others, and trigger the Installation again.",
  ),
  ItemsNotStarted: entry(
    "Deploy items depend on others that are not there.",
    "Correct dependsOn in the deploy execution.",
  ),
  CollectExports: entry(
    "What a deploy item exported cannot be read.",
    "Look at its export Secret: the entry config must be JSON or YAML.",
  ),
} as const;

const deployReasons = {
  PickupTimeout: entry(
    "No deployer took the deploy item in time.",
    "Run a deployer for its type whose target selectors accept its Target, or correct the type of the item.",
  ),
  ProgressingTimeout: entry(
    "The deployer did not get done in time; the message says what it waited for.",
    "Look at the object that it waited for, or raise the item's timeout.",
  ),
  InterruptOperation: entry("The operation was interrupted by annotation.", "Trigger again when you want."),
  NoTargetFound: entry(
    "The Target of the deploy item does not exist.",
    "Create it, or correct the import. During a deletion: the deletion then continues; to delete without the target, use `landscaper delete NAME --without-uninstall`.",
  ),
  InvalidKubeconfig: entry(
    "The kubeconfig of a Target cannot be used, or names files, plugins or other users.",
    "Correct what the message names; the kubeconfig must contain its credentials.",
  ),
  InvalidManifest: entry("A manifest cannot be applied as it stands.", "Correct the manifest that the message names."),
  ExportMissing: entry(
    "An export of a chart names a value that the chart does not have.",
    "Correct jsonPath; it begins with .Values, .Release, .Chart or .Capabilities.",
  ),
  InvalidJsonPath: entry("A JSONPath expression is wrong.", "Correct it as the message says."),
  InvalidConfiguration: entry(
    "A configuration or provider configuration breaks a rule.",
    "Correct the field that the message names.",
  ),
  ...targetReasons,
  FieldConflict: entry(
    "Server-side apply would change fields that another manager owns.",
    "Leave the fields that the message names out of the manifest, name them in ignoreFields, or set serverSideApply.force to take them over.",
  ),
  TargetOwnedByOther: entry(
    "An object of the target, or a Helm release, belongs to another deploy item.",
    "Remove it from that item, or set adopt: true in the entry of the manifest to take it over; deploy a release under another name. If the message names the annotation take-over-from and the other item no longer exists, set it.",
  ),
  ResourceFailed: entry(
    "A deployed object cannot become ready: its image cannot be pulled, it crashes again and again, its Job has failed, ...",
    "Correct what the message and the log in it name, and trigger again.",
  ),
  ResourceNotReady: entry(
    "A deployed object did not become ready in time. The message says what is wrong with it.",
    "Correct what the message names, and trigger again.",
  ),
  HealthCheckTooExpensive: entry(
    "A health rule, or a readiness check in CEL, takes too much time or memory for an object.",
    "Simplify the expression that the message names: avoid loops in loops.",
  ),
  NoTarget: entry("The deploy item names no target, but its type needs one.", "Add target to the deploy item."),
  EgressDenied: entry(
    "The configuration of the service does not permit requests to this host or address, or without TLS.",
    "Name another host, or ask the operator for an entry of egress.allow; the message names host, address, rule and setting.",
  ),
  TargetSecretMissing: entry(
    "The Secret that the Target names, or the key in it, is missing, and was not created within `targetWait` (default: 30 s).",
    "Create the Secret or its key, or correct `spec.secretRef` of the Target. During a deletion: the deletion then continues; to delete without the target, use `landscaper delete NAME --without-uninstall`.",
  ),
  InvalidTarget: entry("The content of the Target cannot be used.", "Correct its config, or the Secret it names."),
  TokenRequestFailed: entry(
    "No token could be had for the ServiceAccount of a Target.",
    "Check that it exists and that the deployer may request tokens.",
  ),
  InvalidTimeout: entry("The deploy item's timeout is no duration.", 'Write it like "10m", or "none".'),
  CrdManagementFailed: entry(
    "The core could not apply its CustomResourceDefinitions at start.",
    "Follow the hint; or apply crds/ yourself and set crdManagement.deployCrd to false.",
  ),
  AdmissionPoliciesMissing: entry(
    "The landscaper cluster does not serve ValidatingAdmissionPolicies, or the policies of Landscaper are missing and `crdManagement.deployCrd` is false. The core is not ready, because nothing would bound the accounts of Environments.",
    "Before Kubernetes 1.30: upgrade the landscaper cluster. Otherwise apply `crds/admission-policies.yaml`, or set `crdManagement.deployCrd` to true. If you do not use Environments, set `deployerManagement.disable` to true.",
  ),
  AdmissionPoliciesFailed: entry(
    "The core could not apply its admission policies at start.",
    "Follow the hint; or apply `crds/` yourself and set `crdManagement.deployCrd` to false.",
  ),
  EnvironmentRemoved: entry(
    "The only Environment that served a deploy item was removed with the annotation `abandon-items`. The objects of the item stay on its target.",
    'Give its Target to another Environment, or delete its Installation with the annotation `landscaper.gardener.cloud/delete-without-uninstall: "true"`.',
  ),
  ExportSecretForeign: entry(
    "The Secret for the exports of a deploy item has another owner or the mark of another Environment.",
    "No action needed if the Secret has the mark of another Environment: the core takes it over. Otherwise delete or rename the Secret or the deploy item.",
  ),
  PlanNotSupported: entry(
    "The deployer cannot say in advance what a job of the item would change.",
    "None: run the job to see, or use a deployer that can.",
  ),
  PlanSecretForeign: entry(
    "The Secret for the plan of a deploy item has another owner or the mark of another Environment.",
    "No action needed if the Secret has the mark of another Environment: the core takes it over. Otherwise delete or rename the Secret or the deploy item.",
  ),
  PlanWithoutAccess: entry(
    "A deployer asked for the access data of a target to make a plan.",
    "None: a plan gets no credentials, so that it cannot change anything.",
  ),
  PhaseRequested: entry("The configuration of a mock item asks for this phase.", "None: it is meant to fail."),
  RequestFailed: entry("A request to a cluster failed.", "See the message; Landscaper retries."),
  QuotaExceeded: entry(
    "A quota of the namespace is used up, in the landscaper cluster or in the host cluster of the container deployer. The container deployer retries until the timeout of the job, the core until the job is interrupted.",
    "Raise the quota, or remove what uses it.",
  ),
  ApiRequestFailed: entry("A request to the Landscaper cluster failed.", "See the message; Landscaper retries."),
  InternalError: entry("A fault of Landscaper; its log says more.", "Please report it."),
  ReconcileFailed: entry("The deployer failed with an error of its own.", "See the message."),
} as const;

const targetSyncReasons = {
  InvalidTargetSync: entry(
    "A TargetSync cannot work: its spec, its number in the namespace, or the Secret with the kubeconfig of its source.",
    "Correct what the message names.",
  ),
  SourceClusterFailed: entry(
    "The source cluster of a TargetSync refused a request, or did not answer.",
    "Check its address, and the rights of the kubeconfig in the TargetSync's Secret.",
  ),
  TargetSyncConflict: entry(
    "A Target or Secret that a TargetSync is to make exists already and has another owner.",
    "Delete or rename that object, or narrow the name expression.",
  ),
  TargetSyncFailed: entry("Event of a TargetSync: see its status.lastErrors.", "Follow the messages."),
} as const;

/** Reasons of lastError by area: what causes each, and what helps. `docs/errors.md` is made from it. */
export const errorReasonCatalogue = {
  Input: inputReasons,
  Installations: installationReasons,
  Executions: executionReasons,
  "Deploy items": deployReasons,
  "Target syncs": targetSyncReasons,
  "Container jobs": containerReasons,
  "Helm releases": releaseReasons,
  "Registries and charts": registryReasons,
} as const;

/** What docs/errors.md says of a reason; undefined for those of other deployers. */
export function explainReason(reason: string): ReasonEntry | undefined {
  const entries = Object.values(errorReasonCatalogue).flatMap((area) => Object.entries<ReasonEntry>(area));
  return entries.find(([known]) => known === reason)?.[1];
}

/** Whether docs/errors.md explains the reason. */
export function isCataloguedReason(reason: string): boolean {
  return Object.values(errorReasonCatalogue).some((area) => reason in area);
}
