import type { ReactNode } from 'react';
import { useApp } from '../lib/app-context.ts';
import { fileUrl } from '../lib/files.ts';
import {
  createRandom,
  hashText,
  hueFromHash,
  LANDSCAPE_HEIGHT,
  LANDSCAPE_WIDTH,
  roundToTenth,
} from '../lib/landscape-shapes.ts';
import styles from './cover.module.css';
import { Landscape } from './landscape.tsx';

type Random = () => number;

const range = (count: number) => [...Array(count).keys()];

/** 水: rings on a pond. */
function ripple(random: Random): ReactNode {
  const centre = { cx: roundToTenth(60 + random() * 200), cy: roundToTenth(70 + random() * 70) };
  return (
    <>
      <circle className={styles.tone1} {...centre} r="96" />
      <circle className={styles.tone2} {...centre} r="52" />
      {range(9).map((ring) => (
        <circle key={ring} className={styles.ring} {...centre} r={34 + ring * 20} />
      ))}
      <circle className={styles.mark} {...centre} r="9" />
    </>
  );
}

const tones = ['tone1', 'tone2', 'tone3', 'tone3'];
const toneOf = (random: Random) => styles[tones[Math.floor(random() * tones.length)] ?? ''];

/** 栈: layers, one above the other. */
function strata(random: Random): ReactNode {
  const marked = 1 + Math.floor(random() * 4);
  return range(6).map((layer) => {
    const x = roundToTenth(28 + random() * 70);
    const width = roundToTenth(70 + random() * (220 - x));
    const tone = toneOf(random);
    return (
      <rect
        key={layer}
        className={layer === marked ? styles.mark : tone}
        x={x}
        y={44 + layer * 20}
        width={width}
        height="12"
        rx="6"
      />
    );
  });
}

/** 简: slips of bamboo. */
function slips(random: Random): ReactNode {
  const marked = 4 + Math.floor(random() * 8);
  return range(16).map((slip) => {
    const height = roundToTenth(50 + random() * 110);
    const tone = toneOf(random);
    return (
      <rect
        key={slip}
        className={slip === marked ? styles.mark : tone}
        x={12 + slip * 19}
        y={roundToTenth(100 - height / 2 + Math.sin(slip / 2.4) * 16)}
        width="11"
        height={height}
        rx="2"
      />
    );
  });
}

const families = [ripple, strata, slips];

/** Generates a picture from the title; the same title always gives the same picture. */
function GeneratedCover({ title }: { title: string }) {
  const hash = hashText(title);
  const draw = families[hash % (families.length + 1)];
  if (draw === undefined) return <Landscape seed={title} />;
  return (
    <svg
      className={styles.art}
      data-hue={hueFromHash(hash)}
      viewBox={`0 0 ${LANDSCAPE_WIDTH} ${LANDSCAPE_HEIGHT}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <path className={styles.ground} d={`M0 0h${LANDSCAPE_WIDTH}v${LANDSCAPE_HEIGHT}H0z`} />
      {draw(createRandom(hash))}
    </svg>
  );
}

interface CoverProps {
  title: string;
  /** Path of the stored picture; empty to generate one from the title. */
  image: string;
}

/** Decorative: the title is next to it. Fills its container. */
export function Cover({ title, image }: CoverProps) {
  const { filesUrl } = useApp();
  if (image === '') return <GeneratedCover title={title} />;
  return (
    <img className={styles.image} src={fileUrl(filesUrl, image)} alt="" loading="lazy" decoding="async" />
  );
}
