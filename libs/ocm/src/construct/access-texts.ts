import { ocmError } from "../ocm-error.ts";

/** Fields with texts, by the access type in lower case. Other programs cannot read a descriptor with numbers there. */
const textFields: Readonly<Record<string, readonly string[]>> = {
  git: ["repository", "repoUrl", "ref", "commit"],
  github: ["repoUrl", "apiHostname", "ref", "commit"],
  maven: ["repoUrl", "groupId", "artifactId", "version", "classifier", "extension"],
  npm: ["registry", "package", "version"],
  ocm: ["component", "version"],
  s3: ["region", "bucket", "bucketName", "key", "objectKey", "version", "mediaType"],
  wget: ["url", "mediaType", "verb", "body"],
};

/** Checks an access whose content this library does not read: YAML takes a commit or version without quotes for a number. Throws LandscaperError. */
export function checkAccessTexts(
  access: Readonly<Record<string, unknown>> & { readonly type: string },
  where: string,
): void {
  const type = access.type.replace(/\/v\d\w*$/i, "").toLowerCase();
  const names = Object.hasOwn(textFields, type) ? (textFields[type] ?? []) : [];
  for (const [field, value] of Object.entries(access)) {
    const isText = value === null || value === undefined || typeof value === "string";
    if (isText || !names.some((name) => name.toLowerCase() === field.toLowerCase())) continue;
    const found = Array.isArray(value) ? "a list" : typeof value === "object" ? "a map" : `a ${typeof value}`;
    throw ocmError(`${where}: ${field}: expected a text, found ${found}. Put the value in quotes.`);
  }
}
