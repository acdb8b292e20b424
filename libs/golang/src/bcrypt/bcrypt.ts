import { timingSafeEqual } from "node:crypto";
import { encodeBase64, hashSync, truncates } from "bcryptjs";
import { FunctionError } from "../function-error.ts";

const [minCost, maxCost, defaultCost] = [4, 31, 10];

/**
 * The bcrypt hash of a password, as golang.org/x/crypto/bcrypt makes it ("$2a$10$..."), with 16 bytes of salt. Costs below
 * 4 mean 10. Throws FunctionError: passwords of more than 72 bytes, costs above 31, and text that is no UTF-8.
 */
export function bcryptHash(password: string, cost: number, salt: Uint8Array): string {
  if (truncates(password)) throw new FunctionError("bcrypt: password length exceeds 72 bytes");
  if (!password.isWellFormed()) throw new FunctionError("bcrypt: the password is no valid UTF-8");
  const rounds = cost < minCost ? defaultCost : cost;
  if (rounds > maxCost)
    throw new FunctionError(`crypto/bcrypt: cost ${rounds} is outside allowed range (${minCost},${maxCost})`);
  return hashSync(password, `$2a$${String(rounds).padStart(2, "0")}$${encodeBase64(salt, 16)}`);
}

/** A parsed hash: its cost, and whether it belongs to a password. */
export interface BcryptHash {
  readonly cost: number;
  readonly matches: (password: string) => boolean;
}

/** Reads a hash; undefined when it is none that Go would compare with. What follows its 60 characters is ignored, as in Go. */
export function parseBcryptHash(hash: string): BcryptHash | undefined {
  const match = /^\$[0-2][^$]?\$(\d\d)\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})/.exec(hash);
  const [, costText = "", salt = "", digest = ""] = match ?? [];
  const cost = Number(costText);
  if (match === null || cost < minCost || cost > maxCost) return undefined;
  const matches = (password: string): boolean => {
    if (!password.isWellFormed()) return false;
    const found = hashSync(password, `$2a$${costText}$${salt}`).slice(-digest.length);
    return timingSafeEqual(Buffer.from(found), Buffer.from(digest));
  };
  return { cost, matches };
}

/** About how long one hash takes, in ms; for budgets. */
export function bcryptWorkMs(cost: number): number {
  return 0.1 * 2 ** Math.min(cost < minCost ? defaultCost : cost, maxCost);
}
