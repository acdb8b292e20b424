import type { FunctionMap } from "@landscaper/golang";
import { certificateFunctions } from "./certificates.ts";
import { withCosts } from "./costs.ts";
import { cryptoFunctions } from "./crypto.ts";
import { dateFunctions } from "./dates.ts";
import { defaultFunctions } from "./defaults.ts";
import { dictFunctions } from "./dicts.ts";
import { encodingFunctions } from "./encoding.ts";
import { listFunctions } from "./lists.ts";
import { numberFunctions } from "./numbers.ts";
import { passwordFunctions } from "./passwords.ts";
import { pathFunctions } from "./paths.ts";
import { privateKeyFunctions } from "./private-keys.ts";
import { randomFunctions } from "./random.ts";
import { regexSprigFunctions } from "./regex.ts";
import { semverFunctions } from "./semver.ts";
import { stringFunctions } from "./strings.ts";
import { urlFunctions } from "./urls.ts";
import { wordFunctions } from "./words.ts";

/**
 * The functions of sprig v3 that touch nothing outside: no env, expandenv and getHostByName. Time, random bytes and
 * private keys come from the execution (ExecuteOptions.now, .random and .createKey).
 */
export const sprigFunctions: FunctionMap = withCosts({
  ...certificateFunctions,
  ...cryptoFunctions,
  ...dateFunctions,
  ...defaultFunctions,
  ...dictFunctions,
  ...encodingFunctions,
  ...listFunctions,
  ...numberFunctions,
  ...passwordFunctions,
  ...pathFunctions,
  ...privateKeyFunctions,
  ...randomFunctions,
  ...regexSprigFunctions,
  ...semverFunctions,
  ...stringFunctions,
  ...urlFunctions,
  ...wordFunctions,
});
