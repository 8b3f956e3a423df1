import type { Output } from '@mozhan/contract/client.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { useQuery } from '@tanstack/react-query';
import { CommentsSection } from '#web/features/comments/comments-section.tsx';
import { declarationLabels } from '#web/features/essays/declarations.ts';
import { authorQuery, essayQuery, relatedQuery } from '#web/features/essays/essay-query.ts';
import side from '#web/features/essays/sidebar.module.css';
import { TitleText } from '#web/features/essays/title-text.tsx';
import { ReportButton } from '#web/features/reports/report-button.tsx';
import { RewardsSection } from '#web/features/rewards/rewards-section.tsx';
import { useApi, useApp } from '#web/lib/app-context.ts';
import { CachedFragment } from '#web/lib/cached-fragment.ts';
import { formatCount } from '#web/lib/format.ts';
import { useSite } from '#web/lib/queries.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { essayPath, useHrefs, useLayout } from '#web/router/router.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { AuthorCard } from './author-card.tsx';
import { Downloads } from './downloads.tsx';
import styles from './essay-footer.module.css';

/** The layout without the site's frame has no pages for tags. */
function Tags({ tags }: Essay) {
  const { tagHref } = useHrefs();
  const layout = useLayout();
  if (tags.length === 0) return null;
  return (
    <ul className={`flex wraps gap-2 ${side.tags}`} aria-label="标签">
      {tags.map((tag) => (
        <li key={tag}>
          <Chip href={layout === 'bare' ? undefined : tagHref(tag)}>{tag}</Chip>
        </li>
      ))}
    </ul>
  );
}

function Copyright({ declaration, source, author, id, slug, status }: Essay) {
  const { siteUrl } = useApp();
  const isReprint = declaration === 'reprint';
  return (
    <div className="stack gap-1-5 ink-3 text-s">
      {declaration === 'none' ? null : <p>创作声明：{declarationLabels[declaration].description}</p>}
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
          {essayPath({ id, slug })}
        </p>
      )}
      {status === ESSAY_STATUS.onShelf ? (
        <p className={`no-print ${styles.report}`}>
          <ReportButton kind="essay" targetId={id} className="reach">
            举报
          </ReportButton>
        </p>
      ) : null}
    </div>
  );
}

type AdjacentEssay = NonNullable<Essay['previous']> & { hint: string };

interface AdjacentEssaysProps {
  label: string;
  before: AdjacentEssay | null;
  after: AdjacentEssay | null;
}

function AdjacentEssays({ label, before, after }: AdjacentEssaysProps) {
  const { essayHref } = useHrefs();
  if (before === null && after === null) return null;
  return (
    <nav className={`no-print ${styles.turn}`} aria-label={label}>
      {[before, after].map((each, index) =>
        each === null ? (
          <span key={index === 0 ? 'before' : 'after'} />
        ) : (
          <a key={each.id} href={essayHref(each)} rel={index === 0 ? 'prev' : 'next'}>
            <small>{each.hint}</small>
            {each.title}
          </a>
        ),
      )}
    </nav>
  );
}

const withHint = (neighbour: Essay['previous'], hint: string) => neighbour && { ...neighbour, hint };

function ColumnNavigation({ column, author }: Essay) {
  const { userHref } = useHrefs();
  if (column === null) return null;
  return (
    <section aria-labelledby="column">
      <h2 id="column" className={`flex wraps ${styles.title}`}>
        <span>
          专栏：
          <a href={userHref(author.id, { tab: 'column', column: column.id })}>{column.name}</a>
        </span>
        <small>
          第 {column.position} 篇，共 {column.count} 篇
        </small>
      </h2>
      <AdjacentEssays
        label="专栏里的前后篇"
        before={withHint(column.previous, '专栏上一篇')}
        after={withHint(column.next, '专栏下一篇')}
      />
    </section>
  );
}

function Related({ essayId }: { essayId: string }) {
  const { essayHref } = useHrefs();
  const related = useQuery(relatedQuery(useApi(), essayId)).data ?? [];
  if (related.length === 0) return null;
  return (
    <section className="no-print" aria-labelledby="related">
      <h2 id="related" className={`flex wraps ${styles.title}`}>
        接着读
      </h2>
      <CachedFragment name="related" input={related}>
        <ul className={styles.related}>
          {related.map(({ id, slug, title, titleBreaks, cover, author, readCount }) => (
            <li key={id}>
              <div className={styles.cover}>
                <Cover title={title} image={cover} />
              </div>
              <h3>
                <a className="stretched" href={essayHref({ id, slug })}>
                  <TitleText title={title} titleBreaks={titleBreaks} />
                </a>
              </h3>
              <p className="ink-3 text-s">
                {author.displayName} · {formatCount(readCount)} 阅读
              </p>
            </li>
          ))}
        </ul>
      </CachedFragment>
    </section>
  );
}

interface EssayFooterProps {
  /** What the server rendered: late hydration must find the same HTML. */
  server: { essay: Essay; author: Output<'GET core/user/public'> | undefined };
}

export function EssayFooter({ server }: EssayFooterProps) {
  const isHydrated = useHydrated();
  const isOffEverywhere = useSite().switches.comments === 'off';
  const api = useApi();
  const loadedEssay = useQuery(essayQuery(api, server.essay.id)).data;
  const loadedAuthor = useQuery(authorQuery(api, server.essay.author.id)).data;
  const essay = isHydrated ? (loadedEssay ?? server.essay) : server.essay;
  const isOnShelf = essay.status === ESSAY_STATUS.onShelf;
  return (
    <div className={styles.after}>
      {isOnShelf ? <RewardsSection essay={essay} /> : null}
      <Downloads essay={essay} />
      <Tags {...essay} />
      <Copyright {...essay} />
      <ColumnNavigation {...essay} />
      <AuthorCard essay={essay} user={isHydrated ? loadedAuthor : server.author} />
      <AdjacentEssays
        label="作者的前后篇"
        before={withHint(essay.previous, '作者的上一篇')}
        after={withHint(essay.next, '作者的下一篇')}
      />
      {isOnShelf ? (
        <CommentsSection
          essayId={essay.id}
          count={essay.cmtCount}
          allowComment={essay.allowComment && !isOffEverywhere}
          isOffEverywhere={isOffEverywhere}
        />
      ) : null}
      <Related essayId={essay.id} />
    </div>
  );
}
