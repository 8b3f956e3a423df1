import { addMissingScheme } from '@mozhan/contract/web-address.ts';
import type { ComponentProps } from 'react';
import { Field } from './field.tsx';

/** URL input that adds a missing scheme on blur. */
export const WebAddressField = (props: ComponentProps<typeof Field>) => (
  <Field
    type="url"
    inputMode="url"
    placeholder="https://"
    autoComplete="url"
    maxLength={200}
    onBlur={({ target }) => {
      target.value = addMissingScheme(target.value);
    }}
    {...props}
  />
);
