/** Numbers behind the generated pictures: the same text always gives the same landscape, on the server and here. */
const hues = [28, 62, 95, 150, 200, 245, 275, 340] as const;
export type Hue = (typeof hues)[number];

/** FNV-1a. */
export function hashText(text: string): number {
  let hash = 2166136261;
  for (const char of text) {
    hash ^= char.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 16777619) >>> 0;
  }
  return hash;
}

export function pickHue(hash: number): Hue {
  return hues[(hash >>> 20) % hues.length] ?? hues[0];
}

/** A row of numbers from 0 to 1. */
export function createRandom(seed: number): () => number {
  let state = seed || 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4294967296;
  };
}

export const round = (value: number): number => Math.round(value * 10) / 10;

export const WIDTH = 320;
export const HEIGHT = 200;
const STEP = 20;

export interface RidgeLine {
  /** Around which height it runs, and how far up and down. */
  level: number;
  swing: number;
  frequency: number;
  phase: number;
  /** How far it falls away towards the left, where words may stand. */
  drop: number;
}

/** A hill line across the picture, smooth at any size, closed along the bottom. */
export function ridgePath({ level, swing, frequency, phase, drop }: RidgeLine): string {
  const heightAt = (x: number): number => {
    const turn = (x / WIDTH) * 2 * Math.PI;
    const wave = Math.sin(phase + turn * frequency) + 0.5 * Math.sin(phase * 2 + turn * 2.4);
    return Math.min(HEIGHT + 8, level + swing * wave + drop * (1 - x / WIDTH) ** 2);
  };
  const bend = (y: number, slope: number) => round(y + slope / 6);
  let [before, from, to] = [heightAt(-STEP), heightAt(0), heightAt(STEP)];
  let path = `M0 ${HEIGHT + 4}V${round(from)}`;
  for (let x = 0; x < WIDTH; x += STEP) {
    const after = heightAt(x + 2 * STEP);
    const first = `${round(x + STEP / 3)} ${bend(from, to - before)}`;
    const second = `${round(x + (STEP * 2) / 3)} ${bend(to, from - after)}`;
    path += `C${first} ${second} ${x + STEP} ${round(to)}`;
    [before, from, to] = [from, to, after];
  }
  return `${path}V${HEIGHT + 4}z`;
}
