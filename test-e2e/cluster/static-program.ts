/** Whether an ELF program (64 bits, little endian) names no interpreter: then it runs where there are no shared libraries. */
export function isStaticProgram(program: Buffer): boolean {
  const isElf64 =
    program.length >= 64 && program.readUInt32BE(0) === 0x7f454c46 && program[4] === 2 && program[5] === 1;
  if (!isElf64) return false;
  const start = Number(program.readBigUInt64LE(32));
  const size = program.readUInt16LE(54);
  const count = program.readUInt16LE(56);
  const interpreter = 3;
  return !Array.from({ length: count }, (_, index) => program.readUInt32LE(start + index * size)).includes(interpreter);
}
