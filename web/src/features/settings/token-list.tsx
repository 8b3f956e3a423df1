import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { ApiToken } from '@mozhan/contract/tokens.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { callQuery } from '#web/lib/queries.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { confirm } from '#web/ui/confirm.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast.tsx';
import settings from './settings.module.css';
import { TokenForm } from './token-form.tsx';
import { scopeLabels } from './token-scopes.ts';
import styles from './tokens.module.css';

const isExpired = ({ expiresAt }: ApiToken): boolean =>
  expiresAt !== null && new Date(expiresAt) < new Date();

function Expiry({ token }: { token: ApiToken }) {
  if (token.expiresAt === null) return '长期有效';
  if (isExpired(token)) return <Badge tone="warn">已过期</Badge>;
  return `${token.expiresAt.slice(0, 10)} 到期`;
}

function TokenRow({ token, onDeleted }: { token: ApiToken; onDeleted: () => void }) {
  const api = useApi();
  const { id, name, scopes, usedAt, usedAddress } = token;

  async function remove(): Promise<void> {
    const text = '用它的程序会立即被拒绝。';
    if (!(await confirm({ title: `删除令牌「${name}」？`, text, action: '删除', danger: true }))) return;
    try {
      await api('DELETE core/user/token/', { id });
      toast('已删除');
      onDeleted();
    } catch (error) {
      toast(`没能删除：${errorMessageOf(error)}`, 'bad');
    }
  }

  return (
    <li className={settings.row}>
      <div>
        <h4>{name}</h4>
        <p>{scopes.map((scope) => scopeLabels[scope].name).join('、')}</p>
        <p className={styles.facts}>
          <span>
            <Expiry token={token} />
          </span>
          <span>
            {usedAt === null ? (
              '还没有用过'
            ) : (
              <>
                <RelativeTime at={usedAt} />
                用过，来自 {usedAddress}
              </>
            )}
          </span>
        </p>
      </div>
      <Button variant="danger" size="small" aria-label={`删除令牌${name}`} onClick={remove}>
        删除
      </Button>
    </li>
  );
}

export function TokenList() {
  const api = useApi();
  const queryClient = useQueryClient();
  const query = callQuery(api, 'GET core/user/token/');
  const { data, error, refetch } = useQuery(query);
  const [open, setOpen] = useState(false);
  /** A new key creates a new form each time the dialog opens. */
  const [formKey, setFormKey] = useState(0);
  const refresh = () => void queryClient.invalidateQueries({ queryKey: query.queryKey });

  return (
    <section className={settings.part} aria-labelledby="tokens">
      <div className={styles.head}>
        <h3 id="tokens">API 令牌</h3>
        <Button
          onClick={() => {
            setFormKey(formKey + 1);
            setOpen(true);
          }}
        >
          新建令牌
        </Button>
      </div>
      <p>
        让命令行或 CI
        以你的名义写文章、提交审核。它动不了账号、设置和钱；修改密码或退出所有设备后失效，不用了请删除。
      </p>
      {error === null ? null : <LoadFailed error={error} onRetry={refetch} />}
      {data?.list.length === 0 ? <p className={settings.none}>还没有令牌。</p> : null}
      {data === undefined || data.list.length === 0 ? null : (
        <ul className={styles.list} aria-label="API 令牌">
          {data.list.map((token) => (
            <TokenRow key={token.id} token={token} onDeleted={refresh} />
          ))}
        </ul>
      )}
      <Dialog open={open} onOpenChange={setOpen} title="新建 API 令牌">
        <TokenForm key={formKey} onCreated={refresh} onDone={() => setOpen(false)} />
      </Dialog>
    </section>
  );
}
