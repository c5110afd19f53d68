"use strict";

/** The start page: asks the server for a table and goes there. */
(() => {
  const problem = document.getElementById("problem");

  async function make(event) {
    event.preventDefault();
    problem.textContent = "";
    const places = [...document.querySelectorAll(".who")].map((choice) => choice.value);
    const wish = { rules: document.getElementById("rules").value, places };
    let answer;
    try {
      const response = await fetch("/tables", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(wish),
      });
      answer = await response.json();
    } catch {
      problem.textContent = Words.text("not_made");
      return;
    }
    if (!answer.table) {
      problem.textContent = answer.error[Words.language] ?? answer.error;
      return;
    }
    const [own, ...others] = answer.seats;
    // The links of the other seats are for whoever made the table; they stay in this tab.
    sessionStorage.setItem("ddzbot-links-" + answer.table, JSON.stringify(others));
    location.href = "/tables/" + answer.table + (own ? "#seat=" + own.token : "#watch");
  }

  document.getElementById("endgame").addEventListener("submit", (event) => {
    event.preventDefault();
    location.href = "/endgames/" + document.getElementById("puzzle").value;
  });
  document.getElementById("make").addEventListener("submit", make);
  document.getElementById("language").addEventListener("click", () => Words.speak(Words.language === "zh" ? "en" : "zh"));
  Words.speak(Words.preferred());
})();
