import type { ImportCheck } from '@mozhan/contract/import-checks.ts';
import { useQuery } from '@tanstack/react-query';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { CardHead } from '#admin/ui/card-head.tsx';
import { Facts } from '#admin/ui/facts.tsx';
import { Card } from '#admin/ui/screen.tsx';
import styles from './import.module.css';
import { sectionText } from './labels.tsx';

const MAX_LISTED = 50;

function listUsed({ mapping, users, authors }: ImportCheck, categories: ReadonlyMap<string, string>) {
  const personOf = (id: string | null | undefined): string =>
    users.find((user) => user.id === id)?.displayName ?? '已不在的人';
  const nameOf = (account: string): string =>
    authors.find((author) => author.account === account)?.displayName ?? account;
  const categoryLines = mapping.categories.map(({ name, to, categoryId = '', newName = name }) => {
    if (to === 'tag') return `${name} → 标签`;
    return to === 'new'
      ? `${name} → 新分类「${newName}」`
      : `${name} → ${categories.get(categoryId) ?? '已不在的分类'}`;
  });
  const authorLines =
    mapping.allTo === null
      ? mapping.authors.map(
          ({ account, to, userId }) => `${nameOf(account)} → ${to === 'new' ? '新账号' : personOf(userId)}`,
        )
      : [`全部 → ${personOf(mapping.allTo)}`];
  const sectionLines = mapping.sections.map(
    ({ name, as }) => `${sectionText(name)} → ${as === 'essay' ? '文章' : '页面'}`,
  );
  return { categoryLines, authorLines, sectionLines };
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul className={styles.used}>
      {lines.slice(0, MAX_LISTED).map((line) => (
        <li key={line}>{line}</li>
      ))}
      {lines.length > MAX_LISTED ? <li>还有 {lines.length - MAX_LISTED} 个</li> : null}
    </ul>
  );
}

/** The mapping of an import; nothing for imports that were started without a check. */
export function UsedMapping({ id }: { id: string }) {
  const { api } = useApp();
  const { data } = useQuery({ ...call(api, 'GET core/sys/transfer/check', { id }), retry: false });
  const stored = useQuery(call(api, 'GET core/sys/category/')).data;
  if (data === undefined) return null;
  const categories = new Map(Array.isArray(stored) ? stored.map(({ id, name }) => [id, name]) : []);
  const { categoryLines, authorLines, sectionLines } = listUsed(data, categories);
  if (categoryLines.length + authorLines.length + sectionLines.length === 0) return null;
  return (
    <Card>
      <section aria-label="使用的对应关系">
        <CardHead title="使用的对应关系" />
        <Facts
          facts={[
            categoryLines.length === 0 ? null : ['分类', <Lines key="categories" lines={categoryLines} />],
            authorLines.length === 0 ? null : ['作者', <Lines key="authors" lines={authorLines} />],
            sectionLines.length === 0 ? null : ['栏目', <Lines key="sections" lines={sectionLines} />],
          ]}
        />
      </section>
    </Card>
  );
}
