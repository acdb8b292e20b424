import { bcryptHash, bcryptWorkMs, FunctionError, parseBcryptHash } from "@landscaper/golang";
import type { Environment } from "../../evaluate/environment.ts";
import { failLocally, quoting } from "../../evaluate/failure.ts";
import { toPlain } from "../../output/to-plain.ts";
import { yamlText } from "../../output/yaml-text.ts";
import { typeName, type Value } from "../../value/value.ts";
import type { Arguments } from "../arguments.ts";
import { defineFunctions } from "../define-functions.ts";
import { parseText } from "../text/parse-text.ts";
import { DecryptionError, decryptText, encryptText } from "./encryption.ts";
import { randomBytes } from "../host-access.ts";
import { md5Crypt, md5CryptSalt } from "./md5-crypt.ts";

/** Hashes of passwords, and encryption by a password. */
export const passwordFunctions = defineFunctions({
  bcrypt: (args, environment) => {
    if (args.length < 1 || args.length > 2) return failLocally("bcrypt takes one or two arguments");
    return bcrypt(args.text(0), Number(args.optionalInteger(1, 10n)), environment);
  },
  bcrypt_check: (args, { document }) => {
    if (args.length !== 2) return failLocally("bcrypt_check takes two arguments");
    const [password, hash] = [args.text(0), parseBcryptHash(args.text(1))];
    if (hash === undefined) return false;
    document.budget.spend(bcryptWorkMs(hash.cost), `bcrypt_check with cost ${hash.cost}`);
    return hash.matches(password);
  },
  md5crypt: (args, environment) => {
    if (args.length !== 1) return failLocally("md5crypt takes one argument");
    const password = args.text(0);
    chargeRounds(password, environment);
    return md5Crypt(password, md5CryptSalt(randomBytes(8, environment)), "$apr1$");
  },
  md5crypt_check: (args, environment) => {
    if (args.length !== 2) return failLocally("md5crypt_check takes two arguments");
    const [password, hash] = [args.text(0), args.text(1)];
    const [prefix, magic, salt = "", digest, ...more] = hash.split("$");
    if (digest === undefined || more.length > 0) {
      return failLocally("invalid md5crypt hash: must contain three '$' characters");
    }
    chargeRounds(password, environment);
    return prefix === "" && md5Crypt(password, salt, `$${magic}$`) === hash;
  },
  encrypt: (args, environment) => {
    const password = passwordOf(args, "encrypt");
    const value = args.at(0);
    if (value === null) return failLocally("encrypt: nil cannot be encrypted");
    const text = yamlText(toPlain(value));
    environment.document.budget.charge(text.length * 2);
    return encryptText(text, password, randomBytes(8, environment));
  },
  decrypt: (args, environment) => {
    const password = passwordOf(args, "decrypt");
    const encrypted = args.at(0);
    if (typeof encrypted !== "string") return failLocally(`decrypt requires string, but got ${typeName(encrypted)}`);
    return parseText(decrypt(encrypted, password), "import", {
      name: "encrypted value",
      isTrusted: false,
      environment,
    });
  },
});

function bcrypt(password: string, cost: number, environment: Environment): Value {
  try {
    if (cost <= 31) environment.document.budget.spend(bcryptWorkMs(cost), `bcrypt with cost ${cost}`);
    return bcryptHash(password, cost, randomBytes(16, environment));
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    return failLocally(`bcrypt error: ${error.message}`);
  }
}

/** Each of the 1000 rounds goes through the password. */
function chargeRounds(password: string, { document }: Environment): void {
  document.budget.spend(2 + password.length / 200, "md5crypt");
}

/** The key and, as a third argument, the method: triple DES is the only one. */
function passwordOf(args: Arguments, name: string): string {
  if (args.length < 1 || args.length > 3) return failLocally(`${name} expects one, two or three arguments`);
  const [password, method] = [args.length > 1 ? args.at(1) : "", args.length > 2 ? args.at(2) : "3DES"];
  if (typeof password !== "string") {
    return failLocally(`${name}: 2nd argument requires string, but got ${typeName(password)}`);
  }
  if (typeof method !== "string") return failLocally(`${name}: method requires string, but got ${typeName(method)}`);
  if (method !== "3DES") return failLocally(quoting`invalid encyption method "${method}"`);
  return password === "" ? failLocally("invalid empty encyption key") : password;
}

function decrypt(encrypted: string, password: string): string {
  try {
    return decryptText(encrypted, password);
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
    return failLocally(`invalid key: ${error.message}`);
  }
}
