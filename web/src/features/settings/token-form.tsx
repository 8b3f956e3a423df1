import type { Output } from '@mozhan/contract/client.ts';
import type { TokenScope } from '@mozhan/contract/define.ts';
import { useState } from 'react';
import { FormFooter } from '#web/features/credentials/form-footer.tsx';
import { useReauth } from '#web/features/credentials/use-reauth.ts';
import { useApi } from '#web/lib/app-context.ts';
import { requiredFieldErrors, useForm } from '#web/lib/form.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { CopyField } from '#web/ui/copy-field.tsx';
import { Field, FieldError, SelectField, SwitchField } from '#web/ui/field.tsx';
import { scopeLabels } from './token-scopes.ts';
import styles from './tokens.module.css';

const lifetimes = [
  { value: '30', label: '30 天' },
  { value: '90', label: '90 天' },
  { value: '365', label: '一年' },
  { value: '', label: '长期有效' },
];

const scopes = Object.keys(scopeLabels) as TokenScope[];

type CreatedToken = Output<'POST core/user/token/'>;

/** The token is displayed only once. */
function CreatedTokenView({ created, onDone }: { created: CreatedToken; onDone: () => void }) {
  return (
    <div className="stack gap-5">
      <Alert tone="warn">现在就复制并收好：关掉之后谁也看不到它，只能删掉再建一个。</Alert>
      <CopyField label="令牌" value={created.token} />
      <p className="ink-2 text-m pretty">
        像密码一样对待它：放进 CI 的机密设置或环境变量，不要写进代码。每个请求带上请求头 <code>token</code>
        ，或 <code>Authorization: Bearer</code>。
      </p>
      <Button variant="primary" block onClick={onDone}>
        我已收好
      </Button>
    </div>
  );
}

interface TokenFormProps {
  onCreated: () => void;
  onDone: () => void;
}

export function TokenForm({ onCreated, onDone }: TokenFormProps) {
  const api = useApi();
  const withReauth = useReauth();
  const [created, setCreated] = useState<CreatedToken>();
  const selectedScopes = (values: Record<string, string>) => scopes.filter((scope) => values[scope] === 'on');
  const form = useForm({
    names: ['name', 'days', 'scopes', ...scopes],
    check: (values) => ({
      ...requiredFieldErrors(values, { name: '请起一个名称' }),
      ...(selectedScopes(values).length === 0 && { scopes: '请至少选择一项权限' }),
    }),
    async submit(values) {
      const { name, days } = values;
      const lifetimeDays = days === '' ? null : days === '30' ? 30 : days === '90' ? 90 : 365;
      const input = { name, scopes: selectedScopes(values), days: lifetimeDays } as const;
      setCreated(await withReauth(() => api('POST core/user/token/', input)));
      onCreated();
    },
  });
  if (created !== undefined) return <CreatedTokenView created={created} onDone={onDone} />;
  return (
    <form className="stack gap-5" {...form.props}>
      <Field
        {...form.field('name')}
        label="名称"
        maxLength={50}
        autoComplete="off"
        hint="用在哪里，例如「博客的 CI」"
      />
      <fieldset
        className={`stack gap-3 ${styles.scopes}`}
        aria-describedby={form.errors.scopes ? 'scopes-error' : undefined}
      >
        <legend className="bold text-m">可以做什么</legend>
        {Object.entries(scopeLabels).map(([scope, { name, text }]) => (
          <SwitchField key={scope} name={scope} label={name} description={text} />
        ))}
        <FieldError id="scopes-error" error={form.errors.scopes} />
      </fieldset>
      <SelectField {...form.field('days')} label="有效期" options={lifetimes} defaultValue="90" />
      <FormFooter form={form} large action="新建令牌" busyLabel="正在新建…" />
    </form>
  );
}
