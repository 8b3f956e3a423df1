/** Shapes of the generated pictures. They are deterministic: the same text gives the same picture on server and client. */
export const hues = [28, 62, 95, 150, 200, 245, 275, 340] as const;
export type Hue = (typeof hues)[number];

/** FNV-1a hash. */
export function hashText(text: string): number {
  let hash = 2166136261;
  for (const char of text) {
    hash ^= char.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 16777619) >>> 0;
  }
  return hash;
}

export function hueFromHash(hash: number): Hue {
  return hues[(hash >>> 20) % hues.length] ?? hues[0];
}

/** Seeded generator of numbers from 0 to 1. */
export function createRandom(seed: number): () => number {
  let state = seed || 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4294967296;
  };
}

export const roundToTenth = (value: number): number => Math.round(value * 10) / 10;

export const LANDSCAPE_WIDTH = 320;
export const LANDSCAPE_HEIGHT = 200;
const STEP = 20;
const THIRD = roundToTenth(STEP / 3);
const TWO_THIRDS = roundToTenth((STEP * 2) / 3);

export interface RidgeLine {
  level: number;
  swing: number;
  frequency: number;
  phase: number;
  /** How far the line falls towards the left, to leave room for text. */
  drop: number;
}

/** SVG path of a smooth hill line across the picture, closed along the bottom. */
export function ridgePath({ level, swing, frequency, phase, drop }: RidgeLine): string {
  const heightAt = (x: number): number => {
    const angle = (x / LANDSCAPE_WIDTH) * 2 * Math.PI;
    const wave = Math.sin(phase + angle * frequency) + 0.5 * Math.sin(phase * 2 + angle * 2.4);
    return Math.min(LANDSCAPE_HEIGHT + 8, level + swing * wave + drop * (1 - x / LANDSCAPE_WIDTH) ** 2);
  };
  // Relative coordinates of rounded positions, so that errors do not add up: half as long as absolute ones.
  const step = (from: number, to: number) => roundToTenth(roundToTenth(to) - roundToTenth(from));
  let [before, from, to] = [heightAt(-STEP), heightAt(0), heightAt(STEP)];
  let path = `M0 ${LANDSCAPE_HEIGHT + 4}V${roundToTenth(from)}c${THIRD} ${step(0, (to - before) / 6)} `;
  for (let x = 0; x < LANDSCAPE_WIDTH; x += STEP) {
    const after = heightAt(x + 2 * STEP);
    // The first control point of each further curve mirrors the second one of the previous curve.
    path += `${x === 0 ? '' : 's'}${TWO_THIRDS} ${step(from, to + (from - after) / 6)} ${STEP} ${step(from, to)}`;
    [before, from, to] = [from, to, after];
  }
  return `${path}V${LANDSCAPE_HEIGHT + 4}z`;
}
