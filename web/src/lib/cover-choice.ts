import { type Hue, hashText, hueFromHash, hues } from './landscape-shapes.ts';

/** 山 水 栈 简 格 弧: the kinds of generated pictures. */
export const coverKinds = ['hills', 'ripple', 'strata', 'slips', 'lattice', 'arcs'] as const;
export type CoverKind = (typeof coverKinds)[number];

export interface CoverChoice {
  kind: CoverKind;
  hue: Hue;
}

/** The first value from `value` on that is not among the used ones. */
function firstUnused<Value>(values: readonly Value[], value: Value, used: readonly Value[]): Value {
  const from = values.indexOf(value);
  const inOrder = [...values.slice(from), ...values.slice(0, from)];
  return inOrder.find((each) => !used.includes(each)) ?? value;
}

/** The picture of a title: always the same, unless one of the pictures before it in a list has its kind or hue. */
export function chooseCover(title: string, before: readonly CoverChoice[] = []): CoverChoice {
  const hash = hashText(title);
  const kind = coverKinds[hash % coverKinds.length] ?? 'hills';
  return {
    kind: firstUnused(
      coverKinds,
      kind,
      before.map((each) => each.kind),
    ),
    hue: firstUnused(
      hues,
      hueFromHash(hash),
      before.map((each) => each.hue),
    ),
  };
}

interface Listed {
  id: string;
  title: string;
  cover: string;
}

/** Of the entries without a picture of their own, every third stays without one, so that a list has a rhythm. */
const isLeftOut = (generated: number): boolean => generated % 3 === 2;

/** So many pictures after it, none has the same kind or hue. */
const MIN_DISTANCE = 2;

/** The generated pictures of a list by id; null: no picture. In a grid every entry has one. */
export function planCovers(
  list: readonly Listed[],
  layout: 'list' | 'grid' = 'list',
): Map<string, CoverChoice | null> {
  const plan = new Map<string, CoverChoice | null>();
  let generated = 0;
  const chosen: CoverChoice[] = [];
  for (const { id, title, cover } of list) {
    if (cover !== '' || plan.has(id)) continue;
    generated += 1;
    if (layout === 'list' && isLeftOut(generated)) plan.set(id, null);
    else {
      chosen.push(chooseCover(title, chosen.slice(-MIN_DISTANCE)));
      plan.set(id, chosen.at(-1) ?? null);
    }
  }
  return plan;
}
