import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { requiredFieldErrors, useForm } from './form.ts';

function Form({ initial }: { initial: { city: string } | null }) {
  const { field, props } = useForm({ names: ['city', 'bio'], initial, submit: async () => {} });
  const [city, bio] = [field('city'), field('bio')];
  return (
    <form method={props.method}>
      <input name={city.name} defaultValue={city.defaultValue} />
      <input name={bio.name} defaultValue={bio.defaultValue} />
    </form>
  );
}

test('passes the name and the initial value to a field', () => {
  expect(renderToStaticMarkup(<Form initial={{ city: '杭州' }} />)).toBe(
    '<form method="post"><input name="city" value="杭州"/><input name="bio"/></form>',
  );
  expect(renderToStaticMarkup(<Form initial={null} />)).not.toContain('value=');
});

test('reports required fields that contain only spaces', () => {
  expect(
    requiredFieldErrors({ city: ' ', bio: '写代码' }, { city: '请填写城市', bio: '请填写简介' }),
  ).toEqual({
    city: '请填写城市',
  });
});
