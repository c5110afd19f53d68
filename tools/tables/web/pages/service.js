"use strict";

/** Keeps all files of the page, so that it works without network; networks when they came. VERSION is the hash of all. */
const VERSION = "@version@";
const FILES = /*@files@*/[];

const keep = async (request) => {
  const answer = await fetch(request);
  if (answer.ok && request.method === "GET") await (await caches.open(VERSION)).put(request, answer.clone());
  return answer;
};

addEventListener("install", (event) => event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)).then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(caches.keys()
  .then((names) => Promise.all(names.filter((name) => name.startsWith("ddzbot-") && name !== VERSION).map((name) => caches.delete(name))))
  .then(() => clients.claim())));
addEventListener("fetch", (event) => event.respondWith(
  caches.match(event.request, { ignoreSearch: true }).then((found) => found ?? keep(event.request))));
