"use strict";
const number = new Intl.NumberFormat("en");
const find = (id) => document.getElementById(id);

function followSlider(slider) {
  const data = JSON.parse(find("thresholds").textContent), shown = find("at-threshold");
  const show = () => {
    const at = Number(slider.value), links = data.links[at], wrong = data.expected_false[at];
    const share = links ? ` (${(100 * wrong / links).toFixed(1)}%)` : "";
    shown.textContent = `At ${data.from[at].toFixed(2)} or above: ${number.format(links)} links, ${number.format(Math.round(wrong))} of them expected to be false${share}`;
  };
  slider.addEventListener("input", show);
  show();
}

async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed.trim()), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).blob();
}

function parse(text) {
  const rows = [[]];
  for (const [, cell, end] of text.matchAll(/("(?:[^"]|"")*"|[^,\n]*)(,|\n|$)/g)) {
    rows[rows.length - 1].push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === "\n") rows.push([]);
    else if (end === "") break;
  }
  return rows.filter((row) => row.length > 1);
}

function unguarded([header, ...rows]) {
  const mark = " (after ')", guarded = header.map((name) => name.startsWith("'") && name.endsWith(mark));
  const names = header.map((name, at) => (guarded[at] ? name.slice(1, -mark.length) : name));
  return rows.map((row) => Object.fromEntries(row.map((cell, at) => [names[at], guarded[at] ? cell.replace(/^'/, "") : cell])));
}

function cellOf(label, text, quiet, kind) {
  const cell = document.createElement("td"), told = document.createElement("bdi");
  cell.dataset.label = label;
  told.textContent = text;
  cell.append(told);
  if (quiet && quiet !== text) {
    const more = document.createElement("bdi");
    more.className = "quiet";
    more.textContent = ` ${quiet}`;
    told.append(more);
  }
  if (kind) cell.className = kind;
  return cell;
}

function rowOf(link, { left, right }) {
  const row = document.createElement("tr"), figure = link.probability === "" ? "\u2013" : Number(link.probability).toFixed(3);
  row.append(
    cellOf(left, link.left_name || link.left, link.left),
    cellOf(right, link.right_name || link.right || "\u2013", link.right),
    cellOf("probability", figure, "", "figure"),
    cellOf("outcome", link.decision),
    cellOf("evidence", link.evidence),
  );
  return row;
}

async function listLinks(section) {
  const step = 25, file = await unpack(find("listing").textContent), body = find("rows").tBodies[0];
  const links = unguarded(parse(await file.text()));
  const words = links.map((link) => Object.values(link).join("\n").toLowerCase());
  let shown = step;
  const show = () => {
    const asked = find("search").value.trim().toLowerCase(), outcome = find("outcome").value;
    const fits = links.filter((link, at) => words[at].includes(asked) && (!outcome || link.decision === outcome));
    body.replaceChildren(...fits.slice(0, shown).map((link) => rowOf(link, section.dataset)));
    find("found").textContent = `${number.format(fits.length)} rows${fits.length > shown ? `, the first ${number.format(shown)} shown` : ""}`;
    find("more").hidden = fits.length <= shown;
  };
  const anew = () => { shown = step; show(); };
  find("search").addEventListener("input", anew);
  find("outcome").addEventListener("change", anew);
  find("more").addEventListener("click", () => { shown += 4 * step; show(); });
  find("download").href = URL.createObjectURL(new Blob([file], { type: "text/csv" }));
  find("download").hidden = false;
  show();
}

if (find("threshold")) followSlider(find("threshold"));
listLinks(find("all"));
window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((part) => { part.open = true; }));
