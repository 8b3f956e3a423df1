import type { Folder } from '@mozhan/contract/collections.ts';
import { useState } from 'react';
import { useMe } from '#web/features/account/me.ts';
import { useAbsoluteUrl } from '#web/lib/absolute-url.ts';
import { useApi } from '#web/lib/app-context.ts';
import { pathTo, personPath, useRouter } from '#web/router/router.tsx';
import { attempt } from '#web/ui/attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { confirm } from '#web/ui/confirm.tsx';
import { copyText } from '#web/ui/copy-text.ts';
import { Icon } from '#web/ui/icon-set.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './own-collections.module.css';
import { RemoveDialog } from './remove-dialog.tsx';

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
  const toUrl = useAbsoluteUrl();
  const { id, name, user, isPublic, isDefault, essayCount } = folder;
  const [isChoosing, setIsChoosing] = useState(false);
  const wouldPublish = !isPublic && essayCount > 0 && others.some((each) => each.isDefault && each.isPublic);

  async function share(): Promise<void> {
    const url = toUrl(personPath(user.id, { tab: 'collect', folder: id }));
    if (await copyText(url)) toast('链接已复制');
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
