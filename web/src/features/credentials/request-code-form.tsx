import { hasErrorCode } from '@mozhan/client/errors.ts';
import type { ComponentProps } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { requiredFieldErrors, useForm } from '#web/lib/form.ts';
import { Field } from '#web/ui/field.tsx';
import { useChallenge } from './challenge.ts';
import { FormFooter } from './form-footer.tsx';
import { normalizeTarget } from './phone.ts';

interface RequestCodeFormProps extends Omit<ComponentProps<typeof Field>, 'error' | 'name'> {
  name: 'target' | 'account';
  large?: boolean;
  send: (target: string, challenge: string | undefined) => Promise<unknown>;
  onSent: (target: string) => void;
}

/** Asks for the e-mail, phone number or account to send a code to. */
export function RequestCodeForm({ name, label, large, send, onSent, ...input }: RequestCodeFormProps) {
  const { prepare, sendWithProof } = useChallenge(useApi());
  const form = useForm({
    names: [name],
    check: (values) => requiredFieldErrors(values, { [name]: `请填写${label}` }),
    async submit(values) {
      const target = normalizeTarget(values[name]);
      await sendWithProof((challenge) => send(target, challenge));
      onSent(target);
    },
    fieldOfError: (error) => (hasErrorCode(error, 'ACCOUNT_TAKEN') ? name : undefined),
  });
  return (
    <form className="stack gap-5" {...form.props} onFocus={prepare}>
      <Field {...input} {...form.field(name)} label={label} />
      <FormFooter form={form} large={large} action="发送验证码" busyLabel="正在发送…" />
    </form>
  );
}

interface NotReceivedProps {
  onBack: () => void;
  children: string | string[];
}

export const CodeNotReceived = ({ onBack, children }: NotReceivedProps) => (
  <p className="ink-3 text-s text-center">
    没有收到？
    <button type="button" className="link" onClick={onBack}>
      {children}
    </button>
  </p>
);
