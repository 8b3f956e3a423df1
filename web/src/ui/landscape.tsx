import {
  createRandom,
  type Hue,
  hashText,
  hueFromHash,
  LANDSCAPE_HEIGHT,
  LANDSCAPE_WIDTH,
  ridgePath,
  roundToTenth,
} from '../lib/landscape-shapes.ts';
import styles from './landscape.module.css';

interface LandscapeProps {
  seed: string;
  hue?: Hue;
  /** Position of the sun in 320 × 200; random by default. */
  sun?: readonly [x: number, y: number];
  /** How far the hills fall towards the left. */
  drop?: number;
  /** The part that stays visible when the picture is cropped. */
  anchor?: 'middle' | 'bottom';
}

const layers = [0, 1, 2, 3];

/** 山: four hill lines and a coral sun. Decorative. */
export function Landscape({ seed, hue, sun, drop = 0, anchor = 'middle' }: LandscapeProps) {
  const hash = hashText(seed);
  const random = createRandom(hash);
  const [x, y] = sun ?? [roundToTenth(70 + random() * 180), roundToTenth(48 + random() * 24)];
  const radius = roundToTenth(13 + random() * 5);
  return (
    <svg
      className={styles.art}
      data-hue={hue ?? hueFromHash(hash)}
      viewBox={`0 0 ${LANDSCAPE_WIDTH} ${LANDSCAPE_HEIGHT}`}
      preserveAspectRatio={anchor === 'bottom' ? 'xMidYMax slice' : 'xMidYMid slice'}
      aria-hidden="true"
    >
      <path className={styles.ground} d={`M0 0h${LANDSCAPE_WIDTH}v${LANDSCAPE_HEIGHT}H0z`} />
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
