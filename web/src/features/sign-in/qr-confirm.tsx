import { hasCode, messageOf } from '@mozhan/client/errors.ts';
import type { StoredUser } from '@mozhan/client/session.ts';
import type { Output } from '@mozhan/contract/client.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { Link } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Sign } from '#web/ui/sign.tsx';
import styles from './panel.module.css';

type Answer = Output<'PUT core/user/qrcode/login'>;

const askedFrom = ({ device, place }: Answer) => [device, place].filter(Boolean).join('，');

interface ClosingProps {
  tone: 'ok' | 'warn';
  title: string;
  children: string;
}

/** What the phone says once nothing is left to decide. */
function Closing({ tone, title, children }: ClosingProps) {
  return (
    <div className={styles.panel}>
      <Sign tone={tone} large />
      <h1>{title}</h1>
      <p className="ink-2">{children}</p>
      <div className={styles.actions}>
        <Link to="/home" className={buttonClass({ size: 'large', block: true })}>
          去首页
        </Link>
      </div>
    </div>
  );
}

function Refused({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (hasCode(error, 'TICKET_EXPIRED'))
    return (
      <Closing tone="warn" title="二维码已过期">
        请在那台设备上刷新二维码，再扫一次。
      </Closing>
    );
  if (hasCode(error, 'TICKET_USED'))
    return (
      <Closing tone="warn" title="二维码已经用过">
        它已被确认或取消。如果还要登录，请在那台设备上刷新后再扫。
      </Closing>
    );
  return (
    <div className={styles.panel}>
      <h1>没能核对二维码</h1>
      <p className="ink-2">{messageOf(error)}</p>
      <Button size="large" block onClick={onRetry}>
        再试一次
      </Button>
    </div>
  );
}

interface QrConfirmProps {
  ticket: string;
  user: StoredUser;
}

/** On the phone: says who asks, and lets the owner of the account decide. */
export function QrConfirm({ ticket, user }: QrConfirmProps) {
  const api = useApi();
  // A query only in form: telling the asker "scanned" once is enough, however often this is drawn.
  const scan = useQuery({
    queryKey: ['qr-scan', ticket],
    queryFn: () => api('PUT core/user/qrcode/login', { ticket, action: 'scan' }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
  });
  const decide = useMutation({
    mutationFn: (action: 'confirm' | 'cancel') => api('PUT core/user/qrcode/login', { ticket, action }),
  });

  const error = scan.error ?? decide.error;
  if (error !== null) {
    const retry = () => (scan.error === null ? decide.reset() : void scan.refetch());
    return <Refused error={error} onRetry={retry} />;
  }
  if (decide.isSuccess && decide.variables === 'confirm')
    return (
      <Closing tone="ok" title="已确认登录">
        那台设备马上就会登录，这一页可以关掉了。
      </Closing>
    );
  if (decide.isSuccess)
    return (
      <Closing tone="ok" title="已取消">
        这次登录没有放行，账号是安全的。
      </Closing>
    );

  const busy = scan.data === undefined || decide.isPending;
  return (
    <div className={styles.panel}>
      <Avatar name={user.displayName} image={user.headImg} size="large" />
      <h1>确认登录这台设备？</h1>
      <p className="ink-2">
        将以 <strong>{user.displayName}</strong> 的身份登录
      </p>
      <p className={`card bold ${styles.from}`} aria-live="polite">
        {scan.data === undefined ? '正在核对二维码…' : askedFrom(scan.data)}
      </p>
      <Notice tone="warn">如果不是你本人操作，请点取消。</Notice>
      <div className={styles.actions}>
        <Button look="primary" size="large" block busy={busy} onClick={() => decide.mutate('confirm')}>
          确认登录
        </Button>
        <Button size="large" block busy={busy} onClick={() => decide.mutate('cancel')}>
          取消
        </Button>
      </div>
    </div>
  );
}
