import type { Output } from '@mozhan/contract/client.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { useQuery } from '@tanstack/react-query';
import { Button, Drawer, Skeleton } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDateTime } from '#admin/lib/format.ts';
import { call } from '#admin/lib/queries.ts';
import { Facts } from '#admin/ui/facts.tsx';
import { LabelTag } from '#admin/ui/labels.tsx';
import { LoadError } from '#admin/ui/screen.tsx';
import { useLastOpened } from '#admin/ui/use-last-opened.ts';
import { eventText, statuses } from './events.ts';
import styles from './webhook.module.css';

const WIDTH = 640;
const POLL_MS = 1000;
const SOON_MS = 5000;

type Delivery = Output<'GET core/sys/webhook/delivery/{id}'>;

/** Poll for a new attempt after redelivery, or when one is due within seconds; not for later retries. */
const isSendingSoon = ({ status, log, nextAt }: Delivery, attemptsBefore: number): boolean =>
  status === 'waiting' &&
  (log.length <= attemptsBefore || (nextAt !== null && Date.parse(nextAt) - Date.now() < SOON_MS));

/** Indents JSON; returns other text unchanged. */
function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function Code({ label, text }: { label: string; text: string }) {
  return (
    <section aria-label={label}>
      <h3>{label}</h3>
      {text === '' ? (
        <p>没有内容</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard
        <section className={styles.code} tabIndex={0} aria-label={`${label}的内容`}>
          <pre>{formatJson(text)}</pre>
        </section>
      )}
    </section>
  );
}

const resultText = ({ code, error }: Pick<Delivery, 'code' | 'error'>): string =>
  error || (code === null ? '还没有发出' : `响应 ${code}`);

function Detail({ delivery }: { delivery: Delivery }) {
  const { id, endpoint, event, status, nextAt, duration, createdAt, body, response, log } = delivery;
  return (
    <div className={styles.secret}>
      <Facts
        facts={[
          ['状态', <LabelTag key="status" of={statuses} value={status} />],
          ['事件', `${eventText(event)}（${event}）`],
          ['发往', endpoint.url],
          ['发生', formatDateTime(createdAt)],
          ['结果', resultText(delivery)],
          duration === null ? null : ['用时', `${duration} 毫秒`],
          nextAt === null ? null : ['下次尝试', formatDateTime(nextAt)],
          ['编号', <code key="id">{id}</code>],
        ]}
      />
      <section aria-label="历次尝试">
        <h3>历次尝试</h3>
        {log.length === 0 ? (
          <p>还没有发出</p>
        ) : (
          <ol className={styles.log}>
            {log.map((attempt) => (
              <li key={attempt.at}>
                <time dateTime={attempt.at}>{formatDateTime(attempt.at)}</time>
                <span>{resultText(attempt)}</span>
                <span>{attempt.duration} 毫秒</span>
              </li>
            ))}
          </ol>
        )}
      </section>
      <Code label="请求" text={body} />
      <Code label="响应" text={response} />
    </div>
  );
}

interface DeliveryDrawerProps {
  id: string | undefined;
  onClose: () => void;
  /** Undefined without the permission. */
  onRedeliver: ((id: string) => void) | undefined;
}

/** Details of a delivery, polled while an attempt is due. */
export function DeliveryDrawer({ id, onClose, onRedeliver }: DeliveryDrawerProps) {
  const { api } = useApp();
  const { displayed = '' } = useLastOpened(id !== undefined, id);
  /** Delivery that was redelivered from here, and its number of attempts before. */
  const [redelivered, setRedelivered] = useState({ id: '', attemptsBefore: 0 });
  const attemptsBefore = redelivered.id === displayed ? redelivered.attemptsBefore : 0;
  const { data, error, refetch } = useQuery({
    ...call(api, 'GET core/sys/webhook/delivery/{id}', { id: displayed }),
    enabled: id !== undefined,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isSendingSoon(data, attemptsBefore) ? POLL_MS : false,
  });
  const canRedeliver = data !== undefined && data.status !== 'waiting' && data.endpoint.enabled === FLAG.on;
  return (
    <Drawer
      title="投递"
      open={id !== undefined}
      onClose={onClose}
      size={Math.min(WIDTH, innerWidth)}
      closable={{ 'aria-label': '关闭' }}
      extra={
        onRedeliver !== undefined && canRedeliver ? (
          <Button
            onClick={() => {
              setRedelivered({ id: displayed, attemptsBefore: data.log.length });
              onRedeliver(displayed);
            }}
          >
            重新投递
          </Button>
        ) : null
      }
    >
      {error === null ? null : <LoadError error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <Skeleton active paragraph={{ rows: 8 }} />
      ) : (
        <Detail delivery={data} />
      )}
    </Drawer>
  );
}
