// Runs a program compiled for WASI: node wasi.mjs PROGRAM.wasm ARGUMENTS
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [file, ...words] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: [file, ...words], env: process.env });
const program = await WebAssembly.compile(await readFile(file));
// Debian's C library for WASI has no functions of threads: no thread is made (EAGAIN), and nothing else is asked for.
const missing = WebAssembly.Module.imports(program).filter(({ module }) => module === "env");
const env = Object.fromEntries(missing.map(({ name }) => [name, () => (name === "pthread_create" ? 6 : 0)]));
process.exitCode = wasi.start(await WebAssembly.instantiate(program, { ...wasi.getImportObject(), env }));
