import { errorMessageOf } from '@mozhan/client/errors.ts';
import { IDENTITY } from '@mozhan/contract/enums.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import { AccountClosing } from './account-closing.tsx';
import settings from './settings.module.css';
import styles from './tokens.module.css';

export function OwnData({ me }: { me: CurrentUser }) {
  const api = useApi();
  const [open, setOpen] = useState(false);
  const download = useMutation({
    mutationFn: () => api('GET core/account/export'),
    onSuccess: ({ file }) => location.assign(file.url),
    onError: (error) => toast(`没能下载：${errorMessageOf(error)}`, 'bad'),
  });
  return (
    <section className={settings.part} aria-labelledby="own-data">
      <h3 id="own-data">我的数据</h3>
      <ul className={styles.list}>
        <li className={settings.row}>
          <div>
            <h4>下载我的数据</h4>
            <p>
              资料、评论、划线与想法、收藏、关注、私信、订单与账目等，JSON 格式，装成一个 ZIP。
              {me.curIdentity === IDENTITY.writer ? '文章另有导出，见上。' : null}
            </p>
          </div>
          <Button busy={download.isPending} onClick={() => download.mutate()}>
            下载数据
          </Button>
        </li>
        <li className={settings.row}>
          <div>
            <h4>注销账号</h4>
            <p>15 天后生效，其间登录即撤销；之后不能恢复。</p>
          </div>
          <Button variant="danger" onClick={() => setOpen(true)}>
            注销账号
          </Button>
        </li>
      </ul>
      <Dialog open={open} onOpenChange={setOpen} title="注销账号">
        <AccountClosing me={me} onDownload={() => download.mutate()} />
      </Dialog>
    </section>
  );
}
