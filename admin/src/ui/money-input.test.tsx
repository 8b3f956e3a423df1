import type { ChangeEvent, ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MoneyInput, NO_AMOUNT } from './money-input.tsx';

type Props = Parameters<typeof MoneyInput>[0];
let field: ReactElement<{ onChange: (event: ChangeEvent<HTMLInputElement>) => void }>;

function Kept(props: Props) {
  field = MoneyInput(props);
  return field;
}

/** What the form is told when somebody types into the field. */
function type(text: string): number | undefined {
  let told: number | undefined;
  const onChange = (fen: number) => {
    told = fen;
  };
  renderToStaticMarkup(<Kept onChange={onChange} />);
  field.props.onChange({ target: { value: text } } as ChangeEvent<HTMLInputElement>);
  return told;
}

test('an amount in fen is shown in yuan; none leaves the field empty', () => {
  expect(renderToStaticMarkup(<MoneyInput value={1029} />)).toContain('value="10.29"');
  expect(renderToStaticMarkup(<MoneyInput />)).toContain('value=""');
});

test('an amount is typed in yuan and told in fen', () => {
  expect(type('10.29')).toBe(1029);
  expect(type('9')).toBe(900);
  expect(type('abc')).toBe(NO_AMOUNT);
  expect(type('')).toBe(NO_AMOUNT);
});
