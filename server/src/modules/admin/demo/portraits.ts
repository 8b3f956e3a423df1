// Generated portraits show no real person, need no licence and are identical on every machine.

export type PortraitName = 'linyan' | 'zhoumu' | 'suhe' | 'chenduo' | 'guwei' | 'heqing';

export interface Portrait {
  /** The tones of the background and of three hills from far to near; `ridge` makes each skyline unique. */
  scene: { ridge: number; tones: readonly [string, string, string, string] };
  skin: { base: string; shade: string; line: string; lip: string };
  /** Half widths of cheek and jaw, roundness and height of the chin. */
  head: { cheek: number; jaw: number; round: number; chin: number; ears?: boolean; creases?: boolean };
  /** Half widths, and the tilt of the head in degrees. */
  build: { neck: number; shoulder: number; tilt: number };
  eyes: { y: number; gap: number; size: number; lash?: boolean; brow: number; weight: number; arch: number };
  mouth: { y: number; width: number; smile: number; full: number };
  hair: { base: string; light: string };
  back?: string;
  front: string;
  locks: string;
  beard?: string;
  glasses?: string;
  /** `under` and `over` are drawn below and above the neck; `worn` is drawn over the hair and tilts with the head. */
  cloth: string;
  under?: string;
  over: string;
  worn?: string;
}

// Each portrait uses this saturated colour exactly once.
const coral = '#ff6968';
const ink = '#2f2c2d';

function path(d: string, fill: string, extra = ''): string {
  return `<path d="${d}" fill="${fill}"${extra}/>`;
}

function line(d: string, color: string, width: number, extra = ''): string {
  const stroke = `stroke="${color}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"`;
  return `<path d="${d}" fill="none" ${stroke}${extra}/>`;
}

function dot(x: number, y: number, r: number, fill: string): string {
  return `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`;
}

// Mirrors collars and lapels; the mirrored side is shaded.
function pair(d: string, lit: string, shaded: string): string {
  return path(d, lit) + path(d, shaded, ' transform="scale(-1 1)"');
}

// Closes each curve with a parallel one, so that a lock of hair tapers at both ends.
function locks(curves: string): string {
  return curves.replace(/M[^MC]+C[^MC]+/g, (curve) => {
    const [x = 0, y = 0, a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = curve.match(/-?\d+/g)?.map(Number) ?? [];
    const long = Math.hypot(e - x, f - y);
    const dx = Math.round((-(f - y) / long) * 9);
    const dy = Math.round(((e - x) / long) * 9);
    return `M${x} ${y}C${a} ${b} ${c} ${d} ${e} ${f}C${c + dx} ${d + dy} ${a + dx} ${b + dy} ${x} ${y}Z`;
  });
}

// Absolute values of sines look like brush-drawn peaks and need no random numbers.
function hill(base: number, height: number, phase: number): string {
  const fold = (turn: number) => 1 - 2 * Math.sqrt(Math.sin(turn) ** 2 + 0.02);
  let d = 'M0 560';
  for (let x = 0; x <= 512; x += 8) {
    const t = x / 512;
    const peak = fold(t * 3.3 + phase) * 0.55 + fold(t * 7.9 + phase * 2.3) * 0.25;
    d += `L${x} ${(base - height * (peak + Math.sin(t * 31 + phase) * 0.04)).toFixed(1)}`;
  }
  return `${d}L512 560Z`;
}

// A gradient makes each range more transparent towards its foot, like mist.
function landscape(name: string, { scene: { tones, ridge } }: Portrait): string {
  const [paper, ...hills] = tones;
  const layers = hills.map((tone, i) => {
    const id = `mist-${name}-${i}`;
    const foot = `<stop offset=".75" stop-color="${tone}" stop-opacity=".25"/>`;
    const stops = `<stop offset=".15" stop-color="${tone}"/>${foot}`;
    const wash = `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops}</linearGradient>`;
    return wash + path(hill(205 + i * 85, 92 - i * 20, ridge * (1 + i * 0.8) + i * 2), `url(#${id})`);
  });
  return `<rect width="512" height="512" fill="${paper}"/>${layers.join('')}`;
}

// The following parts are centred at x = 0, so that both sides of a face use the same numbers.
function outline({ cheek: c, jaw: j, round: r, chin }: Portrait['head']): string {
  const crown = `M${-c} 222C${-c} 150 ${-c * 0.6} 112 0 112C${c * 0.6} 112 ${c} 150 ${c} 222`;
  const right = `C${c} 262 ${j + 7} 286 ${j} 303C${j - 9} 325 ${r} ${chin} 0 ${chin}`;
  return `${crown}${right}C${-r} ${chin} ${9 - j} 325 ${-j} 303C${-j - 7} 286 ${-c} 262 ${-c} 222Z`;
}

function ear(side: number, { head, skin }: Portrait): string {
  const x = (inset: number) => side * (head.cheek + inset);
  const shape = `M${x(-4)} 228C${x(4)} 214 ${x(18)} 216 ${x(15)} 238C${x(14)} 256 ${x(8)} 280 ${x(-4)} 274Z`;
  const fold = `M${x(4)} 236C${x(10)} 236 ${x(9)} 248 ${x(4)} 254`;
  return path(shape, side > 0 ? skin.shade : skin.base) + line(fold, skin.line, 2.5, ' opacity=".6"');
}

function body({ build: { neck: n, shoulder: s }, cloth, under, over, skin, head }: Portrait): string {
  const left = `M${-s - 26} 530C${-s - 20} 452 ${4 - s} 428 ${48 - s} 412C${66 - s} 406 -72 405 -66 398`;
  const right = `L66 398C72 405 ${s - 66} 406 ${s - 48} 412C${s - 4} 428 ${s + 20} 452 ${s + 26} 530Z`;
  const nape = `M${-n} 280L${-n} 366C${-n - 3} 384 -58 388 -66 398C-40 440 40 440 66 398`;
  const throat = `${nape}C58 388 ${n + 3} 384 ${n} 366L${n} 280Z`;
  const low = head.chin + 46;
  const cast = `M${-n} 326C-20 ${head.chin + 20} 14 ${low} ${n} ${low}L${n} 290L${-n} 290Z`;
  const bare = path(throat, skin.base) + path(cast, skin.shade);
  return `<g transform="translate(0 -14)">${path(left + right, cloth)}${under ?? ''}${bare}${over}</g>`;
}

function eye(side: number, { eyes: { y, gap, size, lash, brow, weight, arch }, hair }: Portrait): string {
  const at = (x: number) => side * (gap + x * size);
  const deep = y + 11 * size;
  // The lid covers a part of the iris, because a full circle would look like staring.
  const iris = `M${at(-7.5)} ${y - 5}C${at(-9)} ${deep} ${at(9)} ${deep} ${at(7.5)} ${y - 5}Z`;
  const tail = lash
    ? `${at(6)} ${y - 12 * size} ${at(18)} ${y - 2}`
    : `${at(7)} ${y - 9 * size} ${at(15)} ${y}`;
  const lid = `M${at(-15)} ${y + 2}C${at(-8)} ${y - (lash ? 9 : 7) * size} ${tail}`;
  const bend = `Q${side * (gap + 4)} ${brow - arch} ${side * (gap + 21)} ${brow + 3}`;
  const hairs = line(`M${side * (gap - 17)} ${brow + 2}${bend}`, hair.base, weight);
  return path(iris, ink) + line(lid, ink, 4.5) + dot(side * gap - 2.5, y, 1.8, '#f6efe6') + hairs;
}

function mouth({ mouth: { y, width: w, smile, full }, skin }: Portrait): string {
  const end = y - smile;
  const dip = y + smile * 1.3;
  const seam = line(`M${-w} ${end}C${-w / 2} ${dip} ${w / 2} ${dip} ${w} ${end}`, skin.line, 2.8);
  // Lips without colour need only a shadow below them.
  if (!full) return seam + line(`M-9 ${y + 11}Q0 ${y + 14} 9 ${y + 11}`, skin.shade, 4);
  const top = y - full;
  const bow = `C${-w * 0.6} ${top} -8 ${top - 2} 0 ${top + 1}C8 ${top - 2} ${w * 0.6} ${top} ${w} ${end}`;
  const low = dip + full * 1.8;
  return path(`M${-w} ${end}${bow}C${w * 0.6} ${low} ${-w * 0.6} ${low} ${-w} ${end}Z`, skin.lip) + seam;
}

function nose({ skin, head }: Portrait): string {
  const plane = path('M4 236C8 252 17 270 17 278C17 285 8 287 0 287C6 280 4 262 4 236Z', skin.shade);
  const tip = line('M-12 281Q-8 287 0 287Q8 287 13 281', skin.line, 2.8);
  if (!head.creases) return plane + tip;
  return plane + tip + line('M-27 283Q-37 291 -38 301M27 283Q37 291 38 301', skin.line, 2.2, ' opacity=".3"');
}

function spectacles({ eyes: { y, gap }, glasses }: Portrait): string {
  if (!glasses) return '';
  const lens = path(glasses, '#fff', ' fill-opacity=".16"') + line(glasses, ink, 4.5);
  const rim = (s: number) => `<g transform="translate(${s * (gap + 1)} ${y + 1}) scale(${s} 1)">${lens}</g>`;
  const arms = `M${-gap - 29} ${y - 5}L-82 ${y - 9}M${gap + 29} ${y - 5}L82 ${y - 9}`;
  return rim(-1) + rim(1) + line(`M-11 ${y - 3}Q0 ${y - 10} 11 ${y - 3}${arms}`, ink, 4.5);
}

function face(name: string, p: Portrait): string {
  const shape = outline(p.head);
  // The light comes from the left, so the right side is shaded.
  const side = path('M120 100L120 360L-10 360C34 348 56 318 60 280C63 250 66 210 58 100Z', p.skin.shade);
  return [
    `<clipPath id="face-${name}"><path d="${shape}"/></clipPath>`,
    p.head.ears === false ? '' : ear(-1, p) + ear(1, p),
    path(shape, p.skin.base),
    `<g clip-path="url(#face-${name})">${side}</g>`,
    p.beard ? path(p.beard, p.hair.base) : '',
    nose(p) + mouth(p) + spectacles(p) + eye(-1, p) + eye(1, p),
  ].join('');
}

const lapel = 'M-34 358C-60 376 -82 396 -90 410L-66 450L-30 530C-38 480 -46 430 -34 358Z';
const standingCollar =
  'M-41 354C-43 396 -22 420 -1 428L-1 454C-36 446 -70 424 -78 394C-68 380 -58 366 -41 354Z';
const hood = 'M-46 362C-84 372 -106 396 -108 424C-74 452 -32 462 0 478C-22 440 -50 420 -46 362Z';
const rolledCollar =
  'M-40 358C-20 372 20 372 40 358C43 378 60 392 70 401C32 419 -32 419 -70 401C-60 392 -43 378 -40 358Z';
const shirt = 'M-60 400L60 400L62 430L30 530L-30 530L-62 430Z';

export const portraits: Record<PortraitName, Portrait> = {
  linyan: {
    scene: { ridge: 0.6, tones: ['#d5dcdd', '#c3cdd0', '#aebcc2', '#95a6ae'] },
    skin: { base: '#ecd2bb', shade: '#dfbfa5', line: '#9c705c', lip: '#c98f7e' },
    head: { cheek: 81, jaw: 65, round: 34, chin: 342 },
    build: { neck: 38, shoulder: 168, tilt: -2 },
    eyes: { y: 242, gap: 38, size: 0.98, brow: 209, weight: 6.5, arch: 6 },
    mouth: { y: 312, width: 23, smile: 3, full: 0 },
    hair: { base: '#2b3036', light: '#434c54' },
    front:
      'M-82 240C-98 214 -102 160 -86 128C-70 96 -36 84 -14 84C10 72 58 76 80 102C104 126 102 166 96 190C94 210 90 226 82 240C80 222 80 206 74 190C72 176 66 164 56 152C30 166 -14 164 -42 138C-46 158 -64 170 -72 186C-78 204 -80 224 -82 240Z',
    locks:
      'M-40 128C-16 106 24 98 58 112M-22 142C6 138 34 134 60 138M-52 134C-62 150 -76 160 -84 178M16 92C40 88 66 98 78 116',
    glasses: 'M-28 0A28 28 0 1 1 28 0A28 28 0 1 1 -28 0Z',
    cloth: '#4c5f6b',
    under: path(shirt, '#e9e4da'),
    over: line('M-62 400C-38 437 38 437 62 400', coral, 8) + pair(lapel, '#3f515c', '#394a54'),
  },
  zhoumu: {
    scene: { ridge: 2.1, tones: ['#e3dac9', '#d6cab4', '#c5b598', '#ad9b7c'] },
    skin: { base: '#e2c0a2', shade: '#d2a988', line: '#85573f', lip: '#b98270' },
    head: { cheek: 84, jaw: 73, round: 42, chin: 347 },
    build: { neck: 43, shoulder: 182, tilt: 2 },
    eyes: { y: 242, gap: 38, size: 0.9, brow: 214, weight: 8, arch: 4 },
    mouth: { y: 314, width: 20, smile: 3, full: 4 },
    hair: { base: '#67615b', light: '#99928a' },
    front:
      'M-85 244C-98 220 -104 176 -90 140C-78 104 -40 82 2 82C30 76 66 84 84 112C104 138 102 200 85 244C84 220 82 206 76 188C76 170 70 156 56 146C34 152 8 140 -14 136C-34 138 -56 148 -68 162C-76 174 -78 184 -78 194C-81 210 -83 226 -85 244Z',
    locks:
      'M-70 144C-56 112 -24 98 6 104M-90 204C-96 180 -92 162 -84 150M92 150C96 170 96 190 88 212M-10 122C16 124 44 130 64 136M26 94C52 96 72 110 82 130',
    beard:
      'M-85 232C-86 268 -82 288 -75 304C-62 334 -40 351 0 351C40 351 62 334 75 304C82 288 86 268 85 232C82 266 76 292 62 306C54 313 44 310 36 303C26 295 10 293 0 298C-10 293 -26 295 -36 303C-44 310 -54 313 -62 306C-76 292 -82 266 -85 232Z',
    cloth: '#7a6a52',
    over:
      pair(standingCollar, '#685942', '#5f513b') +
      line('M0 456L0 530', '#5f513b', 3) +
      line('M-17 466L17 466', coral, 8),
  },
  suhe: {
    scene: { ridge: 3.4, tones: ['#dbe1d4', '#c9d3c2', '#b4c2ac', '#98aa91'] },
    skin: { base: '#f1dac6', shade: '#e6c7b0', line: '#a87463', lip: '#d0887c' },
    head: { cheek: 80, jaw: 60, round: 28, chin: 336, ears: false },
    build: { neck: 32, shoulder: 142, tilt: 3 },
    eyes: { y: 247, gap: 36, size: 1.1, lash: true, brow: 222, weight: 5, arch: 6 },
    mouth: { y: 308, width: 19, smile: 4, full: 6 },
    hair: { base: '#38302c', light: '#54483f' },
    back: 'M0 84C74 84 110 130 112 200C114 256 118 300 104 336C84 350 50 346 40 340L-40 340C-50 346 -84 350 -104 336C-118 300 -114 256 -112 200C-110 130 -74 84 0 84Z',
    front:
      'M-2 82C76 80 112 130 113 200C114 256 122 300 108 334C98 344 74 344 60 330C74 300 78 250 70 196C62 203 52 206 44 207L38 196L36 208C18 211 0 211 -14 210L-21 197L-23 209C-40 208 -58 205 -70 198C-78 250 -74 300 -60 330C-74 344 -98 344 -108 334C-122 300 -114 256 -113 200C-112 130 -76 84 -2 82Z',
    locks:
      'M-62 124C-36 98 16 94 50 108M-98 180C-104 230 -106 270 -98 316M-84 216C-90 250 -88 290 -80 324M98 200C104 240 106 280 98 318M-8 122C-26 140 -34 164 -34 190M20 120C34 140 40 166 38 188',
    cloth: '#e8e1d3',
    over: path('M-66 398C-40 440 40 440 66 398L75 405C46 456 -46 456 -75 405Z', '#d3cab8'),
    worn: line('M74 190L98 180', coral, 9),
  },
  chenduo: {
    scene: { ridge: 4.6, tones: ['#d9d7e0', '#c8c5d2', '#b3afc1', '#9995aa'] },
    skin: { base: '#e9cbb0', shade: '#dab697', line: '#94664f', lip: '#c48874' },
    head: { cheek: 80, jaw: 62, round: 30, chin: 340 },
    build: { neck: 37, shoulder: 166, tilt: -3 },
    eyes: { y: 245, gap: 37, size: 1.02, brow: 217, weight: 7.5, arch: 5 },
    mouth: { y: 310, width: 24, smile: 4.5, full: 0 },
    hair: { base: '#2c2a30', light: '#47444e' },
    front:
      'M-82 240C-104 200 -106 150 -86 120C-68 92 -34 80 0 80C34 80 68 92 86 120C106 150 104 202 82 240C80 220 78 206 72 190C66 184 60 176 58 168C52 182 40 190 30 194C34 184 34 178 32 172C16 190 -6 198 -24 198C-18 190 -16 184 -16 176C-32 190 -50 194 -60 194C-70 200 -80 220 -82 240Z',
    locks:
      'M-30 112C-10 122 6 144 6 172M18 106C40 116 52 138 52 162M-58 122C-48 140 -44 158 -48 180M58 108C76 122 84 146 84 172',
    cloth: '#6a667c',
    under: path('M-112 420C-108 372 -62 346 0 346C62 346 108 372 112 420Z', '#514d61'),
    over: pair(hood, '#7d798f', '#74708a') + line('M-24 460L-26 500M24 460L26 494', '#e4dfe0', 5),
    worn:
      line('M-98 226C-114 126 -76 75 0 75C76 75 114 126 98 226', '#efe9e0', 13) +
      pair('M-84 210C-104 206 -117 222 -117 246C-117 272 -104 288 -84 284Z', '#4f4b5e', '#454253') +
      line('M-106 234L-106 260', coral, 8),
  },
  guwei: {
    scene: { ridge: 5.7, tones: ['#e4d8d6', '#d6c6c5', '#c3afb0', '#a99397'] },
    skin: { base: '#efd6c3', shade: '#e2c2ac', line: '#a06e5f', lip: '#c37f74' },
    head: { cheek: 79, jaw: 59, round: 28, chin: 339 },
    build: { neck: 32, shoulder: 146, tilt: -2 },
    eyes: { y: 244, gap: 37, size: 1.04, lash: true, brow: 214, weight: 5, arch: 6 },
    mouth: { y: 309, width: 20, smile: 4, full: 5.5 },
    hair: { base: '#33292b', light: '#524347' },
    back: 'M32 46C64 46 80 66 77 90C74 112 50 118 28 114C2 110 -10 94 -7 76C-4 57 12 46 32 46Z',
    front:
      'M-80 238C-96 200 -98 154 -80 126C-62 98 -30 88 4 88C44 88 72 102 86 132C98 160 96 204 80 238C80 214 78 198 72 184C48 178 0 166 -22 136C-30 160 -56 174 -72 190C-78 200 -80 216 -80 238Z',
    locks:
      'M-8 124C20 144 54 152 80 168M6 108C36 112 66 128 84 152M-34 124C-46 144 -66 156 -82 176M6 82C14 58 48 52 64 74M18 98C34 102 54 98 66 86',
    glasses: 'M-26 -12C-25 -20 22 -25 29 -20C33 0 26 23 3 23C-17 23 -27 9 -26 -12Z',
    cloth: '#6f5a60',
    over: path('M-66 400L66 400L60 450L-60 450Z', '#6f5a60') + path(rolledCollar, '#826c72'),
    worn: dot(-82, 278, 8, coral),
  },
  heqing: {
    scene: { ridge: 7.2, tones: ['#d3dedb', '#bfcfcb', '#a7bcb8', '#8aa39f'] },
    skin: { base: '#ead0ba', shade: '#dcbba2', line: '#966a59', lip: '#bf7c70' },
    head: { cheek: 81, jaw: 65, round: 36, chin: 339, ears: false, creases: true },
    build: { neck: 35, shoulder: 154, tilt: 2 },
    eyes: { y: 246, gap: 37, size: 0.95, brow: 218, weight: 5.5, arch: 6 },
    mouth: { y: 309, width: 23, smile: 5, full: 4.5 },
    hair: { base: '#4b4b4d', light: '#a9a6a2' },
    back: 'M0 100L100 160L104 270C96 288 84 290 76 284L-76 284C-84 290 -96 288 -104 270L-100 160Z',
    front:
      'M-82 286C-104 286 -118 262 -108 240C-122 220 -122 190 -108 168C-108 128 -84 96 -46 92C-24 72 20 72 40 90C80 92 108 126 108 164C124 188 122 222 110 240C118 264 104 286 84 286C74 268 80 252 75 236C78 214 74 200 66 190C44 194 2 184 -20 156C-26 180 -48 192 -66 194C-74 206 -77 222 -75 236C-80 252 -74 268 -82 286Z',
    locks:
      'M-26 140C-38 166 -66 170 -84 184M-8 138C16 162 50 164 82 178M-34 112C-60 110 -84 132 -92 162M34 108C64 108 88 130 92 154M-98 196C-110 214 -92 228 -96 250M98 196C110 214 92 230 96 252M-16 98C6 88 24 94 36 104',
    cloth: '#4f6b68',
    under: path(shirt, '#e6dfd2'),
    over: pair(lapel, '#415a58', '#3b5351') + dot(76, 440, 10, coral),
  },
};

export function drawPortrait(name: string, p: Portrait): string {
  const tilt = (parts: string) => `<g transform="rotate(${p.build.tilt} 0 340)">${parts}</g>`;
  const behind = p.back ? tilt(path(p.back, p.hair.base)) : '';
  const hair = path(p.front, p.hair.base) + path(locks(p.locks), p.hair.light);
  const figure = behind + body(p) + tilt(face(name, p) + hair + (p.worn ?? ''));
  const size = 'width="512" height="512" viewBox="0 0 512 512"';
  // Enlarged, so that the face is recognisable in an avatar of 40 px.
  const scaledFigure = `<g transform="translate(256 -30) scale(1.14)">${figure}</g>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${landscape(name, p)}${scaledFigure}</svg>`;
}
