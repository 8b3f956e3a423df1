import type { Output } from '@mozhan/contract/client.ts';
import { useState } from 'react';
import { PersonRow, PersonRowsSkeleton } from '#web/features/people/person-row.tsx';
import { useBlock } from '#web/features/people/use-block.ts';
import { useCallPages } from '#web/lib/use-call-pages.ts';
import { Button } from '#web/ui/button.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import styles from './settings.module.css';

type Blocked = Output<'GET core/user/block'>['list'][number];

function BlockedRow({ person }: { person: Blocked }) {
  const { unblock } = useBlock(person);
  const [isBusy, setBusy] = useState(false);

  async function onUnblock(): Promise<void> {
    setBusy(true);
    if (!(await unblock())) setBusy(false);
  }

  return (
    <PersonRow
      person={person}
      description={
        <>
          <RelativeTime at={person.blockedAt} /> 屏蔽
        </>
      }
      action={
        <Button
          size="small"
          busy={isBusy}
          aria-label={`解除对${person.displayName}的屏蔽`}
          onClick={onUnblock}
        >
          解除屏蔽
        </Button>
      }
    />
  );
}

/** The users whom the current user has blocked; nobody else sees this list. */
export function BlockedList() {
  const query = useCallPages('GET core/user/block');
  return (
    <section className={styles.part} aria-labelledby="blocked">
      <h3 id="blocked">屏蔽名单</h3>
      <p>被屏蔽的人不能关注、评论、回复或提到你，你也看不到 TA 的评论。只有你能看到这份名单。</p>
      <InfiniteList
        label="屏蔽名单"
        query={query}
        renderItem={(person) => <BlockedRow person={person} />}
        empty={<p className={styles.none}>没有屏蔽任何人。要屏蔽谁，在 TA 的主页打开「更多」菜单。</p>}
        skeleton={<PersonRowsSkeleton />}
      />
    </section>
  );
}
