import {
  apiVersion,
  configurationError,
  productVersion,
  resources,
  type DeployerRegistration,
  type DeployerRegistrationSpec,
  type LandscaperError,
} from "@landscaper/api";
import { ownDeployers } from "../../own-deployers.ts";
import { literal } from "../build-installation.ts";

/** Registrations of the configuration have it, so that those of others are left alone. */
export const managedByLabel = { "app.kubernetes.io/managed-by": "landscaper-core" } as const;

/** `deployerManagement.deployers` and `deployerManagement.deployerRepositoryContext` of the configuration. */
export interface ConfiguredDeployers {
  readonly deployers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly repositoryContext: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The registrations that the configuration asks for, by name: one of our deployers with values of its chart, or a whole DeployerRegistration
 * (docs/reference/deployer-management.md#configured-deployers). Throws LandscaperError for what is neither.
 */
export function buildRegistrations({
  deployers,
  repositoryContext,
}: ConfiguredDeployers): readonly DeployerRegistration[] {
  return Object.entries(deployers).map(([name, entry]) => ({
    apiVersion,
    kind: "DeployerRegistration",
    metadata: { name, labels: { ...managedByLabel } },
    spec: entry["kind"] === undefined ? ownSpec(name, entry, repositoryContext) : givenSpec(name, entry),
  }));
}

function ownSpec(
  name: string,
  values: Readonly<Record<string, unknown>>,
  repositoryContext: ConfiguredDeployers["repositoryContext"],
): DeployerRegistrationSpec {
  const type = ownDeployers.get(name);
  if (type === undefined) {
    const known = [...ownDeployers.keys()].join(", ");
    throw registrationError(name, `expected one of ${known}, or a DeployerRegistration with its kind`);
  }
  const component = { componentName: `landscaper.gardener.cloud/${name}-deployer`, version: productVersion };
  const hasValues = Object.keys(values).length > 0;
  return {
    types: [type],
    installationTemplate: {
      componentDescriptor: { ref: { ...(repositoryContext === undefined ? {} : { repositoryContext }), ...component } },
      blueprint: { ref: { resourceName: "blueprint" } },
      ...(hasValues ? { importDataMappings: { values: literal(values) } } : {}),
    },
  };
}

/** What is wrong below `spec`, the API server says. */
function givenSpec(name: string, object: Readonly<Record<string, unknown>>): DeployerRegistrationSpec {
  const { kind } = resources.deployerRegistration;
  if (object["kind"] !== kind)
    throw registrationError(name, `kind: expected ${kind}, found ${JSON.stringify(object["kind"])}`);
  if (object["apiVersion"] !== apiVersion) {
    throw registrationError(name, `apiVersion: expected ${apiVersion}, found ${JSON.stringify(object["apiVersion"])}`);
  }
  const metadata = object["metadata"] as { readonly name?: unknown } | undefined;
  if (metadata?.name !== undefined && metadata.name !== name) {
    throw registrationError(name, `metadata.name: expected ${name}, found ${JSON.stringify(metadata.name)}`);
  }
  return object["spec"] as DeployerRegistrationSpec;
}

function registrationError(name: string, problem: string): LandscaperError {
  return configurationError(`deployerManagement.deployers.${name}: ${problem}`);
}
