import type { ComponentProps } from 'react';
import { Field } from '#web/ui/field.tsx';

export function AccountField(props: Partial<ComponentProps<typeof Field>>) {
  return (
    <Field
      name="account"
      label="账号"
      placeholder="用户名或邮箱"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}
