import { errorMessageOf } from '@mozhan/client/errors.ts';
import { queryFilterOf } from '@mozhan/client/query-filter.ts';
import type { Farmer } from '@mozhan/contract/code-farmers.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { useRouter } from '#web/router/router.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { confirm } from '#web/ui/confirm.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { LoadingSkeleton, SkeletonLines } from '#web/ui/loading-skeleton.tsx';
import { QueryContent } from '#web/ui/query-content.tsx';
import { toast } from '#web/ui/toast.tsx';
import { farmersPath } from './address.ts';
import styles from './card-editor.module.css';
import { FarmerCardForm } from './card-form.tsx';
import { FarmerCard } from './farmer-card.tsx';
import { ownFarmerQuery, skillsQuery } from './farmer-query.ts';

const skeleton = (
  <LoadingSkeleton className={styles.card}>
    <div className="stack gap-3">
      <SkeletonLines lines={['30 m', '50', '82', '70 m']} />
    </div>
  </LoadingSkeleton>
);

function OwnCard({ farmer, onEdit }: { farmer: Farmer; onEdit: () => void }) {
  const { href } = useRouter();
  const api = useApi();
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);

  async function removeCard(): Promise<void> {
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
      queryClient.removeQueries(queryFilterOf('GET core/code/farmer/'));
      queryClient.setQueryData(ownFarmerQuery(api).queryKey, null);
      toast('名片已撤下');
    } catch (error) {
      toast(errorMessageOf(error), 'bad');
      setBusy(false);
    }
  }

  return (
    <>
      <div className={styles.card}>
        <FarmerCard farmer={farmer} level="h3" />
      </div>
      <div className={`flex wraps gap-3 ${styles.acts}`}>
        <Button variant="primary" onClick={onEdit}>
          <Icon name="pen" small />
          修改
        </Button>
        <a className={buttonClass()} href={href(farmersPath())}>
          看名录
        </a>
        <Button variant="danger" busy={busy} onClick={removeCard}>
          撤下
        </Button>
      </div>
    </>
  );
}

export function OwnFarmerCard() {
  const { href } = useRouter();
  const user = useCurrentUser();
  const api = useApi();
  const query = useQuery(ownFarmerQuery(api));
  const skills = useQuery(skillsQuery(api));
  const [isEditing, setEditing] = useState(false);
  if (user === null) return null;

  function body(farmer: Farmer | null) {
    if (user !== null && isEditing)
      return (
        // Skills that arrive late would move the form.
        <QueryContent query={skills} level="h3" loading={skeleton}>
          {() => <FarmerCardForm user={user} farmer={farmer} onDone={() => setEditing(false)} />}
        </QueryContent>
      );
    if (farmer !== null) return <OwnCard farmer={farmer} onEdit={() => setEditing(true)} />;
    return (
      <EmptyList
        level="h3"
        title="还没有名片"
        actions={
          <>
            <Button variant="primary" onClick={() => setEditing(true)}>
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
      <QueryContent query={query} level="h3" loading={skeleton}>
        {body}
      </QueryContent>
    </section>
  );
}
