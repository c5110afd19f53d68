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

const started = (async () => {
  const archive = read("app.zip");
  const python = await loadPyodide({ env: { HOME: "/" } });
  python.unpackArchive(await archive, "zip", { extractDir: "/app" });
  python.runPython("import sys; sys.path.insert(0, '/app')");
  return python;
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
