import { join } from "node:path";

/** Where the files of a job are in its containers. */
export interface ContainerPaths {
  /** The volume that all containers of the Pod share. The program may write anything there. */
  readonly shared: string;
  readonly imports: string;
  readonly exports: string;
  readonly componentDescriptor: string;
  readonly target: string;
  /** Folder of the blueprint. */
  readonly content: string;
  /** Folder of the state. */
  readonly state: string;
  /** Mount of the configuration Secret, in init and wait. */
  readonly internal: string;
  /** The provider configuration as JSON, in init. */
  readonly configuration: string;
  /** Certificates for the registries of the job, in init; there is no file without them. */
  readonly certificates: string;
  /** Proxies for the registries of the job, in init; the file does not exist without them. */
  readonly proxies: string;
  /** What init and wait are to do: a `JobFile`. */
  readonly job: string;
  /** Mount of the ConfigMap with the OCM configuration, in init. */
  readonly ocm: string;
  readonly ocmConfiguration: string;
  /** Mount of the target Secret, in init. */
  readonly targets: string;
  /** What init copies to `target`. */
  readonly targetSource: string;
  /** Folder of the pull secrets, in init. */
  readonly registrySecrets: string;
  /** Mount of the pull secret for blueprints, where there is one. */
  readonly blueprintPullSecret: string;
  /** Mount of the pull secret for component descriptors, where there is one. */
  readonly componentPullSecret: string;
}

/** The paths of the contract (docs/reference/container-deployer.md#files); `root` is another one in tests. */
export function containerPaths(root = "/data/ls"): ContainerPaths {
  const shared = join(root, "shared");
  const internal = join(root, "internal");
  const ocm = join(root, "ocm");
  const targets = join(root, "targets");
  const registrySecrets = join(root, "registry_secrets");
  return {
    shared,
    imports: join(shared, "imports/import.json"),
    exports: join(shared, "exports/values"),
    componentDescriptor: join(shared, "component_descriptor.json"),
    target: join(shared, "targets/target.json"),
    content: join(shared, "content"),
    state: join(shared, "state"),
    internal,
    configuration: join(internal, "configuration.json"),
    certificates: join(internal, "certificates.json"),
    proxies: join(internal, "proxies.json"),
    job: join(internal, "job.json"),
    ocm,
    ocmConfiguration: join(ocm, ".ocmconfig"),
    targets,
    targetSource: join(targets, "target.json"),
    registrySecrets,
    blueprintPullSecret: join(registrySecrets, "blueprint-pull-secret"),
    componentPullSecret: join(registrySecrets, "cd-pull-secret"),
  };
}

/** Where the token of init and wait is. */
export const serviceAccountPath = "/var/run/secrets/kubernetes.io/serviceaccount";
