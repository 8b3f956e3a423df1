import { messageOf } from '@mozhan/client/errors.ts';
import { queriesOf } from '@mozhan/client/query-filter.ts';
import type { Farmer } from '@mozhan/contract/code-farmers.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { useRouter } from '#web/router/router.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { confirm } from '#web/ui/confirm.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { NothingYet } from '#web/ui/nothing-yet.tsx';
import { toast } from '#web/ui/toast.tsx';
import { Skeletons, Waiting } from '#web/ui/waiting.tsx';
import { farmersPath } from './address.ts';
import styles from './card-editor.module.css';
import { CardForm } from './card-form.tsx';
import { ownFarmerQuery } from './farmer-query.ts';
import { FarmerSheet } from './farmer-sheet.tsx';

const waiting = (
  <Waiting className={styles.card}>
    <div className="stack gap-3">
      <Skeletons lines={['30 m', '50', '82', '70 m']} />
    </div>
  </Waiting>
);

function Shown({ farmer, onEdit }: { farmer: Farmer; onEdit: () => void }) {
  const { href } = useRouter();
  const api = useApi();
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);

  async function takeDown(): Promise<void> {
    const isSure = await confirm({
      title: '撤下名片？',
      text: '名录和你的主页上都不再有它，填写的内容也会删除。',
      action: '撤下',
      danger: true,
    });
    if (!isSure) return;
    setBusy(true);
    try {
      await api('DELETE core/code/farmer/', {});
      queryClient.removeQueries(queriesOf('GET core/code/farmer/'));
      queryClient.setQueryData(ownFarmerQuery(api).queryKey, null);
      toast('名片已撤下');
    } catch (error) {
      toast(messageOf(error), 'bad');
      setBusy(false);
    }
  }

  return (
    <>
      <div className={styles.card}>
        <FarmerSheet farmer={farmer} level="h3" />
      </div>
      <div className={`flex wraps gap-3 ${styles.acts}`}>
        <Button look="primary" onClick={onEdit}>
          <Icon name="pen" small />
          修改
        </Button>
        <a className={buttonClass()} href={href(farmersPath())}>
          看名录
        </a>
        <Button look="danger" busy={busy} onClick={takeDown}>
          撤下
        </Button>
      </div>
    </>
  );
}

/** One's own card in the directory of programmers. */
export function FarmerCard() {
  const { href } = useRouter();
  const user = useCurrentUser();
  const query = useQuery(ownFarmerQuery(useApi()));
  const [isEdited, setEdited] = useState(false);
  if (user === null) return null;

  function body(farmer: Farmer | null) {
    if (user !== null && isEdited)
      return <CardForm user={user} farmer={farmer} onDone={() => setEdited(false)} />;
    if (farmer !== null) return <Shown farmer={farmer} onEdit={() => setEdited(true)} />;
    return (
      <NothingYet
        level="h3"
        title="还没有名片"
        actions={
          <>
            <Button look="primary" onClick={() => setEdited(true)}>
              填写名片
            </Button>
            <a className={buttonClass()} href={href(farmersPath())}>
              看名录
            </a>
          </>
        }
        text="写上会什么、写了几年、在哪座城市，别人就能在码农名录里找到你。不填就不会列出来。"
      />
    );
  }

  return (
    <section aria-labelledby="own-farmer">
      <header className={styles.head}>
        <h2 id="own-farmer">码农名片</h2>
        <p>公开在码农名录和你的主页上，随时可以撤下。</p>
      </header>
      <Loaded query={query} level="h3" waiting={waiting}>
        {body}
      </Loaded>
    </section>
  );
}
