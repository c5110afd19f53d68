"use strict";

/** The start page: asks for a table and goes there. */
const StartPage = (() => {
  const problem = document.getElementById("problem");
  const board = document.getElementById("board");

  /** Shows what is wrong in the card that it belongs to. */
  function showProblem(card, text) {
    card.append(problem);
    problem.textContent = text;
  }

  /** Turns a language on; what a level is called has its rating beside it. */
  function speak(language) {
    Words.speak(language);
    for (const group of document.querySelectorAll("[data-label]")) group.label = Words.text(group.dataset.label);
    for (const option of document.querySelectorAll("[data-elo]")) {
      const elo = option.dataset.elo.replace(/^(?=\d)/, "+").replace("-", "\u2212");
      option.textContent = Words.text("level_of", { level: Words.text("level_" + option.value), elo });
    }
  }

  async function make(card, wish) {
    showProblem(card, "");
    let answer;
    try {
      answer = await TableLink.make(wish);
    } catch {
      showProblem(card, Words.text("not_made"));
      return;
    }
    if (answer.error) {
      showProblem(card, answer.error[Words.language] ?? answer.error);
      return;
    }
    location.href = TableLink.address(answer);
  }

  document.getElementById("endgame").addEventListener("submit", (event) => {
    event.preventDefault();
    location.href = TableLink.endgameAddress(document.getElementById("puzzle").value);
  });
  document.getElementById("make").addEventListener("submit", (event) => {
    event.preventDefault();
    const places = [...document.querySelectorAll(".player")].map((choice) => choice.value);
    make(event.target, { rules: document.getElementById("rules").value, places });
  });
  board.addEventListener("submit", (event) => {
    event.preventDefault();
    const start = document.getElementById("position").value.trim();
    if (start) make(board, { start });
    else showProblem(board, Words.text("board_nothing"));
  });
  document.getElementById("example").addEventListener("click", ({ target }) => {
    document.getElementById("position").value = target.dataset.position;
    showProblem(board, "");
  });
  document.getElementById("language").addEventListener("click", () => speak(Words.language === "zh" ? "en" : "zh"));
  speak(Words.preferred());

  // A page of a game links here, with a game up to one of its moves.
  const start = /^#board=(.+)$/.exec(location.hash)?.[1];
  if (start) {
    history.replaceState(null, "", location.pathname);
    document.addEventListener("DOMContentLoaded", () => {
      let wish;
      try { wish = { start: JSON.parse(decodeURIComponent(start)) }; } catch { showProblem(board, Words.text("bad_link")); return; }
      make(board, wish);
    });
  }

  return { showProblem };
})();
