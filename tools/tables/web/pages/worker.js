"use strict";

/**
 * The worker: Python with the bot, and what tools/tables/web/browser_worker.py does. It gets {begin} and answers {ask, words,
 * number}; it sends {say}, a message of the table, {keep}, its file, {found}, the best move so far, {progress}, how
 * much of what is due has come and whether Python has started, and {broken}, why it has not. files.js stands before it.
 */
const PYTHON = "pyodide/";
const SCRIPTS = ["pyodide.js", "pyodide.asm.js"].map((name) => PYTHON + name);
/** What each start needs, and what only one that finds no memory of an earlier one does. */
const ALWAYS = ["pyodide.asm.wasm", "pyodide-lock.json"].map((name) => PYTHON + name);
const ANEW = [PYTHON + "python_stdlib.zip", "app.bin"];

const SLICE = 1 << 20;
const STORE_WAIT = 4000;

let files = null, cacheName = "", flag = "", worker = null, fault = null;
let done = 0, due = 0, ready = false, timer = 0;

/** Shows how far loading is, not more often than it can be seen. */
function progress(bytes, more = 0) {
  done += bytes;
  due += more;
  if (done < due) timer ||= setTimeout(report, 100);
  else report();
}

function report() {
  clearTimeout(timer);
  timer = 0;
  postMessage({ progress: [done, due, ready] });
}

/** Tests whether the page wants the answer now: it has revoked the address of its flag, the one thing that one can see without an end of this work. */
function hurried() {
  const asked = new XMLHttpRequest();
  try {
    asked.open("GET", flag, false);
    asked.send();
    return false;
  } catch {
    return flag !== "";
  }
}

/** Gets a file of the version; the last reason why one did not come is kept. (With `load` Pyodide takes this for a shell.) */
async function take(name) {
  progress(0, files.size(name));
  try {
    return await files.get(name, progress);
  } catch (error) {
    fault = error.sentence;
    progress(0, -files.size(name)); // nothing of it is due any more
    throw error;
  }
}

/** Gets a network, and keeps it for times without network. */
async function read(name) {
  const answer = await take(name);
  const copy = answer.clone();
  globalThis.caches?.open(cacheName).then((cache) => cache.put(files.folder + name, copy)).catch(() => { /* there is no room for it */ });
  return answer.arrayBuffer();
}

/** Has Pyodide find what is *loaded*, responses by name, in place of asking the host. */
function handOut(loaded) {
  globalThis.fetch = (address, ...more) => {
    const name = String(address).startsWith(files.folder) ? String(address).slice(files.folder.length) : "";
    const found = loaded.get(name);
    loaded.delete(name);
    return found ?? Files._fetch(address, ...more);
  };
}

/** Runs a script, whatever the host calls it. */
async function run(script) {
  const address = URL.createObjectURL(new Blob([await (await script).arrayBuffer()], { type: "text/javascript" }));
  importScripts(address);
  URL.revokeObjectURL(address);
}

/** Takes our files from their archive, imports what a table needs, and knows which files are left to write. */
const FIRST = `
import marshal, os, sys, zlib

def write():
    for name, content in files.items():
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "wb") as file:
            file.write(content)

with open("/app.bin", "rb") as packed:
    files = marshal.loads(zlib.decompress(packed.read()))
write()
sys.path.insert(0, "/app")
import tools.tables.web.browser_worker
for module in [*sys.modules.values()]:
    files.pop(getattr(module, "__file__", None), None)
`;

/** Gives memory back at once, which else waits for a collection of garbage: no code uses it. */
function drop(buffer) {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  port1.postMessage(null, [buffer]);
}

/** Starts Pyodide; it only warns where WebAssembly fails, and would never end. */
function pyodide(options) {
  const compile = WebAssembly.instantiateStreaming;
  const broken = new Promise((_, failed) => {
    WebAssembly.instantiateStreaming = (...words) => compile(...words).catch((error) => { failed(error); throw error; });
  });
  const started = loadPyodide({ env: { HOME: "/" }, indexURL: files.folder + PYTHON, ...options });
  return Promise.race([started, broken]).finally(() => { WebAssembly.instantiateStreaming = compile; });
}

/**
 * Starts Python where an earlier visit kept it: when it had just imported what a table needs. The kernel came later,
 * since a library is no part of what can be kept; nor are files.
 */
async function start(cache, earlier) {
  const scripts = globalThis.loadPyodide ? [] : SCRIPTS;
  const loaded = new Map([...scripts, ...ALWAYS].map((name) => [name, take(name)]));
  const kept = await earlier;
  for (const name of kept ? [] : ANEW) loaded.set(name, take(name));
  const all = Promise.all(loaded.values());
  all.catch(() => { /* reported below */ });
  for (const name of scripts) await run(loaded.get(name));
  await all;
  handOut(loaded);
  const python = await pyodide({ _loadSnapshot: kept, _makeSnapshot: !kept });
  if (kept) {
    python.runPython("write()");
    drop(kept);
  } else {
    python.FS.writeFile("/app.bin", new Uint8Array(await (await loaded.get("app.bin")).arrayBuffer()));
    python.runPython(FIRST);
    keep(cache, python.makeMemorySnapshot());
  }
  python.runPython("del files");
  return python;
}

/** Gets one hash of the hashes of slices: for each call the browser copies all that it hashes. */
async function slicedSum(memory) {
  const sums = [];
  for (let at = 0; at < memory.length; at += SLICE) sums.push(await Files.sum(memory.subarray(at, at + SLICE)));
  return Files.sum(new TextEncoder().encode(sums.join("")));
}

/** Keeps Python's memory for the next visit, with its hash. */
async function keep(cache, memory) {
  try {
    await (await cache)?.put("snapshot", new Response(memory, { headers: { [Files.SUM]: await slicedSum(memory) } }));
  } catch { /* there is no room for it */ }
}

/** Gets the memory that was kept; null if there is none, or it is another one than was kept. */
async function memory(cache) {
  const answer = await (await cache)?.match("snapshot");
  if (!answer) return null;
  const content = await answer.arrayBuffer().catch(() => new ArrayBuffer(0));
  return await slicedSum(new Uint8Array(content)) === answer.headers.get(Files.SUM) ? content : null;
}

async function begin({ folder, listed, cache: named }) {
  files = new Files(folder, listed);
  cacheName = named;
  const cache = globalThis.caches?.open(cacheName).catch(() => null);
  // A store that does not answer is as good as none.
  const kept = Promise.race([memory(cache), new Promise((resolve) => setTimeout(resolve, STORE_WAIT, null))]);
  // Memory that was whole, and that this browser still cannot take, is made anew.
  const python = await start(cache, kept).catch(async (error) => {
    if (error.sentence || !await kept) throw error;
    return start(cache, null);
  });
  ready = true;
  progress(0);
  return python;
}

const page = {
  say: (text) => postMessage({ say: text }),
  keep: (name, text) => postMessage({ keep: text, name }),
  found: (text) => postMessage({ found: text }),
  hurried,
  read,
};

/** Gets the reason of a failure: for Python, the last line of its traceback. */
async function sentence(error, word) {
  const values = { error: String(error.message ?? error).trim().split("\n").at(-1).replace(/\.$/, "") };
  return await Policy.broken() ?? error.sentence ?? fault ?? { word, values };
}

let started = null;

Policy.watch();

onmessage = async ({ data: { begin: wanted, ask, words, number, flag: raised, seconds } }) => {
  if (wanted) {
    started = begin(wanted);
    started.catch(async (error) => postMessage({ broken: await sentence(error, "no_bot") }));
    return;
  }
  flag = raised;
  fault = null;
  try {
    const python = await started;
    worker ??= python.pyimport("tools.tables.web.browser_worker").BrowserWorker(page, seconds);
    postMessage({ number, answer: await worker[ask](...words) });
  } catch (error) {
    postMessage({ number, failed: await sentence(error, "bot_failed") });
  }
};

postMessage({ here: true });
