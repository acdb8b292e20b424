// Keeps a processor or a disk busy until its stdin closes. usage: node load-machine.mjs processor | disk FILE
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";

const [kind, file] = process.argv.slice(2);
process.stdin.on("end", () => process.exit()).resume();

function keepProcessorBusy() {
  const end = Date.now() + 90;
  while (Date.now() < end);
}

function diskWriter() {
  const content = Buffer.alloc(8 * 1024 * 1024, 1);
  const handle = openSync(file, "w");
  process.on("exit", () => closeSync(handle));
  return () => {
    writeSync(handle, content, 0, content.length, 0);
    fsyncSync(handle);
  };
}

// Returns to the event loop between two steps: there the process notices the end of stdin.
setInterval(kind === "disk" ? diskWriter() : keepProcessorBusy, 0);
