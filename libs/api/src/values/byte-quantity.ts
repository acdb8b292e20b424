import { configurationError } from "../errors/configuration-error.ts";

const factors: Readonly<Record<string, number>> = {
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
  Ti: 1024 ** 4,
};

/** Bytes of a Kubernetes quantity: a number of at least one byte, or a text such as "250Mi", "1.5G" or "1e9". `where` begins the message. Throws LandscaperError. */
export function parseByteQuantity(value: string | number, where: string): number {
  const match = /^(\d+(?:\.\d+)?(?:[eE]\d{1,2})?)(k|M|G|T|Ki|Mi|Gi|Ti)?$/.exec(String(value).trim());
  const bytes = match === null ? Number.NaN : Math.floor(Number(match[1]) * (factors[match[2] ?? ""] ?? 1));
  if (Number.isSafeInteger(bytes) && bytes >= 1) return bytes;
  throw configurationError(`${where}: expected a quantity of bytes such as 250Mi, found ${JSON.stringify(value)}`);
}
