"use strict";

/** The page of pasted text: games to replay and to review, a position to analyse, an endgame to solve. */
(() => {
  const { build } = Cards;
  const find = (id) => document.getElementById(id);
  const reviews = new Map();
  const reviewsPanel = new ReviewsPanel(find("reviews"));
  const hintPanel = new HintPanel(find("hint"), null);
  const bot = TableLink.bot((message) => hear(message));
  let answer = {}, asking = false, sentence = null, soFar = null;

  async function look(event) {
    event.preventDefault();
    const text = find("text").value.trim();
    if (asking) return;
    if (!text) { sentence = { word: "look_nothing" }; draw(); return; }
    [answer, asking, sentence, soFar] = [{}, true, null, null];
    reviews.clear();
    draw();
    try {
      answer = JSON.parse(await bot.ask("look", text));
      sentence = answer.error ?? null;
    } catch (error) {
      sentence = error.sentence;
    }
    asking = false;
    draw();
  }

  function hear({ say, found }) {
    if (found !== undefined) soFar = found;
    if (say !== undefined) {
      const message = JSON.parse(say);
      if (message.type === "review" && !message.problem) reviews.set(message.game, message);
      else { reviews.delete(message.game); sentence = message.problem ?? message.sentence; }
    }
    draw();
  }

  function failed(error) { sentence = error.sentence; draw(); }

  function draw() {
    find("problem").textContent = sentence ? sentence[Words.language] ?? Words.text(sentence.word, sentence.values) : "";
    find("hurry").disabled = !asking && [...reviews.values()].every((review) => review.ready);
    hintPanel.draw(asking, answer.analysis ?? null, soFar);
    reviewsPanel.draw([...reviews.values()]);
    const lines = (answer.games ?? []).map(game).concat(answer.ply ? [position()] : [], answer.solution ? solution() : []);
    find("found").hidden = !lines.length;
    find("found").replaceChildren(...lines);
  }

  const page = (number, kind, word, more = {}) =>
    build("a", { class: "act", href: `games/${number}/${kind}`, target: "_blank", ...more }, Words.text(word));

  function game({ game: number, rules, names }) {
    const review = build("button", { type: "button", class: "act" }, Words.text("do_review"));
    review.addEventListener("click", () => bot.ask("review", number).catch(failed));
    const name = `${Words.text("review_of", { game: number })} · ${rules} · ${names.map((one) => one || "?").join(", ")}`;
    return build("div", {}, build("p", {}, name), build("div", { class: "acts acts--here" }, page(number, "replay", "replay"), review));
  }

  const position = () => build("div", { class: "acts acts--here" }, page(1, "replay", "look_position", { "data-ply": answer.ply }));

  function solution() {
    const { winner, winning_moves: winning, line } = answer.solution;
    const cards = (moves) => moves.map((move) => moveName(move === "pass" ? "" : move)).join(", ");
    const text = winner === "unknown" ? Words.text("solved_unknown") : Words.text("solved_by", { winner: Words.text("side_" + winner) });
    const play = build("a", { class: "act act--main", href: TableLink.endgameAddress(answer.hands.join("/")) }, Words.text("look_play"));
    return [build("h2", {}, text), winning.length ? build("p", {}, Words.text("solved_moves", { moves: cards(winning) })) : null,
      line.length ? build("p", {}, Words.text("solved_line", { moves: cards(line) })) : null,
      winner !== "unknown" && answer.hands.length === 2 ? build("div", { class: "acts acts--here" }, play) : null].filter(Boolean);
  }

  find("file").addEventListener("change", async () => { find("text").value = await find("file").files[0].text(); });
  find("look").addEventListener("submit", look);
  find("hurry").addEventListener("click", () => bot.hurry().catch(failed));
  find("language").addEventListener("click", () => { Words.speak(Words.language === "zh" ? "en" : "zh"); draw(); });
  Words.speak(Words.preferred());
  draw();
  bot.failed.then((why) => failed({ sentence: why }));
})();
