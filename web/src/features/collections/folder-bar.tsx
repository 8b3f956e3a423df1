import type { Folder } from '@mozhan/contract/collections.ts';
import { useState } from 'react';
import { useMe } from '#web/features/account/me.ts';
import { useApi, useApp } from '#web/lib/app-context.ts';
import { pathTo, useRouter } from '#web/router/router.tsx';
import { attempt } from '#web/ui/attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { confirm } from '#web/ui/confirm.tsx';
import { copyText } from '#web/ui/copy-text.ts';
import { Icon } from '#web/ui/icon-set.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './own-collections.module.css';
import { RemoveDialog } from './remove-dialog.tsx';

/** Where the site has no address of its own set, the one it is read at. */
function useFolderUrl({ id, user }: Folder): () => string {
  const { siteUrl, basePath } = useApp();
  const path = pathTo({
    to: '/user/home/:id.html',
    params: { id: user.id },
    search: { tab: 'collect', folder: id },
  });
  return () => (siteUrl === '' ? location.origin + basePath : siteUrl) + path;
}

interface FolderBarProps {
  folder: Folder;
  /** All others of the reader. */
  others: readonly Folder[];
  onEdit: () => void;
  onRemoved: () => void;
}

/** One folder, open, and what can be done with it. */
export function FolderBar({ folder, others, onEdit, onRemoved }: FolderBarProps) {
  const api = useApi();
  /** False: the reader keeps all that they collected from others. */
  const isOpen = useMe().data?.privacy.collect ?? true;
  const { navigate } = useRouter();
  const urlOf = useFolderUrl(folder);
  const { id, name, isPublic, isDefault, essayCount } = folder;
  const [isChoosing, setIsChoosing] = useState(false);
  const wouldPublish = !isPublic && essayCount > 0 && others.some((each) => each.isDefault && each.isPublic);

  async function share(): Promise<void> {
    if (await copyText(urlOf())) toast('链接已复制');
  }

  async function leave(): Promise<void> {
    toast(`已删除「${name}」`);
    await navigate(pathTo({ to: '/account/center.html', search: { tab: 'collect' } }), { replace: true });
    onRemoved();
  }

  async function remove(): Promise<void> {
    const isSure = await confirm({
      title: `删除收藏夹「${name}」？`,
      text:
        essayCount === 0
          ? '里面没有文章。'
          : `里面的 ${essayCount} 篇文章会移到默认收藏夹，仍然收藏着。分享出去的链接会失效。`,
      action: '删除',
      danger: true,
    });
    if (isSure && (await attempt(() => api('DELETE core/user/folder', { id })))) await leave();
  }

  return (
    <div className={`sunken row wraps apart ${styles.bar}`}>
      <div>
        <h3>{name}</h3>
        <p>
          {isPublic ? '公开' : '不公开'} · {essayCount} 篇
          {isPublic && !isOpen ? '。你在隐私设置里关闭了「公开收藏」，别人看不到它' : ''}
        </p>
      </div>
      <div className={`flex wraps gap-2 ${styles.acts}`}>
        {isPublic && isOpen ? (
          <Button size="small" onClick={share}>
            <Icon name="link" small />
            复制链接
          </Button>
        ) : null}
        <Button size="small" onClick={onEdit}>
          <Icon name="pen" small />
          编辑
        </Button>
        {isDefault ? null : (
          <Button size="small" look="danger" onClick={() => (wouldPublish ? setIsChoosing(true) : remove())}>
            <Icon name="trash" small />
            删除
          </Button>
        )}
      </div>
      <RemoveDialog
        open={isChoosing}
        onOpenChange={setIsChoosing}
        folder={folder}
        others={others}
        onDone={leave}
      />
    </div>
  );
}
