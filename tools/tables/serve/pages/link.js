"use strict";

/**
 * The connection of a table's page. It identifies its seat, hands on the server's messages, and reconnects when it is lost.
 *
 * new TableLink({message(object), lost(), gone()}).open(); send({type: "play", ...}) sends a message.
 */
class TableLink {
  static SHORTEST_WAIT = 500;
  static LONGEST_WAIT = 8000;
  /** The start page, wherever a proxy has put it: this script is static/link.js from there. */
  static HOME = new URL("..", document.currentScript.src).href;

  /** Asks for a table as wished; the answer has a sentence as its error, or what address() takes. */
  static async make(wish) {
    const response = await fetch(TableLink.HOME + "tables", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(wish),
    });
    return response.json();
  }

  /** Gets where the table is that was made. */
  static address({ table, seats: [own, ...others] }) {
    // The links of the other seats are for the maker of the table; they stay in this tab.
    sessionStorage.setItem("ddzbot-links-" + table, JSON.stringify(others));
    return TableLink.HOME + "tables/" + table + (own ? "#seat=" + own.token : "#watch");
  }

  static endgameAddress(name) { return TableLink.HOME + "endgames/" + name; }

  /** Names the endgame of this page. */
  static get endgameName() { return document.getElementById("title").dataset.number; }

  /** Gets the endgame of this page after these moves, such as "4,Q,pass". */
  static async endgame(moves) { return (await fetch(`${location.pathname}/game?moves=${moves}`)).json(); }

  constructor(listener) {
    this._listener = listener;
    this._wait = TableLink.SHORTEST_WAIT;
    this._ended = false;
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss://" : "ws://";
    this._socket = new WebSocket(scheme + location.host + location.pathname + "/socket");
    this._socket.addEventListener("open", () => {
      const token = /^#seat=([\w-]+)$/.exec(location.hash)?.[1] ?? "";
      this.send({ type: "join", token, watch: location.hash === "#watch" });
    });
    this._socket.addEventListener("message", (event) => this._hear(JSON.parse(event.data)));
    this._socket.addEventListener("close", () => this._closed());
  }

  /** Sends an object; false if there is no connection now. */
  send(message) {
    if (this._socket.readyState !== WebSocket.OPEN) return false;
    this._socket.send(JSON.stringify(message));
    return true;
  }

  _hear(message) {
    if (message.type === "welcome") {
      this._wait = TableLink.SHORTEST_WAIT;
      // The seat stays in the address, so that the page can be loaded again. The part behind # never leaves the browser.
      if (message.token) history.replaceState(null, "", "#seat=" + message.token);
    }
    if (message.type === "closed" || message.fatal) this._ended = true;
    this._listener.message(message);
  }

  async _closed() {
    if (this._ended) return;
    this._listener.lost();
    await new Promise((go) => setTimeout(go, this._wait));
    this._wait = Math.min(2 * this._wait, TableLink.LONGEST_WAIT);
    try {
      const answer = await fetch(location.pathname, { method: "HEAD" });
      if (answer.status === 404) {
        this._ended = true;
        this._listener.gone();
        return;
      }
    } catch { /* The server does not answer yet. */ }
    this.open();
  }
}
