"use strict";

/** The start page: asks for a table and goes there. */
(() => {
  const problem = document.getElementById("problem");

  async function make(event) {
    event.preventDefault();
    problem.textContent = "";
    const places = [...document.querySelectorAll(".who")].map((choice) => choice.value);
    const wish = { rules: document.getElementById("rules").value, places };
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
  document.getElementById("make").addEventListener("submit", make);
  document.getElementById("language").addEventListener("click", () => Words.speak(Words.language === "zh" ? "en" : "zh"));
  Words.speak(Words.preferred());
})();
