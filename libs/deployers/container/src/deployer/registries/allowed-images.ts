import { configurationError, LandscaperError } from "@landscaper/api";
import { formatReference, parseReference } from "@landscaper/oci";

/** Whether an image is of a registry or repository of a list; without a list, all are. */
export interface AllowedImages {
  /** Throws LandscaperError that names image and list. `where` names the field for the message. */
  check(image: string, where: string): void;
}

/**
 * Reads `allowedImages` of the configuration: `registry.example:5000`, `registry.example/team`. Whole parts of the path count: `registry.example/te` allows nothing
 * of `registry.example/team`. What has no host is of Docker Hub, as in images. Throws LandscaperError that names the entry.
 */
export function parseAllowedImages(list: readonly string[] | undefined): AllowedImages {
  if (list === undefined) return { check: () => {} };
  const prefixes = list.map((entry, index) => parseEntry(entry, `allowedImages[${index}]`));
  return {
    check: (image, where) => {
      const { host, repository } = parseReference(image);
      const place = `${host}/${repository}`;
      if (prefixes.some((prefix) => place === prefix || place.startsWith(`${prefix}/`))) return;
      throw new LandscaperError({
        message: `${where}: image ${place} is not allowed: expected one of ${list.join(", ") || "no image at all"}`,
        reason: "ImageNotAllowed",
        codes: ["ERR_CONFIGURATION_PROBLEM"],
        retry: "never",
      });
    },
  };
}

/** The grammar is that of images: an entry is what one below it begins with. */
function parseEntry(entry: string, where: string): string {
  const trimmed = entry.replace(/\/+$/, "");
  try {
    if (isHostAlone(trimmed)) return parseReference(`${trimmed}/x`).host;
    if (trimmed.includes("/")) return formatReference(parseReference(`${trimmed}/x`)).slice(0, -"/x".length);
    // One image of Docker Hub.
    const { host, repository, tag, digest } = parseReference(trimmed);
    if (tag === undefined && digest === undefined) return `${host}/${repository}`;
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
  }
  throw configurationError(
    `${where}: expected a registry or a repository such as registry.example:5000/team, found ${JSON.stringify(entry)}`,
  );
}

function isHostAlone(text: string): boolean {
  return !text.includes("/") && (text.includes(".") || /:\d+$/.test(text) || text === "localhost");
}
