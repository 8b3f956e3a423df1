import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';

interface FormFooterProps {
  form: { formError: string; busy: boolean };
  /** Button label; `busyLabel` replaces it while submitting. */
  action: string;
  busyLabel: string;
  large?: boolean;
}

export const FormFooter = ({
  form: { formError, busy },
  action,
  busyLabel,
  large = false,
}: FormFooterProps) => (
  <>
    {formError ? <Alert tone="bad">{formError}</Alert> : null}
    <Button type="submit" variant="primary" size={large ? 'large' : 'medium'} block busy={busy}>
      {busy ? busyLabel : action}
    </Button>
  </>
);
