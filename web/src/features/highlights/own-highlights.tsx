import { downloadText } from '@mozhan/client/download.ts';
import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { type HighlightColor, highlightColors } from '@mozhan/contract/highlight-colors.ts';
import type { Highlight } from '@mozhan/contract/highlights.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useApi, useApp } from '#web/lib/app-context.ts';
import { useCall } from '#web/lib/queries.ts';
import { useCallPages } from '#web/lib/use-call-pages.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { pathTo, useHrefs, useRouter } from '#web/router/router.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Choice } from '#web/ui/choice.tsx';
import { confirm } from '#web/ui/confirm.tsx';
import { copyText } from '#web/ui/copy-text.ts';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { useLazyDialog } from '#web/ui/lazy-dialog.tsx';
import { SkeletonRows } from '#web/ui/loading-skeleton.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast.tsx';
import { toJson, toMarkdown } from './export-highlights.ts';
import { colorNames } from './highlight-calls.ts';
import styles from './own-highlights.module.css';

const loadThought = () => import('./thought-dialog.tsx').then(({ ThoughtDialog }) => ThoughtDialog);

const LIST = 'GET core/essay/highlight';
const MAX_PAGE_SIZE = 100;

interface Filter {
  keyword: string;
  color: HighlightColor | '';
  essayId: string;
}

const toInput = ({ keyword, color, essayId }: Filter) => ({
  ...(keyword !== '' && { keyword }),
  ...(color !== '' && { color }),
  ...(essayId !== '' && { essayId }),
});

const stateTexts = {
  [COMMENT_STATUS.visible]: '已公开',
  [COMMENT_STATUS.held]: '审核中',
  [COMMENT_STATUS.removed]: '公开的想法已被移除',
};

function useHighlightHref() {
  const { essayHref } = useHrefs();
  return ({ essay, state, start, end }: Highlight): string =>
    essayHref({ id: essay.id, slug: essay.slug }) + (state === 'orphaned' ? '' : `#hl-${start}-${end}`);
}

function HighlightRow({ highlight }: { highlight: Highlight }) {
  const { essay, color, quote, note, thought, state, createdAt } = highlight;
  const api = useApi();
  const queryClient = useQueryClient();
  const hrefOf = useHighlightHref();
  const dialog = useLazyDialog(loadThought);
  const reload = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: [LIST] }),
      queryClient.invalidateQueries({ queryKey: ['GET core/essay/highlight/essay'] }),
    ]);

  async function remove(): Promise<void> {
    const isSure = await confirm({
      title: '删除这处划线？',
      text: thought === null ? '写下的想法会一起删除。' : '公开的想法和它在评论里的那一条会一起删除。',
      action: '删除',
      danger: true,
    });
    if (!isSure) return;
    try {
      if (thought !== null) await api('DELETE core/essay/cmt', { id: thought.cmtId });
      await api('DELETE core/essay/highlight', { id: highlight.id });
      await reload();
    } catch (error) {
      toast(errorMessageOf(error), 'bad');
    }
  }

  async function copy(): Promise<void> {
    if (await copyText(quote)) toast('已复制');
  }

  return (
    <article className={styles.item}>
      <blockquote className={styles.quote} data-color={color}>
        {quote}
      </blockquote>
      {note === '' ? null : <p className={styles.note}>{note}</p>}
      <div className={styles.facts}>
        {essay.title === null ? (
          <span>文章已不在架上</span>
        ) : (
          <a className="link" href={hrefOf(highlight)}>
            {essay.title}
          </a>
        )}
        <RelativeTime at={createdAt} />
        {state === 'orphaned' ? <Badge>原文已修改</Badge> : null}
        {thought === null ? null : <Badge>{stateTexts[thought.status]}</Badge>}
      </div>
      <div className="flex wraps gap-2">
        {thought === null && essay.title !== null ? (
          <Button size="small" onClick={dialog.open}>
            <Icon name="pen" small />
            {note === '' ? '写想法' : '改想法'}
          </Button>
        ) : null}
        <Button size="small" onClick={copy}>
          <Icon name="copy" small />
          复制
        </Button>
        <Button size="small" variant="ghost" onClick={remove}>
          <Icon name="trash" small />
          删除
        </Button>
      </div>
      {dialog.dialog({
        essayId: essay.id,
        highlight,
        quote: { exact: highlight.exact, prefix: '', suffix: '', start: highlight.start, end: highlight.end },
        words: quote,
        canPublish: state !== 'orphaned',
        onSaved: () => void reload(),
      })}
    </article>
  );
}

/** Reads all pages and downloads them. */
function Exports({ filter }: { filter: Filter }) {
  const api = useApi();
  const { siteUrl, basePath } = useApp();
  const hrefOf = useHighlightHref();
  const [progress, setProgress] = useState<number | null>(null);
  const urlOf = (highlight: Highlight) => siteUrl + hrefOf(highlight).slice(basePath.length);

  async function exportAs(format: 'md' | 'json'): Promise<void> {
    if (progress !== null) return;
    setProgress(0);
    try {
      const all: Highlight[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const input = { ...toInput(filter), pageSize: MAX_PAGE_SIZE, ...(cursor !== '' && { cursor }) };
        const page: Page<Highlight> = await api(LIST, input);
        all.push(...page.list);
        setProgress(page.total === 0 ? 1 : Math.min(1, all.length / page.total));
        cursor = page.next;
      }
      if (format === 'md') downloadText('划线与想法.md', toMarkdown(all, urlOf), 'text/markdown');
      else downloadText('划线与想法.json', toJson(all, urlOf), 'application/json');
    } catch (error) {
      toast(errorMessageOf(error), 'bad');
    } finally {
      setProgress(null);
    }
  }

  const isBusy = progress !== null;
  return (
    <div className="flex wraps gap-2">
      <Button size="small" busy={isBusy} onClick={() => exportAs('md')}>
        <Icon name="download" small />
        {isBusy ? `正在导出 ${Math.round(progress * 100)}%` : '导出 Markdown'}
      </Button>
      <Button size="small" busy={isBusy} onClick={() => exportAs('json')}>
        导出 JSON
      </Button>
    </div>
  );
}

interface FiltersProps {
  filter: Filter;
  typed: string;
  onType: (text: string) => void;
  onColor: (color: HighlightColor | '') => void;
  onEssay: (essayId: string) => void;
}

function Filters({ filter, typed, onType, onColor, onEssay }: FiltersProps) {
  const name = useId();
  const { data } = useCall('GET core/essay/highlight/essay', { pageSize: MAX_PAGE_SIZE });
  const essays = data?.list ?? [];
  return (
    <div className={styles.filters}>
      <SearchField label="搜索划线与想法" placeholder="搜索划线与想法" value={typed} onChange={onType} />
      <div className={styles.colors} role="radiogroup" aria-label="颜色">
        <Choice
          type="radio"
          variant="chip"
          name={name}
          checked={filter.color === ''}
          onChange={() => onColor('')}
        >
          全部
        </Choice>
        {highlightColors.map((color) => (
          <Choice
            key={color}
            type="radio"
            variant="chip"
            name={name}
            aria-label={colorNames[color]}
            checked={filter.color === color}
            onChange={() => onColor(color)}
          >
            <span className={styles.swatch} data-color={color} aria-hidden="true" />
            {colorNames[color].slice(0, 1)}
          </Choice>
        ))}
      </div>
      {essays.length < 2 && filter.essayId === '' ? null : (
        <SelectField
          name="essay"
          label="文章"
          value={filter.essayId}
          options={[
            { value: '', label: '全部文章' },
            ...essays.map(({ essay, count }) => ({
              value: essay.id,
              label: `${essay.title ?? '已不在架上的文章'}（${count}）`,
            })),
          ]}
          onChange={(event) => onEssay(event.currentTarget.value)}
        />
      )}
    </div>
  );
}

const ID = /^[0-9a-f]{32}$/;

/** All highlights and thoughts of the reader: searched, by essay, by colour, exported. */
export function OwnHighlights({ search }: { search: URLSearchParams }) {
  const { navigate } = useRouter();
  const [typed, setTyped] = useState('');
  const keyword = useDebounced(typed.trim());
  const [color, setColor] = useState<HighlightColor | ''>('');
  const essayId = ID.exec(search.get('essay') ?? '')?.[0] ?? '';
  const filter = { keyword, color, essayId };
  const query = useCallPages(LIST, toInput(filter));
  const isFiltered = keyword !== '' || color !== '' || essayId !== '';
  const openEssay = (id: string) =>
    navigate(pathTo({ to: '/account/center.html', search: { tab: 'highlight', essay: id || undefined } }));
  return (
    <section aria-labelledby="highlights">
      <header className={styles.head}>
        <h2 id="highlights">划线与想法</h2>
        <Exports filter={filter} />
      </header>
      <Filters filter={filter} typed={typed} onType={setTyped} onColor={setColor} onEssay={openEssay} />
      <InfiniteList
        label="划线与想法"
        query={query}
        renderItem={(highlight) => <HighlightRow highlight={highlight} />}
        skeleton={<SkeletonRows className={styles.item} widths={['82', '70', '50']} rest={['30 m']} />}
        empty={
          isFiltered ? (
            <EmptyList level="h3" title="没有找到" text="换个词、颜色或文章试试。" />
          ) : (
            <EmptyList
              level="h3"
              title="还没有划线"
              withHomeLink
              text="读文章时选中一段文字，就可以划线、写想法。默认只有你自己看得到。"
            />
          )
        }
      />
    </section>
  );
}
