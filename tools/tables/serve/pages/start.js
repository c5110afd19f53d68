"use strict";

/** The start page: asks for a table and goes there. */
(() => {
  const problem = document.getElementById("problem");

  async function make(wish) {
    problem.textContent = "";
    let answer;
    try {
      answer = await TableLink.make(wish);
    } catch {
      problem.textContent = Words.text("not_made");
      return;
    }
    if (answer.error) {
      problem.textContent = answer.error[Words.language] ?? answer.error;
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
    const places = [...document.querySelectorAll(".who")].map((choice) => choice.value);
    make({ rules: document.getElementById("rules").value, places });
  });
  document.getElementById("board").addEventListener("submit", (event) => {
    event.preventDefault();
    make({ start: document.getElementById("position").value.trim() });
  });
  document.getElementById("language").addEventListener("click", () => Words.speak(Words.language === "zh" ? "en" : "zh"));
  Words.speak(Words.preferred());

  // A page of a game links here, with a game up to one of its moves.
  const start = /^#board=(.+)$/.exec(location.hash)?.[1];
  if (start) {
    history.replaceState(null, "", location.pathname);
    document.addEventListener("DOMContentLoaded", () => make({ start: JSON.parse(decodeURIComponent(start)) }));
  }
})();
