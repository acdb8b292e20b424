import {
  deployerAccountName,
  labels,
  LandscaperError,
  maxInstallationNameLength,
  type DeployerRegistration,
  type Environment,
  type KubeObject,
} from "@landscaper/api";
import { labelOf, nameOf } from "../object-reading.ts";

/** Where deployers are managed, and which: `deployerManagement` of the configuration. */
export interface DeployerManagementSettings {
  /** Of Installations, Targets and ServiceAccounts. */
  readonly namespace: string;
  /** Of the Leases of all deployers. */
  readonly leaseNamespace: string;
  /** Registrations that the core makes itself. Default: none. */
  readonly registrations?: readonly DeployerRegistration[];
}

/** Names of a DeployerRegistration and an Environment. */
export interface PairNames {
  readonly registration: string;
  readonly environment: string;
}

/** One deployer of one Environment. */
export interface Pair {
  readonly registration: DeployerRegistration;
  readonly environment: Environment;
}

/** Name of everything that belongs to one deployer of one Environment (docs/reference/deployer-management.md#objects). */
export function pairName({ registration, environment }: PairNames): string {
  return `${registration}-${environment}`;
}

/** Name of the account of a deployer: policies read its Environment from it (docs/reference/deployer-management.md#accounts). */
export function accountName({ registration, environment }: PairNames): string {
  return deployerAccountName(environment, registration);
}

export function namesOf({ registration, environment }: Pair): PairNames {
  return { registration: nameOf(registration), environment: nameOf(environment) };
}

export function pairLabels({ registration, environment }: PairNames): Record<string, string> {
  return { [labels.deployerRegistration]: registration, [labels.deployerEnvironment]: environment };
}

/**
 * The pair that an object was made for; undefined when it was not. Labels alone prove nothing: the name has to follow from them.
 */
export function pairOf(object: KubeObject): PairNames | undefined {
  const registration = labelOf(object, labels.deployerRegistration);
  const environment = labelOf(object, labels.deployerEnvironment);
  if (registration === undefined || environment === undefined) return undefined;
  const names = { registration, environment };
  return [pairName(names), accountName(names)].includes(nameOf(object)) ? names : undefined;
}

const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Why there can be no Installation of that name; undefined when there can. */
export function checkPairName(names: PairNames): LandscaperError | undefined {
  const name = pairName(names);
  const problem =
    name.length > maxInstallationNameLength
      ? `has ${name.length} characters: expected at most ${maxInstallationNameLength}`
      : "is not a DNS label: expected lower-case letters, digits and -";
  if (name.length <= maxInstallationNameLength && dnsLabel.test(name)) return undefined;
  return new LandscaperError({
    message: `DeployerRegistration ${names.registration}, Environment ${names.environment}: the name of the Installation, ${name}, ${problem}`,
    reason: "DeployerNameRefused",
    operation: "InstallDeployer",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "create the DeployerRegistration or the Environment with another name",
    retry: "never",
  });
}
