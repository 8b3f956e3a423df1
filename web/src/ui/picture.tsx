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

/** The same hills, small and under a moon: a face for whoever has not given one. */
export function Hills({ seed }: { seed: string }) {
  const hash = hashText(seed);
  const random = createRandom(hash);
  const moonX = round(12 + random() * 16);
  const moonY = round(10 + random() * 6);
  const shift = random() * 16 - 8;
  return (
    <svg className={styles.art} data-hue={pickHue(hash)} viewBox="0 0 40 40" aria-hidden="true">
      <path className={styles.sky} d="M0 0h40v40H0z" />
      <circle className={styles.moon} cx={moonX} cy={moonY} r={round(4 + random() * 3)} />
      <ellipse className={styles.hill2} cx={round(8 + shift)} cy="38" rx="20" ry={round(15 + random() * 4)} />
      <ellipse
        className={styles.hill3}
        cx={round(32 + shift)}
        cy="42"
        rx="20"
        ry={round(15 + random() * 4)}
      />
      <ellipse
        className={styles.hill4}
        cx={round(16 - shift)}
        cy="47"
        rx="19"
        ry={round(13 + random() * 3)}
      />
    </svg>
  );
}
