import type { TalkKey } from '@mozhan/contract/live.ts';
import { useState } from 'react';
import type { TalkKind } from '#web/features/conversations/talk-query.ts';
import { pathTo, useRouter } from '#web/router/router.tsx';
import { NothingYet } from '#web/ui/nothing-yet.tsx';
import { TalkList } from './talk-list.tsx';
import { TalkPane } from './talk-pane.tsx';
import styles from './talks.module.css';

const ID = /^[0-9a-f]{32}$/;
const idIn = (text: string | null) => ID.exec(text ?? '')?.[0] ?? '';

/** The conversation that the address names. */
function talkIn(search: URLSearchParams): TalkKey | undefined {
  const [userId, essayId] = [idIn(search.get('user')), idIn(search.get('essay'))];
  if (userId !== '') return { userId };
  return essayId === '' ? undefined : { essayId };
}

/** All of one's conversations and the one that is open; on a phone one or the other. */
export function Talks({ search }: { search: URLSearchParams }) {
  const { navigate } = useRouter();
  const [wanted, setWanted] = useState('');
  const talk = talkIn(search);
  const isRoom = talk === undefined ? search.get('kind') === 'room' : talk.essayId !== undefined;
  /** Looking through the other kind leaves the conversation open. */
  const [chosen, setChosen] = useState<TalkKind>();
  const kind = chosen ?? (isRoom ? 'rooms' : 'chats');
  const target = Number(/^[1-9]\d{0,9}$/.exec(search.get('seq') ?? '')?.[0] ?? 0);

  function choose(next: TalkKind): void {
    setChosen(next);
    if (talk !== undefined) return;
    const kindName = next === 'rooms' ? 'room' : undefined;
    const to = pathTo({ to: '/account/center.html', search: { tab: 'chat', kind: kindName } });
    void navigate(to, { replace: true, keep: true });
  }

  return (
    <div className={`card stack ${styles.talks}`} data-open={talk !== undefined || undefined}>
      <TalkList
        kind={kind}
        onKind={choose}
        selected={talk?.userId ?? talk?.essayId ?? ''}
        wanted={wanted}
        onWanted={setWanted}
      />
      {talk === undefined ? (
        <div className={styles.nobody}>
          <NothingYet level="h2" title="选一个会话">
            左边是最近聊过的人和文章。
          </NothingYet>
        </div>
      ) : (
        <TalkPane talk={talk} target={target || undefined} />
      )}
    </div>
  );
}
