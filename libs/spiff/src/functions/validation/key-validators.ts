import { readingWorkMs } from "@landscaper/x509";
import { EvaluationFailure, known, quoting, type Message } from "../../evaluate/failure.ts";
import { readCertificate, readPrivateKey, readPublicKey } from "../crypto/pem-arguments.ts";
import { outcome, type Outcome } from "./outcome.ts";
import { textOf, type Check, type Validator } from "./validator.ts";

/** Validators of keys and certificates in PEM. Their statements name no part of a key. */
export const keyValidators: readonly [string, Validator][] = [
  ["publickey", (check) => readable(check, "public key", readPublicKey)],
  ["privatekey", (check) => readable(check, "private key", readPrivateKey)],
  ["certificate", (check) => readable(check, "certificate", readCertificate)],
  ["ca", certificateAuthority],
];

function readable(check: Check, noun: string, read: (pem: string) => unknown): Outcome {
  check.environment.document.budget.spend(readingWorkMs, check.name);
  const problem = problemOf(textOf(check), read);
  return problem === undefined
    ? outcome(true, { valid: `is ${noun}`, invalid: "" })
    : { isValid: false, statement: quoting`${known(`is no ${noun}`)}: ${problem}` };
}

/** Why a text cannot be read; undefined when it can. */
function problemOf(pem: string, read: (pem: string) => unknown): Message | undefined {
  try {
    read(pem);
    return undefined;
  } catch (error) {
    if (!(error instanceof EvaluationFailure)) throw error;
    return error.failure.issue;
  }
}

function certificateAuthority(check: Check): Outcome {
  const isCertificate = readable(check, "certificate", readCertificate);
  if (!isCertificate.isValid) return isCertificate;
  const { isAuthority } = readCertificate(textOf(check));
  return outcome(isAuthority, { valid: "is ca", invalid: "is no ca" });
}
