import type { UnstructuredObject } from "@landscaper/api";
import { isRecord, listAt, recordAt, stringAt } from "../objects/json.ts";
import { dnsSubdomainProblems } from "../objects/validate-names.ts";
import { validateMatchConditions } from "../admission/validate-admission-policy.ts";
import type { Strategy } from "../resources/resource-definition.ts";
import type { FieldError } from "../status/field-error.ts";
import { duplicateField, invalidField, requiredField } from "../status/field-error.ts";

/** ValidatingWebhookConfigurations and MutatingWebhookConfigurations. */
export const webhookConfigurationStrategy: Strategy = {
  allowsBareFinalizers: true,
  validate: (configuration) => [
    ...validateNames(configuration),
    ...listAt(configuration, "webhooks").flatMap((webhook, i) => [
      ...validateClient(webhook, i),
      ...validateMatchConditions(listAt(webhook, "matchConditions"), `webhooks[${i}].matchConditions`),
    ]),
  ],
};

function validateNames(configuration: UnstructuredObject): FieldError[] {
  const seen = new Set<string>();
  return listAt(configuration, "webhooks").flatMap((webhook, i) => {
    const name = stringAt(webhook, "name");
    const at = `webhooks[${i}].name`;
    const errors = nameErrors(name, at);
    if (name !== "" && seen.has(name)) errors.push(duplicateField(at, name));
    seen.add(name);
    return errors;
  });
}

function nameErrors(name: string, at: string): FieldError[] {
  if (name === "") return [requiredField(at)];
  const errors = dnsSubdomainProblems(name).map((problem) => invalidField(at, name, problem));
  if (errors.length > 0 || name.split(".").length > 2) return errors;
  return [invalidField(at, name, "should be a domain with at least three segments separated by dots")];
}

function validateClient(webhook: unknown, index: number): FieldError[] {
  const at = `webhooks[${index}].clientConfig`;
  const client = recordAt(webhook, "clientConfig");
  const { url, service } = client;
  if ((typeof url === "string") === isRecord(service)) {
    return [requiredField(at, "exactly one of url or service is required")];
  }
  if (isRecord(service)) {
    return ["name", "namespace"]
      .filter((field) => stringAt(service, field) === "")
      .map((field) => requiredField(`${at}.service.${field}`));
  }
  return urlErrors(String(url), `${at}.url`);
}

function urlErrors(text: string, at: string): FieldError[] {
  if (!URL.canParse(text))
    return [invalidField(at, text, "url must be a valid URL; desired format: https://host[/path]")];
  const { protocol, hostname, username, hash, search } = new URL(text);
  const wrong = (detail: string): FieldError =>
    invalidField(at, text, `${detail}; desired format: https://host[/path]`);
  return [
    ...(protocol === "https:" ? [] : [wrong("'https' is the only allowed URL scheme")]),
    ...(hostname === "" ? [wrong("host must be specified")] : []),
    ...(username === "" ? [] : [wrong("user information is not permitted in the URL")]),
    ...(hash === "" ? [] : [wrong("fragments are not permitted in the URL")]),
    ...(search === "" ? [] : [wrong("query parameters are not permitted in the URL")]),
  ];
}
