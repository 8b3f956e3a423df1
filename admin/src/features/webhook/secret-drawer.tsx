import { FLAG } from '@mozhan/contract/enums.ts';
import type { WebhookEndpoint } from '@mozhan/contract/webhooks.ts';
import { useQuery } from '@tanstack/react-query';
import { Button, Skeleton } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { call, useAction } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { useConfirm } from '#admin/ui/confirm.ts';
import { CopyField } from '#admin/ui/copy-field.tsx';
import { DetailDrawer } from '#admin/ui/detail-drawer.tsx';
import { LoadError } from '#admin/ui/screen.tsx';
import styles from './webhook.module.css';

const example = `import { createHmac, timingSafeEqual } from 'node:crypto';

// body 是收到的原文，不是解析后的对象
export function isFromUs(headers, body, secret) {
  const at = headers['x-mozhan-timestamp'];
  const age = Math.abs(Date.now() / 1000 - Number(at));
  const hmac = createHmac('sha256', secret);
  const expected = Buffer.from(
    'v1=' + hmac.update(\`\${at}.\${body}\`).digest('hex'),
  );
  const given = Buffer.from(headers['x-mozhan-signature'] ?? '');
  return (
    age < 300 &&
    given.length === expected.length &&
    timingSafeEqual(given, expected)
  );
}`;

/** Contains the secret directly after creation, because the creator may lack the permission to read it later. */
export type EndpointWithSecret = WebhookEndpoint & { secret?: string };

function Secret({ endpoint }: { endpoint: EndpointWithSecret }) {
  const { api } = useApp();
  const act = useAction();
  const confirm = useConfirm();
  const mayUpdate = useCan()('webhook:update');
  const { data, error, refetch } = useQuery({
    ...call(api, 'GET core/sys/webhook/secret', { id: endpoint.id }),
    enabled: mayUpdate,
    gcTime: 0,
  });
  const secret = data?.secret ?? endpoint.secret;
  if (secret === undefined && error !== null)
    return <LoadError error={error} onRetry={() => void refetch()} />;
  if (secret === undefined) return <Skeleton active paragraph={{ rows: 2 }} />;

  async function renew(): Promise<void> {
    const text = '旧的密钥立即失效，接收方换上新的之前会认不出签名。';
    if (!(await confirm({ title: '更换密钥？', text, action: '更换', danger: true }))) return;
    await act((api) => api('PUT core/sys/webhook/', { id: endpoint.id, renew: FLAG.on }), '已更换密钥');
  }

  return (
    <>
      {mayUpdate ? null : <p>关闭后你不能再看到它，请先复制。</p>}
      <CopyField label="密钥" value={secret} />
      {mayUpdate ? (
        <Button className={styles.renew} onClick={() => void renew()}>
          更换密钥
        </Button>
      ) : null}
    </>
  );
}

/** The signing secret, and how receivers verify a signature. */
export function SecretDrawer(props: { subject: EndpointWithSecret | undefined; onClose: () => void }) {
  return (
    <DetailDrawer {...props} title={({ name }) => `「${name}」的签名`} width={560}>
      {(endpoint) => (
        <div className={styles.secret}>
          <section aria-label="密钥">
            <h3>密钥</h3>
            <p>只有接收方和这里知道，不要写进公开的代码。</p>
            <Secret key={endpoint.id} endpoint={endpoint} />
          </section>
          <section aria-label="怎样验证">
            <h3>怎样验证</h3>
            <p>
              每次请求带有 <code>X-Mozhan-Event</code>、<code>X-Mozhan-Delivery</code>
              （重新投递时不变，可用来去重）、
              <code>X-Mozhan-Timestamp</code>（秒）和 <code>X-Mozhan-Signature</code>
              。签名是用密钥对「时间戳.原文」作 HMAC-SHA256。响应 2xx 即为送达；10
              秒内没有响应，或响应其他状态，会在一天内重试 7 次。
            </p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard */}
            <section className={styles.code} tabIndex={0} aria-label="Node 示例">
              <pre>{example}</pre>
            </section>
          </section>
        </div>
      )}
    </DetailDrawer>
  );
}
