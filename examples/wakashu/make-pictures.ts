/**
 * Draws the pictures of the sample collection: eight small scenes as SVG, turned into the five formats.
 * Run by hand (`node examples/wakashu/make-pictures.ts`); its results are committed. HEIC needs `heif-enc` of
 * libheif on the PATH, because nothing in our packages writes it.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";

const here = dirname(fileURLToPath(import.meta.url));
const SIDE = 640;

/** A seeded generator: the same pictures on every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

function svg(defs: string, body: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 640 640"><defs>${defs}</defs>${body}</svg>`;
}

function gradient(id: string, stops: readonly string[], horizontal = false): string {
  const marks = stops.map((color, index) => `<stop offset="${index / (stops.length - 1)}" stop-color="${color}"/>`);
  return `<linearGradient id="${id}" x2="${horizontal ? 1 : 0}" y2="${horizontal ? 0 : 1}">${marks.join("")}</linearGradient>`;
}

/** A closed laptop on a night desk, the moon lying in its lid. */
function moonOnLid(): string {
  const next = random(7);
  const stars = Array.from({ length: 36 }, () => {
    const y = next() * 300;
    return `<circle cx="${(next() * 640).toFixed(0)}" cy="${y.toFixed(0)}" r="${(0.8 + next() * 1.4).toFixed(1)}" fill="#f3ecd2" opacity="${(0.9 - y / 420).toFixed(2)}"/>`;
  });
  return svg(
    gradient("sky", ["#0e1630", "#1d2b52", "#3a4a78"]) + gradient("lid", ["#8793b4", "#3c4668"]),
    `<rect width="640" height="640" fill="url(#sky)"/>${stars.join("")}
    <circle cx="452" cy="138" r="62" fill="#f6edc9"/><circle cx="434" cy="122" r="9" fill="#e8dcae"/><circle cx="470" cy="158" r="13" fill="#e8dcae"/>
    <rect y="430" width="640" height="210" fill="#2b1f1d"/><rect y="430" width="640" height="5" fill="#5b443a"/>
    <path d="M120 560 L190 420 H510 L560 560 Z" fill="url(#lid)"/><path d="M120 560 H560 L556 582 H126 Z" fill="#23283d"/>
    <ellipse cx="372" cy="486" rx="64" ry="34" fill="#f6edc9" opacity=".92"/><ellipse cx="358" cy="478" rx="9" ry="5" fill="#e8dcae"/><ellipse cx="388" cy="496" rx="13" ry="7" fill="#e8dcae"/>`,
  );
}

/** A bashful laptop in the corner of a coffee house. */
function shyLaptop(): string {
  return svg(
    gradient("wall", ["#e9d7b8", "#d9bd92"]),
    `<rect width="640" height="640" fill="url(#wall)"/><rect x="60" y="60" width="190" height="230" rx="6" fill="#8fb2b0"/><path d="M60 175h190M155 60v230" stroke="#f5ecd9" stroke-width="10"/><rect x="52" y="52" width="206" height="246" rx="8" fill="none" stroke="#6b4a32" stroke-width="14"/>
    <rect y="470" width="640" height="170" fill="#7a5236"/><rect y="470" width="640" height="10" fill="#9c6d49"/>
    <g transform="translate(352 300) rotate(4)"><rect width="216" height="160" rx="16" fill="#495867"/><rect x="12" y="12" width="192" height="132" rx="8" fill="#cfe0dd"/>
    <path d="M58 74q12 -14 24 0M134 74q12 -14 24 0" stroke="#33424d" stroke-width="6" fill="none" stroke-linecap="round"/><path d="M96 98q12 10 24 0" stroke="#33424d" stroke-width="5" fill="none" stroke-linecap="round"/>
    <ellipse cx="50" cy="94" rx="17" ry="10" fill="#eb9c93" opacity=".75"/><ellipse cx="166" cy="94" rx="17" ry="10" fill="#eb9c93" opacity=".75"/><path d="M-22 160h260l16 26h-292z" fill="#3a4652"/></g>
    <g transform="translate(150 400)"><path d="M0 0h110l-12 84h-86z" fill="#f7f2e7"/><path d="M104 18q40 4 30 34t-40 22" stroke="#f7f2e7" stroke-width="12" fill="none"/><ellipse cx="55" cy="2" rx="54" ry="11" fill="#5b3a24"/><path d="M36 -24q-14 -20 0 -40t0 -40M74 -24q14 -20 0 -40t0 -40" stroke="#fff" stroke-width="6" fill="none" opacity=".6" stroke-linecap="round"/></g>`,
  );
}

/** Wild geese crossing an evening sky in a hook. */
function geese(): string {
  const bird = (x: number, y: number, size: number) =>
    `<path transform="translate(${x} ${y}) scale(${size})" d="M-46 -14q24 -14 46 12q22 -26 46 -12q-26 2 -40 24q-3 6 -6 14q-3 -8 -6 -14q-14 -22 -40 -24z" fill="#2c2233"/>`;
  const flock = [
    ...[0, 1, 2, 3, 4].map((i) => bird(212 + i * 74, 150 + i * 40, 0.82 - i * 0.06)),
    ...[1, 2, 3].map((i) => bird(212 - i * 56, 150 + i * 50, 0.82 - i * 0.07)),
  ];
  return svg(
    gradient("dusk", ["#4a4e7c", "#b8657a", "#f0a35e", "#f8d08a"]),
    `<rect width="640" height="640" fill="url(#dusk)"/><circle cx="430" cy="452" r="84" fill="#fbe3ae"/>
    <path d="M0 500q120 -90 260 -34t380 -52v226h-640z" fill="#6d4560"/><path d="M0 560q180 -80 340 -26t300 -30v136h-640z" fill="#43304c"/>${flock.join("")}`,
  );
}

/** A letter that was never sealed, in a field of pampas grass. */
function pampas(): string {
  const next = random(23);
  const stalks = Array.from({ length: 46 }, () => {
    const x = next() * 680 - 20;
    const height = 190 + next() * 240;
    const lean = 30 + next() * 60;
    const top = `${(x + lean).toFixed(0)} ${(640 - height).toFixed(0)}`;
    return `<path d="M${x.toFixed(0)} 650Q${(x + 8).toFixed(0)} ${(640 - height * 0.6).toFixed(0)} ${top}" stroke="#9b8a55" stroke-width="3" fill="none"/><path d="M${top}q26 4 46 44q-34 -6 -46 -44" fill="#f1e6cf" opacity="${(0.6 + next() * 0.4).toFixed(2)}"/>`;
  });
  return svg(
    gradient("autumn", ["#c7d5d8", "#e9e3cf", "#d9c48e"]),
    `<rect width="640" height="640" fill="url(#autumn)"/><circle cx="150" cy="130" r="46" fill="#fbf6e4"/>${stalks.slice(0, 30).join("")}
    <g transform="translate(330 430) rotate(-9)"><rect width="200" height="128" rx="4" fill="#fdfaf2" stroke="#b8a98a" stroke-width="3"/><path d="M0 4l100 -66l100 66" fill="#f3ecdc" stroke="#b8a98a" stroke-width="3"/><path d="M0 126l78 -66M200 126l-78 -66" stroke="#d9cdb4" stroke-width="3"/><path d="M30 -2l70 50l70 -50z" fill="#fffdf6" stroke="#d9cdb4" stroke-width="2"/></g>${stalks.slice(30).join("")}`,
  );
}

/** One green light in a dark room. */
function standbyLight(): string {
  const halo = `<radialGradient id="halo"><stop offset="0" stop-color="#8ff0b0" stop-opacity=".85"/><stop offset=".35" stop-color="#2f8f63" stop-opacity=".35"/><stop offset="1" stop-color="#0b1218" stop-opacity="0"/></radialGradient>`;
  return svg(
    halo + gradient("room", ["#0b1218", "#121c25"]),
    `<rect width="640" height="640" fill="url(#room)"/><path d="M70 0v420M330 0v420M70 210h260" stroke="#1d2a36" stroke-width="10"/><rect x="70" y="-10" width="260" height="430" fill="#16222d" stroke="#1f2d3a" stroke-width="14"/><circle cx="244" cy="96" r="26" fill="#2c3d4b"/>
    <rect y="470" width="640" height="170" fill="#0a0f14"/><path d="M330 470l26 -150h226l20 150z" fill="#0f1820" stroke="#1e2c38" stroke-width="4"/><rect x="310" y="470" width="312" height="20" rx="8" fill="#18242e"/>
    <circle cx="582" cy="480" r="190" fill="url(#halo)"/><circle cx="582" cy="480" r="9" fill="#d8ffe6"/>`,
  );
}

/** A laptop asleep under the kotatsu quilt beside mandarins. */
function kotatsu(): string {
  const mandarin = (x: number, y: number) =>
    `<circle cx="${x}" cy="${y}" r="38" fill="#f08a2c"/><ellipse cx="${x - 12}" cy="${y - 14}" rx="10" ry="6" fill="#f9b777"/><path d="M${x - 7} ${y - 36}q7 -9 14 0q-7 8 -14 0" fill="#4f7a3a"/>`;
  const waves = Array.from({ length: 5 }, (_, row) =>
    Array.from(
      { length: 9 },
      (_, column) =>
        `<path d="M${column * 80 - 40 + (row % 2) * 40} ${480 + row * 40}a40 40 0 0 1 80 0" fill="none" stroke="#f2dfc3" stroke-width="4" opacity=".55"/>`,
    ).join(""),
  ).join("");
  return svg(
    gradient("room", ["#f3e7d0", "#e2cba4"]) + gradient("quilt", ["#a5403c", "#7c2a32"]),
    `<rect width="640" height="640" fill="url(#room)"/><path d="M0 440h640v200h-640z" fill="url(#quilt)"/>${waves}
    <path d="M40 372h560l30 58h-620z" fill="#8a5a36"/><path d="M10 430h620v18h-620z" fill="#69412a"/>
    <g transform="translate(96 232)"><rect width="236" height="150" rx="14" fill="#5b6570"/><rect x="12" y="12" width="212" height="124" rx="8" fill="#28323c"/><path d="M66 78q14 12 28 0M142 78q14 12 28 0" stroke="#a9c2cf" stroke-width="6" fill="none" stroke-linecap="round"/><path d="M188 40h24l-24 26h24M170 26h14l-14 16h14" stroke="#a9c2cf" stroke-width="4" fill="none"/><path d="M-20 150h276l14 18h-304z" fill="#444d57"/></g>
    ${mandarin(440, 352)}${mandarin(518, 356)}${mandarin(478, 300)}`,
  );
}

/** A pressed pink on an old diary, from above. */
function pressedFlower(): string {
  const lines = Array.from({ length: 11 }, (_, index) => {
    const x = 118 + index * 38;
    return `<path d="M${x} 96v${index % 4 === 1 ? 300 : index % 3 === 0 ? 430 : 380}" stroke="#b4a07c" stroke-width="3" stroke-dasharray="22 7 13 9 30 8" opacity=".75"/>`;
  });
  const petals = [0, 72, 144, 216, 288].map(
    (turn) =>
      `<path transform="rotate(${turn})" d="M0 -8C-46 -34 -52 -84 -38 -104l10 14 8 -20 10 18 10 -20 10 20 10 -18 8 20 10 -14C52 -84 46 -34 0 -8z" fill="#d77b9d"/><path transform="rotate(${turn})" d="M0 -10C-16 -28 -18 -46 0 -58C18 -46 16 -28 0 -10z" fill="#a94a72" opacity=".55"/>`,
  );
  return svg(
    gradient("paper", ["#f6ecd6", "#eadbb9"], true),
    `<rect width="640" height="640" fill="#5d4635"/><rect x="64" y="52" width="512" height="540" rx="6" fill="#d3bf97"/><rect x="74" y="48" width="496" height="536" rx="4" fill="url(#paper)"/>${lines.join("")}
    <path d="M352 330q-30 100 -100 180M316 430q30 -6 52 -34M296 462q-34 0 -58 -30" stroke="#7b8550" stroke-width="7" fill="none" stroke-linecap="round"/><g transform="translate(356 272) rotate(12)">${petals.join("")}<circle r="13" fill="#f6e3b2"/></g>`,
  );
}

/** Round stones glowing on a river bed. */
function riverStones(): string {
  const next = random(41);
  const stones = Array.from({ length: 15 }, (_, index) => {
    const x = 40 + (index % 5) * 140 + next() * 40;
    const y = 400 + Math.floor(index / 5) * 85 + next() * 24;
    const rx = 46 + next() * 34;
    const color = ["#7f949b", "#a3adab", "#6b7f8b", "#b9b4a4", "#8c9a8f"][index % 5];
    return `<ellipse cx="${x.toFixed(0)}" cy="${y.toFixed(0)}" rx="${rx.toFixed(0)}" ry="${(rx * 0.62).toFixed(0)}" fill="${color}"/><ellipse cx="${(x - rx * 0.25).toFixed(0)}" cy="${(y - rx * 0.22).toFixed(0)}" rx="${(rx * 0.36).toFixed(0)}" ry="${(rx * 0.14).toFixed(0)}" fill="#fff" opacity=".35"/>`;
  });
  const ripples = Array.from(
    { length: 9 },
    (_, row) =>
      `<path d="M-20 ${46 + row * 38}q80 -22 160 0t160 0t160 0t200 0" stroke="#eefaf8" stroke-width="${(5 - row * 0.4).toFixed(1)}" fill="none" opacity="${(0.65 - row * 0.055).toFixed(2)}"/>`,
  );
  return svg(
    gradient("water", ["#bfe3e0", "#6fb3b8", "#2f7482"]),
    `<rect width="640" height="640" fill="url(#water)"/>${stones.join("")}<circle cx="330" cy="440" r="120" fill="#f7f0cf" opacity=".22"/><ellipse cx="330" cy="446" rx="66" ry="44" fill="#f2e9c8"/><ellipse cx="312" cy="430" rx="24" ry="9" fill="#fff" opacity=".8"/>${ripples.join("")}`,
  );
}

const pictures: readonly (readonly [string, string])[] = [
  ["第1回/1-Laptop/Picture1.png", moonOnLid()],
  ["第1回/2-Wakashu/Picture2.jpg", shyLaptop()],
  ["第1回/3-Kari/Picture3.webp", geese()],
  ["第1回/4-Susuki/Picture4.heic", pampas()],
  ["第2回/1-Kari/Picture1.jpeg", standbyLight()],
  ["第2回/2-Laptop/Picture2.heic", kotatsu()],
  ["第2回/3-Hotaru/Picture3.png", pressedFlower()],
  ["第2回/4-Wakashu/Picture4.webp", riverStones()],
];

for (const [path, source] of pictures) {
  const file = join(here, path);
  const picture = sharp(Buffer.from(source));
  if (path.endsWith(".png")) await picture.png({ palette: true, colours: 128, compressionLevel: 9 }).toFile(file);
  else if (path.endsWith(".webp")) await picture.webp({ quality: 82 }).toFile(file);
  else if (path.endsWith(".heic")) await writeHeic(await picture.png().toBuffer(), file);
  else await picture.jpeg({ quality: 84 }).toFile(file);
  console.log(path);
}

async function writeHeic(png: Buffer, file: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "wakashu-"));
  try {
    const source = join(scratch, "picture.png");
    await sharp(png).toFile(source);
    const result = spawnSync("heif-enc", ["-q", "60", "-o", file, source], { stdio: "inherit" });
    if (result.status !== 0) throw new Error(`heif-enc could not write ${file}; it comes with libheif`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
