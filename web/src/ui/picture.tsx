import { createRandom, HEIGHT, type Hue, hashText, pickHue, ridgePath, round, WIDTH } from '../lib/ink.ts';
import styles from './picture.module.css';

interface LandscapeProps {
  /** The text it is made from. */
  seed: string;
  hue?: Hue;
  /** Where the sun stands in 320 × 200; left to chance when not given. */
  sun?: readonly [x: number, y: number];
  /** How far the hills fall away towards the left. */
  drop?: number;
  /** Which part stays in sight when the frame has another shape. */
  anchor?: 'middle' | 'bottom';
}

const layers = [0, 1, 2, 3];

/** 山: four hill lines and a coral sun, tones from the theme. Decoration only. */
export function Landscape({ seed, hue, sun, drop = 0, anchor = 'middle' }: LandscapeProps) {
  const hash = hashText(seed);
  const random = createRandom(hash);
  const [x, y] = sun ?? [round(70 + random() * 180), round(48 + random() * 24)];
  const radius = round(13 + random() * 5);
  return (
    <svg
      className={styles.art}
      data-hue={hue ?? pickHue(hash)}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio={anchor === 'bottom' ? 'xMidYMax slice' : 'xMidYMid slice'}
      aria-hidden="true"
    >
      <path className={styles.ground} d={`M0 0h${WIDTH}v${HEIGHT}H0z`} />
      <circle className={styles.sun} cx={x} cy={y} r={radius} />
      {layers.map((layer) => (
        <path
          key={layer}
          className={styles[`hill${layer + 1}`]}
          d={ridgePath({
            level: 84 + layer * 30,
            swing: 20 - layer * 2.5,
            frequency: 0.9 + random() * 0.9,
            phase: random() * 6.3,
            drop,
          })}
        />
      ))}
    </svg>
  );
}
