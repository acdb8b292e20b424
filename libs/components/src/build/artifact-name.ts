import { LandscaperError, quoteText } from "@landscaper/api";
import { parseReference } from "@landscaper/oci";

export interface ArtifactNameOptions {
  /** Repositories of packed artifacts are below it. */
  readonly componentName: string;
  /** What the input calls the repository: below the component's name unless it begins with a slash; it may have a tag. */
  readonly repository: string | undefined;
  /** Name of the repository without one. */
  readonly fallback: string;
  readonly tag: string;
}

/** `REPOSITORY:TAG`, which a packed artifact gets in a registry below the path of the target (docs/reference/components.md#constructor-files). */
export function artifactName({ componentName, repository, fallback, tag }: ArtifactNameOptions): string {
  const named = repository ?? fallback;
  const path = named.startsWith("/") ? named.slice(1) : `${componentName}/${named}`;
  return /:[^/]*$/.test(path) ? path : `${path}:${tagOf(tag)}`;
}

/** Like `artifactName`, but warns about a name that no registry accepts. Archives may contain such a name. */
export function warnedArtifactName(
  options: ArtifactNameOptions,
  { where, warn }: { readonly where: string; readonly warn: (message: string) => void },
): string {
  const name = artifactName(options);
  try {
    parseReference(`registry.example/${name}`);
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    warn(
      `${where}: registries do not accept the name ${quoteText(name)} of the artifact: \`component transfer\` into a registry will fail; correct repository or version`,
    );
  }
  return name;
}

/** Tags have no plus sign; this is Helm's rule for versions. */
export function tagOf(version: string): string {
  return version.replaceAll("+", "_");
}
