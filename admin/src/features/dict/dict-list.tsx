import { Link, usePlace } from '#admin/lib/navigation.tsx';
import { EnabledTag } from '#admin/ui/enabled-tag.tsx';
import { Card } from '#admin/ui/screen.tsx';
import type { Dict } from '#contract/dicts.ts';
import styles from './dict.module.css';

/** The dictionaries, one of them chosen; each has its address. */
export function DictList({ dicts, chosen }: { dicts: readonly Dict[]; chosen: string | undefined }) {
  const { path } = usePlace();
  return (
    <Card>
      <nav className={styles.dicts} aria-label="字典">
        {dicts.map(({ id, code, name, enabled }) => (
          <Link
            key={id}
            to={`${path}?dict=${id}`}
            className={styles.dict}
            aria-current={id === chosen ? 'page' : undefined}
          >
            <span className={styles.name}>
              {name}
              {enabled === 1 ? null : <EnabledTag enabled={enabled} />}
            </span>
            <code>{code}</code>
          </Link>
        ))}
      </nav>
    </Card>
  );
}
