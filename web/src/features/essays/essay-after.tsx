import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import type { UserCard } from '@mozhan/contract/users.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { useApi, useApp } from '#web/lib/app-context.ts';
import { formatCount } from '#web/lib/format.ts';
import type { Pay } from '#web/lib/orders.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { useRouter } from '#web/router.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { AuthorCard } from './author-card.tsx';
import { declarationWords } from './declarations.ts';
import { Downloads } from './downloads.tsx';
import styles from './essay-after.module.css';
import { essayQuery, relatedQuery } from './essay-query.ts';
import { authorPath, essayPath, tagPath, type Variant } from './places.ts';
import side from './side.module.css';
import { linksFor } from './text-links.ts';

interface PartProps {
  essay: Essay;
  variant: Variant;
}

/** The pages without the site's frame have none for a tag. */
function Tags({ essay: { tags }, variant }: PartProps) {
  const { href } = useRouter();
  if (tags.length === 0) return null;
  return (
    <ul className={`flex wraps gap-2 ${side.tags}`} aria-label="标签">
      {tags.map((tag) => (
        <li key={tag}>
          <Chip href={variant === 'bare' ? undefined : href(tagPath(tag))}>{tag}</Chip>
        </li>
      ))}
    </ul>
  );
}

interface ReportProps {
  kind: 'essay' | 'comment' | 'chat';
  targetId: string;
  className?: string;
  children: ReactNode;
}

interface CommentsProps {
  essayId: string;
  count: number;
  allowComment: boolean;
  personHref: (id: string) => string;
  linksFor: (html: string) => string;
  onCount: (by: number) => void;
  Report: (props: ReportProps) => ReactNode;
}

interface RoomProps {
  essay: Essay;
  Report: (props: ReportProps) => ReactNode;
}

interface RewardsProps {
  essay: Essay;
  personHref: (id: string) => string;
  pay: Pay;
}

/** Of other features: the page puts them together. */
export interface EssayParts {
  Comments: ComponentType<CommentsProps>;
  Rewards: ComponentType<RewardsProps>;
  Room: ComponentType<RoomProps>;
  pay: Pay;
  Letter: ComponentType<{ user: UserCard; essay: { id: string; title: string } }>;
  Report: (props: ReportProps) => ReactNode;
}

/** Who may do what with the text, and how it came to be. */
function Rights({ essay, Report }: Pick<EssayParts, 'Report'> & { essay: Essay }) {
  const { siteUrl } = useApp();
  const { declaration, source, author, id } = essay;
  const isReprint = declaration === 'reprint';
  return (
    <div className="stack gap-1-5 ink-3 text-s">
      {declaration === 'none' ? null : <p>创作声明：{declarationWords[declaration].sentence}</p>}
      {source === '' ? null : (
        <p>
          原文：
          <a className="link" href={source} target="_blank" rel="nofollow ugc noopener noreferrer">
            {source}
          </a>
        </p>
      )}
      {isReprint ? null : (
        <p>
          著作权归{author.displayName}所有，转载请先征得作者同意，并注明出处：{siteUrl}
          {essayPath(id)}
        </p>
      )}
      {essay.status === ESSAY_STATUS.onShelf ? (
        <p className={`no-print ${styles.report}`}>
          <Report kind="essay" targetId={id} className="reach">
            举报
          </Report>
        </p>
      ) : null}
    </div>
  );
}

interface TurnProps {
  label: string;
  before: { id: string; title: string; hint: string } | null;
  after: { id: string; title: string; hint: string } | null;
  variant: Variant;
}

function Turn({ label, before, after, variant }: TurnProps) {
  const { href } = useRouter();
  if (before === null && after === null) return null;
  return (
    <nav className={`no-print ${styles.turn}`} aria-label={label}>
      {[before, after].map((each, index) =>
        each === null ? (
          <span key={index === 0 ? 'before' : 'after'} />
        ) : (
          <a key={each.id} href={href(essayPath(each.id, variant))} rel={index === 0 ? 'prev' : 'next'}>
            <small>{each.hint}</small>
            {each.title}
          </a>
        ),
      )}
    </nav>
  );
}

const hinted = (neighbour: Essay['previous'], hint: string) => neighbour && { ...neighbour, hint };

function ColumnTurn({ essay: { column, author }, variant }: PartProps) {
  const { href } = useRouter();
  if (column === null) return null;
  return (
    <section aria-labelledby="column">
      <h2 id="column" className={`flex wraps ${styles.title}`}>
        <span>
          专栏：
          <a href={href(authorPath(author.id, variant, { tab: 'column', column: column.id }))}>
            {column.name}
          </a>
        </span>
        <small>
          第 {column.position} 篇，共 {column.count} 篇
        </small>
      </h2>
      <Turn
        label="专栏里的前后篇"
        before={hinted(column.previous, '专栏上一篇')}
        after={hinted(column.next, '专栏下一篇')}
        variant={variant}
      />
    </section>
  );
}

function Related({ essay, variant }: PartProps) {
  const { href } = useRouter();
  const related = useQuery(relatedQuery(useApi(), essay.id)).data ?? [];
  if (related.length === 0) return null;
  return (
    <section className="no-print" aria-labelledby="related">
      <h2 id="related" className={`flex wraps ${styles.title}`}>
        接着读
      </h2>
      <ul className={styles.related}>
        {related.map(({ id, title, cover, author, readCount }) => (
          <li key={id}>
            <div className={styles.cover}>
              <Cover title={title} image={cover} />
            </div>
            <h3>
              <a className="stretched" href={href(essayPath(id, variant))}>
                {title}
              </a>
            </h3>
            <p className="ink-3 text-s">
              {author.displayName} · {formatCount(readCount)} 阅读
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Said({ essay, variant, Comments, Report }: PartProps & Pick<EssayParts, 'Comments' | 'Report'>) {
  const { href } = useRouter();
  const site = useApp();
  const queryClient = useQueryClient();
  const { queryKey } = essayQuery(site.api, essay.id);
  return (
    <Comments
      essayId={essay.id}
      count={essay.cmtCount}
      allowComment={essay.allowComment}
      personHref={(id) => href(authorPath(id, variant))}
      linksFor={(html) => linksFor(html, variant, site)}
      onCount={(by) =>
        queryClient.setQueryData(queryKey, (essay: Essay | undefined) => {
          return essay && { ...essay, cmtCount: Math.max(0, essay.cmtCount + by) };
        })
      }
      Report={Report}
    />
  );
}

interface EssayAfterProps extends Omit<EssayParts, 'Room'> {
  /** As it was when the page came: what is taken over late must find what the server rendered. */
  served: Essay;
  variant: Variant;
}

/** What follows the text. */
export function EssayAfter({ served, variant, Comments, Rewards, Letter, Report, pay }: EssayAfterProps) {
  const { href } = useRouter();
  const isHydrated = useHydrated();
  const { data } = useQuery(essayQuery(useApi(), served.id));
  const essay = isHydrated ? (data ?? served) : served;
  return (
    <div className={styles.after}>
      {essay.status === ESSAY_STATUS.onShelf ? (
        <Rewards essay={essay} personHref={(id) => href(authorPath(id, variant))} pay={pay} />
      ) : null}
      <Downloads essay={essay} />
      <Tags essay={essay} variant={variant} />
      <Rights essay={essay} Report={Report} />
      <ColumnTurn essay={essay} variant={variant} />
      <AuthorCard essay={essay} variant={variant} Letter={Letter} />
      <Turn
        label="作者的前后篇"
        before={hinted(essay.previous, '作者的上一篇')}
        after={hinted(essay.next, '作者的下一篇')}
        variant={variant}
      />
      {essay.status === ESSAY_STATUS.onShelf ? (
        <Said essay={essay} variant={variant} Comments={Comments} Report={Report} />
      ) : null}
      <Related essay={essay} variant={variant} />
    </div>
  );
}
