import {
  type CallContext,
  FunctionError,
  type FunctionMap,
  bcryptHash,
  bcryptWorkMs,
  define,
} from "@landscaper/golang";
import { spendMs } from "./private-keys.ts";

const cost = 10;

/** The hash, or what went wrong: sprig gives that as text, too. */
function bcrypt(password: string, context: CallContext): string {
  spendMs(bcryptWorkMs(cost), context);
  try {
    return bcryptHash(password, cost, context.random(16));
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    return `failed to encrypt string with bcrypt: ${error.message}`;
  }
}

/** Hashes of passwords that differ each time. */
export const passwordFunctions: FunctionMap = {
  bcrypt: define(["string"], ([password], context) => bcrypt(password, context)),
  htpasswd: define(["string", "string"], ([user, password], context) =>
    user.includes(":") ? `invalid username: ${user}` : `${user}:${bcrypt(password, context)}`,
  ),
};
