import { UserFilter } from '#admin/ui/user-filter.tsx';

interface AuthorInputProps {
  /** Given by the form. */
  value?: string | undefined;
  onChange?: (value: string | undefined) => void;
}

/** An author, found by name. */
export function AuthorInput({ value, onChange }: AuthorInputProps) {
  return <UserFilter label="作者" block value={value} onChange={(chosen) => onChange?.(chosen)} />;
}
