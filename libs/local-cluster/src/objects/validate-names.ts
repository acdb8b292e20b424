const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomain = `${label}(\\.${label})*`;
const wildcard = `\\*\\.${subdomain}`;
const qualifiedName = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const labelValue = `(${qualifiedName})?`;
const label1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";

const patterns = {
  label: new RegExp(`^${label}$`),
  subdomain: new RegExp(`^${subdomain}$`),
  wildcard: new RegExp(`^${wildcard}$`),
  qualifiedName: new RegExp(`^${qualifiedName}$`),
  labelValue: new RegExp(`^${labelValue}$`),
  label1035: new RegExp(`^${label1035}$`),
};

/** Problems of a DNS-1123 label (namespaces), as Kubernetes words them. Models apimachinery/pkg/util/validation. */
export function dnsLabelProblems(name: string): string[] {
  return [
    ...tooLong(name, 63),
    ...unless(
      patterns.label.test(name),
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with " +
        `an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${label}')`,
    ),
  ];
}

/** Problems of a DNS-1123 subdomain (most names). */
export function dnsSubdomainProblems(name: string): string[] {
  return [
    ...tooLong(name, 253),
    ...unless(
      patterns.subdomain.test(name),
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and " +
        `end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomain}')`,
    ),
  ];
}

/** Problems of a wildcard DNS-1123 subdomain (hosts of Ingresses), such as "*.example.com". */
export function wildcardSubdomainProblems(name: string): string[] {
  return [
    ...tooLong(name, 253),
    ...unless(
      patterns.wildcard.test(name),
      "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case " +
        "alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for " +
        `validation is '${wildcard}')`,
    ),
  ];
}

/** Problems of a DNS-1035 label (services). */
export function dns1035LabelProblems(name: string): string[] {
  return [
    ...tooLong(name, 63),
    ...unless(
      patterns.label1035.test(name),
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, " +
        "and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is " +
        `'${label1035}')`,
    ),
  ];
}

/** Problems of a name that only has to fit a URL path (RBAC objects). */
export function pathSegmentProblems(name: string): string[] {
  if (name === "." || name === "..") return [`may not be '${name}'`];
  return ["/", "%"].filter((illegal) => name.includes(illegal)).map((illegal) => `may not contain '${illegal}'`);
}

/** Problems of a label key, annotation key or finalizer: "prefix/name" or "name". */
export function qualifiedNameProblems(value: string): string[] {
  const parts = value.split("/");
  if (parts.length > 2) {
    return [
      `a qualified name ${qualifiedNameText} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? "";
  const prefix = parts.length === 2 ? (parts[0] ?? "") : undefined;
  return [...(prefix === undefined ? [] : prefixProblems(prefix)), ...namePartProblems(name)];
}

const qualifiedNameText =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${qualifiedName}')`;

function prefixProblems(prefix: string): string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  return dnsSubdomainProblems(prefix).map((problem) => `prefix part ${problem}`);
}

function namePartProblems(name: string): string[] {
  if (name === "") return ["name part must be non-empty", `name part ${qualifiedNameText}`];
  return [
    ...tooLong(name, 63).map((problem) => `name part ${problem}`),
    ...unless(patterns.qualifiedName.test(name), `name part ${qualifiedNameText}`),
  ];
}

export function labelValueProblems(value: string): string[] {
  return [
    ...tooLong(value, 63),
    ...unless(
      patterns.labelValue.test(value),
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and " +
        `end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${labelValue}')`,
    ),
  ];
}

function tooLong(value: string, limit: number): string[] {
  return unless(Buffer.byteLength(value) <= limit, `must be no more than ${limit} characters`);
}

function unless(valid: boolean, problem: string): string[] {
  return valid ? [] : [problem];
}
