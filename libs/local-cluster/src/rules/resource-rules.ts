import { textOf } from "./field-rules.ts";
import { parseQuantity } from "../builtin-types/quantity.ts";
import { isRecord, listAt, recordAt } from "../objects/json.ts";
import { qualifiedNameProblems } from "../objects/validate-names.ts";
import type { FieldError } from "../status/field-error.ts";
import { forbiddenField, invalidField, requiredField } from "../status/field-error.ts";
import type { StructRules } from "./compile-struct-rules.ts";
import type { FieldRule, Owner } from "./field-rules.ts";

const standard: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage", "storage"]);
const hugePages = /^hugepages-/;

/** Resources of containers that Kubernetes itself knows. */
export function isStandardResource(name: string): boolean {
  return standard.has(name) || hugePages.test(name);
}

/** Whether a resource has a domain of its own, such as a GPU. */
function isExtended(name: string): boolean {
  return name.includes("/") && !name.includes("kubernetes.io/");
}

/** Returns the errors of a resource name. `known` decides on names without a domain. */
export function resourceNameErrors(name: string, at: string, known: (name: string) => boolean): readonly FieldError[] {
  const errors = qualifiedNameProblems(name).map((problem) => invalidField(at, name, problem));
  if (errors.length > 0 || name.includes("/") || known(name)) return errors;
  return [invalidField(at, name, "must be a standard resource type or fully qualified")];
}

/** Requires known resource names and quantities that are not negative. */
export function resourceAmounts(known: (name: string) => boolean): FieldRule {
  return (value, at) =>
    Object.entries(recordAt(value)).flatMap(([name, amount]) => {
      const place = `${at}[${name}]`;
      const errors = [...resourceNameErrors(name, place, known), ...hugePageErrors(name, amount, place)];
      const nanos = parseQuantity(textOf(amount));
      if (nanos < 0n) errors.push(invalidField(place, amount, "must be greater than or equal to 0"));
      else if (isExtended(name) && nanos % 1_000_000_000n !== 0n) {
        errors.push(invalidField(place, amount, "must be an integer"));
      }
      return errors;
    });
}

/** Requires a page size in the name of huge pages, and a multiple of it as quantity. */
function hugePageErrors(name: string, amount: unknown, at: string): readonly FieldError[] {
  if (!hugePages.test(name)) return [];
  const size = parseSize(name.replace(hugePages, ""));
  if (size === undefined) return [invalidField(at, name, "unknown size of huge pages")];
  return parseQuantity(textOf(amount)) % size === 0n
    ? []
    : [invalidField(at, amount, "must be a multiple of the page size")];
}

function parseSize(text: string): bigint | undefined {
  const size = /^[1-9]\d*(Ki|Mi|Gi|Ti|k|M|G|T)?$/.test(text) ? parseQuantity(text) : 0n;
  return size === 0n ? undefined : size;
}

const containerAmounts = resourceAmounts(isStandardResource);

export const podOverhead: FieldRule = (value, at, owner) => containerAmounts(value, `${at}.limits`, owner);

function compareAmounts(owner: Owner, at: string): readonly FieldError[] {
  const limits = recordAt(owner, "limits");
  const requests = recordAt(owner, "requests");
  return Object.entries(requests).flatMap(([name, amount]) => {
    const limit = limits[name];
    if (limit === undefined) {
      return isExtended(name) || hugePages.test(name)
        ? [requiredField(`${at}.limits`, "Limit must be set for non overcommitable resources")]
        : [];
    }
    const [asked, most] = [parseQuantity(textOf(amount)), parseQuantity(textOf(limit))];
    if (isExtended(name) && asked !== most) {
      return [invalidField(`${at}.requests`, amount, `must be equal to ${name} limit of ${textOf(limit)}`)];
    }
    if (asked <= most) return [];
    return [invalidField(`${at}.requests`, amount, `must be less than or equal to ${name} limit of ${textOf(limit)}`)];
  });
}

/** Requests and limits of containers. */
export const resourceRules: Readonly<Record<string, StructRules>> = {
  ResourceRequirements: {
    fields: { limits: containerAmounts, requests: containerAmounts, claims: claimNames },
    whole: (owner, at) => [...compareAmounts(owner, at), ...lonelyHugePages(owner, at)],
  },
};

/** Requires cpu or memory beside huge pages. */
function lonelyHugePages(owner: Owner, at: string): readonly FieldError[] {
  const names = ["limits", "requests"].flatMap((field) => Object.keys(recordAt(owner, field)));
  return names.some((name) => hugePages.test(name)) && !names.includes("cpu") && !names.includes("memory")
    ? [forbiddenField(at, "HugePages require cpu or memory")]
    : [];
}

function claimNames(value: unknown, at: string): readonly FieldError[] {
  return listAt(value).flatMap((claim, i) =>
    isRecord(claim) && (claim["name"] ?? "") !== "" ? [] : [requiredField(`${at}[${i}]`)],
  );
}
