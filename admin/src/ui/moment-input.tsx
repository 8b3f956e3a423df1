import { Input } from 'antd';
import { fromDateTimeField, toDateTimeField } from '#admin/lib/display-period.ts';

interface MomentInputProps {
  /** Set by the form, together with its ARIA attributes. */
  id?: string;
  value?: string | null;
  onChange?: (iso: string | null) => void;
}

/** Optional date and time in the site's time zone. */
export function MomentInput({ value = null, onChange, ...rest }: MomentInputProps) {
  return (
    <Input
      {...rest}
      type="datetime-local"
      max="2999-12-31T23:59"
      value={toDateTimeField(value)}
      onChange={(event) => onChange?.(fromDateTimeField(event.target.value))}
    />
  );
}
