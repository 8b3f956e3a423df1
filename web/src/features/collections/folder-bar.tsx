import type { Folder } from '@mozhan/contract/collections.ts';
import { useState } from 'react';
import { useMe } from '#web/features/account/me.ts';
import { useAbsoluteUrl } from '#web/lib/absolute-url.ts';
import { useApi } from '#web/lib/app-context.ts';
import { pathTo, useRouter, userPath } from '#web/router/router.tsx';
import { Button } from '#web/ui/button.tsx';
import { confirm } from '#web/ui/confirm.tsx';
import { copyText } from '#web/ui/copy-text.ts';
import { Icon } from '#web/ui/icon-set.tsx';
import { runWithErrorToast } from '#web/ui/run-with-error-toast.ts';
import { toast } from '#web/ui/toast.tsx';
import styles from './own-collections.module.css';
import { RemoveDialog } from './remove-dialog.tsx';

interface FolderBarProps {
  folder: Folder;
  others: readonly Folder[];
  onEdit: () => void;
  onRemoved: () => void;
}

export function FolderBar({ folder, others, onEdit, onRemoved }: FolderBarProps) {
  const api = useApi();
  /** False: the privacy settings hide all collections. */
  const isCollectionPublic = useMe().data?.privacy.collect ?? true;
  const { navigate } = useRouter();
  const toUrl = useAbsoluteUrl();
  const { id, name, user, isPublic, isDefault, essayCount } = folder;
  const [isChoosing, setIsChoosing] = useState(false);
  const wouldPublish = !isPublic && essayCount > 0 && others.some((each) => each.isDefault && each.isPublic);

  async function share(): Promise<void> {
    const url = toUrl(userPath(user.id, { tab: 'collect', folder: id }));
    if (await copyText(url)) toast('链接已复制');
  }

  async function afterRemove(): Promise<void> {
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
    if (isSure && (await runWithErrorToast(() => api('DELETE core/user/folder', { id }))))
      await afterRemove();
  }

  return (
    <div className={`sunken row wraps apart ${styles.bar}`}>
      <div>
        <h3>{name}</h3>
        <p>
          {isPublic ? '公开' : '不公开'} · {essayCount} 篇
          {isPublic && !isCollectionPublic ? '。你在隐私设置里关闭了「公开收藏」，别人看不到它' : ''}
        </p>
      </div>
      <div className={`flex wraps gap-2 ${styles.acts}`}>
        {isPublic && isCollectionPublic ? (
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
          <Button
            size="small"
            variant="danger"
            onClick={() => (wouldPublish ? setIsChoosing(true) : remove())}
          >
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
        onDone={afterRemove}
      />
    </div>
  );
}
