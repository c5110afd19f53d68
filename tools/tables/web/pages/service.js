/**
 * Keeps all files of a version, so that the page works without network; the worker keeps the networks that it loads.
 * Versions replace each other whole: what a new one keeps is compared with its hashes, and an old one goes when no
 * page of it is open.
 * files.js stands before this.
 */
const VERSION = /*@VERSION@*/null;
const LISTED = /*@LISTED@*/null;
const PAGES = /*@PAGES@*/null;

const HERE = registration.scope;
/** Begins the names of what this copy keeps; its host may have others. */
const OURS = `ddzbot ${new URL(HERE).pathname} `;
const folderOf = (version) => `${HERE}${version}/`;
const files = new Files(folderOf(VERSION), LISTED);
const isNetwork = (name) => name.startsWith("weights/");
/** Milliseconds in which the browser closes a page that was just left, on a machine with much else to do. */
const CLOSING = 30000;

/** Lists the other versions that are kept. */
async function others() {
  const names = await caches.keys();
  return names.filter((name) => name.startsWith(OURS) && name !== OURS + VERSION).map((name) => name.slice(OURS.length));
}

const kept = (version, name) => caches.match(folderOf(version) + name, { cacheName: OURS + version });

/** Gets a version whole, or fails: the browser tries again at the next visit, which finds what has come. */
async function install() {
  const cache = await caches.open(OURS + VERSION);
  const before = await others();
  const names = [...Object.keys(LISTED).filter((name) => !isNetwork(name)), ...await networks(before)];
  await Promise.all(names.map(async (name) => cache.put(files.folder + name, await get(name, before))));
  await Promise.all(PAGES.map(async (name) => cache.put(HERE + name, await page(name))));
  await skipWaiting();
}

/** Gets a file, from what is kept of this version or one *before*, where it is the same. */
async function get(name, before) {
  for (const version of [VERSION, ...before]) {
    const found = await kept(version, name);
    if (found?.headers.get(Files.SUM) === LISTED[name][1]) return found;
  }
  return files.get(name);
}

/** Lists the networks that were kept *before*; all, if one of them is replaced, since its name does not show by which. */
async function networks(before) {
  const all = Object.keys(LISTED).filter(isNetwork);
  const found = new Set();
  for (const version of before) {
    for (const { url } of await (await caches.open(OURS + version)).keys()) found.add(url.slice(folderOf(version).length));
  }
  const old = [...found].filter(isNetwork);
  return old.every((name) => all.includes(name)) ? old : all;
}

/** Gets a page from the host itself; not one of another version, as while a host is being changed. */
async function page(name) {
  const answer = await fetch(HERE + name, { cache: "reload" });
  const text = await answer.text();
  if (!answer.ok || !text.includes(`"${VERSION}/`) || !text.trimEnd().endsWith("</html>")) throw new Error(`${name} is not of ${VERSION}`);
  return new Response(text, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}

/** Answers from the version of the folder in the address; pages are of this one, under each name that a host gives them. */
async function answer(request) {
  const address = request.url.replace(/[?#].*$/, "");
  const name = address.slice(HERE.length) || "index.html";
  const version = /^v-\w+(?=\/)/.exec(name)?.[0];
  const plain = name.replace(/(?:\.html|\/)$/, "");
  const page = PAGES.find((one) => one === `${plain}.html`);
  return await caches.match(HERE + (page ?? name), { cacheName: OURS + (version ?? VERSION) }) ?? fetch(request);
}

/** Forgets versions that no page uses: each holds a lock of that name as long as it is open. */
async function clean() {
  if (registration.installing ?? registration.waiting) return; // the newer version does it when it is there
  await Promise.all((await others()).map(forget));
}

/** Forgets a version as soon as the last page that uses it is closed; one that stays open keeps it. */
async function forget(version) {
  const name = OURS + version;
  const signal = AbortSignal.timeout(CLOSING);
  await navigator.locks.request(name, { signal }, () => caches.delete(name)).catch(() => {});
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || !event.request.url.startsWith(HERE)) return;
  event.respondWith(answer(event.request));
});
// A page reports when it is there. One that was about to open when this began to serve is not served yet; and the one
// that was open before in its tab is gone. A service worker that was replaced cannot claim, and forgets nothing.
addEventListener("message", (event) => event.waitUntil(clients.claim().then(clean)));
