import { readdir, readFile } from 'node:fs/promises';
import { createComment, createReply, setCommentLiked, updateComment } from '../../content/comments/index.ts';
import { createReport } from '../reports/index.ts';
import { report } from './community/content.ts';
import type { PlannedEssay } from './essays.ts';
import { createRandom, shuffle } from './random.ts';
import { createAction, type DemoAction, getEssayId, HOUR_MS, hoursBefore } from './timeline.ts';

const FOLDER = new URL('./community/comments/', import.meta.url);
const MAX_LIKES = 6;
const LIKE_HOURS = 40;

/** `# account 9h pinned` is a comment 9 hours after the essay; `##` replies to it, `###` to the previous reply. */
const HEADING = /^(#{1,3}) (\w+) (\d+)h( pinned)?$/m;

export interface DemoComment {
  slug: string;
  by: string;
  at: Date;
  content: string;
  isPinned: boolean;
  /** Empty for a comment; otherwise the comment and optionally the reply that this one replies to. */
  thread: DemoComment[];
  /** Set when the comment is created. */
  id: string;
}

function parseComments(file: string, essay: PlannedEssay): DemoComment[] {
  const comments: DemoComment[] = [];
  let thread: DemoComment[] = [];
  const [, ...parts] = file.split(HEADING);
  for (let i = 0; i < parts.length; i += 5) {
    const [marks = '', by = '', hours = '', pinned, content = ''] = parts.slice(i, i + 5);
    const depth = marks.length - 1;
    const after = depth === 0 ? essay.at : (comments.at(-1)?.at ?? essay.at);
    const comment: DemoComment = {
      slug: essay.slug,
      by,
      at: new Date(after.getTime() + Number(hours) * HOUR_MS),
      content: content.trim(),
      isPinned: pinned !== undefined,
      thread: thread.slice(0, depth),
      id: '',
    };
    thread = [...comment.thread, comment];
    comments.push(comment);
  }
  return comments;
}

export async function listComments(now: Date, essays: PlannedEssay[]): Promise<DemoComment[]> {
  const names = new Set(await readdir(FOLDER));
  const lists = await Promise.all(
    essays
      .filter(({ slug }) => names.has(`${slug}.md`))
      .map(async (essay) =>
        parseComments(await readFile(new URL(`${essay.slug}.md`, FOLDER), 'utf8'), essay),
      ),
  );
  return lists.flat().filter(({ at }) => at < now);
}

const planComment = (comment: DemoComment): DemoAction =>
  createAction(comment.at, comment.by, async (ctx, viewer, state) => {
    const { content } = comment;
    const [root, repliedTo] = comment.thread;
    comment.id =
      root === undefined
        ? await createComment(ctx, viewer, { essayId: getEssayId(state, comment.slug), content })
        : await createReply(ctx, viewer, { cmtId: root.id, replyToId: repliedTo?.id, content });
  });

export function planComments(
  now: Date,
  comments: DemoComment[],
  essays: PlannedEssay[],
  accounts: string[],
): DemoAction[] {
  const random = createRandom(7);
  const authors = new Map(essays.map(({ slug, author }) => [slug, author]));
  return comments.flatMap((comment) => {
    const others = shuffle(
      accounts.filter((account) => account !== comment.by),
      random,
    );
    const within = Math.min(now.getTime() - comment.at.getTime(), LIKE_HOURS * HOUR_MS);
    const likes = others
      .slice(0, comment.thread.length === 0 ? Math.floor(random() ** 2 * MAX_LIKES) : 0)
      .map((account) =>
        createAction(
          new Date(comment.at.getTime() + within * (0.05 + 0.9 * random())),
          account,
          (ctx, viewer) => setCommentLiked(ctx, viewer, comment.id, true),
        ),
      );
    const pin = createAction(
      new Date(comment.at.getTime() + HOUR_MS),
      authors.get(comment.slug) ?? '',
      (ctx, viewer) => updateComment(ctx, viewer, { id: comment.id, pinned: true }),
    );
    return [planComment(comment), ...(comment.isPinned ? [pin] : []), ...likes];
  });
}

export function planReport(now: Date, comments: DemoComment[]): DemoAction {
  const { by, slug, of, hoursAgo, reason, detail } = report;
  const reported = comments.find((comment) => comment.slug === slug && comment.by === of);
  return createAction(hoursBefore(now, hoursAgo), by, (ctx, viewer) =>
    createReport(ctx, viewer, { kind: 'comment', targetId: reported?.id ?? '', reason, detail }),
  );
}
