import type { ReactNode } from 'react';
import type { useForm } from '../lib/form.ts';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';

interface DialogFormProps {
  form: Pick<ReturnType<typeof useForm<never>>, 'busy' | 'formError' | 'props'>;
  className?: string;
  buttonsClass?: string | undefined;
  action: string;
  danger?: boolean;
  onCancel: () => void;
  children: ReactNode;
}

/** A form with its error above the fields and cancel and submit buttons below. */
export const DialogForm = (props: DialogFormProps) => {
  const {
    form,
    className = 'stack gap-5',
    buttonsClass = '',
    action,
    danger = false,
    onCancel,
    children,
  } = props;
  return (
    <form {...form.props} className={className}>
      {form.formError === '' ? null : <Alert tone="bad">{form.formError}</Alert>}
      {children}
      <div className={`flex end gap-2 ${buttonsClass}`}>
        <Button onClick={onCancel}>取消</Button>
        <Button variant={danger ? 'danger' : 'primary'} type="submit" busy={form.busy}>
          {action}
        </Button>
      </div>
    </form>
  );
};
