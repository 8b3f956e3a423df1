import { createBanner } from '../../content/covers/index.ts';
import { columnPathOf } from '../../content/essays/index.ts';
import { storeImage } from '../../platform/uploads/index.ts';
import { createRandom } from './random.ts';
import { createAction, type DemoAction, getColumnId, hoursBefore } from './timeline.ts';

// The colours are transparent, so that the pictures fit into a light and into a dark banner.

const [WIDTH, HEIGHT] = [680, 236];
const CORAL = '#ff6968';
const round = (value: number): string => value.toFixed(1);

/** A hill line across the picture, closed along the bottom. */
function ridge(level: number, swing: number, phase: number): string {
  const points = Array.from({ length: 35 }, (_, index) => {
    const x = index * 20;
    const wave = Math.sin(phase + x / 95) + 0.55 * Math.sin(phase * 2.3 + x / 41);
    // Falls towards the left, where the text is.
    const y = level + swing * wave + 90 * (1 - x / WIDTH) ** 2;
    return `${x} ${round(Math.min(HEIGHT + 4, y))}`;
  });
  return `M0 ${HEIGHT}L${points.join('L')}V${HEIGHT}z`;
}

const frame = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${2 * WIDTH}" height="${2 * HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${content}</svg>`;

/** A lake before dawn: hills, a hut without light, the last stars. */
function drawNight(): string {
  const ink = '#5b63a0';
  const random = createRandom(11);
  const stars = Array.from({ length: 26 }, () => {
    const [x, y, r] = [230 + random() * 440, 10 + random() * 84, 0.7 + random() * 1.2];
    return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(r)}" fill="${ink}" opacity=".55"/>`;
  });
  const hills = [
    [118, 17, 0.4, 0.22],
    [140, 15, 2.2, 0.34],
    [163, 11, 4.1, 0.5],
  ] as const;
  const water = Array.from({ length: 13 }, (_, index) => {
    const width = 36 + random() * 150;
    const [x, y] = [180 + random() * 400, 202 + index * 2.7];
    return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="1.6" rx=".8" fill="#fff" opacity=".3"/>`;
  });
  const pines = [
    [560, 186, 30],
    [578, 188, 40],
    [598, 187, 27],
  ].map(
    ([x = 0, y = 0, h = 0]) =>
      `<path d="M${x} ${y - h}l${h * 0.24} ${h * 0.46}h-${h * 0.1}l${h * 0.2} ${h * 0.54}h-${h * 0.68}l${h * 0.2}-${h * 0.54}h-${h * 0.1}z" fill="${ink}" opacity=".95"/>`,
  );
  return frame(
    [
      ...stars,
      `<circle cx="452" cy="86" r="33" fill="${CORAL}"/>`,
      ...hills.map(
        ([level, swing, phase, opacity]) =>
          `<path d="${ridge(level, swing, phase)}" fill="${ink}" opacity="${opacity}"/>`,
      ),
      `<path d="M0 198h${WIDTH}v38H0z" fill="${ink}" opacity=".42"/>`,
      ...water,
      ...pines,
      `<path d="M508 187v-14l17-12 17 12v14z" fill="${ink}"/><path d="M503 175l22-16 22 16" fill="none" stroke="${ink}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>`,
      `<path d="M521 175h8v12h-8z" fill="#fff" opacity=".5"/>`,
      `<path d="M420 199c40-9 70-13 116-13 60 0 104 4 144 9v4z" fill="${ink}"/>`,
    ].join(''),
  );
}

interface Branch {
  x: number;
  y: number;
  angle: number;
  length: number;
  depth: number;
}

/** A syntax tree on a hill: every branch ends in a pair of parentheses. */
function drawTree(): string {
  const ink = '#9a5f57';
  const random = createRandom(29);
  const wood: string[] = [];
  const leaves: string[] = [];
  const grow = ({ x, y, angle, length, depth }: Branch): void => {
    const end = { x: x + Math.sin(angle) * length, y: y - Math.cos(angle) * length };
    const bend = (random() - 0.5) * 14;
    wood.push(
      `<path d="M${round(x)} ${round(y)}Q${round((x + end.x) / 2 + bend)} ${round((y + end.y) / 2)} ${round(end.x)} ${round(end.y)}" stroke-width="${round(1.4 + depth * 1.35)}"/>`,
    );
    if (depth === 0) {
      const size = 4.5 + random() * 3.5;
      const opacity = round(0.3 + random() * 0.5);
      const arc = `a${round(size * 1.1)} ${round(size * 1.1)} 0 0`;
      leaves.push(
        `<path d="M${round(end.x - 1.6)} ${round(end.y - size)}${arc} 0 0 ${round(2 * size)}zM${round(end.x + 1.6)} ${round(end.y - size)}${arc} 1 0 ${round(2 * size)}z" fill="${ink}" opacity="${opacity}"/>`,
      );
      return;
    }
    const spread = 0.36 + random() * 0.2;
    for (const side of [-1, 1])
      grow({
        ...end,
        angle: angle * 0.88 + side * spread + (random() - 0.5) * 0.12,
        length: length * (0.72 + random() * 0.12),
        depth: depth - 1,
      });
  };
  grow({ x: 440, y: 214, angle: 0.03, length: 50, depth: 5 });
  const hills = [
    [176, 12, 5.3, 0.2],
    [198, 9, 1.2, 0.34],
    [216, 6, 3.4, 0.6],
  ] as const;
  const [far = '', middle = '', near = ''] = hills.map(
    ([level, swing, phase, opacity]) =>
      `<path d="${ridge(level, swing, phase)}" fill="${ink}" opacity="${opacity}"/>`,
  );
  const trunk = `<g fill="none" stroke="${ink}" stroke-linecap="round" opacity=".9">${wood.join('')}</g>`;
  const sun = `<circle cx="566" cy="92" r="30" fill="${CORAL}"/>`;
  return frame([sun, far, middle, trunk, ...leaves, near].join(''));
}

const banners = [
  {
    account: 'linyan',
    column: '睡得着觉的后端',
    title: '睡到天亮的后端',
    summary: '队列、执行计划与账目：把会在半夜响起来的事，白天先做完。',
    draw: drawNight,
  },
  {
    account: 'chenduo',
    column: '周末编译器',
    title: '从括号长成一棵树',
    summary: '从一百一十行的 Lisp 出发，一个周末一步，写出一个能生成 C 的编译器。',
    draw: drawTree,
  },
];

/** After the essays, since the banners lead to their columns. */
export const planBanners = (now: Date): DemoAction[] =>
  banners.map(({ account, column, title, summary, draw }) =>
    createAction(hoursBefore(now, 1), account, async (ctx, viewer, state) => {
      const content = Buffer.from(draw());
      const picture = await storeImage(
        ctx,
        viewer.id,
        { content, isGenerated: true },
        { ignoresQuota: true },
      );
      const link = columnPathOf(getColumnId(state, column));
      await createBanner(ctx, { title, summary, image: picture.path, link });
    }),
  );
