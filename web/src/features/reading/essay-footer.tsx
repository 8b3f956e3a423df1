import type { Output } from '@mozhan/contract/client.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { CommentsSection } from '#web/features/comments/comments-section.tsx';
import { declarationLabels } from '#web/features/essays/declarations.ts';
import { authorQuery, essayQuery, relatedQuery } from '#web/features/essays/essay-query.ts';
import side from '#web/features/essays/sidebar.module.css';
import { TitleText } from '#web/features/essays/title-text.tsx';
import { ReportButton } from '#web/features/reports/report-button.tsx';
import { RewardsSection } from '#web/features/rewards/rewards-section.tsx';
import { useApi, useApp } from '#web/lib/app-context.ts';
import { CachedFragment } from '#web/lib/cached-fragment.ts';
import { planCovers } from '#web/lib/cover-choice.ts';
import { formatCount } from '#web/lib/format.ts';
import { useQueryData, useSite } from '#web/lib/queries.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { essayPath, useHrefs, useLayout } from '#web/router/router.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { AuthorCard } from './author-card.tsx';
import { Downloads } from './downloads.tsx';
import { essayFacts } from './essay-facts.ts';
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

function AdjacentEssays(essay: Essay) {
  const { essayHref } = useHrefs();
  const { previous, next } = neighboursOf(essay);
  if (previous === null && next === null) return null;
  return (
    <nav
      className={`no-print ${styles.turn}`}
      aria-label={essay.column === null ? '作者的前后篇' : '专栏前后篇'}
    >
      {previous === null ? (
        <span />
      ) : (
        <a href={essayHref(previous)} rel="prev">
          <small>上一篇</small>
          <TitleText title={previous.title} titleBreaks={previous.titleBreaks} />
        </a>
      )}
      {next === null ? (
        <span />
      ) : (
        <a href={essayHref(next)} rel="next">
          <small>下一篇</small>
          <TitleText title={next.title} titleBreaks={next.titleBreaks} />
        </a>
      )}
    </nav>
  );
}

/** Of its column, or without one, of its author. */
const neighboursOf = ({ column, previous, next }: Essay) => column ?? { previous, next };

/** Full rows of three. */
const [MANY, FEW] = [6, 3];

/** Omits the neighbours, which are linked above already. */
function Related({ essay }: { essay: Essay }) {
  const { previous, next } = neighboursOf(essay);
  const found = useQueryData(relatedQuery(useApi(), essay.id)) ?? [];
  const others = found.filter(({ id }) => id !== previous?.id && id !== next?.id);
  const related = others.slice(0, others.length < MANY ? FEW : MANY);
  if (related.length === 0) return null;
  return (
    <CachedFragment name="related" ofPage input={related}>
      <RelatedEssays related={related} />
    </CachedFragment>
  );
}

function RelatedEssays({ related }: { related: Output<'GET core/essay/{id}/related'> }) {
  const { essayHref } = useHrefs();
  const covers = planCovers(related, 'grid');
  return (
    <section className="no-print" aria-labelledby="related">
      <h2 id="related" className={`flex wraps ${styles.title}`}>
        接着读
      </h2>
      <ul className={styles.related}>
        {related.map(({ id, slug, title, titleBreaks, cover, author, readCount }) => (
          <li key={id}>
            <div className={styles.cover}>
              <Cover title={title} image={cover} choice={covers.get(id) ?? undefined} />
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
  const loadedEssay = useQueryData(essayQuery(api, server.essay.id));
  const loadedAuthor = useQueryData(authorQuery(api, server.essay.author.id));
  const essay = isHydrated ? (loadedEssay ?? server.essay) : server.essay;
  const author = isHydrated ? loadedAuthor : server.author;
  const facts = essayFacts(essay);
  const isOnShelf = essay.status === ESSAY_STATUS.onShelf;
  return (
    <div className={styles.after}>
      {isOnShelf ? <RewardsSection essay={essay} /> : null}
      <CachedFragment name="after" ofPage input={facts}>
        <Downloads essay={essay} />
        <Tags {...essay} />
        <Copyright {...essay} />
        <AdjacentEssays {...essay} />
      </CachedFragment>
      <CachedFragment name="author" ofPage input={facts + JSON.stringify(author)}>
        <AuthorCard essay={essay} user={author} />
      </CachedFragment>
      {isOnShelf ? (
        <CachedFragment name="comments" ofPage input={facts + essay.cmtCount}>
          <CommentsSection
            essayId={essay.id}
            count={essay.cmtCount}
            allowComment={essay.allowComment && !isOffEverywhere}
            isOffEverywhere={isOffEverywhere}
          />
        </CachedFragment>
      ) : null}
      <Related essay={essay} />
    </div>
  );
}
