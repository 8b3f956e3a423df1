import type { ReactNode } from 'react';
import { useApp } from '../lib/app-context.ts';
import { type CoverChoice, chooseCover } from '../lib/cover-choice.ts';
import { fileUrl } from '../lib/files.ts';
import {
  createRandom,
  hashText,
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

const [COLUMNS, ROWS, GAP] = [10, 6, 32];

/** 格: dots whose size swells and ebbs. */
function lattice(random: Random): ReactNode {
  const marked = { x: 2 + Math.floor(random() * 6), y: 1 + Math.floor(random() * 4) };
  const phase = random() * 6;
  const dots = range(COLUMNS * ROWS).map((index) => {
    const [x, y] = [index % COLUMNS, Math.floor(index / COLUMNS)];
    const wave = Math.sin(x * 0.75 + phase) + Math.cos(y * 1.05 + phase * 1.7);
    const isMarked = x === marked.x && y === marked.y;
    return {
      x: 16 + x * GAP,
      y: 20 + y * GAP,
      r: isMarked ? 12 : roundToTenth(3 + (wave + 2) * 2.1),
      isMarked,
    };
  });
  // One path for all dots of a tone keeps the page small.
  const pathOf = (isLarge: boolean) =>
    dots
      .filter(({ isMarked, r }) => !isMarked && r > 7 === isLarge)
      .map(
        ({ x, y, r }) => `M${roundToTenth(x - r)} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0-${2 * r} 0`,
      )
      .join('');
  return (
    <>
      <path className={styles.tone2} d={pathOf(false)} />
      <path className={styles.tone3} d={pathOf(true)} />
      {dots.map(({ x, y, r, isMarked }) =>
        isMarked ? <circle key="mark" className={styles.mark} cx={x} cy={y} r={r} /> : null,
      )}
    </>
  );
}

const QUARTERS = [
  'h40a40 40 0 0 1-40 40z',
  'v40a40 40 0 0 1-40-40z',
  'h-40a40 40 0 0 1 40-40z',
  'v-40a40 40 0 0 1 40 40z',
];

/** 弧: quarters of circles in a grid. */
function arcs(random: Random): ReactNode {
  const marked = { x: 1 + Math.floor(random() * 6), y: 1 + Math.floor(random() * 3) };
  const paths: Record<string, string> = { tone1: '', tone2: '', tone3: '', mark: '' };
  for (const index of range(40)) {
    const [x, y] = [index % 8, Math.floor(index / 8)];
    const turn = Math.floor(random() * 4);
    const tone = `tone${1 + Math.floor(random() * 2.7)}`;
    const isMarked = x === marked.x && y === marked.y;
    if (random() < 0.25 && !isMarked) continue;
    const corner = { x: 40 * (x + (turn === 1 || turn === 2 ? 1 : 0)), y: 40 * (y + (turn > 1 ? 1 : 0)) };
    paths[isMarked ? 'mark' : tone] += `M${corner.x} ${corner.y}${QUARTERS[turn]}`;
  }
  return Object.entries(paths).map(([name, d]) => <path key={name} className={styles[name]} d={d} />);
}

const drawings = { ripple, strata, slips, lattice, arcs };

/** Generates a picture from the title. */
function GeneratedCover({ title, choice }: { title: string; choice: CoverChoice }) {
  const { kind, hue } = choice;
  if (kind === 'hills') return <Landscape seed={title} hue={hue} />;
  return (
    <svg
      className={styles.art}
      data-hue={hue}
      data-kind={kind}
      viewBox={`0 0 ${LANDSCAPE_WIDTH} ${LANDSCAPE_HEIGHT}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <path className={styles.ground} d={`M0 0h${LANDSCAPE_WIDTH}v${LANDSCAPE_HEIGHT}H0z`} />
      {drawings[kind](createRandom(hashText(title)))}
    </svg>
  );
}

interface CoverProps {
  title: string;
  /** Path of the stored picture; empty to generate one from the title. */
  image: string;
  /** The generated picture of a list in which neighbours differ; by default that of the title. */
  choice?: CoverChoice | undefined;
}

/** Decorative: the title is next to it. Fills its container. */
export function Cover({ title, image, choice }: CoverProps) {
  const { filesUrl } = useApp();
  if (image === '') return <GeneratedCover title={title} choice={choice ?? chooseCover(title)} />;
  return (
    <img className={styles.image} src={fileUrl(filesUrl, image)} alt="" loading="lazy" decoding="async" />
  );
}
