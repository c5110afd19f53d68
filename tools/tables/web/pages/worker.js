"use strict";

/**
 * The worker: Python with the bot, and what tools/tables/web/place.py does. It answers {ask, words, number}, and says
 * {say}, a message of the table, {keep}, its file, and {found}, the best move so far.
 */
importScripts("pyodide/pyodide.js");

let flag = "", place = null;

/** Tells whether the page wants the answer now: it has revoked the address of its flag, the one thing that one can see without an end of this work. */
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

async function read(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.arrayBuffer();
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
import tools.tables.web.place
for module in [*sys.modules.values()]:
    files.pop(getattr(module, "__file__", None), None)
`;

/** Gives memory back at once, which else waits for a collection of garbage: nobody gets it. */
function drop(buffer) {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  port1.postMessage(null, [buffer]);
}

/**
 * Starts Python where the first visit *kept* it: when it had just imported what a table needs. The kernel came later,
 * since a library is no part of what can be kept; nor are files.
 */
async function start(cache, kept) {
  const python = await loadPyodide({ env: { HOME: "/" }, _loadSnapshot: kept, _makeSnapshot: !kept });
  if (kept) {
    python.runPython("write()");
    drop(await kept);
  } else {
    python.FS.writeFile("/app.bin", new Uint8Array(await read("app.bin")));
    python.runPython(FIRST);
    cache?.put("snapshot", new Response(python.makeMemorySnapshot())).catch(() => {});
  }
  python.runPython("del files");
  return python;
}

const started = (async () => {
  const cache = await globalThis.caches?.open("@version@").catch(() => null);
  const kept = await cache?.match("snapshot");
  return kept ? start(cache, kept.arrayBuffer()).catch(() => start(cache)) : start(cache);
})();

const page = {
  say: (text) => postMessage({ say: text }),
  keep: (name, text) => postMessage({ keep: text, name }),
  found: (text) => postMessage({ found: text }),
  hurried,
  read,
};

onmessage = async ({ data: { ask, words, number, flag: raised, seconds } }) => {
  flag = raised;
  try {
    const python = await started;
    place ??= python.pyimport("tools.tables.web.place").Place(page, seconds);
    postMessage({ number, answer: await place[ask](...words) });
  } catch (error) {
    postMessage({ number, failed: String(error.message ?? error) });
  }
};
