"use strict";

Policy.watch();

/** Shows how much of the bot has come, what it waits for, and since when nothing has happened. */
class Loading {
  static PATIENCE = 8000;

  constructor() {
    this._text = Cards.build("p", {});
    this._bar = Cards.build("progress", { max: 1, value: 0 });
    this._slow = Cards.build("p", { class: "problem" });
    this._panel = Cards.build("div", { id: "loading", class: "panel form loading", role: "status" }, this._text, this._bar, this._slow);
    this.show(0, 0, false);
    document.querySelector("main").before(this._panel);
    // The page speaks the other language only after its own listener was called.
    document.getElementById("language").addEventListener("click", () => setTimeout(() => this._draw()));
  }

  /** Shows the bytes that are there and those that are due, and whether Python has started. */
  show(done, due, ready) {
    Object.assign(this, { done, due, ready, late: false });
    clearTimeout(this._timer);
    if (this._active) this._timer = setTimeout(() => { this.late = true; this._draw(); }, Loading.PATIENCE);
    this._draw();
  }

  get _active() { return !this.ready || this.done < this.due; }

  end() { this.show(0, 0, true); }

  _draw() {
    const whole = this.due > 0 && this.done >= this.due;
    const [done, of] = [this.done, this.due].map((bytes) => (bytes / 1e6).toFixed(1));
    this._panel.hidden = !this._active;
    if (!this._active) return;
    this._text.textContent = whole || !this.due ? Words.text("starting") : Words.text("loading", { done, of });
    this._bar.value = this.due ? this.done / this.due : 0;
    this._slow.textContent = !this.late ? "" : Words.text(whole ? "slow_start" : "load_stalled", { seconds: Loading.PATIENCE / 1000 });
  }
}

/** The worker of this page, which has Python and the bot: tools/tables/web/browser_worker.py has what the page can ask. */
class Bot {
  constructor(heard) {
    this._heard = heard;
    this._asked = new Map();
    this._made = 0;
    this._raise();
    this._loading = new Loading();
    /** Why there is no bot, as a sentence, as soon as that is known. */
    this.failed = new Promise((resolve) => { this._reportFailure = resolve; });
    this._started = this._start();
    // A browser may keep a page that was left, but not the memory of its worker too.
    addEventListener("pagehide", () => this._worker?.terminate());
    addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload(); });
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.('a[href*="games/"]');
      if (link) { event.preventDefault(); this._show(link); }
    }, true);
  }

  /** Asks the worker; a failure has a sentence with the reason. */
  ask(ask, ...words) {
    const number = this._made++;
    const message = { ask, words, number, flag: this._flag, seconds: Number(Kept.get("seconds") ?? 1) };
    return new Promise((found, failed) => {
      this._asked.set(number, { found, failed });
      this._started.then(() => (this._broken ? this._settle(number, undefined, this._broken) : this._worker.postMessage(message)));
    });
  }

  /** Has whatever is being thought about end with the best move so far. */
  hurry() {
    URL.revokeObjectURL(this._flag);
    this._raise();
    return this.ask("hurry");
  }

  _raise() { this._flag = URL.createObjectURL(new Blob()); }

  async _start() {
    const listed = JSON.parse(document.getElementById("files").textContent);
    try {
      const source = await new Files(Copy.folder, listed).get("worker.js");
      // Where the host does not call it a script, from here.
      this._worker = await Bot._worker(Copy.folder + "worker.js")
        .catch(async () => Bot._worker(URL.createObjectURL(await source.blob())));
    } catch (error) {
      this._break(await Policy.broken() ?? error.sentence ?? { word: "no_bot", values: { error: error.message } });
      return;
    }
    this._worker.onmessage = ({ data }) => this._receive(data);
    this._worker.onerror = ({ message }) => this._break({ word: "no_bot", values: { error: message } });
    this._worker.postMessage({ begin: { folder: Copy.folder, listed, cache: Copy.cache } });
  }

  /** Makes a worker, which answers at once that it is there. */
  static _worker(address) {
    return new Promise((found, failed) => {
      const worker = new Worker(address);
      worker.onmessage = () => found(worker);
      worker.onerror = (event) => { event.preventDefault(); failed(new Error(event.message || "worker.js")); };
    });
  }

  _break(sentence) {
    this._broken ??= sentence;
    // Its messages from now on are dropped: loading has ended.
    this._worker?.terminate();
    this._loading.end();
    this._reportFailure(sentence);
    for (const number of [...this._asked.keys()]) this._settle(number, undefined, sentence);
  }

  _receive({ number, answer, failed, progress, broken, ...message }) {
    if (this._broken) return;
    if (progress) this._loading.show(...progress);
    else if (broken) this._break(broken);
    else if (number === undefined) this._heard(message);
    else this._settle(number, answer, failed);
  }

  _settle(number, answer, failed) {
    const asked = this._asked.get(number);
    this._asked.delete(number);
    if (failed === undefined) asked?.found(answer);
    else asked?.failed(Object.assign(new Error(failed.word), { sentence: failed }));
  }

  /** Opens a page of a finished game, or saves its record, instead of what a link of this page names. */
  async _show(link) {
    const [, number, kind] = /\/games\/(\d+)\/([\w.]+)$/.exec(link.href);
    const record = kind === "record.ddzn";
    // Now, while this is still the click of a person.
    const tab = record ? null : open("", "_blank");
    let text;
    try {
      text = await this.ask("page", kind, Number(number), new URL(TableLink.HOME, location.href).href);
    } catch ({ sentence }) {
      tab?.close();
      this._heard({ say: JSON.stringify({ type: "refused", sentence }) });
      return;
    }
    const address = URL.createObjectURL(new Blob([text], { type: (record ? "text/plain" : "text/html") + ";charset=utf-8" }));
    if (record) Cards.build("a", { href: address, download: `ddzbot-${number}.ddzn` }).click();
    else tab.location = address + (link.dataset.ply ? "#ply=" + link.dataset.ply : "");
  }
}
