// Portraits for the demo accounts are drawn here rather than shipped as files: no real person's likeness,
// no licence to track, and the same bytes on every machine.

export const faces = ['linyan', 'zhoumu', 'suhe', 'chenduo', 'guwei', 'heqing'] as const;
export type FaceName = (typeof faces)[number];

// The one saturated colour; each portrait uses it exactly once.
const coral = '#ff6968';

interface Skin {
  base: string;
  shade: string;
  line: string;
  lip: string;
}

interface Person {
  /** Paper first, then hills from the farthest to the nearest, all in one hue. */
  tones: readonly [string, string, string, string];
  /** Moves the ridge lines so that no two landscapes match. */
  ridge: number;
  skin: Skin;
  /** Half widths of cheek and jaw, roundness and height of the chin. */
  head: { cheek: number; jaw: number; round: number; chin: number };
  /** Degrees; a slight lean keeps the frontal pose from looking like a passport. */
  tilt: number;
  neck: number;
  shoulder: number;
  hair: { base: string; light: string; back: string; front: string; strands: string };
  brow: { y: number; weight: number; arch: number; color: string };
  eye: { y: number; gap: number; size: number; lash: boolean };
  mouth: { y: number; width: number; smile: number; full: number };
  age: boolean;
  ears: boolean;
  beard: string;
  clothes: string;
  /** Drawn over the face but under the front hair, and over everything. */
  under: string;
  over: string;
}

const ink = '#2f2c2d';

function path(d: string, fill: string, extra = ''): string {
  return `<path d="${d}" fill="${fill}"${extra}/>`;
}

function line(d: string, color: string, width: number, extra = ''): string {
  return `<path d="${d}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"${extra}/>`;
}

function dot(x: number, y: number, r: number, fill: string): string {
  return `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`;
}

// A lock of hair: out along a curve and back beside it, so that both ends taper.
function lock(x: number, y: number, curve: readonly [number, number, number, number, number, number], w = 7) {
  const [a, b, c, d, e, f] = curve;
  return `M${x} ${y}C${a} ${b} ${c} ${d} ${e} ${f}C${c} ${d + w} ${a} ${b + w} ${x} ${y}Z`;
}

// Folded sines read as brush-drawn peaks and need no random source.
function hill(base: number, height: number, phase: number): string {
  let d = 'M0 560';
  for (let x = 0; x <= 512; x += 8) {
    const t = x / 512;
    const fold = (turn: number) => 1 - 2 * Math.sqrt(Math.sin(turn) ** 2 + 0.02);
    const peak = fold(t * 3.3 + phase) * 0.55 + fold(t * 7.9 + phase * 2.3) * 0.25;
    d += `L${x} ${(base - height * (peak + Math.sin(t * 31 + phase) * 0.04)).toFixed(1)}`;
  }
  return `${d}L512 560Z`;
}

// Each range thins out towards its foot, as ink does into wet paper: that is the mist.
function landscape(name: FaceName, { tones, ridge }: Person): string {
  const [paper, ...hills] = tones;
  const layers = hills.map((tone, i) => {
    const id = `mist-${name}-${i}`;
    const stops = `<stop offset=".15" stop-color="${tone}"/><stop offset=".75" stop-color="${tone}" stop-opacity=".25"/>`;
    const wash = `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops}</linearGradient>`;
    return wash + path(hill(205 + i * 85, 92 - i * 20, ridge * (1 + i * 0.8) + i * 2), `url(#${id})`);
  });
  return `<rect width="512" height="512" fill="${paper}"/>${layers.join('')}`;
}

// Everything below is drawn around x = 0, so that both sides of a face share their numbers.
function outline({ cheek: c, jaw: j, round: r, chin }: Person['head']): string {
  const crown = `M${-c} 222C${-c} 150 ${-c * 0.6} 112 0 112C${c * 0.6} 112 ${c} 150 ${c} 222`;
  const right = `C${c} 262 ${j + 7} 286 ${j} 303C${j - 9} 325 ${r} ${chin} 0 ${chin}`;
  return `${crown}${right}C${-r} ${chin} ${9 - j} 325 ${-j} 303C${-j - 7} 286 ${-c} 262 ${-c} 222Z`;
}

function ear(side: number, { cheek }: Person['head'], skin: Skin): string {
  const x = side * (cheek - 4);
  const o = side * (cheek + 15);
  const shape = `M${x} 228C${x + side * 8} 214 ${o + side * 3} 216 ${o} 238C${o - side} 256 ${x + side * 10} 276 ${x} 272Z`;
  const fold = `M${x + side * 8} 236C${x + side * 14} 236 ${x + side * 13} 248 ${x + side * 8} 254`;
  return path(shape, side > 0 ? skin.shade : skin.base) + line(fold, skin.line, 2.5, ' opacity=".6"');
}

function body({ neck: n, shoulder: s, clothes, skin, head }: Person): string {
  const slope = `M${-s - 26} 530C${-s - 20} 452 ${-s + 4} 428 ${-s + 48} 412C-90 402 -74 398 -58 388L58 388`;
  const chest = `${slope}C74 398 90 402 ${s - 48} 412C${s - 4} 428 ${s + 20} 452 ${s + 26} 530Z`;
  const sides = `M${-n} 280L${-n} 366C${-n - 3} 384 -58 388 -66 398C-40 440 40 440 66 398`;
  const throat = `${sides}C58 388 ${n + 3} 384 ${n} 366L${n} 280Z`;
  const cast = `M${-n} 326C-20 ${head.chin + 20} 14 ${head.chin + 46} ${n} ${head.chin + 46}L${n} 290L${-n} 290Z`;
  const skinned = path(throat, skin.base) + path(cast, skin.shade);
  return `<g transform="translate(0 -14)">${clothes.replace('TORSO', chest).replace(neck, skinned)}</g>`;
}

function eye(side: number, { eye: e }: Person): string {
  const x = side * e.gap;
  const w = 15 * e.size;
  const inner = x - side * w;
  const outer = x + side * w;
  // The iris tucks under the lid; a full circle would stare.
  const iris = `M${x - 7.5 * e.size} ${e.y - 4}C${x - 9 * e.size} ${e.y + 11 * e.size} ${x + 9 * e.size} ${e.y + 11 * e.size} ${x + 7.5 * e.size} ${e.y - 4}Z`;
  const lid = `M${inner} ${e.y + 2}C${inner + side * 7} ${e.y - 7 * e.size} ${outer - side * 8} ${e.y - 9 * e.size} ${outer} ${e.y}`;
  const lash = e.lash ? line(`M${outer} ${e.y}l${side * 5} -4`, ink, 3.5) : '';
  return path(iris, ink) + line(lid, ink, 4.5) + dot(x - 2.5, e.y - 0.5, 1.8, '#f6efe6') + lash;
}

function brow(side: number, { brow: b, eye: e }: Person): string {
  const i = side * (e.gap - 17);
  const o = side * (e.gap + 21);
  return line(`M${i} ${b.y + 2}Q${side * (e.gap + 4)} ${b.y - b.arch} ${o} ${b.y + 3}`, b.color, b.weight);
}

function mouth({ mouth: m, skin, age }: Person): string {
  const w = m.width;
  const corner = m.y - m.smile;
  const dip = m.y + m.smile * 1.3;
  const seam = line(`M${-w} ${corner}C${-w * 0.5} ${dip} ${w * 0.5} ${dip} ${w} ${corner}`, skin.line, 3.2);
  const folds = age
    ? line('M-31 284Q-40 292 -41 303M31 284Q40 292 41 303', skin.line, 2.2, ' opacity=".35"')
    : '';
  // Without colour on the lips, the shadow under them is enough.
  if (!m.full) return seam + line(`M-9 ${m.y + 11}Q0 ${m.y + 14} 9 ${m.y + 11}`, skin.shade, 4) + folds;
  const top = m.y - m.full;
  const upper = `M${-w} ${corner}C${-w * 0.6} ${top} -8 ${top - 2} 0 ${top + 1}C8 ${top - 2} ${w * 0.6} ${top} ${w} ${corner}`;
  const lower = `C${w * 0.5} ${dip + m.full * 1.8} ${-w * 0.5} ${dip + m.full * 1.8} ${-w} ${corner}Z`;
  return path(upper + lower, skin.lip) + seam + folds;
}

function nose({ skin }: Person): string {
  const plane = 'M4 236C8 252 17 270 17 278C17 285 8 287 0 287C6 280 4 262 4 236Z';
  return path(plane, skin.shade) + line('M-12 281Q-8 287 0 287Q8 287 13 281', skin.line, 2.8);
}

function face(name: FaceName, p: Person): string {
  const shape = outline(p.head);
  const clip = `face-${name}`;
  // Light comes from the left; one flat plane of shade gives the head its volume.
  const side = 'M120 100L120 360L-10 360C34 348 56 318 60 280C63 250 66 210 58 100Z';
  return [
    `<clipPath id="${clip}"><path d="${shape}"/></clipPath>`,
    p.ears ? ear(-1, p.head, p.skin) + ear(1, p.head, p.skin) : '',
    path(shape, p.skin.base),
    `<g clip-path="url(#${clip})">${path(side, p.skin.shade)}</g>`,
    p.beard,
    nose(p),
    mouth(p),
    eye(-1, p),
    eye(1, p),
    brow(-1, p),
    brow(1, p),
  ].join('');
}

function glasses(y: number, gap: number, shape: string, color: string): string {
  const lens = (side: number) =>
    `<g transform="translate(${side * gap} ${y}) scale(${side} 1)">${path(shape, '#fff', ' fill-opacity=".16"')}${line(shape, color, 4.5)}</g>`;
  const arms = `M${-gap - 28} ${y - 6}L-82 ${y - 10}M${gap + 28} ${y - 6}L82 ${y - 10}`;
  return lens(-1) + lens(1) + line(`M-11 ${y - 4}Q0 ${y - 11} 11 ${y - 4}${arms}`, color, 4.5);
}

const torso = (fill: string) => path('TORSO', fill);
const neck = '<!--neck-->';

const people: Record<FaceName, Person> = {
  linyan: {
    tones: ['#d5dcdd', '#c3cdd0', '#aebcc2', '#95a6ae'],
    ridge: 0.6,
    skin: { base: '#ecd2bb', shade: '#dfbfa5', line: '#9c705c', lip: '#c98f7e' },
    head: { cheek: 81, jaw: 65, round: 34, chin: 342 },
    tilt: -2,
    neck: 38,
    shoulder: 168,
    hair: {
      base: '#2b3036',
      light: '#414a52',
      back: 'M-84 236C-104 150 -80 96 0 92C84 94 104 150 84 236Z',
      front:
        'M-82 240C-98 214 -102 160 -84 128C-66 92 -20 76 26 82C76 86 104 130 96 186C94 210 90 226 82 240C80 222 80 206 72 188C60 176 50 168 42 156C10 164 -30 160 -52 148C-58 166 -70 178 -74 194C-78 210 -80 224 -82 240Z',
      strands: [
        lock(-44, 132, [-20, 110, 20, 104, 50, 116]),
        lock(-30, 142, [0, 128, 30, 126, 56, 138]),
      ].join(''),
    },
    brow: { y: 212, weight: 7, arch: 6, color: '#343539' },
    eye: { y: 242, gap: 38, size: 0.95, lash: false },
    mouth: { y: 312, width: 23, smile: 3, full: 0 },
    age: false,
    ears: true,
    beard: '',
    clothes:
      torso('#4c5f6b') +
      path('M-72 388L72 388L40 530L-40 530Z', '#e9e4da') +
      neck +
      line('M-62 400C-38 437 38 437 62 400', coral, 8) +
      path('M-50 376C-66 384 -78 396 -84 408L-52 470L-6 530L-40 530Z', '#3d4e59') +
      path('M50 376C66 384 78 396 84 408L52 470L6 530L40 530Z', '#3d4e59'),
    under: glasses(243, 39, 'M-28 0A28 28 0 1 1 28 0A28 28 0 1 1 -28 0Z', '#2f3338'),
    over: '',
  },
  zhoumu: {
    tones: ['#e3dac9', '#d6cab4', '#c5b598', '#ad9b7c'],
    ridge: 2.1,
    skin: { base: '#e2c0a2', shade: '#d2a988', line: '#85573f', lip: '#b97c68' },
    head: { cheek: 84, jaw: 73, round: 42, chin: 348 },
    tilt: 2,
    neck: 43,
    shoulder: 182,
    hair: {
      base: '#6b6660',
      light: '#918b83',
      back: 'M-86 230C-100 150 -80 100 0 98C84 100 102 150 86 230Z',
      front:
        'M-84 244C-96 220 -102 176 -88 142C-72 102 -34 88 4 90C50 88 84 108 94 150C100 184 94 220 84 244C82 220 80 206 74 186C72 166 60 146 44 138C14 130 -30 132 -52 146C-66 158 -74 174 -76 190C-80 208 -82 224 -84 244Z',
      strands: [
        lock(-66, 150, [-50, 116, -16, 106, 10, 110]),
        lock(-80, 200, [-86, 180, -84, 164, -78, 152]),
        lock(80, 200, [86, 180, 84, 160, 74, 144]),
        lock(34, 112, [56, 118, 66, 130, 72, 142]),
      ].join(''),
    },
    brow: { y: 214, weight: 8, arch: 4, color: '#57514b' },
    eye: { y: 242, gap: 38, size: 0.88, lash: false },
    mouth: { y: 315, width: 20, smile: 2.5, full: 4.5 },
    age: false,
    ears: true,
    beard: path(
      'M-85 232C-86 268 -82 288 -75 304C-62 334 -40 353 0 353C40 353 62 334 75 304C82 288 86 268 85 232C78 262 72 282 58 294C46 300 36 290 20 296C12 291 4 294 0 296C-4 294 -12 291 -20 296C-36 290 -46 300 -58 294C-72 282 -78 262 -85 232Z',
      '#6d645c',
    ),
    clothes:
      torso('#7a6a52') +
      neck +
      path(
        'M-48 360C-46 396 -22 420 -2 428L-2 454C-36 446 -68 424 -76 392C-68 380 -58 368 -48 360Z',
        '#66573f',
      ) +
      path('M48 360C46 396 22 420 2 428L2 454C36 446 68 424 76 392C68 380 58 368 48 360Z', '#5f513b') +
      line('M0 456L0 530', '#5a4c37', 3) +
      line('M-17 466L17 466', coral, 8),
    under: '',
    over: '',
  },
  suhe: {
    tones: ['#dbe1d4', '#c9d3c2', '#b4c2ac', '#98aa91'],
    ridge: 3.4,
    skin: { base: '#f1dac6', shade: '#e6c7b0', line: '#a87463', lip: '#d0887c' },
    head: { cheek: 80, jaw: 60, round: 28, chin: 336 },
    tilt: 3,
    neck: 32,
    shoulder: 142,
    hair: {
      base: '#38302c',
      light: '#54473f',
      back: 'M0 84C74 84 110 130 112 200C114 256 118 300 104 336C84 350 50 346 40 340L-40 340C-50 346 -84 350 -104 336C-118 300 -114 256 -112 200C-110 130 -74 84 0 84Z',
      front:
        'M0 82C76 82 112 130 113 200C114 256 120 304 106 336C94 344 76 342 66 334C76 300 76 250 70 204C40 214 -40 214 -70 204C-76 250 -76 300 -66 334C-76 342 -94 344 -106 336C-120 304 -114 256 -113 200C-112 130 -76 82 0 82Z',
      strands: [
        lock(-40, 112, [-16, 100, 20, 100, 44, 114]),
        lock(-92, 170, [-96, 220, -98, 260, -92, 306]),
        lock(92, 170, [96, 220, 98, 260, 92, 306]),
      ].join(''),
    },
    brow: { y: 220, weight: 5, arch: 6, color: '#4a3f39' },
    eye: { y: 246, gap: 36, size: 1.08, lash: true },
    mouth: { y: 308, width: 19, smile: 4, full: 6 },
    age: false,
    ears: false,
    beard: '',
    clothes: torso('#e8e1d3') + neck + line('M-66 398C-40 440 40 440 66 398', '#d3cab8', 14),
    under: '',
    over: line('M72 196L96 186', coral, 9),
  },
  chenduo: {
    tones: ['#d9d7e0', '#c8c5d2', '#b3afc1', '#9995aa'],
    ridge: 4.6,
    skin: { base: '#e9cbb0', shade: '#dab697', line: '#94664f', lip: '#c48874' },
    head: { cheek: 80, jaw: 62, round: 30, chin: 340 },
    tilt: -3,
    neck: 37,
    shoulder: 166,
    hair: {
      base: '#2c2a30',
      light: '#46434d',
      back: 'M-84 240C-104 150 -80 96 0 92C84 94 104 150 84 240Z',
      front:
        'M-82 240C-102 200 -104 150 -82 118C-70 92 -36 72 -4 80C30 66 74 82 86 116C106 146 102 202 82 240C80 220 78 206 72 190C66 184 60 176 58 168C52 182 40 190 30 194C34 184 34 178 32 172C16 190 -6 198 -24 198C-18 190 -16 184 -16 176C-32 190 -50 194 -60 194C-70 200 -80 220 -82 240Z',
      strands: [
        lock(-30, 120, [-10, 130, 4, 150, 4, 168]),
        lock(20, 108, [40, 120, 50, 140, 50, 156]),
        lock(-56, 128, [-48, 146, -46, 160, -48, 172]),
      ].join(''),
    },
    brow: { y: 216, weight: 7.5, arch: 5, color: '#343137' },
    eye: { y: 244, gap: 37, size: 1, lash: false },
    mouth: { y: 310, width: 24, smile: 4.5, full: 0 },
    age: false,
    ears: true,
    beard: '',
    clothes:
      path('M-110 420C-100 370 -60 350 0 350C60 350 100 370 110 420L60 460L-60 460Z', '#4f4b5e') +
      torso('#6a667c') +
      neck +
      path('M-48 362C-84 372 -104 396 -104 424C-70 452 -30 462 0 476C-20 440 -50 420 -48 362Z', '#7d798f') +
      path('M48 362C84 372 104 396 104 424C70 452 30 462 0 476C20 440 50 420 48 362Z', '#74708a') +
      line('M-24 462L-26 504M24 462L26 498', '#e4dfe0', 5),
    under: '',
    over:
      line('M-97 226C-112 128 -72 79 0 79C72 79 112 128 97 226', '#ece6dd', 13) +
      path('M-84 210C-104 206 -116 222 -116 246C-116 272 -104 288 -84 284Z', '#4a4757') +
      path('M84 210C104 206 116 222 116 246C116 272 104 288 84 284Z', '#4a4757') +
      path('M-110 230L-103 230L-103 264L-110 264Z', coral),
  },
  guwei: {
    tones: ['#e4d8d6', '#d6c6c5', '#c3afb0', '#a99397'],
    ridge: 5.7,
    skin: { base: '#efd6c3', shade: '#e2c2ac', line: '#a06e5f', lip: '#bd7168' },
    head: { cheek: 78, jaw: 58, round: 27, chin: 341 },
    tilt: -2,
    neck: 32,
    shoulder: 146,
    hair: {
      base: '#33292b',
      light: '#524245',
      back: 'M32 46C64 46 80 66 77 90C74 112 50 118 28 114C2 110 -10 94 -7 76C-4 57 12 46 32 46ZM-82 230C-98 150 -76 96 0 94C78 96 98 150 82 230Z',
      front:
        'M-80 236C-96 200 -98 154 -80 126C-62 98 -30 88 4 88C44 88 72 102 86 132C98 160 96 204 80 236C80 214 78 196 70 180C48 172 0 160 -22 132C-30 156 -54 172 -70 186C-78 198 -80 216 -80 236Z',
      strands: [
        lock(-6, 124, [20, 140, 54, 150, 76, 164]),
        lock(6, 110, [36, 116, 66, 130, 82, 150]),
        lock(-34, 126, [-46, 144, -66, 156, -80, 172]),
        lock(6, 76, [18, 58, 48, 56, 62, 74]),
        lock(20, 92, [34, 96, 54, 92, 64, 84]),
      ].join(''),
    },
    brow: { y: 215, weight: 5, arch: 9, color: '#453739' },
    eye: { y: 244, gap: 37, size: 1, lash: true },
    mouth: { y: 312, width: 20, smile: 3, full: 6.5 },
    age: false,
    ears: true,
    beard: '',
    clothes:
      neck +
      torso('#6f5a60') +
      path(
        'M-42 356C-20 372 20 372 42 356C46 376 54 390 62 398C30 416 -30 416 -62 398C-54 390 -46 376 -42 356Z',
        '#806a70',
      ),
    under: glasses(
      245,
      38,
      'M-25 -12C-24 -20 22 -26 30 -20C33 -2 26 22 4 22C-16 22 -26 8 -25 -12Z',
      '#4b3538',
    ),
    over: dot(-83, 276, 8, coral),
  },
  heqing: {
    tones: ['#d3dedb', '#bfcfcb', '#a7bcb8', '#8aa39f'],
    ridge: 7.2,
    skin: { base: '#ead0ba', shade: '#dcbba2', line: '#966a59', lip: '#bf7c70' },
    head: { cheek: 81, jaw: 65, round: 36, chin: 340 },
    tilt: 2,
    neck: 35,
    shoulder: 154,
    hair: {
      base: '#47474a',
      light: '#a3a09d',
      back: 'M0 82C60 72 104 106 110 160C124 190 116 220 112 240C116 266 100 288 82 290L-82 290C-100 288 -116 266 -112 240C-116 220 -124 190 -110 160C-104 106 -60 72 0 82Z',
      front:
        'M-82 286C-104 286 -118 262 -108 240C-122 220 -122 190 -108 168C-108 128 -84 96 -46 92C-24 72 20 72 40 90C80 92 108 126 108 164C124 188 122 222 110 240C118 264 104 286 84 286C76 268 82 252 76 236C80 214 74 200 66 188C44 190 20 178 6 156C-8 182 -40 194 -64 192C-74 206 -76 222 -76 236C-82 252 -76 268 -82 286Z',
      strands: [
        lock(2, 148, [-20, 172, -54, 172, -80, 184]),
        lock(-80, 184, [-96, 194, -100, 212, -94, 228]),
        lock(10, 142, [30, 166, 60, 166, 82, 184]),
        lock(82, 184, [96, 196, 98, 214, 94, 228]),
        lock(-20, 112, [-48, 116, -76, 132, -86, 158]),
        lock(30, 108, [60, 112, 84, 134, 88, 156]),
      ].join(''),
    },
    brow: { y: 217, weight: 5.5, arch: 6, color: '#5a5352' },
    eye: { y: 245, gap: 37, size: 0.92, lash: false },
    mouth: { y: 310, width: 23, smile: 4.5, full: 4.5 },
    age: true,
    ears: false,
    beard: '',
    clothes:
      torso('#4f6b68') +
      path('M-72 388L72 388L40 530L-40 530Z', '#e6dfd2') +
      neck +
      path('M-50 378C-70 386 -84 400 -90 412L-34 530L-4 530C-24 480 -44 430 -50 378Z', '#415a58') +
      path('M50 378C70 386 84 400 90 412L34 530L4 530C24 480 44 430 50 378Z', '#415a58') +
      dot(70, 440, 10, coral),
    under: '',
    over: '',
  },
};

export function faceSvg(name: FaceName): string {
  const p = people[name];
  const { hair } = p;
  const head = [
    face(name, p),
    p.under,
    path(hair.front, hair.base),
    path(hair.strands, hair.light),
    p.over,
  ].join('');
  const lean = `<g transform="rotate(${p.tilt} 0 340)">`;
  // Slightly enlarged, so that the face still carries a 40 px avatar.
  const figure = `${lean}${path(hair.back, hair.base)}</g>${body(p)}${lean}${head}</g>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 512 512">${landscape(name, p)}<g transform="translate(256 -30) scale(1.14)">${figure}</g></svg>`;
}
