"use strict";

/** What a Content-Security-Policy of the host forbids here, as a sentence of the page's words. */
class Policy {
  /** What is enough. */
  static ENOUGH = /*@POLICY@*/null;
  static _broken = null;

  static watch() {
    (globalThis.document ?? globalThis).addEventListener("securitypolicyviolation", ({ disposition, effectiveDirective: directive, blockedURI: blocked }) => {
      if (disposition === "enforce" && /^(script|worker|connect)-src/.test(directive)) Policy._broken ??= { word: "policy", values: { directive, blocked, policy: Policy.ENOUGH } };
    });
  }

  /** Gets the sentence, null if nothing was forbidden; the browser tells of it a little later than it forbids it. */
  static async broken() {
    await new Promise((told) => setTimeout(told, 100));
    return Policy._broken;
  }
}

/** Why a file does not come: a sentence of the page's words. */
class LoadError extends Error {
  constructor(word, values) {
    super(`${word} ${JSON.stringify(values)}`);
    this.sentence = { word, values };
  }
}

/**
 * The files of a version, as the page, its worker and the service worker get them: whole, or with the reason why not.
 * *folder* is their address, *listed* has {name: [bytes, SHA-256]}.
 */
class Files {
  /** The header of a file that was compared before, with its SHA-256. */
  static SUM = "x-ddzbot-sha256";
  static TYPES = { js: "text/javascript", css: "text/css", json: "application/json", wasm: "application/wasm" };
  /** The worker replaces the name, to hand Pyodide what was loaded. */
  static _fetch = globalThis.fetch.bind(globalThis);

  constructor(folder, listed) {
    this.folder = folder;
    this.listed = listed;
  }

  size(name) { return this.listed[name][0]; }

  /** Gets a file as a response of the right type, whatever type the host names; *came* gets how many bytes more there are. */
  async get(name, came = () => {}) {
    try {
      return await this._get(name, "default", came);
    } catch {
      // What the browser has kept of it may be damaged, or that it was not there.
      return this._get(name, "reload", came);
    }
  }

  async _get(name, cache, came) {
    let answer;
    try { answer = await Files._fetch(this.folder + name, { cache }); } catch { throw new LoadError("load_no_answer", { file: name }); }
    if (!answer.ok) throw new LoadError("load_missing", { file: name, status: answer.status });
    const [size, sum] = this.listed[name];
    if (answer.headers.get(Files.SUM) === sum) { came(size); return answer; }
    let counted = 0;
    const content = await Files._read(answer, size, (bytes) => { counted += bytes; came(bytes); });
    if (content.length !== size || (await Files.sum(content) ?? sum) !== sum) {
      came(-counted);
      throw new LoadError("load_damaged", { file: name, bytes: content.length, size });
    }
    return new Response(content, { headers: { "Content-Type": Files.TYPES[name.split(".").at(-1)] ?? "application/octet-stream", [Files.SUM]: sum } });
  }

  /** Reads as much as came, and no more than one byte too many. */
  static async _read(answer, size, came) {
    const content = new Uint8Array(size + 1);
    const reader = answer.body.getReader();
    let length = 0;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done || length + value.length > size) return content.subarray(0, done ? length : size + 1);
        content.set(value, length);
        length += value.length;
        came(value.length);
      }
    } catch {
      return content.subarray(0, length);
    }
  }

  /** Gets the SHA-256 in hex digits; undefined where a page that came without TLS may not compute it. */
  static async sum(content) {
    const sum = await globalThis.crypto?.subtle?.digest("SHA-256", content);
    return sum && [...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }
}
