"use strict";

/** The page of an endgame: keeps the moves, and asks for the game after them. All hands lie open. */
(() => {
  const find = (id) => document.getElementById(id);
  const number = TableLink.endgameName;
  const table = new CardTable(find("table"));
  let state = null, raised = [], sentence = null, hinted = false, asking = false;

  const played = () => (state?.plays ?? []).map(([cards]) => cards);
  const myTurn = () => state !== null && state.winner === null && !asking;
  const ownPlies = () => state.plays.map((_, ply) => ply).filter((ply) => ply % 2 === state.you);
  const name = (seat) => Words.text(seat === state.you ? "you" : "endgame_exact");
  const shown = (cards) => [...cards].reverse();
  const either = (moves) => moves.map(moveName).join(Words.language === "zh" ? " 或 " : " or ");

  /** Goes to the game after these moves; what is refused changes nothing. */
  async function go(moves) {
    if (asking) return;
    asking = true;
    sentence = null;
    draw();
    let answer;
    try {
      answer = await TableLink.endgame(moves.map((cards) => cards || "pass").join(","));
    } catch (error) {
      answer = { error: error.sentence ?? { word: "endgame_no_answer" } };
    }
    asking = false;
    if (answer.error) sentence = answer.error;
    else { state = answer; raised = []; hinted = false; }
    draw();
  }

  function play() {
    const hand = shown(state.hands[state.you]);
    if (raised.length) go([...played(), raised.map((index) => hand[index]).reverse().join("")]);
    else { sentence = { word: "raise_first" }; draw(); }
  }

  const pass = () => go([...played(), ""]);
  function hint() { hinted = true; draw(); }
  function clear() { raised = []; sentence = null; draw(); }

  // What is shown.

  function draw() {
    document.title = Words.text("endgame_title", { number }) + " · ddzbot";
    find("title").textContent = Words.text("endgame_title", { number });
    if (state) table.draw({ places: [state.you, 1 - state.you].map(place), bottom: [], bottomSize: 0, note: "" });
    find("said").textContent = state ? said() : "";
    find("said").classList.toggle("said--result", state !== null && state.winner !== null);
    find("problem").textContent = sentence ? sentence[Words.language] ?? Words.text(sentence.word, sentence.values) : "";
    find("moves").replaceChildren(...played().map((cards, ply) => Cards.build("li", {}, `${name(ply % 2)}: ${moveName(cards)}`)));
    find("hint").hidden = !hinted;
    find("hint").textContent = !hinted ? "" : state.winning.length
      ? Words.text("endgame_hint", { moves: either(state.winning) }) : Words.text("endgame_hint_none");
    drawActs();
  }

  function place(seat) {
    const ply = state.plays.findLastIndex((_, at) => at % 2 === seat);
    const [cards, kind] = state.plays[ply] ?? [];
    const last = ply === state.plays.length - 1;
    const lies = ply >= state.plays.length - 2 && (last || state.leads || state.winner !== null);
    return {
      name: name(seat),
      role: seat ? "peasant" : "landlord",
      count: state.hands[seat].length,
      cards: shown(state.hands[seat]),
      played: ply < 0 || !lies ? null : { cards: bodyFirst(cards), kind, fresh: last, faded: state.leads && !last },
      bid: null,
      toMove: state.winner === null && seat === state.you,
      score: null,
      won: state.winner === seat,
      choose: state.winner === null && seat === state.you ? (indexes) => { raised = indexes; find("problem").textContent = ""; } : null,
      selected: raised,
    };
  }

  function said() {
    if (state.winner !== null) return [Words.text(state.winner === state.you ? "endgame_won" : "endgame_lost"), slip()].join(Words.language === "zh" ? "" : " ");
    if (state.leads) return Words.text("your_lead");
    const [cards, kind] = state.plays.at(-1);
    return Words.text("your_answer", { kind: Words.text("kind_" + kind), cards: Cards.short(bodyFirst(cards)) });
  }

  function slip() {
    if (!state.slip) return "";
    const { number: ply, winning } = state.slip;
    return Words.text("endgame_slip", { number: ply, cards: moveName(played()[ply - 1]), moves: either(winning) });
  }

  function drawActs() {
    const moved = state !== null && !asking && ownPlies().length > 0;
    const may = { play: myTurn(), pass: myTurn() && !state.leads, "hint-ask": myTurn(), back: moved, again: moved || (state === null && !asking) };
    for (const [id, allowed] of Object.entries(may)) find(id).disabled = !allowed;
  }

  // Keys, as at a table.

  document.addEventListener("keydown", (event) => {
    const onCard = document.activeElement?.matches(".hand--choosable .card");
    if (event.ctrlKey || event.metaKey || event.altKey || !myTurn()) return;
    if (event.key === "Enter" && document.activeElement?.matches("button, a") && !onCard) return;
    const key = event.key.length === 1 ? event.key.toUpperCase().replace("0", "T") : event.key;
    const todo = { Enter: play, P: pass, H: hint, Escape: clear }[key];
    const cards = [...document.querySelectorAll(`.hand--choosable [data-card="${Cards.RANKS.includes(key) ? key : ""}"]`)];
    if (!todo && !cards.length) return;
    event.preventDefault();
    if (todo) { todo(); return; }
    const down = cards.filter((card) => card.getAttribute("aria-pressed") === "false");
    (down.length ? down.slice(-1) : cards).forEach((card) => card.click());
  });

  const buttons = { play, pass, "hint-ask": hint, back: () => go(played().slice(0, ownPlies().at(-1))), again: () => go([]) };
  for (const [id, todo] of Object.entries(buttons)) find(id).addEventListener("click", todo);
  find("language").addEventListener("click", () => { Words.speak(Words.language === "zh" ? "en" : "zh"); draw(); });
  Words.speak(Words.preferred());
  go([]);
})();
