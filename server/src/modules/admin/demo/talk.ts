import { readdir, readFile } from 'node:fs/promises';
import { createComment, createReply, likeComment, updateComment } from '../../content/comments/index.ts';
import { reportSomething } from '../reports/index.ts';
import { report } from './community/affairs.ts';
import { createDice, shuffle } from './dice.ts';
import type { PlannedEssay } from './essays.ts';
import { type Deed, deedOf, getEssayId, HOUR_MS, hoursBefore } from './history.ts';

const FOLDER = new URL('./community/comments/', import.meta.url);
const MOST_LIKES = 6;
/** Those who like what was said do so within this time. */
const LIKE_HOURS = 40;

/** `# account 9h pinned`: a comment, so long after the essay; `##` answers it and `###` the reply above, after that. */
const HEADING = /^(#{1,3}) (\w+) (\d+)h( pinned)?$/m;

export interface Said {
  slug: string;
  by: string;
  at: Date;
  content: string;
  isPinned: boolean;
  /** What it answers: none is the essay, the others are the comment and, maybe, one of its replies. */
  thread: Said[];
  /** Known once it is said. */
  id: string;
}

function readTalk(file: string, essay: PlannedEssay): Said[] {
  const said: Said[] = [];
  let thread: Said[] = [];
  const [, ...parts] = file.split(HEADING);
  for (let i = 0; i < parts.length; i += 5) {
    const [marks = '', by = '', hours = '', pinned, content = ''] = parts.slice(i, i + 5);
    const depth = marks.length - 1;
    const after = depth === 0 ? essay.at : (said.at(-1)?.at ?? essay.at);
    const one: Said = {
      slug: essay.slug,
      by,
      at: new Date(after.getTime() + Number(hours) * HOUR_MS),
      content: content.trim(),
      isPinned: pinned !== undefined,
      thread: thread.slice(0, depth),
      id: '',
    };
    thread = [...one.thread, one];
    said.push(one);
  }
  return said;
}

/** What was said below the essays until now. */
export async function listTalk(now: Date, essays: PlannedEssay[]): Promise<Said[]> {
  const names = new Set(await readdir(FOLDER));
  const talks = await Promise.all(
    essays
      .filter(({ slug }) => names.has(`${slug}.md`))
      .map(async (essay) => readTalk(await readFile(new URL(`${essay.slug}.md`, FOLDER), 'utf8'), essay)),
  );
  return talks.flat().filter(({ at }) => at < now);
}

const say = (one: Said): Deed =>
  deedOf(one.at, one.by, async (ctx, viewer, world) => {
    const { content } = one;
    const [root, answered] = one.thread;
    one.id =
      root === undefined
        ? await createComment(ctx, viewer, { essayId: getEssayId(world, one.slug), content })
        : await createReply(ctx, viewer, { cmtId: root.id, replyToId: answered?.id, content });
  });

export function planTalk(now: Date, talk: Said[], essays: PlannedEssay[], accounts: string[]): Deed[] {
  const roll = createDice(7);
  const authors = new Map(essays.map(({ slug, author }) => [slug, author]));
  return talk.flatMap((one) => {
    const others = shuffle(
      accounts.filter((account) => account !== one.by),
      roll,
    );
    const within = Math.min(now.getTime() - one.at.getTime(), LIKE_HOURS * HOUR_MS);
    const likes = others
      .slice(0, one.thread.length === 0 ? Math.floor(roll() ** 2 * MOST_LIKES) : 0)
      .map((account) =>
        deedOf(new Date(one.at.getTime() + within * (0.05 + 0.9 * roll())), account, (ctx, viewer) =>
          likeComment(ctx, viewer, one.id, true),
        ),
      );
    const pin = deedOf(new Date(one.at.getTime() + HOUR_MS), authors.get(one.slug) ?? '', (ctx, viewer) =>
      updateComment(ctx, viewer, { id: one.id, pinned: true }),
    );
    return [say(one), ...(one.isPinned ? [pin] : []), ...likes];
  });
}

export function planReport(now: Date, talk: Said[]): Deed {
  const { by, slug, of, hoursAgo, reason, detail } = report;
  const reported = talk.find((one) => one.slug === slug && one.by === of);
  return deedOf(hoursBefore(now, hoursAgo), by, (ctx, viewer) =>
    reportSomething(ctx, viewer, { kind: 'comment', targetId: reported?.id ?? '', reason, detail }),
  );
}
