/** String fields, by the access type in lower case. Other programs cannot read a descriptor with other values there. */
const textFields: Readonly<Record<string, readonly string[]>> = {
  git: ["repository", "repoUrl", "ref", "commit"],
  github: ["repoUrl", "apiHostname", "ref", "commit"],
  maven: ["repoUrl", "groupId", "artifactId", "version", "classifier", "extension"],
  npm: ["registry", "package", "version"],
  ocm: ["component", "version"],
  s3: ["region", "bucket", "bucketName", "key", "objectKey", "version", "mediaType"],
  wget: ["url", "mediaType", "verb", "body"],
};

/** Returns the problems of an access whose content this library does not read. YAML reads a commit or version without quotes as a number. */
export function findAccessProblems(
  access: Readonly<Record<string, unknown>> & { readonly type: string },
): readonly string[] {
  const type = access.type.replace(/\/v\d\w*$/i, "").toLowerCase();
  const names = Object.hasOwn(textFields, type) ? (textFields[type] ?? []) : [];
  return Object.entries(access).flatMap(([field, value]) => {
    const isText = value === null || value === undefined || typeof value === "string";
    if (isText || !names.some((name) => name.toLowerCase() === field.toLowerCase())) return [];
    const problem = `${field}: expected a string, found `;
    if (Array.isArray(value)) return [`${problem}a list. Replace it with a string.`];
    if (typeof value === "object") return [`${problem}a map. Replace it with a string.`];
    return [`${problem}a ${typeof value === "boolean" ? "boolean" : "number"}. Put the value in quotes.`];
  });
}
