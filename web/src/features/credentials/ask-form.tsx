import { hasCode } from '@mozhan/client/errors.ts';
import type { ComponentProps } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { missing, useForm } from '#web/lib/form.ts';
import { Field } from '#web/ui/field.tsx';
import { useChallenge } from './challenge.ts';
import { FormEnd } from './form-end.tsx';
import { tidyTarget } from './phone.ts';

interface AskFormProps extends Omit<ComponentProps<typeof Field>, 'error' | 'name'> {
  /** As the server names it. */
  name: 'target' | 'account';
  large?: boolean;
  send: (target: string, challenge: string | undefined) => Promise<unknown>;
  onSent: (target: string) => void;
}

/** Asks for the address, number or account to which a code is sent. */
export function AskForm({ name, label, large, send, onSent, ...input }: AskFormProps) {
  const { prepare, prove } = useChallenge(useApi());
  const form = useForm({
    names: [name],
    check: (values) => missing(values, { [name]: `请填写${label}` }),
    async submit(values) {
      const target = tidyTarget(values[name]);
      await prove((challenge) => send(target, challenge));
      onSent(target);
    },
    place: (error) => (hasCode(error, 'ACCOUNT_TAKEN') ? name : undefined),
  });
  return (
    <form className="stack gap-5" {...form.props} onFocus={prepare}>
      <Field {...input} {...form.field(name)} label={label} />
      <FormEnd form={form} large={large} action="发送验证码" doing="正在发送…" />
    </form>
  );
}

interface NotReceivedProps {
  onBack: () => void;
  children: string | string[];
}

/** The way back to where the code was asked for. */
export const NotReceived = ({ onBack, children }: NotReceivedProps) => (
  <p className="ink-3 text-s text-center">
    没有收到？
    <button type="button" className="link" onClick={onBack}>
      {children}
    </button>
  </p>
);
