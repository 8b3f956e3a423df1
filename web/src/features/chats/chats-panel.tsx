import type { ConversationKey } from '@mozhan/contract/live.ts';
import { useState } from 'react';
import type { ConversationKind } from '#web/features/conversations/conversation-query.ts';
import { pathTo, useRouter } from '#web/router/router.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import styles from './chats.module.css';
import { ConversationList } from './conversation-list.tsx';
import { ConversationPane } from './conversation-pane.tsx';

const ID = /^[0-9a-f]{32}$/;
const readId = (text: string | null) => ID.exec(text ?? '')?.[0] ?? '';

function readConversationKey(search: URLSearchParams): ConversationKey | undefined {
  const [userId, essayId] = [readId(search.get('user')), readId(search.get('essay'))];
  if (userId !== '') return { userId };
  return essayId === '' ? undefined : { essayId };
}

/** Conversation list and the open conversation side by side; phones show one of them. */
export function ChatsPanel({ search }: { search: URLSearchParams }) {
  const { navigate } = useRouter();
  const [searchText, setSearchText] = useState('');
  const conversationKey = readConversationKey(search);
  const isRoom =
    conversationKey === undefined ? search.get('kind') === 'room' : conversationKey.essayId !== undefined;
  /** Switching the list to the other kind keeps the conversation open. */
  const [selectedKind, setSelectedKind] = useState<ConversationKind>();
  const kind = selectedKind ?? (isRoom ? 'rooms' : 'chats');
  const target = Number(/^[1-9]\d{0,9}$/.exec(search.get('seq') ?? '')?.[0] ?? 0);

  function selectKind(next: ConversationKind): void {
    setSelectedKind(next);
    if (conversationKey !== undefined) return;
    const kindName = next === 'rooms' ? 'room' : undefined;
    const to = pathTo({ to: '/account/center.html', search: { tab: 'chat', kind: kindName } });
    void navigate(to, { replace: true, keepScroll: true });
  }

  return (
    <div className={`card stack ${styles.talks}`} data-open={conversationKey !== undefined || undefined}>
      <ConversationList
        kind={kind}
        onKindChange={selectKind}
        selected={conversationKey?.userId ?? conversationKey?.essayId ?? ''}
        searchText={searchText}
        onSearchTextChange={setSearchText}
      />
      {conversationKey === undefined ? (
        <div className={styles.nobody}>
          <EmptyList level="h2" title="选一个会话">
            左边是最近聊过的人和文章。
          </EmptyList>
        </div>
      ) : (
        <ConversationPane conversationKey={conversationKey} target={target || undefined} />
      )}
    </div>
  );
}
