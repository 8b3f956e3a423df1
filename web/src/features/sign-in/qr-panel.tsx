import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { Output } from '@mozhan/contract/client.ts';
import type { TicketStatus } from '@mozhan/contract/users.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useSite } from '#web/lib/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { QrCode } from '#web/ui/lazy-qr-code.ts';
import { LogoMark } from '#web/ui/logo.tsx';
import { QrFrame } from '#web/ui/qr-frame.tsx';
import type { OnSignedIn } from './password-form.tsx';
import styles from './qr-panel.module.css';

type Ticket = Output<'GET core/user/qrcode/login'>;

const TICKET_LIFETIME_S = 120;
const POLL_MS = 2000;

/** The client's clock may be wrong: an impossible remaining time is replaced by the full lifetime. */
function secondsLeft(ticket: Ticket, receivedAt: number): number {
  const reported = (Date.parse(ticket.expiresAt) - receivedAt) / 1000;
  const lifetime = reported > 0 && reported <= TICKET_LIFETIME_S ? reported : TICKET_LIFETIME_S;
  return Math.max(0, Math.ceil(lifetime - (Date.now() - receivedAt) / 1000));
}

function useCountdown(ticket: Ticket | undefined, receivedAt: number): number {
  const [left, setLeft] = useState(TICKET_LIFETIME_S);
  useEffect(() => {
    if (ticket === undefined) return;
    const tick = () => setLeft(secondsLeft(ticket, receivedAt));
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [ticket, receivedAt]);
  return left;
}

function formatSeconds(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  if (minutes === 0) return `${rest} 秒`;
  return rest === 0 ? `${minutes} 分钟` : `${minutes} 分 ${rest} 秒`;
}

/** Requests a ticket and polls its status, only while the panel is active. */
function useTicket(active: boolean) {
  const api = useApi();
  const [attempt, setAttempt] = useState(0);
  const ticket = useQuery({
    queryKey: ['qr-ticket', attempt],
    queryFn: () => api('GET core/user/qrcode/login'),
    enabled: active,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const left = useCountdown(ticket.data, ticket.dataUpdatedAt);
  const poll = useQuery({
    queryKey: ['qr-poll', ticket.data?.ticket],
    queryFn: () =>
      api('POST core/user/login/qrcode', {
        ticket: ticket.data?.ticket ?? '',
        secret: ticket.data?.secret ?? '',
      }),
    enabled: ({ state }) =>
      active && ticket.data !== undefined && (state.data === undefined || isOpen(state.data.status)),
    refetchInterval: POLL_MS,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const reportedStatus: TicketStatus = poll.data?.status ?? 'waiting';
  return {
    ticket: ticket.data,
    failure: ticket.error,
    status: isOpen(reportedStatus) && ticket.data !== undefined && left === 0 ? 'expired' : reportedStatus,
    user: poll.data?.user,
    left,
    renew: () => setAttempt(attempt + 1),
  };
}

const isOpen = (status: TicketStatus) => status === 'waiting' || status === 'scanned';

const statusMessages: Record<TicketStatus, string> = {
  waiting: '用已登录的手机扫一扫',
  scanned: '手机已扫描，请在手机上确认',
  confirmed: '已确认，正在登录…',
  cancelled: '手机上取消了这次登录',
  expired: '二维码已过期',
};

function Cover({ children }: { children: ReactNode }) {
  return <div className={styles.cover}>{children}</div>;
}

interface QrPanelProps {
  active: boolean;
  onSignedIn: OnSignedIn;
}

export function QrPanel({ active, onSignedIn }: QrPanelProps) {
  const { title } = useSite().settings;
  const { ticket, failure, status, user, left, renew } = useTicket(active);
  const latestOnSignedIn = useRef(onSignedIn);
  useEffect(() => {
    latestOnSignedIn.current = onSignedIn;
  }, [onSignedIn]);
  useEffect(() => {
    if (user !== undefined) void latestOnSignedIn.current(user);
  }, [user]);

  const isClosed = status === 'expired' || status === 'cancelled' || failure !== null;
  return (
    <div className={`stack gap-4 text-center ${styles.panel}`}>
      <QrFrame large>
        {ticket === undefined ? null : (
          <Suspense>
            <QrCode text={ticket.url} label="登录二维码" />
          </Suspense>
        )}
        {ticket === undefined || isClosed ? null : (
          <span className={styles.mark}>
            <LogoMark />
          </span>
        )}
        {status === 'scanned' || status === 'confirmed' ? (
          <Cover>
            <span className={styles.tick}>
              <Icon name="check" />
            </span>
          </Cover>
        ) : null}
        {isClosed ? (
          <Cover>
            <Button onClick={renew}>
              <Icon name="refresh" small />
              刷新
            </Button>
          </Cover>
        ) : null}
      </QrFrame>
      <p>
        <span role="status">{failure === null ? statusMessages[status] : errorMessageOf(failure)}</span>
        {status === 'waiting' && ticket !== undefined ? (
          <span className="ink-2 numbers">，{formatSeconds(left)}内有效</span>
        ) : null}
      </p>
      <ol className={`flex wraps ink-3 text-s ${styles.steps}`}>
        <li>手机登录{title}</li>
        <li>扫描二维码</li>
        <li>确认登录</li>
      </ol>
    </div>
  );
}
