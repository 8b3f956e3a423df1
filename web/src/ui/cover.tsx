import type { ReactNode } from 'react';
import { useApp } from '../lib/app-context.ts';
import { fileUrl } from '../lib/files.ts';
import { createRandom, HEIGHT, hashText, pickHue, round, WIDTH } from '../lib/ink.ts';
import styles from './cover.module.css';
import { Landscape } from './picture.tsx';

type Random = () => number;

const upTo = (count: number) => [...Array(count).keys()];

/** 水: rings on a pond. */
function ripple(random: Random): ReactNode {
  const centre = { cx: round(60 + random() * 200), cy: round(70 + random() * 70) };
  return (
    <>
      <circle className={styles.tone1} {...centre} r="96" />
      <circle className={styles.tone2} {...centre} r="52" />
      {upTo(9).map((ring) => (
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
  return upTo(6).map((layer) => {
    const x = round(28 + random() * 70);
    const width = round(70 + random() * (220 - x));
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
  return upTo(16).map((slip) => {
    const height = round(50 + random() * 110);
    const tone = toneOf(random);
    return (
      <rect
        key={slip}
        className={slip === marked ? styles.mark : tone}
        x={12 + slip * 19}
        y={round(100 - height / 2 + Math.sin(slip / 2.4) * 16)}
        width="11"
        height={height}
        rx="2"
      />
    );
  });
}

const families = [ripple, strata, slips];

/** A quiet picture made from a title: the same title has the same one everywhere. */
function Generated({ title }: { title: string }) {
  const hash = hashText(title);
  const draw = families[hash % (families.length + 1)];
  if (draw === undefined) return <Landscape seed={title} />;
  return (
    <svg
      className={styles.art}
      data-hue={pickHue(hash)}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <path className={styles.ground} d={`M0 0h${WIDTH}v${HEIGHT}H0z`} />
      {draw(createRandom(hash))}
    </svg>
  );
}

interface CoverProps {
  title: string;
  /** A stored picture; empty: one is made from the title. */
  image: string;
}

/** Decoration: the title stands beside it. Fills what it stands in. */
export function Cover({ title, image }: CoverProps) {
  const { filesUrl } = useApp();
  if (image === '') return <Generated title={title} />;
  return (
    <img className={styles.image} src={fileUrl(filesUrl, image)} alt="" loading="lazy" decoding="async" />
  );
}
