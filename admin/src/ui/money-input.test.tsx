import type { ChangeEvent, ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MoneyInput, NO_AMOUNT } from './money-input.tsx';

type Props = Parameters<typeof MoneyInput>[0];
let field: ReactElement<{ onChange: (event: ChangeEvent<HTMLInputElement>) => void }>;

function CapturedInput(props: Props) {
  field = MoneyInput(props);
  return field;
}

/** Types text and returns the value that the form receives. */
function type(text: string): number | undefined {
  let value: number | undefined;
  const onChange = (fen: number) => {
    value = fen;
  };
  renderToStaticMarkup(<CapturedInput onChange={onChange} />);
  field.props.onChange({ target: { value: text } } as ChangeEvent<HTMLInputElement>);
  return value;
}

test('displays fen as yuan, and nothing without an amount', () => {
  expect(renderToStaticMarkup(<MoneyInput value={1029} />)).toContain('value="10.29"');
  expect(renderToStaticMarkup(<MoneyInput />)).toContain('value=""');
});

test('converts typed yuan to fen', () => {
  expect(type('10.29')).toBe(1029);
  expect(type('9')).toBe(900);
  expect(type('abc')).toBe(NO_AMOUNT);
  expect(type('')).toBe(NO_AMOUNT);
});
