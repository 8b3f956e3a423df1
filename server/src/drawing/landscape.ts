import { toHex } from '@mozhan/contract/colour.ts';

/** The drawing functions of the web app's `landscape-shapes.ts`. */
export interface LandscapeShapes {
  LANDSCAPE_WIDTH: number;
  LANDSCAPE_HEIGHT: number;
  hashText: (text: string) => number;
  createRandom: (seed: number) => () => number;
  hueFromHash: (hash: number) => number;
  ridgePath: (line: {
    level: number;
    swing: number;
    frequency: number;
    phase: number;
    drop: number;
  }) => string;
}

export interface Mark {
  svg: string;
  box: string;
  colour: string;
  drop: string;
  layers: string;
}

export interface Brand {
  landscapeShapes: LandscapeShapes;
  mark: Mark;
}

const SUN = '#ff6968';

/** Lightness and chroma in the light theme; hills from far to near. */
const tones = {
  ground: [0.95, 0.016],
  sky: [0.895, 0.03],
  moon: [0.98, 0.012],
  hills: [
    [0.895, 0.03],
    [0.82, 0.045],
    [0.68, 0.06],
    [0.47, 0.055],
  ],
} as const;

type Tone = readonly [lightness: number, chroma: number];

const createToneMapper =
  (hue: number) =>
  ([l, c]: Tone): string =>
    toHex({ l, c, h: (hue * Math.PI) / 180 });

interface Frame {
  width: number;
  height: number;
  /** How far the hills descend to the left to leave space for text; the sun then stays on the right. */
  drop?: number;
}

/** Draws the same landscape for a text as the web app does in its light theme. */
export function drawLandscape(
  shapes: LandscapeShapes,
  text: string,
  { width, height, drop = 0 }: Frame,
): string {
  const hash = shapes.hashText(text);
  const random = shapes.createRandom(hash);
  const tone = createToneMapper(shapes.hueFromHash(hash));
  const [from, span] = drop === 0 ? [70, 180] : [235, 50];
  const sun = { x: from + random() * span, y: 48 + random() * 24, r: 13 + random() * 5 };
  const ridges = tones.hills.map((hill, layer) => {
    const path = shapes.ridgePath({
      level: 84 + layer * 30,
      swing: 20 - layer * 2.5,
      frequency: 0.9 + random() * 0.9,
      phase: random() * 6.3,
      drop,
    });
    return `<path d="${path}" fill="${tone(hill)}"/>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${shapes.LANDSCAPE_WIDTH} ${shapes.LANDSCAPE_HEIGHT}" preserveAspectRatio="xMidYMid slice">`,
    `<rect width="${shapes.LANDSCAPE_WIDTH}" height="${shapes.LANDSCAPE_HEIGHT}" fill="${tone(tones.ground)}"/>`,
    `<circle cx="${sun.x}" cy="${sun.y}" r="${sun.r}" fill="${SUN}"/>`,
    ...ridges,
    '</svg>',
  ].join('');
}

export function drawAvatar(shapes: LandscapeShapes, name: string, side: number): string {
  const hash = shapes.hashText(name);
  const random = shapes.createRandom(hash);
  const tone = createToneMapper(shapes.hueFromHash(hash));
  const [, far, middle, near] = tones.hills;
  const moon = { x: 12 + random() * 16, y: 10 + random() * 6 };
  const shift = random() * 16 - 8;
  const hill = (x: number, y: number, rx: number, ry: number, colour: Tone) =>
    `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${tone(colour)}"/>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 40 40">`,
    `<rect width="40" height="40" fill="${tone(tones.sky)}"/>`,
    `<circle cx="${moon.x}" cy="${moon.y}" r="${4 + random() * 3}" fill="${tone(tones.moon)}"/>`,
    hill(8 + shift, 38, 20, 15 + random() * 4, far),
    hill(32 + shift, 42, 20, 15 + random() * 4, middle),
    hill(16 - shift, 47, 19, 13 + random() * 3, near),
    '</svg>',
  ].join('');
}
