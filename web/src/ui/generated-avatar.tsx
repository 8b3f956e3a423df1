import { createRandom, hashText, hueFromHash, roundToTenth } from '../lib/landscape-shapes.ts';
import styles from './landscape.module.css';

export function GeneratedAvatar({ seed }: { seed: string }) {
  const hash = hashText(seed);
  const random = createRandom(hash);
  const moonX = roundToTenth(12 + random() * 16);
  const moonY = roundToTenth(10 + random() * 6);
  const shift = random() * 16 - 8;
  return (
    <svg className={styles.art} data-hue={hueFromHash(hash)} viewBox="0 0 40 40" aria-hidden="true">
      <path className={styles.sky} d="M0 0h40v40H0z" />
      <circle className={styles.moon} cx={moonX} cy={moonY} r={roundToTenth(4 + random() * 3)} />
      <ellipse
        className={styles.hill2}
        cx={roundToTenth(8 + shift)}
        cy="38"
        rx="20"
        ry={roundToTenth(15 + random() * 4)}
      />
      <ellipse
        className={styles.hill3}
        cx={roundToTenth(32 + shift)}
        cy="42"
        rx="20"
        ry={roundToTenth(15 + random() * 4)}
      />
      <ellipse
        className={styles.hill4}
        cx={roundToTenth(16 - shift)}
        cy="47"
        rx="19"
        ry={roundToTenth(13 + random() * 3)}
      />
    </svg>
  );
}
