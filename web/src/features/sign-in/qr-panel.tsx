import { messageOf } from '@mozhan/client/errors.ts';
import type { Output } from '@mozhan/contract/client.ts';
import type { TicketStatus } from '@mozhan/contract/users.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useSite } from '#web/lib/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { QrCode } from '#web/ui/lazy-qr-code.ts';
import { Mark } from '#web/ui/logo.tsx';
import { QrFrame } from '#web/ui/qr-frame.tsx';
import type { OnSignedIn } from './password-form.tsx';
import styles from './qr-panel.module.css';

type Ticket = Output<'GET core/user/qrcode/login'>;

const LIFE_S = 120;
const POLL_MS = 2000;

/** By the reader's own clock, which may be wrong: a remaining time that cannot be is taken for a full one. */
function secondsLeft(ticket: Ticket, receivedAt: number): number {
  const told = (Date.parse(ticket.expiresAt) - receivedAt) / 1000;
  const life = told > 0 && told <= LIFE_S ? told : LIFE_S;
  return Math.max(0, Math.ceil(life - (Date.now() - receivedAt) / 1000));
}

function useCountdown(ticket: Ticket | undefined, receivedAt: number): number {
  const [left, setLeft] = useState(LIFE_S);
  useEffect(() => {
    if (ticket === undefined) return;
    const tick = () => setLeft(secondsLeft(ticket, receivedAt));
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [ticket, receivedAt]);
  return left;
}

function inWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  if (minutes === 0) return `${rest} 秒`;
  return rest === 0 ? `${minutes} 分钟` : `${minutes} 分 ${rest} 秒`;
}

/** A fresh ticket, and what has become of it. Asks only while it is on screen. */
function useTicket(active: boolean) {
  const api = useApi();
  const [round, setRound] = useState(0);
  const ticket = useQuery({
    queryKey: ['qr-ticket', round],
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
  const told: TicketStatus = poll.data?.status ?? 'waiting';
  return {
    ticket: ticket.data,
    failure: ticket.error,
    status: isOpen(told) && ticket.data !== undefined && left === 0 ? 'expired' : told,
    user: poll.data?.user,
    left,
    renew: () => setRound(round + 1),
  };
}

const isOpen = (status: TicketStatus) => status === 'waiting' || status === 'scanned';

const sentences: Record<TicketStatus, string> = {
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
  const signedIn = useRef(onSignedIn);
  useEffect(() => {
    signedIn.current = onSignedIn;
  }, [onSignedIn]);
  useEffect(() => {
    if (user !== undefined) void signedIn.current(user);
  }, [user]);

  const over = status === 'expired' || status === 'cancelled' || failure !== null;
  return (
    <div className={`stack gap-4 text-center ${styles.panel}`}>
      <QrFrame large>
        {ticket === undefined ? null : (
          <Suspense>
            <QrCode text={ticket.url} label="登录二维码" />
          </Suspense>
        )}
        {ticket === undefined || over ? null : (
          <span className={styles.mark}>
            <Mark />
          </span>
        )}
        {status === 'scanned' || status === 'confirmed' ? (
          <Cover>
            <span className={styles.tick}>
              <Icon name="check" />
            </span>
          </Cover>
        ) : null}
        {over ? (
          <Cover>
            <Button onClick={renew}>
              <Icon name="refresh" small />
              刷新
            </Button>
          </Cover>
        ) : null}
      </QrFrame>
      <p>
        <span role="status">{failure === null ? sentences[status] : messageOf(failure)}</span>
        {status === 'waiting' && ticket !== undefined ? (
          <span className="ink-2 numbers">，{inWords(left)}内有效</span>
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
