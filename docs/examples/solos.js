// ddzbot rules check "node solos.js". It lists the solos alone: put your generator here.
const ranks = "3456789TJQKA2LB";
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { hand, to_beat } = JSON.parse(line);
  const higher = (card) => !to_beat || (to_beat.length === 1 && ranks.indexOf(card) > ranks.indexOf(to_beat));
  const solos = [...ranks].filter((card) => hand.includes(card) && higher(card));
  console.log(JSON.stringify(to_beat ? ["pass", ...solos] : solos));
});
