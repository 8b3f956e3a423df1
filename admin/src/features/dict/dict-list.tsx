import type { Dict } from '@mozhan/contract/dicts.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { Input } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { Link, usePlace } from '#admin/lib/navigation.tsx';
import { EnabledTag } from '#admin/ui/enabled-tag.tsx';
import { Card, Nothing } from '#admin/ui/screen.tsx';
import styles from './dict.module.css';

/** The dictionaries, one of them chosen; each has its address, and so has what is looked for. */
export function DictList({ dicts, chosen }: { dicts: readonly Dict[]; chosen: string | undefined }) {
  const { router } = useApp();
  const { path, search } = usePlace();
  const keyword = search.get('find') ?? '';
  const wanted = keyword.trim().toLowerCase();
  const found = dicts.filter(({ name, code }) => `${name}\n${code}`.toLowerCase().includes(wanted));
  const find = (typed: string) => {
    const to = new URLSearchParams(search);
    if (typed === '') to.delete('find');
    else to.set('find', typed);
    void router.navigate(`${path}?${to}`, { keep: true, replace: true });
  };
  return (
    <Card>
      <Input
        className={styles.search}
        value={keyword}
        onChange={(event) => find(event.target.value)}
        allowClear
        placeholder="查找字典"
        aria-label="查找字典"
        maxLength={50}
      />
      {found.length === 0 ? <Nothing title="没有找到这样的字典" /> : null}
      <nav className={styles.dicts} aria-label="字典">
        {found.map(({ id, code, name, enabled }) => (
          <Link
            key={id}
            to={`${path}?${new URLSearchParams({ ...(keyword !== '' && { find: keyword }), dict: id })}`}
            className={styles.dict}
            aria-current={id === chosen ? 'page' : undefined}
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
