import {
  annotations,
  apiVersion,
  boundReleaseName,
  defaultContextName,
  deployerManagementFinalizer,
  environmentNamespaces,
  mapTexts,
  type Installation,
  type TargetImport,
} from "@landscaper/api";
import { templateHash } from "./rollout/template-hash.ts";
import { namesOf, pairLabels, pairName, type DeployerManagementSettings, type Pair } from "./pair.ts";

/** Target imports of a deployer's blueprint that deployer management provides. */
const hostImport = "cluster";
const landscaperImport = "landscaperCluster";

/** Data mappings are expressions of spiff where they look like one; values of an Environment never are. */
export function literal<T>(value: T): T {
  return mapTexts(value, (text) =>
    text.startsWith("((") && text.endsWith("))") && text.length > 3 ? `((!${text.slice(2)}` : text,
  );
}

/**
 * The Installation of a deployer in an Environment, without a trigger. The registration's own target selectors win over those of the
 * Environment (docs/reference/deployer-management.md#installation).
 */
export function buildInstallation(pair: Pair, { namespace }: DeployerManagementSettings): Installation {
  const names = namesOf(pair);
  const name = pairName(names);
  const { componentDescriptor, blueprint, imports, importDataMappings } = pair.registration.spec.installationTemplate;
  const { targetSelectors, namespace: releaseNamespace } = pair.environment.spec;
  const namespaces = environmentNamespaces(pair.environment.spec);
  const targets: TargetImport[] = [
    ...(imports?.targets ?? []).filter((given) => ![hostImport, landscaperImport].includes(given.name)),
    { name: hostImport, target: `#${names.environment}` },
    { name: landscaperImport, target: `#${name}` },
  ];
  return {
    apiVersion,
    kind: "Installation",
    metadata: {
      name,
      namespace,
      labels: pairLabels(names),
      annotations: { [annotations.deployerTemplate]: templateHash(pair.registration) },
      finalizers: [deployerManagementFinalizer],
    },
    spec: {
      context: defaultContextName,
      ...(componentDescriptor === undefined ? {} : { componentDescriptor }),
      blueprint,
      imports: { ...(imports?.data === undefined ? {} : { data: imports.data }), targets },
      importDataMappings: {
        targetSelectors: literal(targetSelectors),
        ...importDataMappings,
        releaseName: boundReleaseName(name),
        releaseNamespace: literal(releaseNamespace),
        identity: name,
        // Without them, a registration may have its own.
        ...(namespaces === undefined ? {} : { namespaces: literal(namespaces) }),
      },
      // A deployer may fail because the one that deploys it is not there yet.
      automaticReconcile: { failedReconcile: {} },
    },
  };
}
