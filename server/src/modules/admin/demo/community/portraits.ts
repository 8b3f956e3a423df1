import { type Portrait, type PortraitName, portraits } from '../portraits.ts';

/** Combines parts of the first six portraits in other colours. */
interface Recipe {
  hair: PortraitName;
  features: PortraitName;
  clothes: PortraitName;
  /** An accessory in coral, for clothes without that colour. */
  worn?: 'suhe' | 'chenduo' | 'guwei';
  glasses?: 'linyan' | 'guwei';
  beard?: true;
  tint: Portrait['hair'];
  /** Rotates the hue of clothes and hills by this number of degrees. */
  hueRotation: number;
  ridge: number;
  tilt: number;
}

const black = { base: '#26282c', light: '#3f444b' };
const brown = { base: '#4a362b', light: '#6b5243' };
const chestnut = { base: '#5b3d2c', light: '#7d5a43' };
const grey = { base: '#6d6a67', light: '#9b9792' };

const recipes = {
  tangke: {
    ...{ hair: 'guwei', features: 'suhe', clothes: 'linyan' },
    ...{ tint: black, hueRotation: 150, ridge: 1.2, tilt: 2 },
  },
  wenzhou: {
    ...{ hair: 'linyan', features: 'zhoumu', clothes: 'heqing', glasses: 'linyan' },
    ...{ tint: grey, hueRotation: 340, ridge: 2.7, tilt: -2 },
  },
  luoyi: {
    ...{ hair: 'chenduo', features: 'linyan', clothes: 'zhoumu' },
    ...{ tint: black, hueRotation: 170, ridge: 3.9, tilt: 3 },
  },
  jiangmo: {
    ...{ hair: 'suhe', features: 'guwei', clothes: 'guwei', worn: 'suhe' },
    ...{ tint: brown, hueRotation: 210, ridge: 5.1, tilt: -3 },
  },
  xuting: {
    ...{ hair: 'heqing', features: 'suhe', clothes: 'heqing' },
    ...{ tint: chestnut, hueRotation: 190, ridge: 6.4, tilt: 2 },
  },
  fangye: {
    ...{ hair: 'zhoumu', features: 'chenduo', clothes: 'linyan', beard: true },
    ...{ tint: brown, hueRotation: 240, ridge: 0.2, tilt: -2 },
  },
  songnian: {
    ...{ hair: 'chenduo', features: 'suhe', clothes: 'chenduo', worn: 'chenduo', glasses: 'linyan' },
    ...{ tint: brown, hueRotation: 110, ridge: 1.7, tilt: 2 },
  },
  baiqiao: {
    ...{ hair: 'suhe', features: 'heqing', clothes: 'linyan' },
    ...{ tint: black, hueRotation: 300, ridge: 2.4, tilt: 3 },
  },
  duheng: {
    ...{ hair: 'zhoumu', features: 'linyan', clothes: 'heqing', glasses: 'guwei' },
    ...{ tint: grey, hueRotation: 270, ridge: 4.2, tilt: 2 },
  },
  yezhen: {
    ...{ hair: 'guwei', features: 'guwei', clothes: 'suhe', worn: 'guwei' },
    ...{ tint: chestnut, hueRotation: 160, ridge: 3.1, tilt: -3 },
  },
  qinheng: {
    ...{ hair: 'linyan', features: 'chenduo', clothes: 'zhoumu' },
    ...{ tint: black, hueRotation: 320, ridge: 5.4, tilt: 3 },
  },
  mengxi: {
    ...{ hair: 'suhe', features: 'suhe', clothes: 'heqing', glasses: 'guwei' },
    ...{ tint: chestnut, hueRotation: 80, ridge: 6.9, tilt: -2 },
  },
  lujian: {
    ...{ hair: 'linyan', features: 'linyan', clothes: 'chenduo', worn: 'chenduo', beard: true },
    ...{ tint: chestnut, hueRotation: 250, ridge: 7.6, tilt: -3 },
  },
  shenlu: {
    ...{ hair: 'guwei', features: 'heqing', clothes: 'zhoumu', glasses: 'linyan' },
    ...{ tint: brown, hueRotation: 60, ridge: 0.9, tilt: 2 },
  },
} satisfies Record<string, Recipe>;

export type ReaderName = keyof typeof recipes;

function rotateHue(hex: string, degrees: number): string {
  const [r = 0, g = 0, b = 0] = (hex.match(/[0-9a-f]{2}/g) ?? []).map((part) => Number.parseInt(part, 16));
  const [high, low] = [Math.max(r, g, b), Math.min(r, g, b)];
  const span = high - low || 1;
  const sixth = high === r ? (g - b) / span : high === g ? 2 + (b - r) / span : 4 + (r - g) / span;
  const hue = sixth * 60 + degrees;
  const channel = (shift: number): string => {
    const at = (((hue / 60 + shift) % 6) + 6) % 6;
    const part = Math.min(1, Math.max(0, Math.min(at, 4 - at)));
    return Math.round(high - (high - low) * part)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(5)}${channel(3)}${channel(1)}`;
}

/** Does not change coral and white. */
const recolour = (drawing: string, degrees: number): string =>
  drawing.replace(/#[0-9a-f]{6}/g, (hex) => (hex === '#ff6968' ? hex : rotateHue(hex, degrees)));

export function buildPortrait(name: ReaderName): Portrait {
  const recipe: Recipe = recipes[name];
  const [hair, features, clothes] = [
    portraits[recipe.hair],
    portraits[recipe.features],
    portraits[recipe.clothes],
  ];
  const { hueRotation } = recipe;
  const { creases: _, ...head } = features.head;
  return {
    scene: {
      ridge: recipe.ridge,
      tones: features.scene.tones.map((tone) => rotateHue(tone, hueRotation + 30)) as [
        string,
        string,
        string,
        string,
      ],
    },
    skin: clothes.skin,
    head: { ...head, ears: hair.head.ears ?? true },
    build: { ...hair.build, tilt: recipe.tilt },
    eyes: { ...features.eyes, lash: hair.eyes.lash ?? false },
    mouth: features.mouth,
    hair: recipe.tint,
    front: hair.front,
    locks: hair.locks,
    cloth: rotateHue(clothes.cloth, hueRotation),
    over: recolour(clothes.over, hueRotation),
    ...(hair.back === undefined ? {} : { back: hair.back }),
    ...(clothes.under === undefined ? {} : { under: recolour(clothes.under, hueRotation) }),
    ...(recipe.worn === undefined ? {} : { worn: recolour(portraits[recipe.worn].worn ?? '', hueRotation) }),
    ...(recipe.glasses === undefined ? {} : { glasses: portraits[recipe.glasses].glasses ?? '' }),
    ...(recipe.beard === undefined ? {} : { beard: portraits.zhoumu.beard ?? '' }),
  };
}
