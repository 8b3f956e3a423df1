import { ESSAY_STATUS, FLAG } from '@mozhan/contract/enums.ts';
import { useState } from 'react';
import { useCall } from '#web/lib/queries.ts';
import { Link } from '#web/router/router.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Menu, MenuSeparator } from '#web/ui/menu.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import styles from './drafts-menu.module.css';

const SHOWN_DRAFTS = 5;

/** Requested when the menu opens, and again each time. */
function LatestDrafts() {
  const { data, error } = useCall(
    'GET core/essay/',
    { mine: FLAG.on, status: ESSAY_STATUS.draft, pageSize: SHOWN_DRAFTS },
    { staleTime: 0 },
  );
  if (data === undefined)
    return (
      <li className={styles.message} role="status">
        {error === null ? '正在载入…' : '没能载入'}
      </li>
    );
  if (data.list.length === 0) return <li className={styles.message}>没有草稿</li>;
  return data.list.map(({ id, title, updatedAt }) => (
    <li key={id}>
      <Link to="/essay/edit.html" search={{ id }} target="_blank" rel="noopener" className={styles.draft}>
        <span className="ellipsis">{title || '（还没有标题）'}</span>
        <small>
          <RelativeTime at={updatedAt} />
        </small>
      </Link>
    </li>
  ));
}

/** The latest drafts of a writer, beside the button that starts a new one. */
export function DraftsMenu() {
  const [wasOpened, setOpened] = useState(false);
  return (
    <span className={styles.menu} onClickCapture={() => setOpened(true)}>
      <Menu label="草稿" button={<Icon name="down" />}>
        {wasOpened ? <LatestDrafts /> : null}
        <MenuSeparator />
        <li>
          <Link to="/account/center.html" search={{ status: String(ESSAY_STATUS.draft) }}>
            <Icon name="book" small />
            全部草稿
          </Link>
        </li>
      </Menu>
    </span>
  );
}
