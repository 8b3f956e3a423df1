import { errorMessageOf, hasErrorCode } from '@mozhan/client/errors.ts';
import type { StoredUser } from '@mozhan/client/session.ts';
import type { Output } from '@mozhan/contract/client.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { Link } from '#web/router/router.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { ResultIcon } from '#web/ui/result-icon.tsx';
import styles from './panel.module.css';

type ScannedTicket = Output<'PUT core/user/qrcode/login'>;

const describeDevice = ({ device, place }: ScannedTicket) => [device, place].filter(Boolean).join('，');

interface ResultPanelProps {
  tone: 'ok' | 'warn';
  title: string;
  children: string;
}

function ResultPanel({ tone, title, children }: ResultPanelProps) {
  return (
    <div className={styles.panel}>
      <ResultIcon tone={tone} large />
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

function TicketRefused({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (hasErrorCode(error, 'TICKET_EXPIRED'))
    return (
      <ResultPanel tone="warn" title="二维码已过期">
        请在那台设备上刷新二维码，再扫一次。
      </ResultPanel>
    );
  if (hasErrorCode(error, 'TICKET_USED'))
    return (
      <ResultPanel tone="warn" title="二维码已经用过">
        它已被确认或取消。如果还要登录，请在那台设备上刷新后再扫。
      </ResultPanel>
    );
  return (
    <div className={styles.panel}>
      <h1>没能核对二维码</h1>
      <p className="ink-2">{errorMessageOf(error)}</p>
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

/** On the phone: shows the requesting device and lets the account's owner decide. */
export function QrConfirm({ ticket, user }: QrConfirmProps) {
  const api = useApi();
  // A query instead of a mutation, so that the ticket is reported as scanned only once.
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
    return <TicketRefused error={error} onRetry={retry} />;
  }
  if (decide.isSuccess && decide.variables === 'confirm')
    return (
      <ResultPanel tone="ok" title="已确认登录">
        那台设备马上就会登录，这一页可以关掉了。
      </ResultPanel>
    );
  if (decide.isSuccess)
    return (
      <ResultPanel tone="ok" title="已取消">
        这次登录已被拒绝，账号是安全的。
      </ResultPanel>
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
        {scan.data === undefined ? '正在核对二维码…' : describeDevice(scan.data)}
      </p>
      <Alert tone="warn">如果不是你本人操作，请点取消。</Alert>
      <div className={styles.actions}>
        <Button variant="primary" size="large" block busy={busy} onClick={() => decide.mutate('confirm')}>
          确认登录
        </Button>
        <Button size="large" block busy={busy} onClick={() => decide.mutate('cancel')}>
          取消
        </Button>
      </div>
    </div>
  );
}
