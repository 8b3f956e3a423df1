import { Input } from 'antd';
import { fromField, toField } from '#admin/lib/moments.ts';

interface MomentInputProps {
  /** Given by the form, as is what says that it is wrong. */
  id?: string;
  value?: string | null;
  onChange?: (iso: string | null) => void;
}

/** A date and time of the site's clock, to be left empty. */
export function MomentInput({ value = null, onChange, ...given }: MomentInputProps) {
  return (
    <Input
      {...given}
      type="datetime-local"
      max="2999-12-31T23:59"
      value={toField(value)}
      onChange={(event) => onChange?.(fromField(event.target.value))}
    />
  );
}
