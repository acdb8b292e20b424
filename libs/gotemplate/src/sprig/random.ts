import { type CallContext, FunctionError, type FunctionMap, define, int } from "@landscaper/golang";

/** An unbiased integer below `limit`, from random bytes. */
function randomBelow(limit: number, context: CallContext): number {
  const bytes = limit <= 0x100 ? 1 : limit <= 0x10000 ? 2 : 6;
  const space = 256 ** bytes;
  const usable = space - (space % limit);
  for (;;) {
    const value = Buffer.from(context.random(bytes)).readUIntBE(0, bytes);
    if (value < usable) return value % limit;
    context.charge(64);
  }
}

const digits = "0123456789";
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join("");

function randomText(characters: string): FunctionMap[string] {
  return define(["int"], ([count], context) => {
    const length = count.toNumber();
    context.charge(Math.max(length, 0) * 16);
    let text = "";
    for (let i = 0; i < length; i++) text += characters.charAt(randomBelow(characters.length, context));
    return text;
  });
}

function uuid(context: CallContext): string {
  const bytes = Buffer.from(context.random(16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function shuffle(text: string, context: CallContext): string {
  const runes = Array.from(text);
  for (let i = runes.length - 1; i > 0; i--) {
    const j = randomBelow(i + 1, context);
    [runes[i], runes[j]] = [runes[j] ?? "", runes[i] ?? ""];
  }
  return runes.join("");
}

/** Functions that draw from the random bytes of the execution. */
export const randomFunctions: FunctionMap = {
  randAlphaNum: randomText(letters + digits),
  randAlpha: randomText(letters),
  randNumeric: randomText(digits),
  randAscii: randomText(ascii),
  randInt: define(["int", "int"], ([from, to], context) => {
    const span = Number(to.value - from.value);
    if (span <= 0) throw new FunctionError("invalid argument to Intn");
    return int(from.value + BigInt(randomBelow(span, context)));
  }),
  randBytes: define(["int"], ([count], context) => {
    const length = count.toNumber();
    if (length < 0) throw new FunctionError("runtime error: makeslice: len out of range");
    context.charge(length);
    return Buffer.from(context.random(length)).toString("base64");
  }),
  shuffle: define(["string"], ([text], context) => shuffle(text, context)),
  uuidv4: define([], (_, context) => uuid(context)),
};
