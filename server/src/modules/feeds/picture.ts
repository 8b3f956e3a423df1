import { toHex } from '#contract/colour.ts';

/** How the site draws its landscapes. */
export interface Ink {
  WIDTH: number;
  HEIGHT: number;
  hashText: (text: string) => number;
  createRandom: (seed: number) => () => number;
  pickHue: (hash: number) => number;
  ridgePath: (line: {
    level: number;
    swing: number;
    frequency: number;
    phase: number;
    drop: number;
  }) => string;
}

/** What services that show links ask for. */
const WIDTH = 1200;
const HEIGHT = 630;
const SUN = '#ff6968';

/** As lightness and strength, of the ground and the hills from far to near; by day. */
const ground = [0.95, 0.016] as const;
const hills = [
  [0.895, 0.03],
  [0.82, 0.045],
  [0.68, 0.06],
  [0.47, 0.055],
] as const;

/** The landscape of a text, for where its page is linked. Without words: a bare machine has no fonts. */
export function toPictureSvg(ink: Ink, text: string): string {
  const hash = ink.hashText(text);
  const random = ink.createRandom(hash);
  const h = ink.pickHue(hash);
  const tone = ([l, c]: readonly [number, number]) => toHex({ l, c, h });
  const sun = { x: 70 + random() * 180, y: 48 + random() * 24, r: 13 + random() * 5 };
  const ridges = hills.map((hill, layer) => {
    const path = ink.ridgePath({
      level: 84 + layer * 30,
      swing: 20 - layer * 2.5,
      frequency: 0.9 + random() * 0.9,
      phase: random() * 6.3,
      drop: 0,
    });
    return `<path d="${path}" fill="${tone(hill)}"/>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${ink.WIDTH} ${ink.HEIGHT}" preserveAspectRatio="xMidYMid slice">`,
    `<rect width="${ink.WIDTH}" height="${ink.HEIGHT}" fill="${tone(ground)}"/>`,
    `<circle cx="${sun.x}" cy="${sun.y}" r="${sun.r}" fill="${SUN}"/>`,
    ...ridges,
    '</svg>',
  ].join('');
}
