import type { Dict } from '@mozhan/contract/dicts.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { Input } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { Link, useLocation } from '#admin/lib/navigation.tsx';
import { EnabledTag } from '#admin/ui/enabled-tag.tsx';
import { Card, EmptyState } from '#admin/ui/screen.tsx';
import styles from './dict.module.css';

/** Selectable list of dictionaries; selection and search are in the URL. */
export function DictList({ dicts, selectedId }: { dicts: readonly Dict[]; selectedId: string | undefined }) {
  const { router } = useApp();
  const { path, search } = useLocation();
  const keyword = search.get('find') ?? '';
  const normalizedKeyword = keyword.trim().toLowerCase();
  const found = dicts.filter(({ name, code }) =>
    `${name}\n${code}`.toLowerCase().includes(normalizedKeyword),
  );
  const changeKeyword = (typed: string) => {
    const to = new URLSearchParams(search);
    if (typed === '') to.delete('find');
    else to.set('find', typed);
    void router.navigate(`${path}?${to}`, { sameScreen: true, replace: true });
  };
  return (
    <Card>
      <Input
        className={styles.search}
        value={keyword}
        onChange={(event) => changeKeyword(event.target.value)}
        allowClear
        placeholder="查找字典"
        aria-label="查找字典"
        maxLength={50}
      />
      {found.length === 0 ? <EmptyState title="没有找到这样的字典" /> : null}
      <nav className={styles.dicts} aria-label="字典">
        {found.map(({ id, code, name, enabled }) => (
          <Link
            key={id}
            to={`${path}?${new URLSearchParams({ ...(keyword !== '' && { find: keyword }), dict: id })}`}
            className={styles.dict}
            aria-current={id === selectedId ? 'page' : undefined}
          >
            <span className={styles.name}>
              {name}
              {enabled === FLAG.on ? null : <EnabledTag enabled={enabled} />}
            </span>
            <code>{code}</code>
          </Link>
        ))}
      </nav>
    </Card>
  );
}
