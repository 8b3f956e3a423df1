import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';

interface FormEndProps {
  form: { problem: string; busy: boolean };
  /** On the button, and while it is being done. */
  action: string;
  doing: string;
  large?: boolean;
}

/** What went wrong with a form as a whole, and its button. */
export const FormEnd = ({ form: { problem, busy }, action, doing, large = false }: FormEndProps) => (
  <>
    {problem ? <Notice tone="bad">{problem}</Notice> : null}
    <Button type="submit" look="primary" size={large ? 'large' : 'medium'} block busy={busy}>
      {busy ? doing : action}
    </Button>
  </>
);
