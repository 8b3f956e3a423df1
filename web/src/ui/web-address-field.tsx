import { completeAddress } from '@mozhan/contract/web-address.ts';
import type { ComponentProps } from 'react';
import { Field } from './field.tsx';

/** The address of a page, whose scheme is filled in when it is left. */
export const WebAddressField = (props: ComponentProps<typeof Field>) => (
  <Field
    type="url"
    inputMode="url"
    placeholder="https://"
    autoComplete="url"
    maxLength={200}
    onBlur={({ target }) => {
      target.value = completeAddress(target.value);
    }}
    {...props}
  />
);
