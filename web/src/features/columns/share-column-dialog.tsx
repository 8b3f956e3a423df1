import type { Column } from '@mozhan/contract/columns.ts';
import { useApp } from '#web/lib/app-context.ts';
import { columnPath } from '#web/router/router.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { CopyField } from '#web/ui/copy-field.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import type { DialogOpenProps } from '#web/ui/lazy-dialog.tsx';
import { QrCode } from '#web/ui/lazy-qr-code.ts';
import { Optional } from '#web/ui/optional.tsx';
import styles from './share-column-dialog.module.css';

const weiboUrl = (url: string, title: string) =>
  `https://service.weibo.com/share/share.php?${new URLSearchParams({ url, title })}`;

const canShareNatively = () => 'share' in navigator && matchMedia('(pointer: coarse)').matches;

interface ShareColumnDialogProps extends DialogOpenProps {
  column: Column;
}

export function ShareColumnDialog({ column, open, onOpenChange }: ShareColumnDialogProps) {
  const { siteUrl } = useApp();
  const url = siteUrl + columnPath(column.id);
  const title = `《${column.name}》，${column.author.displayName}的专栏`;
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="分享这个专栏">
      <div className="stack gap-5">
        <CopyField label="专栏链接" value={url} />
        <div className={`ink-2 text-m ${styles.scan}`}>
          <div className={styles.code}>
            <Optional>
              <QrCode text={url} label="专栏的二维码" />
            </Optional>
          </div>
          <p>用微信扫一扫，在手机上打开后转发。</p>
        </div>
        <div className="row wraps gap-2">
          <a className={buttonClass()} href={weiboUrl(url, title)} target="_blank" rel="noopener noreferrer">
            <Icon name="at" small />
            发到微博
          </a>
          {canShareNatively() ? (
            // The reader may close the sheet, which rejects.
            <Button onClick={() => void navigator.share({ title, url }).catch(() => {})}>
              <Icon name="share" small />
              发给朋友
            </Button>
          ) : null}
        </div>
      </div>
    </Dialog>
  );
}
