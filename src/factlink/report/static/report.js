"use strict";
const data = JSON.parse(document.getElementById("thresholds").textContent);
const slider = document.getElementById("threshold");
const shown = document.getElementById("at-threshold");
const number = new Intl.NumberFormat("en");
function show() {
  const at = Number(slider.value), links = data.links[at], wrong = data.expected_false[at];
  const share = links ? ` (${(100 * wrong / links).toFixed(1)} %)` : "";
  shown.textContent = `from ${data.from[at].toFixed(2)} on: ${number.format(links)} links, ${number.format(Math.round(wrong))} of them expected to be false${share}`;
}
slider.addEventListener("input", show);
show();
window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((part) => { part.open = true; }));
