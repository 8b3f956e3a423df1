import { createRandom, hashText, pickHue, round } from '../lib/ink.ts';
import styles from './picture.module.css';

/** The hills of a landscape, small and under a moon: a face for whoever has not given one. */
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
