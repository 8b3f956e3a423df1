import type { Essay } from '@mozhan/contract/essays.ts';
import { TitleText } from '#web/features/essays/title-text.tsx';
import { useHrefs } from '#web/router/router.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import folded from './contents.module.css';
import styles from './series.module.css';

type Column = NonNullable<Essay['column']>;

/** The essays of the column around the current one, and a link to all of them. */
function SeriesList({ column, essayId }: { column: Column; essayId: string }) {
  const { essayHref, columnHref } = useHrefs();
  const { id, count, essays } = column;
  return (
    <>
      <ol className={styles.list}>
        {essays.map((each) => (
          <li key={each.id}>
            <a href={essayHref(each)} aria-current={each.id === essayId ? 'page' : undefined}>
              <span className="numbers">{each.position}</span>
              <TitleText title={each.title} titleBreaks={each.titleBreaks} />
            </a>
          </li>
        ))}
      </ol>
      {count > essays.length ? (
        <a className={`text-s brand-hover ${styles.all}`} href={columnHref(id)}>
          全部 {count} 篇
        </a>
      ) : null}
    </>
  );
}

/** The series beside the text, on wide screens. */
export function Series({ essay: { id, column } }: { essay: Essay }) {
  const { columnHref } = useHrefs();
  if (column === null) return null;
  return (
    <nav className={styles.series} aria-labelledby="series-title">
      <h2 id="series-title" className="ink-3 text-s regular">
        专栏：
        <a className="brand-hover" href={columnHref(column.id)}>
          {column.name}
        </a>
      </h2>
      <SeriesList column={column} essayId={id} />
    </nav>
  );
}

/** The collapsed series above the text, on narrow screens. */
export function CollapsedSeries({ essay: { id, column } }: { essay: Essay }) {
  if (column === null) return null;
  return (
    <details className={`no-print ${folded.folded}`}>
      <summary className="row gap-2">
        <Icon name="book" />
        <span className="ellipsis">专栏：{column.name}</span>
        <span className={`ink-3 ${styles.position}`}>
          {column.position} / {column.count}
        </span>
        <Icon name="down" small />
      </summary>
      <nav aria-label="专栏里的文章">
        <SeriesList column={column} essayId={id} />
      </nav>
    </details>
  );
}
