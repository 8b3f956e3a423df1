import { encode } from 'uqr';
import styles from './qr-code.module.css';

/** Merges adjacent dark modules of a row into one rectangle. */
function toPath(rows: readonly (readonly boolean[])[]): string {
  let path = '';
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x += 1) {
      if (row[x] !== true) continue;
      let width = 1;
      while (row[x + width] === true) width += 1;
      path += `M${x} ${y}h${width}v1h-${width}z`;
      x += width;
    }
  });
  return path;
}

export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path d={toPath(data)} />
    </svg>
  );
}
